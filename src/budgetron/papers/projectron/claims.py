"""What the paper says of its tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..exhibit import Claim
from .agreement import percent_more
from .experiment import BOUNDED, UNBOUNDED, Contender, Standing

__all__ = ["TRACKED", "claims_of"]

TRACKED = 3
"""Percent of the Perceptron's mistakes by which another may differ and still do as well."""
MUCH_BIGGER = 3
"""Times the largest other deviation from which on the Stoptron's is much bigger."""


def claims_of(budgets: Sequence[int], standings: dict[Contender, Standing]) -> tuple[Claim, ...]:
    """What Section 5 says of all three tables."""
    plain, upper = (standings[Contender(name)] for name in UNBOUNDED)
    bounded = {
        budget: [standings[Contender(name, budget)] for name in BOUNDED] for budget in budgets
    }

    def at_every_budget(
        statement: str, holds: Callable[..., bool], measured: Callable[..., str]
    ) -> Claim:
        return Claim(
            statement,
            all(holds(*rows) for rows in bounded.values()),
            "; ".join(f"B={budget}: {measured(*rows)}" for budget, rows in bounded.items()),
        )

    def beats(one: Standing, other: Standing) -> bool:
        return one.mistakes.mean < other.mistakes.mean and one.size.mean < other.size.mean

    def shown(*rows: Standing) -> str:
        return " and ".join(f"{row.mistakes.mean:.2f} % with {row.size.mean:.0f}" for row in rows)

    return (
        at_every_budget(
            "The Projectron does as well as the Perceptron with far fewer supports: within"
            f" {TRACKED} percent of its mistakes, with less than half of its supports.",
            lambda p, pp, f, r, s: (
                abs(percent_more(p.mistakes.mean, plain.mistakes.mean)) <= TRACKED
                and p.size.mean < plain.size.mean / 2
            ),
            lambda p, pp, f, r, s: f"{shown(p)} supports against {shown(plain)}",
        ),
        at_every_budget(
            "Both Projectrons outperform the Forgetron and the RBP with a smaller support set.",
            lambda p, pp, f, r, s: all(beats(one, other) for one in (p, pp) for other in (f, r)),
            lambda p, pp, f, r, s: f"{shown(p, pp)} supports against {shown(f, r)}",
        ),
        at_every_budget(
            "The Projectron++ outperforms the Projectron and has no larger support set.",
            lambda p, pp, f, r, s: (
                pp.mistakes.mean < p.mistakes.mean
                and round(pp.size.mean, 1) <= round(p.size.mean, 1)
            ),
            lambda p, pp, f, r, s: f"{shown(pp)} supports against {shown(p)}",
        ),
        at_every_budget(
            "The Projectron++ outperforms the Perceptron and comes closer to the PA-I, without its"
            " large support set.",
            lambda p, pp, f, r, s: (
                beats(pp, plain)
                and upper.mistakes.mean < pp.mistakes.mean
                and pp.size.mean < upper.size.mean / 2
            ),
            lambda p, pp, f, r, s: f"{shown(pp)} supports between {shown(upper, plain)}",
        ),
        at_every_budget(
            "The Stoptron is close to the other bounded learners on average: to the Forgetron and"
            " the RBP within its standard deviation.",
            lambda p, pp, f, r, s: all(
                abs(s.mistakes.mean - other.mistakes.mean) <= s.mistakes.deviation
                for other in (f, r)
            ),
            lambda p, pp, f, r, s: f"{s.mistakes} against {f.mistakes} and {r.mistakes}",
        ),
        at_every_budget(
            "The Stoptron's variance is much bigger than any other bounded learner's: at least"
            f" {MUCH_BIGGER} times their standard deviation.",
            lambda *rows: (
                rows[-1].mistakes.deviation
                >= MUCH_BIGGER * max(row.mistakes.deviation for row in rows[:-1])
            ),
            lambda *rows: (
                f"{rows[-1].mistakes.deviation:.2f} against"
                f" {max(row.mistakes.deviation for row in rows[:-1]):.2f} at most"
            ),
        ),
    )
