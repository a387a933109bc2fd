"""What is printed elsewhere of learners to compare with, beside ours.

The tables of their own papers are not at hand. What is, is a run that the authors of NOGD and FOGD
print of their library KOL (J. Lu, S. C. H. Hoi, J. Wang, P. Zhao and Z.-Y. Liu, "Large scale online
kernel learning", JMLR 17 (2016)): the Perceptron without a budget, in the order of the file.
"""

from __future__ import annotations

from ..datasets import load_a9a
from ..estimators import Perceptron
from ..evaluation import prequential
from .exhibit import Artifact, Claim, Exhibit, Scale
from .judgement import beside, judge
from .measure import Measure
from .number import Number
from .task import Outcome, Results, Task, does

__all__ = ["ARTIFACTS"]

GAMMA = 0.01
KOL = {"supports": 6887, "accuracy": 78.851997, "test accuracy": 70.738899}
"""As its README prints them, in percent of 32,561 and 16,281 rows."""


@does("contenders-kol")
def _perceptron(gamma: float) -> Outcome:
    train, test = load_a9a(download=False), load_a9a(split="test", download=False)
    learner = Perceptron(gamma=gamma)
    trace = prequential(learner, train.X, train.y)
    return {
        "rows": len(trace),
        "mistakes": int(trace.mistakes.sum()),
        "mistakes_after_the_first_row": int(trace.mistakes[1:].sum()),
        "supports": int(trace.sizes[-1]),
        "test_rows": len(test.y),
        "test_mistakes": int((learner.predict(test.X) != test.y).sum()),
    }


def _tasks(scale: Scale) -> list[Task]:
    return [Task.of("contenders-kol", gamma=GAMMA)]


def _show(results: Results, scale: Scale) -> Exhibit:
    (task,) = _tasks(scale)
    ours = results[task]
    wrong = 100 * ours["mistakes_after_the_first_row"] / ours["rows"]
    missed = 100 * ours["test_mistakes"] / ours["test_rows"]
    numbers = [
        Number("supports", Measure(KOL["supports"]), Measure(ours["supports"]), 1),
        Number("% right in learning", Measure(KOL["accuracy"]), Measure(100 - wrong), 1e-5),
        Number(
            "% right on the test split", Measure(KOL["test accuracy"]), Measure(100 - missed), 1e-5
        ),
    ]
    claims = (
        Claim(
            "Every mistake becomes a support.",
            ours["supports"] == ours["mistakes"],
            f"{ours['mistakes']} mistakes, {ours['supports']} supports",
        ),
    )
    verdict, why = judge(claims, numbers)
    return Exhibit(
        verdict=verdict,
        why=why.replace("the paper says", "its README says"),
        settings=(
            f"a9a in the order of its file, one pass, Gaussian kernel with gamma = {GAMMA}, as is"
            " KOL's default; then its test split."
        ),
        reading=(
            "In KOL the score of 0 before the first row is no mistake and makes a support, so that"
            " it has one support more than mistakes; here that row is not counted either. KOL"
            " computes in single precision."
        ),
        tables=(beside(numbers),),
        claims=claims,
        numbers=tuple(numbers),
    )


ARTIFACTS = [
    Artifact("contenders", "kol-a9a", "KOL's printed run on a9a", _tasks, _show),
]
"""What could be had."""
