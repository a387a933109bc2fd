"""The oracle's panel: rounds worked by hand, and what is proved of its trust."""

import math
import random
from dataclasses import replace
from fractions import Fraction as F

import numpy as np
import pytest

from oracle import LabelExpert, Panel, Stack, first_trust, labels_of, loss_of, rival_of

ALPHA = 0.0001


def numbers(values) -> list[float]:
    return [float(value) for value in values]


def shared(raw: dict, first: dict) -> dict:
    """Trust made to add up to 1, and shared out among the filters together and others, and them."""
    total, filters = sum(raw.values()), [e for e in raw if isinstance(e, int)]
    new = {e: (1 - ALPHA) * raw[e] / total + ALPHA * first[e] for e in raw}
    together = sum(new[j] for j in filters)
    for j in filters:
        part = raw[j] / sum(raw[i] for i in filters)
        new[j] = together * ((1 - ALPHA) * part + ALPHA / len(filters))
    return new


# ----------------------------------------------------------------------------- hand-worked


def test_first_trust_of_those_who_are_not_there_goes_to_the_others_in_proportion():
    assert first_trust(3, ("labels", "stack")) == {0: 1 / 4, 1: 1 / 4, 2: 1 / 4} | dict.fromkeys(
        ("labels", "stack"), 1 / 8
    )
    assert first_trust(0, ("labels", "stack")) == {"labels": 1 / 2, "stack": 1 / 2}
    assert numbers(first_trust(2, ("labels",)).values()) == pytest.approx([3 / 7, 3 / 7, 1 / 7])
    assert first_trust(2, ()) == {0: 1 / 2, 1: 1 / 2}
    assert first_trust(0, ()) == {}


def test_label_expert_by_hand():
    expert = LabelExpert()
    # y=1:  p = z = 0, nothing is added to A and V; S = 1, N = 2
    # y=1:  p = 1/2, z = 1: A = V = 1/4; S = 2, N = 3
    # y=-1: p = 2/3, z = 1: c = 2/3 + 1/4 / (41/4) / 3;  A = 1/4 - 5/9, V = 1/4 + 1/9; S = 1, N = 4
    # then: p = 1/4, z = -1: c = 1/4 + 11/36 / (373/36) 5/4
    guesses = []
    for y in (1, 1, -1):
        guesses.append(expert.guess()[0])
        expert.learn(np.array([y]), 1.0)
    guesses.append(expert.guess()[0])
    assert numbers(guesses) == pytest.approx(numbers([0, F(1, 2), F(83, 123), F(107, 373)]))
    assert float(expert.product) == pytest.approx(-11 / 36)
    assert float(expert.square) == pytest.approx(13 / 36)


def test_label_expert_of_weighted_labels_by_hand():
    expert = LabelExpert()
    expert.learn(np.array([1]), 0.5)  # S = 1/2, N = 3/2
    assert float(expert.guess()[0]) == pytest.approx(1 / 3)
    expert.learn(np.array([-1]), 0.5)  # A = (-4/3)(2/3)/2 = -4/9, V = 2/9; S = 0, N = 2, z = -1
    assert float(expert.guess()[0]) == pytest.approx(4 / 9 / (2 / 9 + 10))


def test_label_expert_of_three_classes_by_hand():
    expert = LabelExpert(3)
    for c in (0, 0, 2):
        expert.learn(np.array([1 if k == c else -1 for k in range(3)]), 1.0)
    # row 1: p = (1, -1, -1)/2, z = (1, -1, -1): A = V = 3/4; S = (2, -2, -2), N = 3
    # row 2: p = (2, -2, -2)/3: (y - p)(z - p) = (-5/9, 1/9, -5/9), each square 1/9
    assert float(expert.product) == pytest.approx(3 / 4 - 1)
    assert float(expert.square) == pytest.approx(3 / 4 + 1 / 3)
    # p = (1, -3, -1)/4, z = (-1, -1, 1): A/(V + 10) = -1/4 / (133/12) = -3/133
    expected = [F(1, 4) + F(15, 532), F(-3, 4) + F(3, 532), F(-1, 4) - F(15, 532)]
    assert numbers(expert.guess()) == pytest.approx(numbers(expected))


