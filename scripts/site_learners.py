"""The reference of all learners, from the list of them.

A hook of MkDocs: see mkdocs.yml. In `docs/api/learners.md` a line such as `<!-- with a budget -->`
stands for every learner of that kind.
"""

import re
from inspect import signature

from budgetron.estimators import KernelClassifier
from budgetron.registry import LEARNERS

PLACE = re.compile(r"^<!-- (with a budget|without a budget|without a kernel) -->$", re.MULTILINE)
SHOWN = """::: budgetron.estimators.{}.{}
    options:
      inherited_members: false
      members: false
"""


def on_page_markdown(markdown, page, config, files):
    """Put the learners where they belong."""
    return with_learners(markdown)


def with_learners(text):
    """The text of a page with all learners for which it has a place."""
    return PLACE.sub(lambda found: "\n".join(shown(found[1])), text)


def shown(kind):
    return [
        SHOWN.format(row.module, name)
        for name, row in LEARNERS.items()
        if kind_of(row.estimator) == kind
    ]


def kind_of(learner):
    if not issubclass(learner, KernelClassifier):
        return "without a kernel"
    return "with a budget" if "budget" in signature(learner).parameters else "without a budget"
