from math import sqrt

from budgetron import Forgetron
from rules.by_hand import RIGHT, WRONG, Step, assert_goes_by_hand

# M mistakes and the damage Q so far leave room = 15 M/32 - Q for Psi(phi) = (sigma^2 - 2 sigma mu)
# phi^2 + 2 sigma phi, where sigma is the weight of the oldest and mu its margin with the newcomer.


def test_weights_shrink_until_the_oldest_can_go():
    assert_goes_by_hand(
        Forgetron(budget=1, kernel="linear"),
        [
            Step((1, 0), +1, 0, WRONG, [(0, 1)]),
            # M = 2, room = 15/16, sigma = 1, mu = 1 - 1/2: Psi = 2 phi, so phi = 15/32
            Step((1 / 2, 1 / 2), -1, 1 / 2, WRONG, [(1, -15 / 32)], evicted=0),
            # M = 3, room = 15/32, sigma = 15/32, mu = sigma/2: Psi = 2 sigma phi, so phi = 1/2
            Step((1, -1), +1, 0, WRONG, [(2, 1 / 2)], evicted=1),
            Step((1, 0), +1, 1 / 2, RIGHT, [(2, 1 / 2)]),
            # M = 4, room = 15/32, sigma = 1/2, mu = 1 - 7/20: Psi = phi - 2/5 phi^2 = 15/32 at
            # phi = 5/8 and at 15/8, and the smaller root it is
            Step((27 / 20, 1), -1, 7 / 40, WRONG, [(4, -5 / 8)], evicted=2),
            # M = 5, room = 15/32, sigma = 5/8, mu = 5/8 (729/400 + 1) = 1129/640: Psi(1) < 0 fits
            Step((1, -27 / 20), +1, 0, WRONG, [(5, 1)], evicted=4),
        ],
    )


def test_survivors_and_newcomer_shrink_alike():
    last = [(2, -15 / 64), (3, 1 / 3)]
    assert_goes_by_hand(
        Forgetron(budget=2, kernel="linear"),
        [
            Step((1, 0, 0), +1, 0, WRONG, [(0, 1)]),
            Step((0, 1, 0), -1, 0, WRONG, [(0, 1), (1, -1)]),
            # M = 3, room = 45/32, sigma = 1, mu = 1/2: Psi = 2 phi, so phi = 45/64
            Step((1 / 2, 0, 0), -1, 1 / 2, WRONG, [(1, -45 / 64), (2, -45 / 64)], evicted=0),
            # M = 4, room = 15/32, sigma = 45/64, mu = sigma/2: Psi = 2 sigma phi, so phi = 1/3
            Step((0, 45 / 128, 1), +1, -(45**2) / 2**13, WRONG, last, evicted=1),
            Step((1, 0, 1), +1, 83 / 384, RIGHT, last),
        ],
    )


def test_a_zero_score_can_be_right_for_a_positive_label():
    assert_goes_by_hand(
        Forgetron(budget=1, kernel="linear", zero_score="positive"),
        [
            Step((1, 0), +1, 0, RIGHT, []),
            Step((1 / 2, 1 / 2), -1, 0, WRONG, [(1, -1)]),
            Step((1, -1), +1, 0, RIGHT, [(1, -1)]),
            # M = 2, room = 15/16, sigma = 1, mu = 1/2 - 1/2: (1 + phi)^2 = 31/16
            Step((1, 0), +1, -1 / 2, WRONG, [(3, sqrt(31) / 4 - 1)], evicted=1),
            Step((1, 1), +1, sqrt(31) / 4 - 1, RIGHT, [(3, sqrt(31) / 4 - 1)]),
        ],
    )
