"""The Projectron and the Projectron++, transcribed from The Projectron (Orabona et al.).

The projection is solved afresh from the Gram matrix of the supports, Eqs. (8) and (9), whenever it
is needed; the papers are read as in docs/readings.md. The weight u of an example multiplies what
is added or projected, but no part of the tests.
"""

import math
from dataclasses import dataclass

import numpy as np

from .arithmetic import Vector
from .kernels import Kernel
from .rounds import Round, Stream, Supports, Weights, ZeroScore, compare, present

DEFAULT_ETA = 0.1


@dataclass(frozen=True)
class ProjectronRound(Round):
    """A Round with what its update was made of.

    `delta` is the distance |delta_t| at mistakes and margin errors (0.0 in the span), else None;
    `tau` is 1 at a mistake, tau_t at a margin error that is taken, and 0 without an update;
    `eta` is the threshold at a mistake, None elsewhere and under a budget alone;
    `beta` is Eq. (16) at a margin error, taken or not, else None;
    `projected` says that the update went onto the old supports.
    """

    delta: float | None
    tau: float
    eta: float | None
    beta: float | None
    projected: bool


@dataclass(frozen=True)
class Projection:
    """P k(x, .) = sum_j d_j k(x_j, .) over the supports: d, |P k(x, .)|^2 and |delta|."""

    coefficients: tuple[float, ...]
    square: float
    delta: float


def project(
    supports: Supports, stream: Stream, kernel: Kernel, x: Vector, span_tolerance: float
) -> Projection:
    """Eqs. (8) and (9); a squared distance <= span_tolerance k(x, x) is 0 (readings.md, 24)."""
    points = [stream[i][0] for i, _ in supports]
    gram = np.array([[float(kernel(p, q)) for q in points] for p in points])
    column = np.array([float(kernel(p, x)) for p in points])
    d = np.linalg.solve(gram.reshape(len(points), len(points)), column)
    own, square = float(kernel(x, x)), float(column @ d)
    rest = own - square
    delta = math.sqrt(rest) if rest > span_tolerance * own else 0.0
    return Projection(tuple(float(d_j) for d_j in d), square, delta)


def moved(supports: Supports, step: float, projection: Projection) -> Supports:
    """The hypothesis f + step P k(x, .)."""
    return tuple(
        (i, float(weight) + step * d_i)
        for (i, weight), d_i in zip(supports, projection.coefficients, strict=True)
    )


def _projectron(
    stream: Stream,
    kernel: Kernel,
    *,
    norm_bound: float | None,
    eta: float | None,
    budget: int | None,
    weights: Weights,
    zero_score: ZeroScore,
    span_tolerance: float,
    margin_errors: bool,
) -> list[ProjectronRound]:
    if norm_bound is not None and eta is not None:
        raise ValueError("norm_bound and eta are two ways to say the same thing: give one of them")
    if norm_bound is None and eta is None and budget is None:
        eta = DEFAULT_ETA

    if norm_bound is not None:
        big_u = float(norm_bound)
    elif eta is not None:
        big_u = 1 / eta if eta > 0 else math.inf
    else:
        big_u = 0.0

    supports: Supports = ()
    rounds = []
    for t in range(len(stream)):
        trial = present(stream, t, kernel, supports, zero_score, weights)
        margin, step = trial.y * trial.score, trial.u * trial.y
        mistaken = trial.mistake and trial.u > 0
        low = compare(margin, 0, trial.scale) > 0 and compare(margin, 1, trial.scale) < 0
        delta_t, tau_t, eta_t, beta_t, projected = None, 0.0, None, None, False

        if mistaken:
            p = project(supports, stream, kernel, trial.x, span_tolerance)
            loss = max(0.0, float(1 - margin))
            delta_t, tau_t = p.delta, 1.0
            if norm_bound is not None:
                eta_t = (2 * loss - p.square - 0.5) / (2 * big_u)  # Eq. (13)
            elif eta is not None:
                eta_t = float(eta)
            length = math.sqrt(float(kernel(trial.x, trial.x)))
            projected = (
                p.delta == 0
                or (eta_t is not None and eta_t > 0 and compare(p.delta, eta_t, length) <= 0)
                or (budget is not None and len(supports) >= budget)
            )
            supports = moved(supports, step, p) if projected else (*supports, (t, step))

        elif margin_errors and low and trial.u > 0:
            p = project(supports, stream, kernel, trial.x, span_tolerance)
            loss = float(1 - margin)
            delta_t, tau = p.delta, min(loss / p.square, 1.0)  # Eq. (17), readings.md, 20
            gain = 2 * loss - tau * p.square
            pain = 2 * big_u * p.delta if p.delta > 0 else 0.0
            beta_t = tau * (gain - pain)  # Eq. (16)
            if compare(gain, pain, trial.scale) >= 0:
                tau_t, projected = tau, True
                supports = moved(supports, step * tau, p)  # Eq. (14)

        rounds.append(
            ProjectronRound(
                trial.score,
                trial.mistake,
                tau_t > 0,
                (),
                supports,
                delta=delta_t,
                tau=tau_t,
                eta=eta_t,
                beta=beta_t,
                projected=projected,
            )
        )
    return rounds


def projectron(
    stream: Stream,
    kernel: Kernel,
    *,
    norm_bound: float | None = None,
    eta: float | None = None,
    budget: int | None = None,
    weights: Weights = None,
    zero_score: ZeroScore = "mistake",
    span_tolerance: float = 1e-12,
) -> list[ProjectronRound]:
    """The Projectron, Algorithm 2: a mistake is projected if |delta| <= eta, and stored if not.

    eta is fixed, or set by Eq. (13) from U = norm_bound in every mistake, or 0 until a budget that
    stands alone is full. A full budget always projects (readings.md, 18, 21-24).
    """
    return _projectron(
        stream,
        kernel,
        norm_bound=norm_bound,
        eta=eta,
        budget=budget,
        weights=weights,
        zero_score=zero_score,
        span_tolerance=span_tolerance,
        margin_errors=False,
    )


def projectron_plus_plus(
    stream: Stream,
    kernel: Kernel,
    *,
    norm_bound: float | None = None,
    eta: float | None = None,
    budget: int | None = None,
    weights: Weights = None,
    zero_score: ZeroScore = "mistake",
    span_tolerance: float = 1e-12,
) -> list[ProjectronRound]:
    """The Projectron, Sec. 4.1: a margin error 0 < y f < 1 is projected too, if beta_t >= 0.

    U in Eq. (16) is norm_bound, or 1 / eta (eta = 0: only what lies in the span passes), or 0 for a
    budget that stands alone (everything passes). A margin error never adds a support.
    """
    return _projectron(
        stream,
        kernel,
        norm_bound=norm_bound,
        eta=eta,
        budget=budget,
        weights=weights,
        zero_score=zero_score,
        span_tolerance=span_tolerance,
        margin_errors=True,
    )
