"""What happens in one online round, and the one place where numbers are compared.

A hypothesis is f = sum_i weight_i k(x_i, .), held as a tuple of pairs (stream index i, weight_i)
in the order of insertion: the oldest comes first.

An example may have a weight u >= 0, which multiplies its step and nothing else; one of weight 0 is
predicted and then ignored. What a zero score means is one convention, or one for every round.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from .arithmetic import Number, Vector, is_exact, magnitude, total
from .kernels import Kernel

Stream = Sequence[tuple[Vector, int]]
Supports = tuple[tuple[int, Number], ...]
Convention = Literal["positive", "negative", "mistake"]
ZeroScore = Convention | Sequence[Convention]
Weights = Sequence[Number] | None

TOLERANCE = 1e-10


@dataclass(frozen=True)
class Round:
    """The observable outcome of one round.

    `mistake` is about the sign of the score alone, `update` says whether the learner's trigger
    fired, `removed` lists the stream indices dropped, and `supports` is the hypothesis afterwards.
    """

    score: Number
    mistake: bool
    update: bool
    removed: tuple[int, ...]
    supports: Supports


@dataclass(frozen=True)
class Trial:
    """Everything known once label y has been revealed for example number t, of weight u."""

    t: int
    x: Vector
    y: int
    supports: Supports
    score: Number
    scale: Number
    mistake: bool
    u: Number = 1


def weight_of(weights: Weights, t: int) -> Number:
    """The weight u of example number t, which is 1 where nothing is said."""
    return 1 if weights is None else weights[t]


def convention(zero_score: ZeroScore, t: int) -> Convention:
    """What a zero score means in round t."""
    return zero_score if isinstance(zero_score, str) else zero_score[t]


def compare(a: Number, b: Number, scale: Number) -> int:
    """The sign of a - b: exact for rationals, and 0 for floats that differ by rounding only.

    `scale` is the magnitude of what was added up to obtain a and b: where exact arithmetic would
    say "equal", the noise of floats must not decide.
    """
    tolerance = 0 if is_exact(a, b) else TOLERANCE * (1 + scale)
    return 0 if magnitude(a - b) <= tolerance else 1 if a > b else -1


def evaluate(
    supports: Supports, stream: Stream, kernel: Kernel, x: Vector
) -> tuple[Number, Number]:
    """The score f(x), and its scale: the sum of |weight_i k(x_i, x)|."""
    terms = [weight * kernel(stream[i][0], x) for i, weight in supports]
    return total(terms), total(magnitude(term) for term in terms)


def is_mistake(y: int, score: Number, scale: Number, zero_score: Convention) -> bool:
    """SGN(score) != y, where a zero score predicts +1, or -1, or is a mistake (readings.md, 1)."""
    sign = compare(score, 0, scale)
    if sign == 0:
        return {"positive": y < 0, "negative": y > 0, "mistake": True}[zero_score]
    return sign != y


def present(
    stream: Stream,
    t: int,
    kernel: Kernel,
    supports: Supports,
    zero_score: ZeroScore,
    weights: Weights = None,
) -> Trial:
    """Receive x_t, predict with the current hypothesis, receive y_t."""
    x, y = stream[t]
    score, scale = evaluate(supports, stream, kernel, x)
    mistake = is_mistake(y, score, scale, convention(zero_score, t))
    return Trial(t, x, y, supports, score, scale, mistake, weight_of(weights, t))


def play(
    stream: Stream,
    kernel: Kernel,
    zero_score: ZeroScore,
    rule: Callable[[Trial], tuple[Supports, tuple[int, ...]] | None],
    weights: Weights = None,
) -> list[Round]:
    """The online protocol, from f = 0; `rule` gives the new supports and the removed indices.

    A rule whose trigger does not fire returns None, and the hypothesis stays.
    """
    supports: Supports = ()
    rounds = []
    for t in range(len(stream)):
        trial = present(stream, t, kernel, supports, zero_score, weights)
        change = rule(trial) if trial.u > 0 else None
        supports, removed = change or (supports, ())
        rounds.append(Round(trial.score, trial.mistake, change is not None, removed, supports))
    return rounds
