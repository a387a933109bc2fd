"""Which theorem speaks about which learner, and what it says of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import singledispatch
from math import exp
from typing import Any

import numpy as np

from ..bounds import (
    Assumption,
    Bound,
    drift,
    flagship,
    forgetron,
    perceptron,
    projectron,
    second_order,
    tracking,
)
from ..bounds.bound import require
from ..comparators import Comparator
from ..core.kernel import Rows
from ..estimators import (
    AdaptiveSecondOrderPerceptron,
    BudgetPerceptron,
    Budgetron,
    DriftingThreshold,
    Forgetron,
    LeastRecentBudgetPerceptron,
    ModifiedPerceptron,
    Perceptron,
    Projectron,
    ProjectronPlusPlus,
    PseudoinverseSecondOrderPerceptron,
    RandomizedBudgetPerceptron,
    RestartingExperts,
    SecondOrderPerceptron,
    ShiftingPerceptron,
    Stoptron,
    StreamClassifier,
    WhitenedPerceptron,
)
from ..evaluation.evidence import Evidence

__all__ = ["ALWAYS", "Run", "Theorem", "theorems"]

ALWAYS = "always"
DRAWS = "in expectation over the learner's own draws"
EXAMPLES = "in expectation over the draws of the examples"
ETAS = np.geomspace(1e-4, 0.499, 200)


@dataclass(frozen=True)
class Run:
    """A learner, the stream that it has gone over, and what is known of both."""

    learner: StreamClassifier
    evidence: Evidence
    X: Rows
    labels: np.ndarray
    mistakes: np.ndarray | None  # which rounds, if that is known
    updates: np.ndarray | None
    facts: Mapping[str, Any]

    def known(self, theorem: str, *names: str) -> list[Any]:
        """What the caller knows of the stream, if it is all that the theorem asks for."""
        told = [self.facts.get(name) for name in names]
        pairs = zip(names, told, strict=True)
        require(
            theorem, *(Assumption(f"{n} is known", v is not None, f"it is {v}") for n, v in pairs)
        )
        return told

    def mistaken(self, g: Comparator) -> Comparator:
        """The competitor in the mistaken rounds, or in all if it is not known which they are."""
        return g if self.mistakes is None else g.over(self.mistakes)

    def changed(self, g: Comparator) -> Comparator:
        """The competitor in the rounds with an update, or in all."""
        return g if self.updates is None else g.over(self.updates)


@dataclass(frozen=True)
class Theorem:
    """A bound on a learner's mistakes, and for which competitors and in what sense it holds.

    `bound` is a function of the run, of the competitor's hinge loss (over all rounds, or over those
    that the theorem needs) and of the competitor.
    """

    bound: Callable[[Run, float, Comparator], Bound]
    largest_norm: float | None = None  # of the competitors that it is meant for
    sense: str = ALWAYS
    needs_competitor: bool = True
    rounds: Callable[[Run, Comparator], Comparator] = Run.mistaken  # with losses that matter


@singledispatch
def theorems(learner: Any) -> list[Theorem]:
    """The theorems of the five papers about a learner."""
    return []


@theorems.register
def _(learner: Perceptron) -> list[Theorem]:
    return [
        Theorem(lambda run, D, g: perceptron.mistakes(g.norm, D, run.evidence.radius)),
        Theorem(lambda run, D, g: perceptron.additive_mistakes(g.norm, D, run.evidence.radius)),
    ]


@theorems.register
def _(learner: WhitenedPerceptron) -> list[Theorem]:
    def bound(run: Run, D: float, g: Comparator) -> Bound:
        whitened = learner._whitening(run.X)
        leverage = float(np.einsum("ij,ij->i", whitened, whitened).max())
        return second_order.whitened_mistakes(g.squared_scores, leverage, float(g.margins.min()))

    return [Theorem(bound)]


@theorems.register
def _(learner: ShiftingPerceptron) -> list[Theorem]:
    return [
        Theorem(
            lambda run, D, g: tracking.shifting_mistakes(
                g.norm, D, g.total_shift, learner.decay, run.evidence.radius
            )
        )
    ]


@theorems.register(LeastRecentBudgetPerceptron)
@theorems.register(BudgetPerceptron)
@theorems.register(Stoptron)
def _(learner: Any) -> list[Theorem]:
    return [_unless_forgetful(learner)]


def _unless_forgetful(learner: Any) -> Theorem:
    """The Perceptron's, for a learner that is the Perceptron until its budget is full."""
    forgot, budget = learner.n_mistakes_, learner.budget
    room = Assumption(
        "the budget is never exceeded", forgot <= budget, f"{forgot} mistakes, and B is {budget}"
    )

    def bound(run: Run, D: float, g: Comparator) -> Bound:
        found = perceptron.mistakes(g.norm, D, run.evidence.radius)
        return Bound(float(found), found.theorem, require(found.theorem, room))

    return Theorem(bound)


