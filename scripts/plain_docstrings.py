"""Docstrings in the words of Griffe, so that the reference shows what they say.

An extension of Griffe: see mkdocs.yml. Of ``{"a", "b"} or callable, default="b"`` it takes the
first choice for the default and loses what comes after the brace. Of several parameters that share
an entry it gives each the type and the default of the first. Here choices are written with "or",
and shared entries become a sentence before the section.
"""

import re

from griffe import Extension

CHOICES = re.compile(r"^([ \w,]+ : )\{([^}]*)\}", re.MULTILINE)
SHARED = re.compile(
    r"^((?:\w+(?:, \w+)*\n)+) {4}(As in [^.]*)\.((?:[^\n]*\n {4})*[^\n]*)\n?", re.MULTILINE
)
NAME = re.compile(r"\w+")
SECTION = "Parameters\n----------\n"


class PlainDocstrings(Extension):
    """Rewrites the docstrings before they are read."""

    def on_object(self, *, obj, **_):
        if obj.docstring:
            text = CHOICES.sub(in_words, obj.docstring.value)
            obj.docstring.value = with_sentences(text)


def in_words(found):
    return found[1] + found[2].replace(", ", " or ")


def listed(names):
    return ", ".join(f"`{name}`" for name in NAME.findall(names))


def with_sentences(text):
    """The text with a sentence for each entry that says where parameters are explained."""
    sentences = [
        f"{where}: {listed(names)}.{more}\n\n" for names, where, more in SHARED.findall(text)
    ]
    own = SHARED.sub("", text)
    if sentences and own.split(SECTION)[1][:1] in ("", "\n"):
        return own.replace(SECTION, "".join(sentences))
    return own.replace(SECTION, "".join([*sentences, SECTION]))
