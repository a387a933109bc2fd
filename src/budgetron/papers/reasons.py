"""Why a statement does not hold on our results, or a number differs: data, reading or noise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from .exhibit import Exhibit

__all__ = ["REASONS", "Reason", "unmet"]

Kind = Literal["data", "noise", "reading"]


@dataclass(frozen=True)
class Reason:
    """Why ours is not as the paper's.

    Attributes
    ----------
    kind : {"data", "noise", "reading"}
        The data are others; what was measured does not decide it; or the paper leaves open, or
        says in a way that cannot be, what was done.
    words : str
        In plain sentences, with what was measured to settle it.
    """

    kind: Kind
    words: str


def unmet(exhibit: Exhibit) -> Iterator[tuple[str, str]]:
    """The statements that do not hold and the numbers that differ, with what was measured."""
    for claim in exhibit.claims:
        if not claim.holds:
            yield claim.statement.rstrip("."), claim.measured
    for number in exhibit.numbers:
        allowed = number.allowed(len(exhibit.numbers))
        if not number.agrees(len(exhibit.numbers)):
            yield (
                number.name,
                f"{number.ours} where the paper has {number.printed};"
                f" a difference of {allowed:.2g} is explained",
            )


MARGIN_STEP = Reason(
    "reading",
    "The step on a margin error. Eq. (17) does not maximise Eq. (16), as it says (item 20 of how"
    " the papers are read), so that what was run is open. Six other readings were tried on both"
    " data sets: the maximiser, the step that the authors took later, full steps only, the radius"
    " of Eq. (13), the squared distance, and a step of the loss itself. All printed numbers but the"
    " size at B = 500 lie between the reading that is used (Adult9, B = 1500: 19.8 % with 956"
    " supports) and full steps only (20.2 % with 1002); none of the readings gives them."
    " The Projectron, which has no such step, agrees in all its numbers.",
)
DRIFTING = Reason(
    "reading",
    "How the data are drawn is open in five places (items 35 to 37). Eight other readings were"
    " tried, with 3 to 6 runs each: none gives all printed numbers, and each that comes nearer in"
    " one goes away in another (item 50).",
)
CHUNKS_OF_ONE_CORPUS = (
    " More runs cannot decide it: there is one corpus in one order. RCV1 can, and is used as soon"
    " as it is in the data directory (budgetron reproduce tracking --full)."
)

REASONS: dict[str, dict[str, Reason]] = {
    "second-order/table-5-1": {
        "second-order Perceptron, a = 50, data set 2": Reason(
            "reading",
            "The gap that was cut around the target is not given (item 44). One size of it is"
            " used for all eight numbers; it brings the other seven within the noise of one"
            " sample.",
        ),
    },
    "second-order/ellipsoids": {
        "Target along the largest axis: the Perceptron is the one to use": Reason(
            "reading",
            "The paper compares bounds there, and has no runs. The larger bound is no"
            " prediction of more mistakes: on 30 streams the second-order Perceptron makes"
            " somewhat fewer on this axis, too. The whitened Perceptron, of which the paper"
            " says most, makes more.",
        ),
    },
    "forgetron/figure-2-right": {
        "active examples of the Perceptron": Reason(
            "reading",
            "The order of the rows and the scale of the kernel are open. The kernel"
            " that comes nearest of three is used, on the rows in the order of their file; another"
            " order was not run. The problems are the same, so that there is no noise to explain a"
            " difference of 5 percent.",
        ),
    },
    "tracking/table-1": {
        "In Table I SOP's advantage is the larger, in percent, the shorter the chunk": Reason(
            "noise",
            "SOP/PERC is 0.913 ± 0.029, 0.921 ± 0.010, 0.865 ± 0.017 and 0.888 ± 0.015"
            " (standard errors over the four data sets): halves of the stream and its eighths"
            " differ as the paper's do, neighbours do not by more than chance. The paper's own"
            " differences, 1 to 7 percent, are below its deviations of 11 percent."
            + CHUNKS_OF_ONE_CORPUS,
        ),
    },
    "tracking/table-2": {
        "An update of PERC, SPA, RBP and LBP takes constant time": Reason(
            "reading",
            "PERC and SPA do. RBP and LBP keep their supports in the order of insertion (item"
            " 7), so that a removal closes a gap: 1.8 and 1.4 µs at 2,048 supports, where an"
            " addition alone takes 0.9. The paper counts operations, and a move of memory as"
            " none.",
        ),
    },
    "tracking/figure-3": {
        "CKS has a much higher error than any other for the same budget": Reason(
            "data",
            "It does, by 5 points at the smallest budgets and up to B = 250; at 300 and 350 it"
            " is 0.2 points lower. There the budget is nearly the Perceptron's size, which is"
            " 364 on these 11,200 stories and 1,368 on the paper's 20,000.",
        ),
    },
    "tracking/figure-4": {
        "A shifting data set is considerably harder than its chunks learned separately": Reason(
            "noise",
            "Considerably is taken as a tenth. With 3 and 7 shifts it is 16 to 49 percent;"
            " with one shift 11 ± 2 percent for SOP and 8 ± 2 for PERC (standard errors over"
            " the data sets)." + CHUNKS_OF_ONE_CORPUS,
        ),
        "LBP, FA and LBSOP outperform their baselines at certain budgets, on every group": Reason(
            "noise",
            "Eight of nine do. FA with one shift makes 0.05 ± 0.08 points more (standard error"
            " over the data sets), because of one of the four." + CHUNKS_OF_ONE_CORPUS,
        ),
        "With 7 shifts the budget algorithms tend to outperform those without a budget": Reason(
            "reading",
            "Four of five do, by 0.5 to 1.8 points; to tend is taken as all. RBP's lowest"
            " error is 0.06 ± 0.01 points above the Perceptron's, at a budget that hardly"
            " removes anything.",
        ),
        "With 7 shifts LBSOP's best budget is smaller than the others'": Reason(
            "noise",
            "It is 100, as LBP's. LBP's errors at 100 and 150 are 7.00 and 7.08 percent, and a"
            " finer grid of budgets would compare noise." + CHUNKS_OF_ONE_CORPUS,
        ),
    },
    "tracking/figure-5": {
        "PERC profits when topics come back: fewer errors in chunks 5-8 than in 2-4": Reason(
            "data",
            "It does not here, on any of the four data sets: against the same chunks learned"
            " alone PERC makes 30 more mistakes in chunks 5 to 8 and 23 more in chunks 2 to 4."
            " A chunk has 1,400 stories where the paper's has 2,500.",
        ),
    },
    "projectron/table-2": {
        (
            "The Projectron does as well as the Perceptron with far fewer supports: within 3"
            " percent of its mistakes, with less than half of its supports"
        ): Reason(
            "data",
            "It does as well, with 58 to 61 percent of the supports. Its size follows from U,"
            " and U from a quarter and a half of the Perceptron's size: 1,191 here and 15,432"
            " in the paper, which gives a U three times as large. Vehicle's own file decides it"
            " (budgetron reproduce projectron/table-2 --full uses it where it is).",
        ),
        "Both Projectrons outperform the Forgetron and the RBP with a smaller support set": Reason(
            "data",
            "They make fewer mistakes, and keep more than these small budgets: the same reason"
            " as for the statement before.",
        ),
    },
    "projectron/table-1": {
        "Projectron++, B=1500, size": MARGIN_STEP,
        "Projectron++, B=3000, % mistakes": MARGIN_STEP,
        "Projectron++, B=3000, size": MARGIN_STEP,
    },
    "projectron/table-3": {
        "Projectron++, B=1000, % mistakes": MARGIN_STEP,
        "Projectron++, B=500, % mistakes": MARGIN_STEP,
    },
    "drift/figure-1": {
        "ModifiedPerceptron, random drift, % more mistakes than the Perceptron": DRIFTING,
        "ModifiedPerceptron, linear drift, % more mistakes than the Perceptron": DRIFTING,
        "Modified Perceptron, random drift, rows until it is ahead": DRIFTING,
    },
    "drift/figure-2": {
        "Perceptron, random drift, mistakes at d = 20": DRIFTING,
        "Perceptron, linear drift, mistakes at d = 20": DRIFTING,
        "Modified Perceptron, random drift, d where it breaks even": DRIFTING,
        "Modified Perceptron, linear drift, d where it breaks even": DRIFTING,
    },
}
"""By artifact: one for each statement or number that is unmet on the results that are kept."""