@pytest.mark.parametrize(("y", "sign"), [(1, 1), (-1, -1)])
def test_stack_by_hand(y, sign):
    stack = Stack()
    phi = np.array([0, 0.5, 1, 1], dtype=np.longdouble)
    stack.learn(phi, y, 1.0)
    # a = 0, q = 1/2, h = 1/4, v = 9/4: the step is phi / 2 / (25/16), Q loses 1/4 of phi phi^T
    assert numbers(stack.theta) == pytest.approx([1, sign * 0.16, sign * 0.32, sign * 0.32])
    expected = (np.eye(4) - 0.25 * np.outer(phi, phi) / (0.999 + 9 / 16)) / 0.999
    assert stack.Q.astype(float) == pytest.approx(expected.astype(float))


def test_stack_of_a_small_weight_by_hand():
    stack = Stack()
    stack.learn(np.array([0, 0, 0, 1], dtype=np.longdouble), 1, 0.5)  # h = 1/8, u v = (0, 0, 0, 1)
    assert numbers(stack.theta) == pytest.approx([1, 0, 0, 0.25 / 1.125])
    assert float(stack.Q[3, 3]) == pytest.approx((1 - 0.125 / (0.999 + 0.125)) / 0.999)


def test_certain_stack_still_learns():
    stack = Stack()
    stack.learn(np.array([4, 0, 0, 0], dtype=np.longdouble), -1, 1.0)
    q = 1 / (1 + math.exp(-4))  # q (1 - q) is 0.0177
    assert float(stack.theta[0]) == pytest.approx(1 - 4 * q / (1 + 16 * q * (1 - q)))
    stack.theta[0] = 10
    before = stack.Q.astype(float)
    stack.learn(np.array([1, 0, 0, 0], dtype=np.longdouble), 1, 1.0)
    gain = 0.01 * before[0, 0] ** 2 / (0.999 + 0.01 * before[0, 0])  # h is not below 0.01
    assert float(stack.Q[0, 0]) == pytest.approx((before[0, 0] - gain) / 0.999)


def test_stack_forgets_to_a_trace_of_8():
    stack = Stack()
    traces = []
    for _ in range(700):
        stack.learn(np.zeros(4, dtype=np.longdouble), 1, 1.0)
        traces.append(float(np.trace(stack.Q)))
    assert traces[691] == pytest.approx(4 / 0.999**692)
    assert traces[691] < 8
    assert traces[692:] == pytest.approx([8] * 8)


def test_trust_by_hand():
    panel = Panel(1, ("labels",))
    opinion = panel.consult([[2.0]])
    assert numbers(opinion.f) == numbers(opinion.shown) == pytest.approx([6 / 7])
    panel.learn(opinion, 1)  # the filter loses nothing, the label expert 1
    expected = shared({0: 6, "labels": math.exp(-1 / 8)}, panel.first)
    assert numbers(panel.trust.values()) == pytest.approx(numbers(expected.values()))
    assert numbers(panel.consult([[2.0]]).said["labels"]) == [0.5]


def test_trust_by_hand_of_all_experts_and_a_weight_of_2():
    panel = Panel(2)
    opinion = panel.consult([[-0.5], [6.0]])
    c = math.tanh((4 - 0.5) / 2 / 2)  # both filters are trusted alike, and 6 is cut off at 4
    assert numbers(opinion.said["stack"]) == pytest.approx([c])
    assert numbers(opinion.f) == pytest.approx([3 / 8 * 0.5 + c / 8])
    panel.learn(opinion, -1, 2.0)
    losses = {0: 0.25, 1: 4, "labels": 1, "stack": (1 + c) ** 2}
    raw = {e: panel.first[e] * math.exp(-2 * loss / 8) for e, loss in losses.items()}
    expected = shared(raw, panel.first)
    assert {e: float(trust) for e, trust in panel.trust.items()} == pytest.approx(
        {e: float(trust) for e, trust in expected.items()}, rel=1e-12
    )
    assert numbers(panel.labels.share()) == [-0.5]  # counted once


