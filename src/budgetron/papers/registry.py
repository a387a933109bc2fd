"""All artifacts of all papers, in order."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from .exhibit import Artifact

__all__ = ["PAPERS", "Paper", "chosen"]


@dataclass(frozen=True)
class Paper:
    """A paper whose artifacts are in the module of its name.

    Attributes
    ----------
    name : str
        Short, such as "second-order".
    title : str
    source : str
        Who wrote it, where and when.
    """

    name: str
    title: str
    source: str

    @property
    def artifacts(self) -> list[Artifact]:
        """Its tables and figures, in order."""
        module = import_module(f".{self.name.replace('-', '_')}", __package__)
        artifacts: list[Artifact] = module.ARTIFACTS
        return artifacts


PAPERS = (
    Paper(
        "second-order",
        "A second-order Perceptron algorithm",
        "Cesa-Bianchi et al., SIAM Journal on Computing 2005",
    ),
    Paper(
        "forgetron",
        "The Forgetron: a kernel-based Perceptron on a fixed budget",
        "Dekel et al., NIPS 2005",
    ),
    Paper(
        "tracking",
        "Tracking the best hyperplane with a simple budget Perceptron",
        "Cavallanti et al., Machine Learning 2007",
    ),
    Paper(
        "projectron",
        "The Projectron: a bounded kernel-based Perceptron",
        "Orabona et al., ICML 2008",
    ),
    Paper("drift", "Regret minimization with concept drift", "Crammer et al., COLT 2010"),
    Paper("contenders", "Learners to compare with", "KOL, Lu et al. 2016"),
    Paper("flagship", "Budgetron: the five papers in one learner", "This library"),
)


def chosen(name: str | None = None) -> list[Artifact]:
    """The artifacts that a name stands for.

    Parameters
    ----------
    name : str, optional
        A paper, such as "drift", or one artifact of it, such as "drift/figure-1"; all if not given.

    Returns
    -------
    list of Artifact

    Examples
    --------
    >>> from budgetron.papers.registry import chosen
    >>> [artifact.key for artifact in chosen("drift/figure-2")]
    ['drift/figure-2']
    """
    everything = [artifact for paper in PAPERS for artifact in paper.artifacts]
    wanted = [each for each in everything if name in (None, each.paper, each.key)]
    if not wanted:
        known = [paper.name for paper in PAPERS] + [artifact.key for artifact in everything]
        raise LookupError(f"there is no artifact {name!r}; there are {', '.join(known)}")
    return wanted
