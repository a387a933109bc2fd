"""Write the spam stream that Budgetron ships.

    python scripts/embed_spam.py [spamassassin.jsonl.xz]

The source is the SpamAssassin public corpus as JSON lines in order of arrival; without an argument
it is looked up in ``$BUDGETRON_DATA``, by default ``../shared/data`` next to the repository. The
output is byte-identical from run to run. Its sha256, which the loader checks, is printed last.

Each mail becomes a line of JSON: ``received`` (time of arrival), ``spam`` (0 or 1) and ``text``,
which holds what its author wrote and its reader saw -- the sender on the first line, the subject on
the second, then the body -- and nothing that tells how the corpus was put together:

- Of the headers only From and Subject are kept. The others name the folder, the filter (X-Spam-*),
  the mailing-list software, the delivery route and its dates: nearly all of the ham came through
  mailing lists, so they would give the label away. The envelope "From " line goes as well.
- The body is the plain text, or where there is none the visible text of the HTML part with its link
  targets. Tags, scripts, images and other attachments, and PGP signatures are dropped.
- Text that list servers and the corpus collection added to the mail is cut: list tags in subjects,
  list footers and their advertisements, the "DeathToSpam" wrapper of reported spam, and the URL and
  Date lines in front of news feed items.
- Words by which the collectors hid the recipients (yyyy, zzzz, taint.org, example.com, ...) go.
- Links and mail addresses are cut down to their host: the rest is mostly tracking codes, and it
  spares the people concerned.
- At most `LONGEST` characters of a mail are kept.

The source is already decoded as UTF-8 with replacement characters, so raw 8-bit text in another
encoding is lost; the replacement characters are dropped.
"""

import hashlib
import json
import lzma
import os
import re
import sys
import unicodedata
from collections.abc import Iterator
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parseaddr
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

LONGEST = 8_000

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "src" / "budgetron" / "datasets" / "spam.jsonl.xz"

INLINE = {"a", "b", "em", "font", "i", "span", "strong", "u"}
LOOKS_LIKE_HTML = re.compile(r"<(html|body|table|font|br|p)\b[^>]*>", re.I)
LIST_TAG = re.compile(r"\[[\w .-]{2,30}\]\s*")
ADDED = [
    re.compile(pattern, re.M | re.S)
    for pattern in (
        r"^-----BEGIN PGP SIGNATURE-----.*?(-----END PGP SIGNATURE-----|\Z)",
        r"^-----BEGIN PGP SIGNED MESSAGE-----\n(Hash: [^\n]*\n)?",
        r"\A\s*URL: [^\n]*\n(Date: [^\n]*\n)?",
        r"^--DeathToSpam.*",
        r"^-{20,}\s*\nThis (sf|SF)\.net email is sponsored by.{0,900}\Z",
        r"^_{20,}\s*\n[^\n]*mailing list.{0,500}\Z",
        r"^-- ?\n\s*Irish Linux Users' Group.{0,300}\Z",
        r"^-+ Yahoo! Groups Sponsor.*?-~->[ \t]*$",
        r"^To unsubscribe from this group, send an email to:.{0,400}\Z",
        r"^[^\n]*(listinfo/|listmaster@|assassin-[Ss]ightings|email is sponsored by)[^\n]*$",
    )
]
HIDDEN = re.compile(
    r"\S*(q{4}|y{4}|z{4}|taint\.org|netnoteinc|jmason|slashnull"
    r"|example\.(com|org|net|sourceforge))\S*",
    re.I,
)
LINK = re.compile(r"(?:https?|ftp)://([^\s/<>\"?]*)[^\s<>\")]*", re.I)
ADDRESS = re.compile(r"(?:mailto:)?[\w.+=%-]+@(?=[\w-]+\.\w)", re.I)


class VisibleText(HTMLParser):
    """Collects the text of an HTML page and the targets of its links."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self.hidden = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden = tag in ("script", "style")
        if tag not in INLINE:
            self.pieces.append("\n")
        target = dict(attrs).get("href") or ""
        if target.lower().startswith(("http:", "https:", "mailto:")):
            self.pieces.append(f" {target} ")

    def handle_endtag(self, tag: str) -> None:
        self.hidden = False

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.pieces.append(data)


def visible_text(page: str) -> str:
    parser = VisibleText()
    parser.feed(page)
    parser.close()
    return "".join(parser.pieces)


def header(mail: Message, name: str) -> str:
    value = str(mail.get(name, ""))
    try:
        return str(make_header(decode_header(value)))
    except (HeaderParseError, LookupError, UnicodeDecodeError):
        return value


def decoded(part: Message) -> str:
    """Text of a part; only an encoded part still needs the character set that it declares."""
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    is_encoded = encoding in ("base64", "quoted-printable")
    charset = part.get_content_charset("latin-1") if is_encoded else "utf-8"
    payload: Any = part.get_payload(decode=True)
    try:
        return payload.decode(charset, "ignore")
    except LookupError:
        return payload.decode("latin-1")


def body(mail: Message) -> str:
    plain, pages = [], []
    for part in mail.walk():
        is_text = part.get_content_maintype() in ("text", "multipart")
        if part.is_multipart() or not is_text or part.get_content_disposition() == "attachment":
            continue
        text = decoded(part)
        if part.get_content_subtype() == "html" or LOOKS_LIKE_HTML.search(text):
            pages.append(visible_text(text))
        else:
            plain.append(text)
    return "\n".join(plain) if any(map(str.strip, plain)) else "\n".join(pages)


def clean(text: str) -> str:
    text = "\n".join(text.splitlines())
    text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c)[0] != "C")
    text = text.replace("\N{REPLACEMENT CHARACTER}", "")
    for pattern in ADDED:
        text = pattern.sub("", text)
    text = LINK.sub(r"\1", text)
    text = HIDDEN.sub(" ", text)
    text = ADDRESS.sub("@", text)
    text = re.sub(r"\S{60,}", " ", text)
    text = re.sub(r"([^\w\s])\1{3,}", r"\1\1\1", text)
    text = re.sub(r"[^\S\n]+", " ", text)
    return re.sub(r" ?\n\s*", "\n", text).strip()


def readable(raw: str) -> str:
    """Sender, subject and body of a raw mail."""
    mail = message_from_bytes(raw.encode())
    name, address = parseaddr(header(mail, "From"))
    subject = LIST_TAG.sub("", header(mail, "Subject"))
    lines = clean(f"{name} {address}").replace("\n", " "), clean(subject).replace("\n", " ")
    return "\n".join((*lines, clean(body(mail))))[:LONGEST]


def rows(source: Path) -> Iterator[str]:
    with lzma.open(source, "rt", encoding="utf-8") as lines:
        for mail in map(json.loads, lines):
            row = {
                "received": mail["received"],
                "spam": int(mail["spam"]),
                "text": readable(mail["text"]),
            }
            yield json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


def main() -> None:
    directory = os.environ.get("BUDGETRON_DATA", ROOT.parent / "shared" / "data")
    source = Path(sys.argv[1] if len(sys.argv) > 1 else directory)
    if source.is_dir():
        source /= "spamassassin.jsonl.xz"
    data = "".join(rows(source)).encode()
    packed = lzma.compress(data, preset=9 | lzma.PRESET_EXTREME)
    TARGET.write_bytes(packed)
    print(f"{TARGET.relative_to(ROOT)}: {len(packed):,} bytes ({len(data):,} unpacked)")
    print(f"sha256 {hashlib.sha256(packed).hexdigest()}")


if __name__ == "__main__":
    main()
