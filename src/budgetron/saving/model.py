"""Saving and loading, for users and for programs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy, deepcopy
from typing import Any

from ..estimators import StreamClassifier, Waiting
from .arrays import Arrays
from .checking import SavedModelError, demand
from .file import SHORT, demand_json, joined, read, taken_apart, to_json, write
from .state import describe, restore
from .waiting import describe_waiting, restore_waiting

__all__ = [
    "dumps",
    "load",
    "load_all",
    "load_with_notes",
    "load_with_waiting",
    "loads",
    "save",
]

Path = str | os.PathLike[str]


def save(
    estimator: Any,
    path: Path,
    notes: Mapping[str, Any] | None = None,
    waiting: Waiting | None = None,
) -> None:
    """Write a learner to a file, which takes the place of an older one at once or not at all.

    Parameters
    ----------
    estimator : a learner of this package, or a pipeline of scikit-learn that ends with one
        Fitted or not. The other steps of a pipeline are some of StandardScaler, MinMaxScaler,
        OneHotEncoder, OrdinalEncoder, SimpleImputer, HashingVectorizer, and a ColumnTransformer of
        them.
    path : str or path
    notes : dict, optional
        Anything that JSON can hold, to be kept beside the learner.
    waiting : Waiting, optional
        Rows whose labels are still to come, to be kept as well: see `prequential`. Not for
        pipelines.

    Raises
    ------
    SavedModelError
        For what a file cannot hold; nothing has been written then.
    """
    document, arrays = _described(estimator, notes, waiting)
    _restored(*taken_apart(data := joined(document, arrays)))
    write(path, [data])


def dumps(
    estimator: Any, notes: Mapping[str, Any] | None = None, waiting: Waiting | None = None
) -> bytes:
    """What `save` writes to a file, as bytes.

    Equal learners have equal bytes.

    Parameters
    ----------
    estimator, notes, waiting
        As for `save`.

    Returns
    -------
    bytes

    Raises
    ------
    SavedModelError
        For what cannot be saved.
    """
    document, arrays = _described(estimator, notes, waiting)
    data = joined(document, arrays)
    if document not in _readable:
        _restored(*taken_apart(data))
        if len(_readable) >= MOST_READABLE:
            _readable.clear()
        if len(document) <= SHORT:
            _readable.add(document)
    return data


_readable: set[bytes] = set()
"""Documents that have been read back: what is learned beside them is arrays of finite numbers."""

MOST_READABLE = 1024


def load(path: Path) -> Any:
    """The learner in a file, which goes on as if it had never been saved.

    Parameters
    ----------
    path : str or path

    Returns
    -------
    a learner of this package, or a pipeline with one

    Raises
    ------
    SavedModelError
        If the file is damaged, or from a later version, or no saved model at all. Whatever is in
        it, nothing of it is executed.

    Examples
    --------
    >>> import os, tempfile
    >>> import budgetron
    >>> learner = budgetron.Forgetron(gamma=2).fit([[0, 0], [1, 0], [1, 1]], ["no", "yes", "no"])
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     learner.save(os.path.join(directory, "xor.budgetron"))
    ...     again = budgetron.load(os.path.join(directory, "xor.budgetron"))
    >>> again.partial_fit([[0, 1]], ["yes"]).predict([[0, 1]])
    array(['yes'], dtype='<U3')
    """
    return load_with_notes(path)[0]


def load_with_notes(path: Path) -> tuple[Any, dict[str, Any]]:
    """The learner in a file, and the notes beside it.

    Parameters
    ----------
    path : str or path

    Returns
    -------
    estimator, notes

    Raises
    ------
    SavedModelError
        As `load` does.
    """
    learner, notes, _ = load_all(path)
    return learner, notes


def load_with_waiting(path: Path) -> tuple[Any, Waiting | None]:
    """The learner in a file, and the rows beside it whose labels are still to come.

    Parameters
    ----------
    path : str or path

    Returns
    -------
    estimator, waiting
        The latter is None if there are no such rows.

    Raises
    ------
    SavedModelError
        As `load` does.
    """
    learner, _, waiting = load_all(path)
    return learner, waiting


def load_all(path: Path) -> tuple[Any, dict[str, Any], Waiting | None]:
    """The learner in a file, the notes, and the rows that wait, if there are any.

    Parameters
    ----------
    path : str or path

    Returns
    -------
    estimator, notes, waiting

    Raises
    ------
    SavedModelError
        As `load` does.
    """
    return _loaded(read(path))


def loads(data: bytes) -> Any:
    """The learner that `dumps` has made bytes of.

    Parameters
    ----------
    data : bytes

    Returns
    -------
    a learner of this package, or a pipeline with one

    Raises
    ------
    SavedModelError
        As `load` does.

    Examples
    --------
    >>> import budgetron
    >>> learner = budgetron.Forgetron(gamma=2).fit([[0, 0], [1, 0], [1, 1]], ["no", "yes", "no"])
    >>> again = budgetron.loads(learner.dumps())
    >>> again.partial_fit([[0, 1]], ["yes"]).predict([[0, 1]])
    array(['yes'], dtype='<U3')
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise TypeError(f"a saved model is bytes, got {type(data).__name__}")
    return _loaded(bytes(data))[0]


