"""All that can be asked of a service, whichever way it is sent."""

from __future__ import annotations

from typing import Any

import httpx

from .call import BYTES, Call, json_in, nothing_in, of_json, of_rows, on_model
from .rows import one_row, plain, rows_of

__all__ = ["Calls"]


class Calls:
    """The calls of both clients: one returns what is said here, the other is awaited for it."""

    def _do(self, call: Call) -> Any:
        raise NotImplementedError

    def predict(self, model: str, X: Any, *, id: Any = None, key: Any = None) -> Any:
        """What a model says of rows; with ids, they wait for their labels.

        Parameters
        ----------
        model : str
            Its name.
        X : array-like, mapping, frame, or sequence of mappings
            One row, in one dimension or as a mapping of names to numbers, or several.
        id : str, or sequence of str, optional
            By which `label` finds each row.
        key : str, or sequence of str, optional
            Whose learner is asked, of a keyed model.

        Returns
        -------
        dict, or list of dict
            For each row "label", "score" or "scores", "probabilities" if the model has them,
            "version" and "row".

        Raises
        ------
        ServiceError
            If the service refuses it or does not answer.
        ValueError
            If the rows are no rows of numbers. NaN is a value that is missing.
        """
        return self._do(of_rows(on_model(model, "predict"), *rows_of(X, id=id, key=key)))

    def learn(
        self,
        model: str,
        X: Any,
        y: Any,
        *,
        weight: Any = None,
        key: Any = None,
        request_id: str | None = None,
    ) -> Any:
        """Have a model learn rows, each after it was predicted. It is acknowledged when it is kept.

        Parameters
        ----------
        model : str
            Its name.
        X : array-like, mapping, frame, or sequence of mappings
            One row or several, as for `predict`.
        y : label, or sequence of labels
        weight : float, or sequence of float, optional
            By what the step of each row is multiplied.
        key : str, or sequence of str, optional
            Whose learner learns it, of a keyed model.
        request_id : str, optional
            A name for this call: a service that has done one of this name answers, and does not
            learn it again. Without it the client gives one, for its own attempts.

        Returns
        -------
        dict, or list of dict
            For each row what was predicted before it was learned: "label", "score", "mistake",
            "version" and "row".

        Raises
        ------
        ServiceError
            If the service refuses it, and nothing of it is learned; or if it does not answer, and
            nobody knows.
        ValueError
            If the rows are no rows of numbers. NaN is a value that is missing.
        """
        rows, single = rows_of(X, y=y, weight=weight, key=key)
        return self._do(of_rows(on_model(model, "learn"), rows, single, request_id))

    def label(self, model: str, id: Any, y: Any, *, request_id: str | None = None) -> Any:
        """Say the label of a row that was predicted with an id; it is learned now.

        Parameters
        ----------
        model : str
            Its name.
        id : str, or sequence of str
        y : label, or sequence of labels
        request_id : str, optional
            As for `learn`.

        Returns
        -------
        dict, or list of dict
            As for `learn`, with what was predicted then.

        Raises
        ------
        ServiceError
            If no row of this id waits, among other reasons; nothing is learned then.
        """
        single = isinstance(id, str)
        ids, labels = ([id], [y]) if single else (list(id), list(y))
        if len(ids) != len(labels):
            raise ValueError(f"there are {len(ids)} ids, and {len(labels)} labels")
        rows = [{"id": plain(i), "y": plain(label)} for i, label in zip(ids, labels, strict=True)]
        return self._do(of_rows(on_model(model, "label"), rows, single, request_id))

    def explain(self, model: str, x: Any, *, key: str | None = None) -> Any:
        """Why a model says what it says of a row.

        Parameters
        ----------
        model : str
            Its name.
        x : array-like or mapping
            One row.
        key : str, optional
            Of a keyed model.

        Returns
        -------
        dict
            "label" and "rival", "scores", and how much each support adds to them, with its "x".
        """
        return self._do(of_json("POST", on_model(model, "explain"), one_row(x, key=key)))

    def models(self) -> Any:
        """All models, a dict each: "name", "learner", "classes", "row", "mistakes", "size", ..."""
        return self._do(Call("GET", "/v1/models", meaning=_models_in))

    def model(self, name: str) -> Any:
        """One model, as `models` tells it."""
        return self._do(Call("GET", on_model(name)))

    def create(
        self,
        name: str,
        learner: Any,
        parameters: dict[str, Any] | None = None,
        *,
        classes: Any = None,
        features: Any = None,
        keyed: bool = False,
    ) -> Any:
        """Make a model.

        Parameters
        ----------
        name : str
        learner : str, bytes or learner
            The name of a learner, such as "Budgetron"; or one that has learned already, itself or
            its bytes: the rest is not given then.
        parameters : dict, optional
            Of the learner.
        classes : sequence of labels
        features : int, or sequence of str
            How many numbers a row has, or what they are called.
        keyed : bool, default=False
            Whether each key has a learner of its own.

        Returns
        -------
        dict
            The model, as `models` tells it.
        """
        path = on_model(name)
        if not isinstance(learner, str):
            content = learner if isinstance(learner, bytes) else learner.dumps()
            return self._do(Call("PUT", path, content, {"Content-Type": BYTES}, repeatable=False))
        body: dict[str, Any] = {"learner": learner, "parameters": parameters or {}, "keyed": keyed}
        if classes is not None:
            body["classes"] = [plain(label) for label in classes]
        if features is not None:
            body["features"] = features if isinstance(features, int) else [*map(str, features)]
        return self._do(of_json("PUT", path, body, repeatable=False))

    def delete(self, name: str) -> Any:
        """Remove a model and all that is kept of it."""
        return self._do(Call("DELETE", on_model(name), meaning=nothing_in, repeatable=False))

    def snapshot(self, model: str) -> Any:
        """Keep a model as it is now: a dict with "id", "row", "time" and "bytes"."""
        return self._do(Call("POST", on_model(model, "snapshots")))

    def snapshots(self, model: str) -> Any:
        """All that is kept of a model, as `snapshot` tells it."""
        return self._do(Call("GET", on_model(model, "snapshots"), meaning=_snapshots_in))

    def rollback(self, model: str, snapshot: Any) -> Any:
        """Have a model be again what it was.

        Parameters
        ----------
        model : str
            Its name.
        snapshot : id
            As `snapshots` tells it.

        Returns
        -------
        dict
            The model, as `models` tells it, with a higher "version".
        """
        body = {"snapshot": plain(snapshot)}
        return self._do(of_json("POST", on_model(model, "rollback"), body, repeatable=False))

    def state(self, model: str) -> Any:
        """All that a model has learned, as a learner of this process.

        Parameters
        ----------
        model : str
            Its name.

        Returns
        -------
        a learner of this package, or a KeyedClassifier
        """
        return self._do(Call("GET", on_model(model, "state"), meaning=_learner_in))

    def metrics(self, model: str) -> Any:
        """The figures of the live page: how a model is doing, and how it did."""
        return self._do(Call("GET", on_model(model, "metrics")))


def _models_in(answer: httpx.Response) -> Any:
    return json_in(answer)["models"]


def _snapshots_in(answer: httpx.Response) -> Any:
    return json_in(answer)["snapshots"]


def _learner_in(answer: httpx.Response) -> Any:
    from ..keyed import loads as keyed_loads  # which takes long
    from ..keyed.whole import MAGIC
    from ..saving import loads

    return (keyed_loads if answer.content.startswith(MAGIC) else loads)(answer.content)
