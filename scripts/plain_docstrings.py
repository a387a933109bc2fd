"""Docstrings in the words of Griffe, so that the reference shows what they say.

An extension of Griffe: see mkdocs.yml. Learners complete their docstrings when they are imported,
and Griffe only reads the source: they are imported here. Of ``{"a", "b"} or callable, default="b"``
it takes the first choice for the default and loses what comes after the brace: here choices are
written with "or".
"""

import re
from importlib import import_module
from inspect import cleandoc

from griffe import Extension

COMPLETED = "budgetron.estimators", "budgetron.river"
CHOICES = re.compile(r"^([ \w,]+ : )\{([^}]*)\}", re.MULTILINE)


class PlainDocstrings(Extension):
    """Rewrites the docstrings before they are read."""

    def on_object(self, *, obj, **_):
        if obj.docstring:
            if obj.is_class and obj.path.startswith(COMPLETED):
                obj.docstring.value = cleandoc(completed(obj))
            obj.docstring.value = CHOICES.sub(in_words, obj.docstring.value)


def completed(obj):
    return getattr(import_module(obj.module.path), obj.name).__doc__


def in_words(found):
    return found[1] + found[2].replace(", ", " or ")
