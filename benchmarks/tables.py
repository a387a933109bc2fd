"""Tables as Markdown."""

from __future__ import annotations

from .showing import rounded

__all__ = ["markdown"]


def markdown(columns, rows):
    """A table whose columns are aligned to the right, except those of words."""
    cells = [[_escaped(rounded(cell)) for cell in row] for row in rows]
    cells = [row + [""] * (len(columns) - len(row)) for row in cells]
    aligned = [
        "---:" if all(_is_number(row[i]) for row in cells) else "---" for i in range(len(columns))
    ]
    return "\n".join(_line(row) for row in ([*map(_escaped, columns)], aligned, *cells))


def _line(cells):
    return "| " + " | ".join(cells) + " |"


def _escaped(text):
    return str(text).replace("|", "\\|")


def _is_number(text):
    text = text.strip("*")
    return (text == "" or text[0].isdigit() or text[:2] == "-0") and "(" not in text
