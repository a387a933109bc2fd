"""Imports and compiles what the commands under test need: for the process that is forked."""

import numpy as np

from budgetron import Projectron, RandomizedBudgetPerceptron, prequential

X, y = np.eye(4), np.array(["a", "b", "a", "b"])
for learner in (Projectron(budget=2), RandomizedBudgetPerceptron(budget=2)):
    prequential(learner, X, y)
    learner.predict(X)