def _loaded(data: bytes) -> tuple[Any, dict[str, Any], Waiting | None]:
    document, arrays = taken_apart(data)
    demand(isinstance(document["notes"], dict), "the notes must be a JSON object")
    learner, waiting = _restored(document, arrays)
    return learner, deepcopy(document["notes"]), waiting


@contextmanager
def _still(estimator: Any) -> Iterator[Any]:
    """A learner that nobody changes meanwhile, or a pipeline with such a one."""
    if isinstance(estimator, StreamClassifier):
        with estimator._reading() as still:
            yield still
        return
    demand(
        hasattr(estimator, "steps"),
        f"{type(estimator).__name__} is no learner of this package, and no pipeline with one",
    )
    name, last = estimator.steps[-1]
    with _still(last) as still:
        whole = copy(estimator)
        whole.steps = [*estimator.steps[:-1], (name, still)]
        yield whole


def _described(
    estimator: Any, notes: Mapping[str, Any] | None, waiting: Waiting | None
) -> tuple[bytes, bytes]:
    """The document and the arrays."""
    own_notes = {} if notes is None else dict(notes)
    if own_notes:
        demand_json(own_notes, "notes")
    arrays = Arrays()
    with _still(estimator) as still:
        is_learner = isinstance(still, StreamClassifier)
        own = describe(still, arrays) if is_learner else _described_pipeline(still, arrays)
    document: dict[str, Any] = {"learner": own, "notes": own_notes}
    demand(is_learner or not waiting, "rows that wait are kept beside a learner alone")
    if waiting is not None and len(waiting) > 0:
        document["waiting"] = describe_waiting(waiting, arrays)
    return to_json(document, "the learner"), arrays.written


def _described_pipeline(pipeline: Any, arrays: Arrays) -> dict[str, Any]:
    from .pipeline import describe_pipeline  # scikit-learn's transformers take long to import

    return describe_pipeline(pipeline, arrays)


def _learner(document: Any, arrays: Arrays) -> Any:
    if isinstance(document, dict) and document.get("class") == "Pipeline":
        from .pipeline import restore_pipeline

        return restore_pipeline(document, arrays)
    return restore(document, arrays)


def _restored(document: dict[str, Any], data: memoryview) -> tuple[Any, Waiting | None]:
    """All that a document describes, if there is nothing else."""
    arrays = Arrays(data)
    try:
        learner, waiting = _learner(document["learner"], arrays), None
        if "waiting" in document:
            waiting = restore_waiting(document["waiting"], arrays, learner)
    except MemoryError:
        raise SavedModelError("the learner is too large for the memory that there is") from None
    arrays.demand_none_left()
    return learner, waiting
