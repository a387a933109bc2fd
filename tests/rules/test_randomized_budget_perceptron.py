from collections import Counter

from budgetron import RandomizedBudgetPerceptron, prequential
from rules.by_hand import RIGHT, WRONG, Step, assert_goes_by_hand

SEEDS = range(64)

FILLED = [
    Step((1, 1), +1, 0, RIGHT, []),
    Step((1, 0), -1, 0, WRONG, [(1, -1)]),  # w = (-1, 0)
    Step((0, 1), -1, 0, WRONG, [(1, -1), (2, -1)]),  # (-1, -1), and the budget of 2 is full
]
FIRST_GONE = [*FILLED, Step((2, 1), +1, -3, WRONG, [(2, -1), (3, 1)], evicted=1)]  # (2, 0)
FIRST_AND_THIRD_GONE = [
    *FIRST_GONE,
    Step((-1, 1), +1, -2, WRONG, [(2, -1), (4, 1)], evicted=3),  # (-1, 0)
]
# Every way the run can go, with its victims.
WORKED = {
    (2,): [
        *FILLED,
        Step((2, 1), +1, -3, WRONG, [(1, -1), (3, 1)], evicted=2),  # (1, 1)
        Step((-1, 1), +1, 0, RIGHT, [(1, -1), (3, 1)]),
        Step((1, 2), +1, 3, RIGHT, [(1, -1), (3, 1)]),
    ],
    (1, 2): [
        *FIRST_GONE,
        Step((-1, 1), +1, -2, WRONG, [(3, 1), (4, 1)], evicted=2),  # (1, 2)
        Step((1, 2), +1, 5, RIGHT, [(3, 1), (4, 1)]),
    ],
    (1, 3, 2): [
        *FIRST_AND_THIRD_GONE,
        Step((1, 2), +1, -1, WRONG, [(4, 1), (5, 1)], evicted=2),
    ],
    (1, 3, 4): [
        *FIRST_AND_THIRD_GONE,
        Step((1, 2), +1, -1, WRONG, [(2, -1), (5, 1)], evicted=4),
    ],
}


def victims(learner):
    steps = WORKED[2,]  # the examples are the same in all of them
    trace = prequential(learner, [step.x for step in steps], [step.y for step in steps])
    return tuple(trace.evicted[trace.evicted >= 0].tolist())


def learner_with(seed):
    return RandomizedBudgetPerceptron(budget=2, kernel="linear", random_state=seed)


def test_whoever_is_forgotten_the_rest_follows():
    for seed in SEEDS:
        assert_goes_by_hand(learner_with(seed), WORKED[victims(learner_with(seed))])


def test_every_old_support_can_be_forgotten():
    count = Counter(victims(learner_with(seed)) for seed in SEEDS)
    assert set(count) == set(WORKED)


def test_a_zero_score_can_be_a_mistake_for_both_labels():
    assert_goes_by_hand(
        RandomizedBudgetPerceptron(budget=1, kernel="linear", zero_score="mistake"),
        [
            Step((1, 1), +1, 0, WRONG, [(0, 1)]),
            Step((1, -1), +1, 0, WRONG, [(1, 1)], evicted=0),
            Step((1, 0), -1, 1, WRONG, [(2, -1)], evicted=1),
            Step((0, 1), -1, 0, WRONG, [(3, -1)], evicted=2),
            Step((1, 1), -1, -1, RIGHT, [(3, -1)]),
        ],
    )
