"""Texts that a terminal or a page would obey, and files that are full of them."""

import random

CLIPBOARD = "\x1b]52;c;aGFja2Vk\x07"
SCRIPT = "<script>window.hacked=1</script>"
IMAGE = '"><img src=x onerror=window.hacked=1>'
OBEYED = (
    *(CLIPBOARD, "\x1b[2J", "\x1b[31m", "\x1bc", "\x9b31m", "\x9d0;title\x9c", "\x08\x08\x7f"),
    *("\rFORGED", "\u202edlrow", "\u2066", "\u2028", "\u200b", "\ufeff", "[link=http://x]", "[/]"),
)
EVIL = "".join(OBEYED) + SCRIPT + IMAGE
PLAIN = "café 漢字"
SHOWN = r"\x1b]52;c;aGFja2Vk\x07\x1b[2J\x1b[31m\x1bc\x9b31m"
NAME = "evil\x1b]0;t\x07\x9b\u202e$a^b$<img src=x onerror=window.hacked=1>.csv"


def write_hostile(path, rows=60, bad=False):
    """Points and labels, with something hostile in every text."""
    draw = random.Random(0).uniform
    texts = ("far", "near", "word", "label")
    lines = [",".join(quoted(text + EVIL + PLAIN) for text in texts)]
    for row in range(rows):
        a, b = draw(-1, 1), draw(-1, 1)
        label = ("yes" if a * b > 0 else "no") + EVIL + PLAIN
        lines.append(f"{1e5 * a},{b},{quoted('ab'[row % 2] + EVIL)},{quoted(label)}")
    if bad:
        lines.append(f"{quoted('number' + EVIL)},1,a,{quoted(label)}")
    path.write_bytes("\n".join([*lines, ""]).encode())


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


def controls(text):
    """The characters of a text that are not to be shown as they are; a line end is."""
    return {
        character
        for character in text
        if not (character.isprintable() or character in "\n\u200c\u200d")
    }
