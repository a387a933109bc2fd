"""The learners, transcribed from the papers as they are read in docs/readings.md.

Tracking the Best Hyperplane with a Simple Budget Perceptron (Cavallanti et al.), The Forgetron
(Dekel et al.), The Projectron (Orabona et al.), Regret Minimization with Concept Drift (Crammer
et al.). Everything is recomputed from the definitions in every round. Where weights are given, that
of an example multiplies its step (rounds.py).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from .arithmetic import Number, divide
from .kernels import Kernel
from .rounds import (
    Round,
    Stream,
    Supports,
    Trial,
    Weights,
    ZeroScore,
    compare,
    evaluate,
    play,
    present,
)

Change = tuple[Supports, tuple[int, ...]] | None


def scaled(supports: Supports, factor: Number) -> Supports:
    """The hypothesis factor * f."""
    return tuple((i, factor * weight) for i, weight in supports)


def without(supports: Supports, position: int) -> Supports:
    """The hypothesis less the support in this position."""
    return supports[:position] + supports[position + 1 :]


# Cavallanti et al.: Tracking the Best Hyperplane


def perceptron(
    stream: Stream,
    kernel: Kernel,
    *,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[Round]:
    """Tracking the Best Hyperplane, Sec. 1: at a mistake, w <- w + y x."""

    def rule(trial: Trial) -> Change:
        return ((*trial.supports, (trial.t, trial.u * trial.y)), ()) if trial.mistake else None

    return play(stream, kernel, zero_score, rule, weights)


def shifting_perceptron(
    stream: Stream,
    kernel: Kernel,
    *,
    decay: Number,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[Round]:
    """Tracking the Best Hyperplane, Fig. 1: w_{k+1} = (1 - lambda_k) w_k + y x (readings.md, 4)."""

    def rule(trial: Trial) -> Change:
        if not trial.mistake:
            return None
        k = len(trial.supports)  # every earlier mistake is a support
        decay_k = divide(decay, decay + k) if k else 1
        return (*scaled(trial.supports, 1 - decay_k), (trial.t, trial.u * trial.y)), ()

    return play(stream, kernel, zero_score, rule, weights)


def exponential_decay_perceptron(
    stream: Stream,
    kernel: Kernel,
    *,
    decay: Number,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[Round]:
    """Tracking the Best Hyperplane, Sec. 2: w_{k+1} = (1 - lambda) w_k + y x, lambda constant."""

    def rule(trial: Trial) -> Change:
        if not trial.mistake:
            return None
        return (*scaled(trial.supports, 1 - decay), (trial.t, trial.u * trial.y)), ()

    return play(stream, kernel, zero_score, rule, weights)


def randomized_budget_perceptron(
    stream: Stream,
    kernel: Kernel,
    *,
    budget: int,
    draw: Callable[[int], int],
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[Round]:
    """Tracking the Best Hyperplane, Fig. 2: w_{k+1} = w_k + y x - Q_k (readings.md, 7).

    Q_k is the old support in position draw(budget), the oldest being in position 0.
    """

    def rule(trial: Trial) -> Change:
        if not trial.mistake:
            return None
        newcomer = (trial.t, trial.u * trial.y)
        if len(trial.supports) < budget:
            return (*trial.supports, newcomer), ()
        victim = draw(budget)
        return (*without(trial.supports, victim), newcomer), (trial.supports[victim][0],)

    return play(stream, kernel, zero_score, rule, weights)


def least_recent_budget_perceptron(
    stream: Stream,
    kernel: Kernel,
    *,
    budget: int,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[Round]:
    """Tracking the Best Hyperplane, Sec. 4 (LBP): like RBP, but the oldest support is removed."""
    return randomized_budget_perceptron(
        stream, kernel, budget=budget, draw=lambda n: 0, weights=weights, zero_score=zero_score
    )


# Dekel et al.: The Forgetron


def budget_perceptron(
    stream: Stream,
    kernel: Kernel,
    *,
    budget: int,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[Round]:
    """The Forgetron, Sec. 5 (CKS): remove the example with the largest margin after its removal.

    The newcomer is added first and is a candidate itself; ties go to the oldest (readings.md, 17).
    """

    def rule(trial: Trial) -> Change:
        if not trial.mistake:
            return None
        active = (*trial.supports, (trial.t, trial.u * trial.y))
        if len(active) <= budget:
            return active, ()
        margins, scales = [], []
        for position, (i, _) in enumerate(active):
            x_i, y_i = stream[i]
            score, scale = evaluate(without(active, position), stream, kernel, x_i)
            margins.append(y_i * score)
            scales.append(scale)
        largest, scale = max(margins), max(scales)
        victim = next(p for p, m in enumerate(margins) if compare(m, largest, scale) == 0)
        return without(active, victim), (active[victim][0],)

    return play(stream, kernel, zero_score, rule, weights)


@dataclass(frozen=True)
class ForgetronRound(Round):
    """A Round with phi_t, Psi_t, Q_{t+1} (the sum of all Psi so far), and mu_t if any was used."""

    phi: Number
    psi: Number
    q: Number
    mu: Number | None


def psi(sigma: Number, phi: Number, mu: Number) -> Number:
    """The Forgetron, Sec. 3: the damage done by removing an example of weight sigma phi."""
    return (sigma * phi) ** 2 + 2 * sigma * phi * (1 - phi * mu)


def largest_phi(sigma: Number, mu: Number, room: Number) -> Number:
    """The Forgetron, Sec. 4: max {phi in (0, 1]: psi(sigma, phi, mu) <= room} (readings.md, 13)."""
    if psi(sigma, 1, mu) <= room:
        return 1
    root = math.sqrt(max(0, sigma**2 + (sigma**2 - 2 * sigma * mu) * room))
    return room / (sigma + root)


def forgetron(
    stream: Stream,
    kernel: Kernel,
    *,
    budget: int,
    weights: Weights = None,
    zero_score: ZeroScore = "mistake",
) -> list[ForgetronRound]:
    """The Forgetron, Fig. 1, with removal when |I'_t| > B as in its text (readings.md, 11-13).

    An example of weight u begins with sigma = u.
    """
    supports: Supports = ()
    mistakes: int = 0
    q: Number = 0
    rounds = []
    for t in range(len(stream)):
        trial = present(stream, t, kernel, supports, zero_score, weights)
        phi_t: Number = 1
        psi_t: Number = 0
        mu_t: Number | None = None
        removed: tuple[int, ...] = ()
        update = trial.mistake and trial.u > 0
        if update:
            mistakes += 1
            supports = (*supports, (t, trial.u * trial.y))
            if len(supports) > budget:
                oldest, weight = supports[0]
                x_r, y_r = stream[oldest]
                sigma = y_r * weight
                mu_t = y_r * evaluate(supports, stream, kernel, x_r)[0]
                phi_t = largest_phi(sigma, mu_t, Fraction(15, 32) * mistakes - q)
                psi_t = psi(sigma, phi_t, mu_t)
                q += psi_t
                supports = scaled(supports, phi_t)[1:]
                removed = (oldest,)
        rounds.append(
            ForgetronRound(
                trial.score,
                trial.mistake,
                update,
                removed,
                supports,
                phi=phi_t,
                psi=psi_t,
                q=q,
                mu=mu_t,
            )
        )
    return rounds


# Orabona et al.: The Projectron


def stoptron(
    stream: Stream,
    kernel: Kernel,
    *,
    budget: int,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[Round]:
    """The Projectron, Sec. 5: a Perceptron that stops updating once it stores `budget` examples."""

    def rule(trial: Trial) -> Change:
        if trial.mistake and len(trial.supports) < budget:
            return (*trial.supports, (trial.t, trial.u * trial.y)), ()
        return None

    return play(stream, kernel, zero_score, rule, weights)


def _passive_aggressive(
    stream: Stream,
    kernel: Kernel,
    zero_score: ZeroScore,
    weights: Weights,
    step: Callable[[Number, Number], Number],
) -> list[Round]:
    """If the hinge loss is positive, w <- w + u y tau x with tau = step(loss, k(x, x))."""

    def rule(trial: Trial) -> Change:
        margin, square = trial.y * trial.score, kernel(trial.x, trial.x)
        if compare(margin, 1, trial.scale) >= 0 or square == 0:
            return None
        return (*trial.supports, (trial.t, trial.u * trial.y * step(1 - margin, square))), ()

    return play(stream, kernel, zero_score, rule, weights)


def passive_aggressive(
    stream: Stream,
    kernel: Kernel,
    *,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[Round]:
    """Passive-Aggressive (cited in The Projectron, Sec. 5): tau = loss / k(x, x)."""
    return _passive_aggressive(stream, kernel, zero_score, weights, divide)


def passive_aggressive_i(
    stream: Stream,
    kernel: Kernel,
    *,
    C: Number,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[Round]:
    """PA-I (The Projectron, Sec. 5; readings.md, 27): tau = min(C, loss / k(x, x))."""
    return _passive_aggressive(
        stream, kernel, zero_score, weights, lambda loss, square: min(C, divide(loss, square))
    )


def passive_aggressive_ii(
    stream: Stream,
    kernel: Kernel,
    *,
    C: Number,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[Round]:
    """PA-II (same family as PA-I): tau = loss / (k(x, x) + 1 / (2 C))."""
    return _passive_aggressive(
        stream,
        kernel,
        zero_score,
        weights,
        lambda loss, square: divide(loss, square + divide(1, 2 * C)),
    )


# Crammer et al.: Regret Minimization with Concept Drift


def modified_perceptron(
    stream: Stream, kernel: Kernel, *, zero_score: ZeroScore = "positive"
) -> list[Round]:
    """Regret Minimization with Concept Drift, Sec. 5.2: w <- w - 2 (w.x) x / |x|^2 at a mistake.

    w_1 = x / |x| for the first nonzero x, installed before it is predicted (readings.md, 31, 32).
    Where w.x = 0 the reflected w is w itself: a mistake there is no update and no support.
    """
    supports: Supports = ()
    rounds = []
    for t, (x, _) in enumerate(stream):
        square = kernel(x, x)
        if not supports and square > 0:
            supports = ((t, 1 / math.sqrt(square)),)
        trial = present(stream, t, kernel, supports, zero_score)
        update = trial.mistake and square > 0 and compare(trial.score, 0, trial.scale) != 0
        if update:
            supports = (*supports, (t, -2 * trial.score / square))
        rounds.append(Round(trial.score, trial.mistake, update, (), supports))
    return rounds