@theorems.register
def _(learner: RandomizedBudgetPerceptron) -> list[Theorem]:
    def bound(run: Run, D: float, g: Comparator) -> Bound:
        return tracking.randomized_mistakes(
            g.norm, D, learner.budget, total_shift=g.total_shift, radius=run.evidence.radius
        )

    return [
        Theorem(bound, largest_norm=learner.budget**0.5 / 3, sense=DRAWS),
        _unless_forgetful(learner),
    ]


@theorems.register
def _(learner: Forgetron) -> list[Theorem]:
    largest = forgetron.largest_norm(learner.budget)

    def along_the_run(run: Run, D: float, g: Comparator) -> Bound:
        damage, rounds = run.evidence.sums, max(1, run.evidence.updates)
        each = exp(-damage["shrinking"] / rounds)  # phi <= Phi
        return forgetron.run_mistakes(
            g.norm,
            D,
            [damage["removal_damage"]],
            np.full(rounds, each),
            norm_bound=g.norm,
            radius=run.evidence.radius,
        )

    return [
        Theorem(
            lambda run, D, g: forgetron.mistakes(g.norm, D, learner.budget, run.evidence.radius),
            largest_norm=largest,
        ),
        Theorem(along_the_run, largest_norm=largest),
        _unless_forgetful(learner),
    ]


@theorems.register
def _(learner: Projectron) -> list[Theorem]:
    eta, U, _ = learner._limits()
    if U > 0:
        return [
            _unless_full(
                learner,
                lambda run, D, g: projectron.tuned_mistakes(g.norm, D, U, run.evidence.radius),
                largest_norm=U,
            )
        ]
    largest = 1 / (2 * eta) if eta > 0 else None
    return [
        _unless_full(
            learner,
            lambda run, D, g: projectron.mistakes(g.norm, D, eta, run.evidence.radius),
            largest_norm=largest,
        ),
        _unless_full(
            learner,
            lambda run, D, g: projectron.additive_mistakes(g.norm, D, eta, run.evidence.radius),
            largest_norm=largest,
        ),
    ]


@theorems.register
def _(learner: ProjectronPlusPlus) -> list[Theorem]:
    _, U, _ = learner._limits()
    if U == 0:
        return []

    def bound(run: Run, D: float, g: Comparator) -> Bound:
        progress = run.evidence.sums["progress"]
        return projectron.margin_mistakes(g.norm, D, progress, U, run.evidence.radius)

    return [_unless_full(learner, bound, largest_norm=U, rounds=Run.changed)]


def _unless_full(
    learner: Projectron, bound: Callable[[Run, float, Comparator], Bound], **options: Any
) -> Theorem:
    """A theorem about learners that project only what is near, not all once the budget is full."""
    size, budget = learner._learner.size, learner._limits()[2]
    room = Assumption("the budget is never full", size < budget, f"there are {size} supports")

    def checked(run: Run, D: float, g: Comparator) -> Bound:
        found = bound(run, D, g)
        return Bound(float(found), found.theorem, require(found.theorem, *found.assumptions, room))

    return Theorem(checked, **options)


@theorems.register
def _(learner: SecondOrderPerceptron) -> list[Theorem]:
    def bound(run: Run, D: float, g: Comparator) -> Bound:
        squared = run.mistaken(g).squared_scores
        determinant = run.evidence.sums["log_determinant"]
        return second_order.mistakes(g.norm, D, squared, determinant, learner.a)

    return [Theorem(bound)]


@theorems.register
def _(learner: AdaptiveSecondOrderPerceptron) -> list[Theorem]:
    def bound(run: Run, D: float, g: Comparator) -> Bound:
        return second_order.adaptive_mistakes(
            g.norm,
            D,
            run.mistaken(g).squared_scores,
            run.evidence.sums["log_determinant"],
            max(1, learner._learner.size),
            learner.c,
            learner.radius,
            run.evidence.radius,
        )

    return [Theorem(bound)]


