"""Files as they come: points, and whether they lie in a ring, in the company of other things."""

import datetime as dt
from random import Random

ROWS = 2000


def rows(seed=1, count=ROWS):
    """East, north, height, whether it is in the ring, and when."""
    draw = Random(seed)
    when = dt.datetime(2024, 1, 1)
    for _ in range(count):
        east, north, height = draw.uniform(-1, 1), draw.uniform(-1, 1), draw.uniform(0, 1)
        when += dt.timedelta(minutes=draw.uniform(0, 30))
        yield east, north, height, 0.2 < east**2 + north**2 < 0.7, when


def write_plain(path):
    lines = (f"{e:.3f},{n:.3f},{h:.3f},{'yes' if r else 'no'}" for e, n, h, r, _ in rows())
    path.write_text("\n".join(["east,north,height,ring", *lines]) + "\n")


def write_id_and_date(path):
    lines = (
        f"{10_000 + t},{when:%Y-%m-%d %H:%M:%S},{e:.3f},{n:.3f},{h:.3f},{'yes' if r else 'no'}"
        for t, (e, n, h, r, when) in enumerate(rows())
    )
    path.write_text("\n".join(["id,when,east,north,height,ring", *lines]) + "\n")


def write_german(path):
    lines = (
        f"{e:.3f};{n:.3f};{h:.3f}".replace(".", ",")
        + f";{when:%d.%m.%Y %H:%M};{'ja' * r or 'nein'}"
        for e, n, h, r, when in rows()
    )
    path.write_bytes("\r\n".join(["Länge;Breite;Höhe;Uhrzeit;Straße", *lines]).encode("latin-1"))


def write_late_categories(path):
    """A colour decides; two of them come late, and some heights are missing."""
    draw, lines = Random(2), ["colour,height,label"]
    for t in range(ROWS):
        colour = draw.choice(["red", "blue"] if t < 1200 else ["red", "blue", "green", "grey"])
        height = "" if t % 50 == 7 else f"{draw.uniform(0, 1):.3f}"
        lines.append(f"{colour},{height},{int(colour in ('red', 'green'))}")
    path.write_text("\n".join(lines) + "\n")


def write_payments(path, answers):
    """A third of the rows has no label; most of these are in a second file."""
    lines, later = ["payment,east,north,fraud"], ["payment,fraud"]
    for t, (east, north, _, ring, _) in enumerate(rows()):
        fraud = "yes" if ring else "no"
        lines.append(f"p{t},{east:.3f},{north:.3f},{'' if t % 3 == 0 else fraud}")
        if t % 9:
            later.append(f"p{t},{fraud}")
    path.write_text("\n".join(lines) + "\n")
    answers.write_text("\n".join(later) + "\n")


def write_label_first(path):
    lines = (f"{'yes' if r else 'no'},{e:.3f},{n:.3f},{h:.3f}" for e, n, h, r, _ in rows())
    path.write_text("\n".join(["ring,east,north,height", *lines]) + "\n")


def write_free_text(path):
    lines = (f"{e:.3f},{n:.3f},this is letter {t} of many" for t, (e, n, *_) in enumerate(rows()))
    path.write_text("\n".join(["east,north,text", *lines]) + "\n")