def test_score_that_is_shown_where_all_are_certain():
    panel = Panel(2, ())
    assert numbers(panel.consult([[2.0], [4.0]]).shown) == [3]
    assert numbers(panel.consult([[2.0], [4.0]]).f) == [1]
    assert numbers(panel.consult([[-2.0], [-4.0]]).shown) == [-3]
    assert numbers(panel.consult([[2.0], [-4.0]]).shown) == [0]
    assert numbers(panel.consult([[2.0], [0.5]]).shown) == [0.75]


def test_nobody_says_0():
    panel = Panel(0, ())
    opinion = panel.consult([])
    panel.learn(opinion, 1)
    assert numbers(opinion.shown) == [0]


def test_those_who_are_kept_share_the_trust_of_those_who_are_dropped():
    panel = Panel(3)
    panel.trust = {0: 0.1, 1: 0.2, 2: 0.3, "labels": 0.15, "stack": 0.25}
    panel.keep([0, 2])
    assert panel.trust == pytest.approx({0: 1 / 8, 1: 3 / 8, "labels": 3 / 16, "stack": 5 / 16})
    assert panel.first == first_trust(2, ("labels", "stack"))
    panel.keep([])
    assert panel.trust == pytest.approx({"labels": 3 / 8, "stack": 5 / 8})


def test_three_classes_by_hand():
    panel = Panel(1, classes=3)
    opinion = panel.consult([[0.5, -2.0, -1.5]])
    odds = [math.exp(0.5), math.exp(-2), math.exp(-1.5)]
    chances = [2 * odd / sum(odds) - 1 for odd in odds]
    assert numbers(opinion.said["stack"]) == pytest.approx(chances)
    f = [0.75 * c + chance / 8 for c, chance in zip((0.5, -1, -1), chances, strict=True)]
    assert numbers(opinion.f) == pytest.approx(f)
    panel.learn(opinion, 1)  # its rival is class 0
    losses = {
        0: (1 + 1.5 / 2) ** 2,  # -1 less 0.5
        "labels": 1,
        "stack": (1 - (chances[1] - chances[0]) / 2) ** 2,
    }
    raw = {e: panel.first[e] * math.exp(-loss / 8) for e, loss in losses.items()}
    assert numbers(panel.trust.values()) == pytest.approx(
        numbers(shared(raw, panel.first).values())
    )
    # the stack learns (-2 - 0.5, 0, 0, 0) with a label of 1
    q = 1 / (1 + math.exp(2.5))
    step = -2.5 * (1 - q) / (1 + q * (1 - q) * 6.25)
    assert numbers(panel.stack.theta) == pytest.approx([1 + step, 0, 0, 0])


def test_labels_of_two_classes_and_of_more():
    assert labels_of(-1, 1).tolist() == [-1]
    assert labels_of(2, 4).tolist() == [-1, -1, 1, -1]


def test_losses_by_hand():
    assert loss_of(np.array([-0.5]), 1, np.array([0.0])) == 2.25
    f = np.array([0.1, 0.3, -0.2])  # of class 1 the rival is 0, of the others 1
    assert loss_of(np.array([0.5, 0.25, 1.0]), 1, f) == (1 + 0.25 / 2) ** 2
    assert loss_of(np.array([0.5, 0.25, 1.0]), 2, f) == (1 - 0.75 / 2) ** 2
    assert [loss_of(np.array(c), 0, f) for c in ([1, -1, 0], [1, 1, 0], [-1, 1, 0])] == [0, 1, 4]


def test_rival_is_the_first_one_of_the_highest_f():
    panel = Panel(1, (), classes=4)
    f = panel.consult([[0.9, -1.5, -2.0, -1.2]]).f  # it is -1 for the last three
    assert rival_of(0, f) == 1
    assert rival_of(3, f) == 0
    assert rival_of(1, panel.consult([[0.5, 0.9, 0.5, 0.5 + 1e-12]]).f) == 0
    assert rival_of(1, panel.consult([[0.5, 0.9, 0.5, 0.6]]).f) == 3


