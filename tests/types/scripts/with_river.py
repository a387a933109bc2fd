"""As a user of River would write it."""

import polars as pl
from river import compose, drift, preprocessing

from budgetron import river as kernels
from budgetron.river import Budgetron, Forgetron


def works(directory: str) -> None:
    model: compose.Pipeline = preprocessing.StandardScaler() | Forgetron(budget=5, seed=1)
    model.learn_one({"a": 1.0}, True)
    print(model.predict_one({"a": 0.5}))
    flagship = Budgetron(budget=5, probability=True, max_features=16)
    for t in range(20):
        flagship.learn_one({"a": t % 2, "b": t}, "odd" if t % 2 else "even", w=1.0)
    print(flagship.predict_proba_one({"a": 1}), flagship.debug_one({"a": 1}, decimals=2))
    print(flagship.budget + 1, flagship.seed, flagship.estimator.n_seen_)
    X = pl.DataFrame({"a": [0.0, 1.0]})
    flagship.learn_many(X, pl.Series(["even", "odd"]))
    print(flagship.predict_many(X))
    experts = kernels.RestartingExperts([Forgetron(5, gamma=1.0)], seed=0, drift_rate=0.01)
    print(experts.clone(), kernels.DriftingThreshold(gamma=0.1, feature="a").feature)
    print(drift.DriftRetrainingClassifier(kernels.Perceptron(), drift.binary.DDM()))


def fails(flagship: Budgetron) -> None:
    Forgetron(bugdet=3)  # refused
    Forgetron(random_state=3)  # refused
    Forgetron(seed="3")  # refused
    kernels.Forgetrn()  # refused
    kernels.WhitenedPerceptron()  # refused
    flagship.learn_one({"a": 1.0})  # refused
    print(flagship.bugdet)  # refused
