"""More than two classes: one machine per class against the rest, or a single machine for all.

The single machine lives in the joint space of instance and class. The instance of a round is
psi = Phi(x, r) - Phi(x, s), r being the right class and s the wrong one with the highest score, its
label is always +1, and <psi, psi'> = k(x, x') ([r=r'] - [r=s'] - [s=r'] + [s=s']). So the margin is
f_r(x) - f_s(x), <psi, psi> = 2 k(x, x), and every update is its own paper's update with these.

Classes that are not named beforehand are known from the row on which they first appear; that row
is still predicted among those known before it. A label counts as seen whatever its row weighs.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from .arithmetic import Number, Vector, divide, magnitude
from .contenders import exchange
from .kernels import Kernel
from .learners import largest_phi, psi, scaled
from .projectron import DEFAULT_ETA, project
from .rounds import Convention, Round, Stream, Weights, compare, evaluate, weight_of

Label = Any
Classes = Sequence[Label] | None
Ties = Literal["positive", "mistake"]


def first_highest(scores: dict[Label, Number], scale: Number) -> Label:
    """The class with the highest score, of equal ones the first in the order of the dictionary."""
    largest = max(scores.values())
    return next(c for c, score in scores.items() if compare(score, largest, scale) == 0)


# One machine per class


@dataclass(frozen=True)
class OneVsRestRound:
    """One round of several machines.

    `scores`, what the prediction was made of, is about the classes known before the row; `updates`,
    `sizes` and `machines` (their own rounds) are about those known after it. In class order.
    """

    scores: dict[Label, Number]
    prediction: Label | None
    mistake: bool
    updates: dict[Label, bool]
    sizes: dict[Label, int]
    machines: dict[Label, Round]


BinaryLearner = Callable[..., list[Round]]


def told(X: Sequence[Vector], y: Sequence[Label], c: Label) -> Stream:
    """The stream of the machine of class c: +1 for its class, -1 for the others."""
    return [(x, 1 if label == c else -1) for x, label in zip(X, y, strict=True)]


def score_of(machine: Round) -> Number:
    """The score f(x): that of a second-order machine is 0 outside the span, if the span counts."""
    if not getattr(machine, "in_span", True):
        return 0
    return getattr(machine, "plain_score", machine.score)


def outcome(
    machines: dict[Label, Round], known: Iterable[Label], prediction: Label | None, mistake: bool
) -> OneVsRestRound:
    """The round of these machines, which the classes in `known` took part in predicting."""
    return OneVsRestRound(
        scores={c: score_of(machines[c]) for c in known if c in machines},
        prediction=prediction,
        mistake=mistake,
        updates={c: machine.update for c, machine in machines.items()},
        sizes={c: len(machine.supports) for c, machine in machines.items()},
        machines=machines,
    )


def highest_of(machines: dict[Label, Round], known: Iterable[Label]) -> Label:
    """The known class whose machine has the highest score."""
    scores = {c: score_of(machines[c]) for c in known}
    return first_highest(scores, max(magnitude(score) for score in scores.values()))


def one_vs_rest(
    new_learner: Callable[[Label], BinaryLearner],
    X: Sequence[Vector],
    y: Sequence[Label],
    classes: Sequence[Label],
    weights: Weights = None,
) -> list[OneVsRestRound]:
    """One machine per class, each told +1 for its class and -1 for the others, on every row.

    new_learner(c) is the binary learner of class c, called with its stream and `weights`.
    """
    order = sorted(classes)
    runs = {c: new_learner(c)(told(X, y, c), weights=weights) for c in order}
    rounds = []
    for t, label in enumerate(y):
        machines = {c: runs[c][t] for c in order}
        prediction = highest_of(machines, order)
        rounds.append(outcome(machines, order, prediction, prediction != label))
    return rounds


def moved_by(machine: Round, offset: int) -> Round:
    """The round of a machine that began in row `offset`, its supports numbered by row."""
    supports = tuple((i + offset, weight) for i, weight in machine.supports)
    removed = tuple(i + offset for i in machine.removed)
    return replace(machine, supports=supports, removed=removed)


def are_mirror_images(a: Round, b: Round) -> bool:
    """Whether both did the same with the opposite sign."""
    return (
        a.score == -b.score
        and (a.update, a.removed) == (b.update, b.removed)
        and a.supports == scaled(b.supports, -1)
    )


def one_vs_rest_late_classes(
    new_learner: Callable[[Label], BinaryLearner],
    X: Sequence[Vector],
    y: Sequence[Label],
    weights: Weights = None,
    *,
    zero_score: Ties = "positive",
) -> list[OneVsRestRound]:
    """One machine per class, where the classes are those of the rows so far.

    As long as there are two it is one binary machine that says +1 for the second of them in sorted
    order, and in hindsight from row 0. With the third, this one stays the machine of its class, its
    mirror image becomes that of the first class, and the third's begins empty on that very row, as
    those of all later classes do on theirs.

    new_learner(c) is the learner of class c, called with its stream, `weights` and `zero_score`. A
    mirror image is a run on mirrored labels where a zero score means -1 in place of +1: the learner
    must treat both labels alike, and one that draws must give its mirror image the same draws.
    """
    rows = range(len(y))
    born = {c: next(t for t in rows if y[t] == c) for c in y}  # in order of appearance
    known_before = [sorted(c for c in born if born[c] < t) for t in rows]
    runs: dict[Label, list[Round]] = {}
    if len(born) >= 2:
        first, second = sorted(list(born)[:2])
        third = sorted(born.values())[2] if len(born) > 2 else len(y)
        mirrored: Convention = {"positive": "negative", "mistake": "mistake"}[zero_score]
        zeros = [mirrored if t < third else zero_score for t in rows]
        runs[first] = new_learner(first)(told(X, y, first), weights=weights, zero_score=zeros)
        runs[second] = new_learner(second)(
            told(X, y, second), weights=weights, zero_score=zero_score
        )
        if not all(are_mirror_images(runs[first][t], runs[second][t]) for t in range(third)):
            raise ValueError("this learner's mirror image is another learner")
    for c in list(born)[2:]:
        t = born[c]
        own_weights = None if weights is None else weights[t:]
        run = new_learner(c)(told(X[t:], y[t:], c), weights=own_weights, zero_score=zero_score)
        runs[c] = [*([None] * t), *(moved_by(machine, t) for machine in run)]

    rounds = []
    for t, label in enumerate(y):
        machines = {c: runs[c][t] for c in sorted(runs) if born[c] <= t or c in list(born)[:2]}
        known = known_before[t]
        if len(known) == 2:
            score = score_of(machines[second])
            prediction = second if compare(score, 0, magnitude(score)) >= 0 else first
        elif len(known) > 2:
            prediction = highest_of(machines, known)
        else:
            prediction = known[0] if known else None
        mistake = prediction != label
        if len(known) == 2 and label in known:
            mistake = machines[second].mistake
        rounds.append(outcome(machines, known, prediction, mistake))
    return rounds


# A single machine

ClassWeights = dict[Label, Number]
JointSupports = tuple[tuple[int, ClassWeights], ...]
LabelledStream = Sequence[tuple[Vector, Label]]


@dataclass(frozen=True)
class JointRound:
    """One round of the single machine.

    `scores`, what the prediction was made of, is about the classes known before the row. `rival` is
    the wrong class with the highest score, and `margin` that of the right class against it: both
    are None while fewer than two classes are known. A support has a weight for its two classes or,
    once it has been projected on, for others; a class that is not among them has weight 0.
    """

    scores: dict[Label, Number]
    prediction: Label | None
    rival: Label | None
    margin: Number | None
    mistake: bool
    update: bool
    removed: tuple[int, ...]
    supports: JointSupports


@dataclass(frozen=True)
class JointTrial:
    """Everything known once the right class has been revealed for example number t, of weight u.

    pairs[i] is (right, wrong) of row i, for every row so far.
    """

    t: int
    x: Vector
    u: Number
    right: Label
    wrong: Label
    supports: JointSupports
    pairs: dict[int, tuple[Label, Label]]
    margin: Number
    scale: Number
    mistake: bool

    def newcomer(self, tau: Number = 1) -> tuple[int, ClassWeights]:
        """u tau psi: u tau k(x, .) for the right class, and as much against the wrong one."""
        return self.t, {self.right: self.u * tau, self.wrong: -(self.u * tau)}


JointChange = tuple[JointSupports, tuple[int, ...]] | None


def class_score(
    supports: JointSupports, stream: LabelledStream, kernel: Kernel, x: Vector, c: Label
) -> tuple[Number, Number]:
    """f_c(x) and its scale."""
    own = tuple((i, weights[c]) for i, weights in supports if c in weights)
    return evaluate(own, stream, kernel, x)


def pair_margin(
    supports: JointSupports,
    stream: LabelledStream,
    kernel: Kernel,
    x: Vector,
    pair: tuple[Label, Label],
) -> tuple[Number, Number]:
    """f_r(x) - f_s(x) and its scale, (r, s) being the pair."""
    right, right_scale = class_score(supports, stream, kernel, x, pair[0])
    wrong, wrong_scale = class_score(supports, stream, kernel, x, pair[1])
    return right - wrong, right_scale + wrong_scale


def shrunk(supports: JointSupports, factor: Number) -> JointSupports:
    """The hypothesis factor * f."""
    return tuple((i, {c: factor * w for c, w in weights.items()}) for i, weights in supports)


def play_jointly(
    stream: LabelledStream,
    kernel: Kernel,
    classes: Classes,
    weights: Weights,
    zero_score: Ties,
    rule: Callable[[JointTrial], JointChange],
) -> list[JointRound]:
    """The online protocol, from f = 0; a rule whose trigger does not fire returns None.

    It is a mistake if the highest score, of equal scores the first, is not that of the right class.
    Where zero_score is "mistake", a margin of 0 is a mistake even if the right class is the first.
    """
    labels = [label for _, label in stream]
    supports: JointSupports = ()
    pairs: dict[int, tuple[Label, Label]] = {}
    rounds = []
    for t, (x, right) in enumerate(stream):
        before = sorted(set(labels[:t]) if classes is None else classes)
        known = sorted({*before, right})
        valued = {c: class_score(supports, stream, kernel, x, c) for c in known}
        scores = {c: score for c, (score, _) in valued.items()}
        scale = max(scale for _, scale in valued.values())
        heard = {c: scores[c] for c in before}
        prediction = first_highest(heard, scale) if heard else None
        mistake = prediction != right
        rival, margin, change = None, None, None
        if len(known) > 1:
            rival = first_highest({c: scores[c] for c in known if c != right}, scale)
            pairs[t] = right, rival
            margin, margin_scale = pair_margin(supports, stream, kernel, x, pairs[t])
            if zero_score == "mistake" and compare(margin, 0, margin_scale) == 0:
                mistake = True
            u = weight_of(weights, t)
            trial = JointTrial(
                t, x, u, right, rival, supports, pairs, margin, margin_scale, mistake
            )
            change = rule(trial) if u > 0 else None
        supports, removed = change or (supports, ())
        rounds.append(
            JointRound(
                heard, prediction, rival, margin, mistake, change is not None, removed, supports
            )
        )
    return rounds


def joint_perceptron(
    stream: LabelledStream,
    kernel: Kernel,
    *,
    classes: Classes = None,
    weights: Weights = None,
    zero_score: Ties = "positive",
) -> list[JointRound]:
    """At a mistake, f_r gets k(x, .) and f_s loses it."""

    def rule(trial: JointTrial) -> JointChange:
        return ((*trial.supports, trial.newcomer()), ()) if trial.mistake else None

    return play_jointly(stream, kernel, classes, weights, zero_score, rule)


def joint_shifting_perceptron(
    stream: LabelledStream,
    kernel: Kernel,
    *,
    decay: Number,
    classes: Classes = None,
    weights: Weights = None,
    zero_score: Ties = "positive",
) -> list[JointRound]:
    """Tracking the Best Hyperplane, Fig. 1, in the joint space: (1 - lambda_k) f + psi."""

    def rule(trial: JointTrial) -> JointChange:
        if not trial.mistake:
            return None
        k = len(trial.supports)  # every earlier mistake is a support
        decay_k = divide(decay, decay + k) if k else 1
        return (*shrunk(trial.supports, 1 - decay_k), trial.newcomer()), ()

    return play_jointly(stream, kernel, classes, weights, zero_score, rule)


def joint_exponential_decay_perceptron(
    stream: LabelledStream,
    kernel: Kernel,
    *,
    decay: Number,
    classes: Classes = None,
    weights: Weights = None,
    zero_score: Ties = "positive",
) -> list[JointRound]:
    """Tracking the Best Hyperplane, Sec. 2, in the joint space: (1 - lambda) f + psi."""

    def rule(trial: JointTrial) -> JointChange:
        if not trial.mistake:
            return None
        return (*shrunk(trial.supports, 1 - decay), trial.newcomer()), ()

    return play_jointly(stream, kernel, classes, weights, zero_score, rule)


def joint_randomized_budget_perceptron(
    stream: LabelledStream,
    kernel: Kernel,
    *,
    budget: int,
    draw: Callable[[int], int],
    classes: Classes = None,
    weights: Weights = None,
    zero_score: Ties = "positive",
) -> list[JointRound]:
    """Tracking the Best Hyperplane, Fig. 2, in the joint space: the support draw(budget) goes."""

    def rule(trial: JointTrial) -> JointChange:
        if not trial.mistake:
            return None
        if len(trial.supports) < budget:
            return (*trial.supports, trial.newcomer()), ()
        kept = list(trial.supports)
        victim, _ = kept.pop(draw(budget))
        return (*kept, trial.newcomer()), (victim,)

    return play_jointly(stream, kernel, classes, weights, zero_score, rule)


def joint_least_recent_budget_perceptron(
    stream: LabelledStream,
    kernel: Kernel,
    *,
    budget: int,
    classes: Classes = None,
    weights: Weights = None,
    zero_score: Ties = "positive",
) -> list[JointRound]:
    """Tracking the Best Hyperplane, Sec. 4 (LBP), in the joint space: the oldest support goes."""
    return joint_randomized_budget_perceptron(
        stream,
        kernel,
        budget=budget,
        draw=lambda n: 0,
        classes=classes,
        weights=weights,
        zero_score=zero_score,
    )


def joint_budget_perceptron(
    stream: LabelledStream,
    kernel: Kernel,
    *,
    budget: int,
    classes: Classes = None,
    weights: Weights = None,
    zero_score: Ties = "positive",
) -> list[JointRound]:
    """CKS in the joint space: the support goes whose margin without itself is the largest.

    The margin of support i is f_r(x_i) - f_s(x_i) with the pair (r, s) of its own row. The newcomer
    is added first and is a candidate itself; ties go to the oldest (readings.md, 17).
    """

    def rule(trial: JointTrial) -> JointChange:
        if not trial.mistake:
            return None
        active = (*trial.supports, trial.newcomer())
        if len(active) <= budget:
            return active, ()
        margins: dict[int, Number] = {}
        scales = []
        for i, _ in active:
            rest = tuple(support for support in active if support[0] != i)
            margins[i], scale = pair_margin(rest, stream, kernel, stream[i][0], trial.pairs[i])
            scales.append(scale)
        victim = first_highest(margins, max(scales))
        return tuple(support for support in active if support[0] != victim), (victim,)

    return play_jointly(stream, kernel, classes, weights, zero_score, rule)


def joint_forgetron(
    stream: LabelledStream,
    kernel: Kernel,
    *,
    budget: int,
    classes: Classes = None,
    weights: Weights = None,
    zero_score: Ties = "mistake",
) -> list[JointRound]:
    """The Forgetron, Fig. 1, in the joint space (readings.md, 11-13).

    sigma is the weight of the oldest support for its right class, and mu its margin
    f_r(x_r) - f_s(x_r), after the newcomer has been added and before shrinking.
    """
    mistakes: int = 0
    q: Number = 0

    def rule(trial: JointTrial) -> JointChange:
        nonlocal mistakes, q
        if not trial.mistake:
            return None
        mistakes += 1
        active = (*trial.supports, trial.newcomer())
        if len(active) <= budget:
            return active, ()
        oldest, its_weights = active[0]
        pair = trial.pairs[oldest]
        sigma = its_weights[pair[0]]
        mu, _ = pair_margin(active, stream, kernel, stream[oldest][0], pair)
        phi = largest_phi(sigma, mu, Fraction(15, 32) * mistakes - q)
        q += psi(sigma, phi, mu)
        return shrunk(active, phi)[1:], (oldest,)

    return play_jointly(stream, kernel, classes, weights, zero_score, rule)


def joint_stoptron(
    stream: LabelledStream,
    kernel: Kernel,
    *,
    budget: int,
    classes: Classes = None,
    weights: Weights = None,
    zero_score: Ties = "positive",
) -> list[JointRound]:
    """The Perceptron, which stops once it stores `budget` examples."""

    def rule(trial: JointTrial) -> JointChange:
        if trial.mistake and len(trial.supports) < budget:
            return (*trial.supports, trial.newcomer()), ()
        return None

    return play_jointly(stream, kernel, classes, weights, zero_score, rule)


def _joint_passive_aggressive(
    stream: LabelledStream,
    kernel: Kernel,
    classes: Classes,
    weights: Weights,
    zero_score: Ties,
    step: Callable[[Number, Number], Number],
) -> list[JointRound]:
    """If the hinge loss is positive, f + u tau psi with tau = step(loss, 2 k(x, x))."""

    def rule(trial: JointTrial) -> JointChange:
        square = 2 * kernel(trial.x, trial.x)
        if compare(trial.margin, 1, trial.scale) >= 0 or square == 0:
            return None
        return (*trial.supports, trial.newcomer(step(1 - trial.margin, square))), ()

    return play_jointly(stream, kernel, classes, weights, zero_score, rule)


def joint_passive_aggressive(
    stream: LabelledStream,
    kernel: Kernel,
    *,
    classes: Classes = None,
    weights: Weights = None,
    zero_score: Ties = "positive",
) -> list[JointRound]:
    """tau = loss / (2 k(x, x))."""
    return _joint_passive_aggressive(stream, kernel, classes, weights, zero_score, divide)


def joint_passive_aggressive_i(
    stream: LabelledStream,
    kernel: Kernel,
    *,
    C: Number,
    classes: Classes = None,
    weights: Weights = None,
    zero_score: Ties = "positive",
) -> list[JointRound]:
    """tau = min(C, loss / (2 k(x, x)))."""
    return _joint_passive_aggressive(
        stream,
        kernel,
        classes,
        weights,
        zero_score,
        lambda loss, square: min(C, divide(loss, square)),
    )


def joint_passive_aggressive_ii(
    stream: LabelledStream,
    kernel: Kernel,
    *,
    C: Number,
    classes: Classes = None,
    weights: Weights = None,
    zero_score: Ties = "positive",
) -> list[JointRound]:
    """tau = loss / (2 k(x, x) + 1 / (2 C))."""
    return _joint_passive_aggressive(
        stream,
        kernel,
        classes,
        weights,
        zero_score,
        lambda loss, square: divide(loss, square + divide(1, 2 * C)),
    )


def joint_budgeted_passive_aggressive(
    stream: LabelledStream,
    kernel: Kernel,
    *,
    budget: int,
    C: Number,
    classes: Classes = None,
    weights: Weights = None,
    zero_score: Ties = "positive",
) -> list[JointRound]:
    """BPA-S on psi: the part of f that leaves is a vector of the joint space."""

    def rule(trial: JointTrial) -> JointChange:
        own = 2 * kernel(trial.x, trial.x)
        if compare(trial.margin, 1, trial.scale) >= 0 or own == 0:
            return None
        if len(trial.supports) < budget:
            return (*trial.supports, trial.newcomer(min(C, divide(1 - trial.margin, own)))), ()
        found = []
        for i, of_class in trial.supports:
            x_i = stream[i][0]
            coefficient = of_class.get(trial.right, 0) - of_class.get(trial.wrong, 0)
            along = coefficient * kernel(x_i, trial.x)
            square = sum(w * w for w in of_class.values()) * kernel(x_i, x_i)
            b, value = exchange(C, trial.margin, along, square, along, own)
            still = divide(along, own)
            found.append((value, still + trial.u * (b - still)))
        least, scale = min(value for value, _ in found), max(value for value, _ in found)
        r = next(p for p, (v, _) in enumerate(found) if compare(v, least, scale) == 0)
        b = found[r][1]
        newcomer = trial.t, {trial.right: b, trial.wrong: -b}
        kept = (*trial.supports[:r], *trial.supports[r + 1 :], newcomer)
        return kept, (trial.supports[r][0],)

    return play_jointly(stream, kernel, classes, weights, zero_score, rule)


def _joint_projectron(
    stream: LabelledStream,
    kernel: Kernel,
    *,
    norm_bound: float | None,
    eta: float | None,
    budget: int | None,
    classes: Classes,
    weights: Weights,
    zero_score: Ties,
    span_tolerance: float,
    margin_errors: bool,
) -> list[JointRound]:
    """P psi is sum_i d_i k(x_i, .) for r and the same against s: K d = k, |P psi|^2 = 2 k^T d."""
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

    def projected(trial: JointTrial, d: Sequence[float], tau: float) -> JointSupports:
        step = float(trial.u * tau)
        return tuple(
            (
                i,
                weights_i
                | {
                    trial.right: weights_i.get(trial.right, 0) + step * d_i,
                    trial.wrong: weights_i.get(trial.wrong, 0) - step * d_i,
                },
            )
            for (i, weights_i), d_i in zip(trial.supports, d, strict=True)
        )

    def rule(trial: JointTrial) -> JointChange:
        low = (
            compare(trial.margin, 0, trial.scale) > 0 and compare(trial.margin, 1, trial.scale) < 0
        )
        if not (trial.mistake or (margin_errors and low)):
            return None
        p = project(trial.supports, stream, kernel, trial.x, span_tolerance)
        square, delta = 2 * p.square, math.sqrt(2) * p.delta
        loss = max(0.0, float(1 - trial.margin))

        if trial.mistake:
            threshold = eta
            if norm_bound is not None:
                threshold = (2 * loss - square - 0.5) / (2 * big_u)  # Eq. (13)
            length = math.sqrt(2 * float(kernel(trial.x, trial.x)))
            near = (
                threshold is not None and threshold > 0 and compare(delta, threshold, length) <= 0
            )
            full = budget is not None and len(trial.supports) >= budget
            if delta == 0 or near or full:
                return projected(trial, p.coefficients, 1), ()
            return (*trial.supports, trial.newcomer()), ()

        tau = min(loss / square, 1.0)  # Eq. (17)
        gain = 2 * loss - tau * square  # Eq. (16), divided by tau
        pain = 2 * big_u * delta if delta > 0 else 0.0
        if compare(gain, pain, trial.scale) < 0:
            return None
        return projected(trial, p.coefficients, tau), ()  # Eq. (14)

    return play_jointly(stream, kernel, classes, weights, zero_score, rule)


def joint_projectron(
    stream: LabelledStream,
    kernel: Kernel,
    *,
    norm_bound: float | None = None,
    eta: float | None = None,
    budget: int | None = None,
    classes: Classes = None,
    weights: Weights = None,
    zero_score: Ties = "mistake",
    span_tolerance: float = 1e-12,
) -> list[JointRound]:
    """The Projectron, Algorithm 2, onto the span of the supports with any class weights.

    |P psi|^2 is 2 k^T d and |delta|^2 is 2 (k(x, x) - k^T d), also in Eq. (13).
    """
    return _joint_projectron(
        stream,
        kernel,
        norm_bound=norm_bound,
        eta=eta,
        budget=budget,
        classes=classes,
        weights=weights,
        zero_score=zero_score,
        span_tolerance=span_tolerance,
        margin_errors=False,
    )


def joint_projectron_plus_plus(
    stream: LabelledStream,
    kernel: Kernel,
    *,
    norm_bound: float | None = None,
    eta: float | None = None,
    budget: int | None = None,
    classes: Classes = None,
    weights: Weights = None,
    zero_score: Ties = "mistake",
    span_tolerance: float = 1e-12,
) -> list[JointRound]:
    """The Projectron, Sec. 4.1, in the joint space: a margin 0 < f_r - f_s < 1 is projected too."""
    return _joint_projectron(
        stream,
        kernel,
        norm_bound=norm_bound,
        eta=eta,
        budget=budget,
        classes=classes,
        weights=weights,
        zero_score=zero_score,
        span_tolerance=span_tolerance,
        margin_errors=True,
    )