def test_third_class_by_hand():
    panel = Panel(1)
    for y in (1, 1, -1):
        panel.learn(panel.consult([[0.5]]), y)
    before = panel.labels
    assert numbers([before.product, before.square]) == pytest.approx([-11 / 36, 13 / 36])
    trust, first, stack = panel.trust, panel.first, panel.stack
    panel.add_class(1)
    assert (panel.trust, panel.first, panel.stack, panel.classes) == (trust, first, stack, 3)
    labels = panel.labels
    assert numbers(labels.last) == [1, -1, -1]
    assert numbers(labels.sum) == [-1, -3, 1]
    assert float(labels.number) == 4
    assert numbers([labels.product, labels.square]) == pytest.approx([-22 / 36, 26 / 36])
    panel.add_class(0)  # and a fourth, before all of them
    labels = panel.labels
    assert numbers(labels.last) == [-1, 1, -1, -1]
    assert numbers(labels.sum) == [-3, -1, -3, 1]
    assert numbers([labels.product, labels.square]) == pytest.approx([-22 / 36, 26 / 36])


def test_class_that_comes_before_any_label_weighs_anything():
    panel = Panel(0)
    panel.add_class(2)
    assert numbers([*panel.labels.last, *panel.labels.sum]) == [0] * 6


# ---------------------------------------------------------------------- what is proved of it

LENGTH = 300


def random_scores(rng: random.Random, filters: int, classes: int, label: list[float], t: int):
    """Filters that know something, one more than the other, and the first of them less in time."""
    skill = [1.5 * (1 - 2 * t / LENGTH), *(0.5 * j for j in range(1, filters))]
    return [[rng.gauss(skill[j] * label[k], 1.5) for k in range(classes)] for j in range(filters)]


@pytest.mark.parametrize("sharing", [ALPHA, 0.05])
@pytest.mark.parametrize("others", [(), ("labels",), ("stack",), ("labels", "stack")])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("classes", [1, 3])
def test_mixture_loses_little_more_than_any_expert(classes, seed, others, sharing):
    """Proposition 1 for one expert all along, from its first trust."""
    rng = random.Random(seed)
    panel = Panel(3, others, sharing=sharing, classes=classes)
    lost, losses = 0.0, dict.fromkeys(panel.first, 0.0)
    y = 1
    for t in range(LENGTH):
        if rng.random() < 0.3:
            y = rng.choice([-1, 1]) if classes == 1 else rng.randrange(classes)
        label = numbers(labels_of(y, classes))
        opinion = panel.consult(random_scores(rng, 3, classes, label, t))
        assert set(opinion.said) == set(panel.first)
        lost += float(loss_of(opinion.f, y, opinion.f))
        for e, c in opinion.said.items():
            assert (abs(c) <= 1).all()
            losses[e] += float(loss_of(c, y, opinion.f))
        panel.learn(opinion, y)
        assert float(sum(panel.trust.values())) == pytest.approx(1, abs=1e-12)
        together = sum(panel.trust[j] for j in range(3))
        assert together >= sharing * sum(panel.first[j] for j in range(3))
        assert all(panel.trust[j] >= sharing / 3 * together for j in range(3))
        assert all(panel.trust[e] >= sharing * panel.first[e] for e in others)
    for e, first in panel.first.items():
        parts = [3 * float(first), 1 / 3] if isinstance(e, int) else [float(first)]
        price = sum(
            math.log(1 / p) + (LENGTH - 1) * math.log(1 / (1 - sharing + sharing * p))
            for p in parts
        )
        assert lost <= losses[e] + 8 * price + 1e-9


def test_filters_are_told_apart_while_the_stack_is_trusted():
    panel = Panel(2, sharing=0.01)  # nobody loses anything
    panel.trust = {0: 1e-6, 1: 3e-6, "labels": 0.001, "stack": 0.998996}
    opinion = panel.consult([[1.0], [1.0]])
    said = {e: np.array([1.0]) for e in opinion.said}
    panel.learn(replace(opinion, said=said), 1)
    together = 0.99 * 4e-6 + 0.01 * 0.75
    assert float(panel.trust[0]) == pytest.approx(together * (0.99 / 4 + 0.005))
    assert float(panel.trust[1]) == pytest.approx(together * (0.99 * 3 / 4 + 0.005))
    assert float(panel.trust["labels"]) == pytest.approx(0.99 * 0.001 + 0.01 / 8)
