"""One classifier in front of many: each key has a learner of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import partial
from heapq import nlargest, nsmallest
from threading import RLock
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import assert_all_finite, check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_consistent_length, column_or_1d

from ..core.kernel import Rows
from ..engine.record import in_columns
from ..estimators import StreamClassifier
from ..estimators.agenda import arrival_times
from ..estimators.classes import NONE_KNOWN, numbered
from ..estimators.scikit_learn import BaseEstimator, ClassifierMixin
from ..estimators.stream_classifier import checked_weights
from ..evaluation import Trace
from ..parameters import whole
from ..saving import SavedModelError, dumps
from .batch import Batch, Groups, Happened, Lookup, choice_of_nobody, learned
from .keys import Key, checked_key, seed_of, taken_apart
from .learners import LearnersByKey
from .shelves import DiskShelf, MemoryShelf, NoShelf, Shelf

__all__ = ["About", "KeyedClassifier", "Learned", "checked_live"]

FORGET = "forget"

AT_ONCE = 1000
"""So many learners may be at work within a call, even if fewer are afterwards."""


class KeyedClassifier(ClassifierMixin, BaseEstimator):
    """A learner for each key: each customer, sensor or shop has one of its own.

    What a key's learner predicts and learns is what it would alone, on the rows of its key: other
    keys, and how the stream is cut, make no difference.

    Parameters
    ----------
    estimator : a learner of this package
        How each of them learns; it is not fitted itself.
    key : str or int, optional
        The column with the keys: its name in a frame, or its number in an array. Without it keys
        are given apart, as `keys=`.
    live : int, optional
        So many learners are at work between two calls, at most; all of them if it is not given.
        Those that learned longest ago are put away first. Within a call there may be more of them,
        up to 1000.
    evict : str or path, optional
        Where learners are put away: "forget" is nowhere, anything else a directory, in which there
        is a file as long as this classifier is. Without it their bytes stay in memory, which take
        less of it.

    Attributes
    ----------
    classes_ : ndarray
        All classes that any of them knows.
    keys_ : list
        All keys that have a learner.
    n_features_in_ : int
        The number of features, without the key.
    n_seen_, n_mistakes_, n_updates_ : int
        Of all learners together; with `evict="forget"`, of those that are left.

    Notes
    -----
    A key is a whole number or a string. Where the learners draw, each has a seed of its own, made
    from `random_state` of the estimator and the key; `new_learner(key)` is what a key begins with.

    Examples
    --------
    >>> import numpy as np
    >>> from budgetron import Budgetron
    >>> from budgetron.keyed import KeyedClassifier
    >>> X = np.random.default_rng(0).normal(size=(2000, 3))
    >>> shops = np.arange(2000) % 10
    >>> y = np.where(X[:, 0] * (-1) ** shops > 0, "buys", "leaves")
    >>> keyed = KeyedClassifier(Budgetron(budget=20)).partial_fit(X, y, keys=shops)
    >>> len(keyed.keys_), keyed.predict([[2, 0, 0], [2, 0, 0]], keys=[4, 5]).tolist()
    (10, ['buys', 'leaves'])
    """

    _lock: Any
    _learned: Learned

    def __init__(
        self, estimator: Any, key: Any = None, *, live: int | None = None, evict: Any = None
    ) -> None:
        self.estimator, self.key, self.live, self.evict = estimator, key, live, evict

    def __new__(cls, *arguments: Any, **named: Any) -> Self:
        """One that nobody else uses."""
        made = super().__new__(cls)
        made.__dict__["_lock"] = RLock()
        return made

    # ------------------------------------------------------------------------------ learning

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, keys: Any = None) -> Self:
        """Forget everything and learn from the rows.

        Parameters
        ----------
        X, y, sample_weight, keys
            As for `partial_fit`.

        Returns
        -------
        self
        """
        with self._lock:
            fresh = clone(self).partial_fit(X, y, None, sample_weight, keys=keys)
            self._learned = fresh._learned
        return self

    def partial_fit(
        self,
        X: Any,
        y: Any,
        classes: Any = None,
        sample_weight: Any = None,
        *,
        keys: Any = None,
    ) -> Self:
        """Learn from more rows, each by the learner of its key, in their order.

        Parameters
        ----------
        X : frame, array or CSR matrix of shape (n_rows, n_features), with a column for the key
            Without that column where keys are given.
        y : array of shape (n_rows,)
        classes : array of labels, optional
            All that there are, for every key: any other label is then an error, and every learner
            knows them from its first row on. Without it, each learns them as it meets them.
        sample_weight : array of shape (n_rows,), optional
        keys : sequence of shape (n_rows,), optional
            Whole numbers or strings.

        Returns
        -------
        self
        """
        self._learn(X, y, classes, sample_weight, keys)
        return self

    def learn_one(self, x: Any, y: Any, key: Any, *, sample_weight: float = 1.0) -> Self:
        """Learn one row.

        Parameters
        ----------
        x : array of shape (n_features,)
            Without the key.
        y : label
        key : int or str
        sample_weight : float, default=1.0

        Returns
        -------
        self
        """
        own = checked_key(key)
        with self._lock:
            known = self.__dict__.get("_learned")
            learner = None if known is None else known.find([own]).get(own)
            if known is None or learner is None or y not in getattr(learner, "_codes", ()):
                return self.partial_fit(np.asarray(x)[None], [y], None, [sample_weight], keys=[own])
            about = known.about._replace(rows=known.about.rows + 1)
            known.learners.expect(own, learner, about.rows, about)
            learner.learn_one(x, y, sample_weight=sample_weight)
            known.learners.put({own: learner}, {own: about.rows}, about)
            known.learners.rest()
        return self

    def trace(
        self,
        X: Any,
        y: Any,
        classes: Any = None,
        sample_weight: Any = None,
        *,
        keys: Any = None,
        delay: Any = 0,
    ) -> Trace:
        """Predict each row, learn from it, and tell what happened: see `budgetron.prequential`.

        Parameters
        ----------
        X, y, classes, sample_weight, keys
            As for `partial_fit`.
        delay : 0, or array of shape (n_rows,)
            When the label of each row comes: with its prediction, which is its number, or never,
            which is infinity.

        Returns
        -------
        Trace
            In the order of the stream. Each key's rows say what its learner alone would say.
        """
        return self._learn(X, y, classes, sample_weight, keys, delay=delay, recorded=True)

    def _trace(
        self, X: Any, y: Any, classes: Any, sample_weight: Any, delay: Any, before: Any
    ) -> Trace:
        if len(before) > 0:
            raise ValueError("learners behind keys have no rows that wait")
        return self.trace(X, y, classes, sample_weight, delay=delay)

    def _learn(
        self,
        X: Any,
        y: Any,
        classes: Any,
        sample_weight: Any,
        keys: Any,
        *,
        delay: Any = 0,
        recorded: bool = False,
    ) -> Any:
        """Check everything first, so that bad input changes nothing; then learn."""
        with self._lock:
            known, live = self.__dict__.get("_learned") or Learned.of(self), checked_live(self.live)
            X, own_keys = taken_apart(X, self.key, keys)
            features = known.checked(X)
            batch = _checked_batch(known, features, y, classes, sample_weight, delay)
            forecasting = recorded and hasattr(self.estimator, "predict_proba")
            happened = None
            union = batch.labels.classes
            if recorded:
                happened = Happened(len(own_keys), union, forecasting=forecasting)
            is_named = known.about.is_named or classes is not None
            most = None if live is None else max(live, AT_ONCE)
            known.learners.live = live
            for here in Groups.stretches(own_keys, most):
                known.go_over(batch.at(here), own_keys[here], is_named, happened, here.start)
                self._learned = known
                known.learners.rest()
            return None if happened is None else happened.trace(batch.y, batch.is_told)

    # ---------------------------------------------------------------------------- predicting

    def predict(self, X: Any, *, keys: Any = None) -> np.ndarray:
        """The classes, each by the learner of its key.

        A key that has none is as if its learner had seen nothing: of two classes the second is
        predicted, which is what a score of zero says, and of more the first.

        Parameters
        ----------
        X, keys
            As for `partial_fit`.

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        with self._lock:
            known, X, groups = self._asked(X, keys)
            choices = np.full(X.shape[0], choice_of_nobody(known.classes))
            places = Happened(0, known.classes, forecasting=False)
            for learner, here, rows in known.each(X, groups):
                chosen = learner._chosen(learner._scores(here))
                choices[rows] = places.places_of(learner.classes_)[chosen]
            predicted: np.ndarray = known.classes[choices]
        return predicted

    def decision_function(self, X: Any, *, keys: Any = None) -> np.ndarray:
        """The scores: of two classes, positive for `classes_[1]`; of more, one for each.

        A key without a learner has scores of 0. One whose learner has met one class alone is as
        certain of it as its score is large; of more than two classes, those that a learner has not
        met have a score of minus infinity.

        Parameters
        ----------
        X, keys
            As for `partial_fit`.

        Returns
        -------
        ndarray of shape (n_rows,) or (n_rows, n_classes)
        """
        with self._lock:
            known, X, groups = self._asked(X, keys)
            many = len(known.classes)
            scores = np.zeros(X.shape[0] if many <= 2 else (X.shape[0], many))
            places = Happened(0, known.classes, forecasting=False)
            for learner, here, rows in known.each(X, groups):
                own, place = learner._scores(here), places.places_of(learner.classes_)
                if many > 2:
                    table = np.full((len(own), many), -np.inf)
                    table[:, place] = in_columns(own)[:, -len(place) :]
                    scores[rows] = table
                elif len(place) < many:
                    scores[rows] = np.abs(own) if place[0] == 1 else -np.abs(own)
                else:
                    scores[rows] = own
        return scores

    @available_if(lambda self: hasattr(self.estimator, "predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any, *, keys: Any = None) -> np.ndarray:
        """The probabilities of the classes; equal ones for a key without a learner.

        Parameters
        ----------
        X, keys
            As for `partial_fit`.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
        """
        with self._lock:
            known, X, groups = self._asked(X, keys)
            chances = np.full((X.shape[0], len(known.classes)), 1 / len(known.classes))
            places = Happened(0, known.classes, forecasting=False)
            for learner, here, rows in known.each(X, groups):
                own = np.zeros((len(rows), len(known.classes)))
                told = learner._probabilities(learner._scores(here))
                own[:, places.places_of(learner.classes_)] = told
                chances[rows] = own
        return chances

    def predict_one(self, x: Any, key: Any) -> Any:
        """The class of one row.

        Parameters
        ----------
        x : array of shape (n_features,)
            Without the key.
        key : int or str

        Returns
        -------
        label
        """
        own = checked_key(key)
        with self._lock:
            known = self._known()
            learner = known.find([own]).get(own)
            if learner is None:
                known.checked(np.asarray(x)[None])
                return known.classes[choice_of_nobody(known.classes)].item()
            return learner.predict_one(x)

    def _known(self) -> Learned:
        known: Learned | None = self.__dict__.get("_learned")
        if known is None:
            raise NotFittedError("This KeyedClassifier has not learned anything yet.")
        return known

    def _asked(self, X: Any, keys: Any) -> tuple[Learned, Rows, Groups]:
        known = self._known()
        X, own_keys = taken_apart(X, self.key, keys)
        return known, known.checked(X), Groups(own_keys)

    # ------------------------------------------------------------------------------ looking

    def __sklearn_is_fitted__(self) -> bool:
        return "_learned" in self.__dict__

    def __len__(self) -> int:
        with self._lock:
            return len(self._learned.learners) if self.__sklearn_is_fitted__() else 0

    def __bool__(self) -> bool:
        return True

    @property
    def classes_(self) -> np.ndarray:
        """All classes that any learner knows."""
        return self._fact("classes")

    @property
    def n_features_in_(self) -> int:  # type: ignore[override]
        """The number of features, without the key."""
        return int(self._fact("example").n_features_in_)

    @property
    def feature_names_in_(self) -> np.ndarray:  # type: ignore[override]
        """The features' names, if they have any."""
        names: np.ndarray = self._fact("example").feature_names_in_
        return names

    def _fact(self, name: str) -> Any:
        if "_learned" not in self.__dict__:
            raise AttributeError(f"a KeyedClassifier that has learned nothing has no {name}")
        return getattr(self._learned, name)

    @property
    def keys_(self) -> list[Key]:
        """All keys that have a learner: numbers first, then strings, in their order."""
        with self._lock:
            found = [key for key, *_ in self._fact("learners").facts()]
        return sorted(found, key=lambda key: (isinstance(key, str), key))

    @property
    def n_live_(self) -> int:
        """How many learners are at work."""
        return int(self._fact("learners").at_work)

    @property
    def bytes_on_disk_(self) -> int:
        """How long the file is in which learners are that are not at work; 0 if there is none."""
        return int(self._fact("learners").bytes_on_disk)

    @property
    def n_seen_(self) -> int:
        """Rows that all learners have learned."""
        return self._counts()[0]

    @property
    def n_mistakes_(self) -> int:
        """Their predictions that were wrong."""
        return self._counts()[1]

    @property
    def n_updates_(self) -> int:
        """Rows that changed a learner."""
        return self._counts()[2]

    def _counts(self) -> tuple[int, int, int]:
        with self._lock:
            table = [counts for _, *counts in self._fact("learners").facts()]
        seen, mistakes, updates = np.sum(table, axis=0).tolist() if table else (0, 0, 0)
        return seen, mistakes, updates

    def learner(self, key: Any) -> Any:
        """A copy of the learner of a key.

        Parameters
        ----------
        key : int or str

        Returns
        -------
        a learner of this package

        Raises
        ------
        KeyError
            If the key has none.
        """
        own = checked_key(key)
        with self._lock:
            found = self._known().find([own])
            if own not in found:
                raise KeyError(own)
            learner = deepcopy(found[own]).set_params(**self._learned.seeded(own))
            if hasattr(self._learned.example, "feature_names_in_"):
                learner.feature_names_in_ = self.feature_names_in_.copy()
            return learner

    def new_learner(self, key: Any) -> Any:
        """What a key begins with: an unfitted learner, with the seed of the key.

        Parameters
        ----------
        key : int or str

        Returns
        -------
        a learner of this package
        """
        with self._lock:
            known = self.__dict__.get("_learned") or Learned.of(self)
            return clone(known.new_learner(checked_key(key)))

    def metrics(self, keys: Sequence[Any] | None = None) -> dict[Key, dict[str, Any]]:
        """How good the predictions for each key were, since it began.

        Parameters
        ----------
        keys : sequence of keys, optional
            All if it is not given.

        Returns
        -------
        dict of key to dict
            "rows", "mistakes", "error" and "updates".
        """
        wanted = None if keys is None else {checked_key(key) for key in keys}
        with self._lock:
            return {
                key: _told(*counts)
                for key, *counts in self._known().learners.facts()
                if wanted is None or key in wanted
            }

    def extremes(self, many: int = 5, *, rows: int = 1) -> dict[str, dict[Key, dict[str, Any]]]:
        """The keys with the largest and the smallest part of mistakes.

        Parameters
        ----------
        many : int, default=5
            How many of each.
        rows : int, default=1
            Only keys that have seen so many are compared.

        Returns
        -------
        dict
            "worst" and "best", each a dict as `metrics` has it.
        """
        with self._lock:
            facts = [it for it in self._known().learners.facts() if it[1] >= rows]

        def error(fact: Any) -> tuple[float, int, bool, Any]:
            key, seen, mistakes, _ = fact
            return mistakes / max(1, seen), mistakes, isinstance(key, str), str(key)

        found = {"worst": nlargest(many, facts, error), "best": nsmallest(many, facts, error)}
        return {
            name: {key: _told(*counts) for key, *counts in each} for name, each in found.items()
        }

    # ------------------------------------------------------------------------------- keeping

    def save(self, path: str | os.PathLike[str], notes: Mapping[str, Any] | None = None) -> None:
        """Write all learners to one file; `budgetron.keyed.load` goes on from there.

        Parameters
        ----------
        path : str or path
        notes : dict, optional
            Anything that JSON can hold, to be kept beside them.
        """
        from .whole import save

        save(self, path, notes)

    def dumps(self) -> bytes:
        """What `save` writes, as bytes: the same for the same learners.

        Returns
        -------
        bytes
        """
        from .whole import dumps

        return dumps(self)

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            state = {name: value for name, value in self.__dict__.items() if name != "_lock"}
            if "_learned" in state:
                state["_learned"] = self.dumps()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        from .whole import loads

        self.__dict__["_lock"] = RLock()
        self.__dict__.update(state)
        if "_learned" in state:
            self._learned = loads(state["_learned"], evict=self.evict)._learned

    def __sklearn_clone__(self) -> Self:
        return type(self)(clone(self.estimator), self.key, live=self.live, evict=self.evict)


def _told(rows: int, mistakes: int, updates: int) -> dict[str, Any]:
    error = mistakes / rows if rows else 0.0
    return {"rows": rows, "mistakes": mistakes, "error": error, "updates": updates}


class About(NamedTuple):
    """What is known of all learners together."""

    classes: np.ndarray
    is_named: bool  # whether these were said to be all
    rows: int  # learned so far


class Learned:
    """All that a keyed classifier has learned.

    Parameters
    ----------
    example : a learner of this package
        Unfitted, with the parameters that all share; knows which features there are.
    learners : LearnersByKey
    seed : int
        What the seeds of keys are made from.
    """

    def __init__(self, example: Any, learners: LearnersByKey, seed: int) -> None:
        self.example, self.learners, self.seed = example, learners, seed
        learners.check = self.demand_own
        self.common: dict[Any, Any] = {}  # what learners share that is no part of them

    @property
    def about(self) -> About:
        """What is known of all learners together."""
        about: About = self.learners.about
        return about

    @property
    def classes(self) -> np.ndarray:
        """All classes that any learner knows."""
        return self.about.classes

    @classmethod
    def of(
        cls, keyed: KeyedClassifier, seed: int | None = None, about: About | None = None
    ) -> Learned:
        """Nothing yet; a parameter that is wrong is an error."""
        given = keyed.estimator
        if not isinstance(given, StreamClassifier) or not hasattr(given, "partial_fit"):
            raise TypeError(
                "the estimator behind keys must be a learner of this package that learns from a"
                f" stream, got {given!r}"
            )
        if type(keyed.key) is bool or not isinstance(keyed.key, str | int | np.integer | None):
            raise TypeError(f"key must be the name or the number of a column, got {keyed.key!r}")
        example = clone(given)
        if keyed.live is not None and keyed.evict != FORGET:
            dumps(example)  # or what cannot be put away is told now
        if seed is None:
            seed = int(check_random_state(getattr(given, "random_state", 0)).randint(2**31))
        return cls(example, _new_learners(keyed.live, keyed.evict, about), seed)

    def new_learner(self, key: Key) -> Any:
        """One that has learned nothing."""
        learner = self.example._unfitted()
        learner.__dict__.pop("feature_names_in_", None)  # they are known once, for all
        learner.__dict__ |= self.seeded(key)
        return learner

    def seeded(self, key: Key) -> dict[str, Any]:
        """The parameter that is each key's own; one that has begun does without."""
        return {name: seed_of(self.seed, key) for name in self.unseeded}

    @property
    def unseeded(self) -> dict[str, Any]:
        """Has the learners of all keys say the same of their parameters."""
        return {"random_state": None} if "random_state" in self.example.__dict__ else {}

    def find(self, keys: Sequence[Key]) -> dict[Key, Any]:
        """The learners of those of these keys that have one."""
        found = self.learners.get(keys)
        for learner in found.values():
            learner._share(self.common)
        return found

    def demand_own(self, key: Key, learner: Any) -> None:
        """Raise an error for what was saved in the place of a key's learner, and is none."""
        width = getattr(self.example, "n_features_in_", None)
        is_own = type(learner) is type(self.example) and hasattr(learner, "classes_")
        if not is_own or learner.n_features_in_ != width:
            raise SavedModelError(f"behind the key {key!r} is a learner of another kind")
        if not {*learner.classes_.tolist()} <= {*self.classes.tolist()}:
            raise SavedModelError(f"behind the key {key!r} is a learner of other classes")

    def checked(self, X: Any) -> Rows:
        """Rows as learners want them."""
        is_first = not hasattr(self.example, "n_features_in_")
        rows: Rows = self.example._rows(X, reset=is_first)
        return rows

    def go_over(
        self,
        batch: Batch,
        keys: list[Key],
        is_named: bool,
        happened: Happened | None,
        first: int,
    ) -> None:
        """Let the learners of some keys learn, all of them or none."""
        groups, named = Groups(keys), batch.labels.classes if is_named else None
        grouped = batch.at(groups.order)
        lookup, found = Lookup(batch.labels.classes), self.find(groups.keys)
        done = {}
        try:
            for key, here in groups:
                learner = found.get(key) or self.new_learner(key)
                rows, remember = first + groups.order[here], partial(self.learners.remember, key)
                how = named, self.common, lookup, happened
                after = learned(learner, grouped, *how, here, rows, remember)
                if after is not None:
                    after.__dict__ |= self.unseeded
                    after._share(self.common)
                    done[key] = after
            before = self.about.rows
            used = {key: before + row + 1 for key, row in groups.last_rows().items()}
            about = About(batch.labels.classes, is_named, before + len(keys))
            self.learners.put(done, used, about)
        except BaseException:
            self.learners.settle()
            raise

    def each(self, X: Rows, groups: Groups) -> Iterator[tuple[Any, Rows, np.ndarray]]:
        """The learners that there are, each with its rows, and which ones these are."""
        found, grouped = self.find(groups.keys), X[groups.order]
        for key, here in groups:
            learner = found.get(key)
            if learner is not None:
                with learner._reading() as still:
                    own = grouped[here]
                    still._check(own)
                    yield still, own, groups.order[here]


def _checked_batch(
    known: Learned, X: Rows, y: Any, classes: Any, sample_weight: Any, delay: Any
) -> Batch:
    y = column_or_1d(y, warn=True)
    assert_all_finite(y, input_name="y")
    check_consistent_length(X, y)
    weights = checked_weights(sample_weight, X.shape[0])
    times = arrival_times(delay, X.shape[0])
    is_told = times < np.inf
    if not (np.floor(times) == np.arange(len(times)))[is_told].all():
        raise ValueError("behind keys, a label comes when its row is predicted, or never")
    told = y[is_told]
    if len(told) == 0 and len(known.classes) == 0:
        raise ValueError("no row has a label, and none had before: there is nothing to predict")
    labels = numbered(told, known.classes, classes, closed=known.about.is_named, at_once=2)
    codes = np.zeros(len(y), np.int64)
    codes[is_told] = labels.codes
    instead = labels.classes[codes].astype(y.dtype) if not is_told.all() else y
    y = np.where(is_told, y, instead) if not is_told.all() else y
    return Batch(X, y, labels._replace(codes=codes), weights, is_told)


def _new_learners(live: Any, evict: Any, about: About | None) -> LearnersByKey:
    """None yet, and what is known of them."""
    shelf: Shelf = MemoryShelf()
    if evict is not None:
        shelf = NoShelf() if evict == FORGET else DiskShelf(evict)
    return LearnersByKey(shelf, checked_live(live), about or About(NONE_KNOWN, False, 0))


def checked_live(live: Any) -> int | None:
    """How many learners may be at work; None for any number."""
    return None if live is None else int(whole("live", live, least=1))
