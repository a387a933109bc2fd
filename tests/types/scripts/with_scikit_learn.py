"""As a user of scikit-learn would write it."""

import numpy as np
import pandas as pd
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import budgetron
from budgetron import Budgetron, Explanation, Forgetron, Perceptron


def works(directory: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = np.where(X[:, 0] > 0, "right", "left")
    learner: Forgetron = Forgetron(5, kernel="rbf", gamma=2.0, class_weight={"left": 2.0})
    print(learner.fit(X, y).predict(X).tolist(), learner.get_params(), learner.score(X, y))
    same: Forgetron = learner.set_params(budget=7).partial_fit(X[:10], y[:10], ["left", "right"])
    print(same.n_mistakes_ + 1, same.support_vectors_.shape, same.classes_, same.n_features_in_)
    print(cross_val_score(make_pipeline(StandardScaler(), Perceptron()), X, y, cv=2))
    flagship = Budgetron(budget=5, probability=True, gamma="auto", patience=None)
    flagship.fit(pd.DataFrame(X, columns=["a", "b"]), pd.Series(y))
    why: Explanation = learner.explain(X[0])
    print(why.label, [each.share for each in why.speaking_for], why.text(2), flagship.trust_)
    learner.learn_one(X[0], "left", sample_weight=2.0)
    learner.save(f"{directory}/model")
    print(budgetron.load(f"{directory}/model").predict(X), learner.ask_one(X[0]).label)


def fails(learner: Forgetron) -> None:
    Budgetron(bugdet=3)  # refused
    Budgetron(3, 0.5)  # refused
    Forgetron(budget="5")  # refused
    Forgetron(kernel="rbf", gamma="skale")  # refused
    budgetron.Forgetrn()  # refused
    print(learner.clases_)  # refused
    learner.partial_fit([[1.0]], [1], sample_wieght=[1.0])  # refused
    print(learner.explain([1.0]).lable)  # refused
