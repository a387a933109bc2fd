"""As whoever studies streams would write it."""

import budgetron
from budgetron import RandomizedBudgetPerceptron, Trace, certify, prequential
from budgetron.evaluation import trust_over_time
from budgetron.streams import RotatingCheckerboard


def works(directory: str) -> None:
    sample = RotatingCheckerboard().take(200)
    learner = RandomizedBudgetPerceptron(budget=5, gamma=1, random_state=0)
    trace: Trace = prequential(learner, sample.X, sample.y, delay=3)
    print(trace.mistakes.mean(), trace.sizes.max(), trace.predictions[:3])
    print(len(trust_over_time(budgetron.Budgetron(5), sample.X, sample.y).rows))
    print(budgetron.kernels.gaussian(2.0), budgetron.bounds, budgetron.river.Forgetron(5).budget)
    print(certify(budgetron.Perceptron(gamma=1.0), sample.X, sample.y).mistakes)


def fails(trace: Trace) -> None:
    prequential(RandomizedBudgetPerceptron(), [[1.0]], [1], dealy=3)  # refused
    print(trace.mistake)  # refused
    budgetron.kernels.gausian(1.0)  # refused
    print(budgetron.steams)  # refused