@theorems.register
def _(learner: PseudoinverseSecondOrderPerceptron) -> list[Theorem]:
    def bound(run: Run, D: float, g: Comparator) -> Bound:
        traced, size = run.mistakes is not None, learner._learner.size
        require(
            "Second-order Perceptron, Theorem 4.2",
            Assumption("the mistaken rounds are known", traced, "there is no trace"),
            Assumption("something was learned", size > 0, f"there are {size} supports"),
        )
        assert run.mistakes is not None
        return second_order.pseudoinverse_mistakes(
            D,
            run.mistaken(g).squared_scores,
            size,
            _smallest_eigenvalue(run, run.mistakes),
            int(run.mistakes.sum()),
            run.evidence.radius,
        )

    return [Theorem(bound)]


def _smallest_eigenvalue(run: Run, mistakes: np.ndarray) -> float:
    """lambda* of Theorem 4.2, which can only fall when a mistake leaves the span of the others.

    In orthonormal coordinates z of the supports' span, the correlation matrix of the mistakes is
    sum z z^T, and its smallest eigenvalue grows with each mistake inside the span.
    """
    learner: Any = run.learner
    inner, rows = learner._learner, np.flatnonzero(mistakes)
    L = np.linalg.cholesky(inner.kernel(inner.supports, inner.supports))
    Z = np.linalg.solve(L, inner.kernel(inner.supports, run.X[rows])).T
    births = np.sort(inner.state.births[inner.state.order[: inner.size]])
    ends = np.searchsorted(rows, births) + 1
    return min(
        float(np.linalg.eigvalsh(Z[:end, :rank].T @ Z[:end, :rank])[0])
        for rank, end in enumerate(ends, start=1)
    )


@theorems.register
def _(learner: ModifiedPerceptron) -> list[Theorem]:
    def bound(run: Run, D: float, g: Comparator) -> Bound:
        theorem, budget = "Concept drift, Theorem 10", learner.budget
        require(theorem, Assumption("nothing is forgotten", budget is None, f"B is {budget}"))
        K, rate, gamma, d = run.known(theorem, "shifts", "drift_rate", "gamma", "dimension")
        each = [drift.hyperplane_error(run.evidence.rows, K, rate, gamma, d, eta) for eta in ETAS]
        return _mistakes(run, min(each))

    return [Theorem(bound, sense=EXAMPLES, needs_competitor=False)]


@theorems.register
def _(learner: Budgetron) -> list[Theorem]:
    def bound(run: Run, D: float, g: Comparator) -> Bound:
        return flagship.trusted_mistakes(
            run.evidence.sums["best_experts_loss"],
            run.evidence.rows,
            first_trust=run.evidence.sums["first_trust"],
            part=run.evidence.sums["part"],
            sharing=learner.sharing,
            restarts=int(run.evidence.sums["openings"]),
        )

    return [Theorem(bound, needs_competitor=False)]


@theorems.register
def _(learner: DriftingThreshold) -> list[Theorem]:
    def bound(run: Run, D: float, g: Comparator) -> Bound:
        K, rate = run.known("Concept drift, Theorem 5", "shifts", "drift_rate")
        return _mistakes(run, drift.threshold_error(run.evidence.rows, K, rate, learner.gamma))

    return [Theorem(bound, sense=EXAMPLES, needs_competitor=False)]


@theorems.register
def _(learner: RestartingExperts) -> list[Theorem]:
    experts, length = len(learner.experts_), learner.restart_every_

    def along_the_run(run: Run, D: float, g: Comparator) -> Bound:
        return drift.experts_loss(
            run.evidence.sums["best_experts_loss"],
            run.evidence.rows,
            experts,
            length,
            learner.learning_rate_,
        )

    def realizable(run: Run, D: float, g: Comparator) -> Bound:
        shifts, rate = run.known("Concept drift, Theorem 4", "shifts", "drift_rate")
        return drift.restarting_loss(run.evidence.rows, shifts, experts, rate, length)

    theorems = [Theorem(along_the_run, sense=DRAWS, needs_competitor=False)]
    if learner.setting == "realizable":
        theorems.append(Theorem(realizable, sense=EXAMPLES, needs_competitor=False))
    return theorems


def _mistakes(run: Run, error: Bound) -> Bound:
    return Bound(run.evidence.rows * float(error), error.theorem, error.assumptions)
