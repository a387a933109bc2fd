import numpy as np
import pytest

import oracle
from budgetron import WhitenedPerceptron, prequential
from streams import smooth_stream


def test_each_axis_is_divided_by_its_length():
    # M = diag(4, 1): the Perceptron goes over (1, 0) and (0, 1), and errs on the first
    learner = WhitenedPerceptron(kernel="linear").fit([[2, 0], [0, 1]], [-1, 1])
    assert (learner.n_seen_, learner.n_mistakes_, learner.n_updates_) == (2, 1, 1)
    scores = learner.decision_function([[3, 5], [-1, 7]])
    np.testing.assert_allclose(scores, [-3 / 2, 1 / 2], rtol=0, atol=1e-12)


def test_directions_without_instances_are_left_out():
    # M = 5 [1 1; 1 1] has rank one: (1, 1) and (2, 2) become 1/sqrt(5) and 2/sqrt(5)
    learner = WhitenedPerceptron(kernel="linear").fit([[1, 1], [2, 2]], [-1, 1])
    assert learner.n_mistakes_ == 2
    scores = learner.decision_function([[1, 1], [1, 0], [1, -1]])
    np.testing.assert_allclose(scores, [1 / 5, 1 / 10, 0], rtol=0, atol=1e-12)


@pytest.mark.parametrize("zero_score", ["positive", "mistake"])
def test_it_is_the_perceptron_on_whitened_instances(zero_score):
    X, y = smooth_stream(width=3)
    stream = [*zip(map(tuple, X.tolist()), y.tolist(), strict=True)]
    rounds = oracle.whitened_perceptron(stream, zero_score=zero_score)
    whitened = oracle.whitened(stream)
    expected = [
        oracle.evaluate(rounds[-1].supports, whitened, oracle.linear, x)[0] for x, _ in whitened
    ]
    learner = WhitenedPerceptron(kernel="linear", zero_score=zero_score).fit(X, y)
    assert learner.n_mistakes_ == sum(r.mistake for r in rounds)
    np.testing.assert_allclose(learner.decision_function(X), expected, rtol=0, atol=1e-9)


def test_in_any_kernel_the_whitened_instances_are_orthonormal():
    # of independent instances M^-1/2 makes an orthonormal basis: each score is that of its label,
    # and 0 before it was learned, or 1e-17, which may have the sign of the label
    X, y = smooth_stream(length=15)
    learner = WhitenedPerceptron(kernel="rbf", gamma=20.0, zero_score="mistake").fit(X, y)
    scores = learner.decision_function(X)
    learned = np.abs(scores) > 0.5
    assert learned[0]
    assert learner.n_mistakes_ == learned.sum()
    np.testing.assert_allclose(scores, np.where(learned, y, 0.0), rtol=0, atol=1e-9)


def test_it_has_to_see_all_instances_first():
    learner = WhitenedPerceptron(kernel="linear")
    assert not hasattr(learner, "partial_fit")
    X, y = smooth_stream()
    with pytest.raises((AttributeError, TypeError, ValueError)):
        prequential(learner, X, y)
    with pytest.raises((AttributeError, TypeError, ValueError)):
        prequential(learner.fit(X, y), X, y)
