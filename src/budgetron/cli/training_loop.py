"""One learner over a stream, in one pass, which can be stopped at any moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.base import clone

from ..estimators import Waiting
from ..evaluation import prequential
from ..keyed import KeyedClassifier
from ..reading import Chunk, Reader, ReadingError
from .checkpoint import Checkpoint, Model, write_checkpoint
from .compiling import told_if_it_compiles
from .errors import explained
from .interruption import Interruption
from .late_labels import Answers, Asked, InPlace, InStream, Told, among, moved
from .outputs import AsideFile, GrowingFile, as_csv
from .taken import ColumnNotes, note
from .tally import Tally

__all__ = ["Stopped", "TrainingLoop"]

WARM_UP_ROWS = 256


class Stopped(Exception):  # noqa: N818
    """Why a run did not come to the end of its input."""


class TrainingLoop:
    """A learner on its way, which writes down how far it is.

    Parameters
    ----------
    learner : a learner of this package, or a keyed classifier
    labels : InPlace, Answers or InStream
        Where its labels are, and when they come.
    checkpoint : Checkpoint
        Where it is; brought up to date.
    model : str or None
        Where it is kept.
    every : int
        After how many rows that is done.
    predictions : GrowingFile or None
        Takes what it predicts for each row before it learns it.
    aside : AsideFile or None
        Takes bad rows, from the reader.
    """

    def __init__(
        self,
        learner: Model,
        labels: InPlace | Answers | InStream,
        checkpoint: Checkpoint,
        model: str | None,
        every: int,
        predictions: GrowingFile | None,
        aside: AsideFile | None,
    ) -> None:
        self._learner = learner
        self._labels = labels
        self._checkpoint = checkpoint
        self._model = model
        self._every = every
        self._predictions = predictions
        self._aside = aside
        self._rows_saved = checkpoint.tally.rows
        self._warm = False
        self._notes = ColumnNotes(checkpoint.plan)
        if isinstance(labels, InStream):
            labels.asked = [Asked(*each) for each in checkpoint.asked]

    def over(self, reader: Reader, progress: Callable[[Tally], None]) -> None:
        """Test and train on each row to the end.

        Parameters
        ----------
        reader : Reader
            Begins where the checkpoint is.
        progress : callable
            Told how things stand, now and then.

        Raises
        ------
        ReadingError
            If rows that it has learned are not there any more. Nothing is changed.
        Stopped
            If it had to stop. What was learned before is saved.
        KeyboardInterrupt
            If it was interrupted. Likewise.
        """
        with self._saved(reader) as interruption:
            for chunk in reader:
                with interruption.held():
                    self._notes.add(chunk.X)
                    self._warm_up(chunk)
                    try:
                        self._go_on(chunk)
                    except (TypeError, ValueError) as error:
                        raise Stopped(f"{self._where(chunk)}{error}") from error
                    self._count(chunk, reader)
                    progress(self._checkpoint.tally)
            self._finish()

    @contextmanager
    def _saved(self, reader: Reader) -> Iterator[Interruption]:
        """Within this, files are open and signals are caught; in the end the learner is saved."""
        with ExitStack() as stack:
            interruption = stack.enter_context(Interruption())
            if self._checkpoint.tally.rows:
                reader.pass_skipped()
            self._began = perf_counter() - self._checkpoint.tally.seconds
            for file in (self._predictions, self._aside):
                if file is not None:
                    stack.enter_context(file)
            try:
                if self._predictions is not None and not self._predictions.length:
                    id = b"" if self._checkpoint.plan.id is None else b"id,"
                    self._predictions.write(b"row," + id + b"label,prediction,score\n")
                yield interruption
            except (ReadingError, Stopped, KeyboardInterrupt) as error:
                self._save()
                if interruption.signal is not None:
                    raise KeyboardInterrupt from error
                raise Stopped(explained(error)) from error
            with interruption.held():
                self._save()

    def _go_on(self, chunk: Chunk) -> None:
        """Predict these rows, and learn those whose labels come meanwhile."""
        checkpoint, labels = self._checkpoint, self._labels
        if not isinstance(labels, InStream):
            self._learn(chunk, labels.of(chunk), checkpoint.waiting)
            return
        apart = labels.taken_apart(chunk, checkpoint.waiting, checkpoint.waiting_since)
        wrong = np.zeros(0, bool)
        if len(apart.answered) and apart.waiting is not None:
            said, label = apart.waiting.predictions, apart.waiting.y
            here = apart.answered
            assert not isinstance(self._learner, KeyedClassifier)
            wrong = self._learner._is_mistake(apart.scores, said[here], label[here])
        scores = np.zeros(0)
        if len(apart.chunk):
            scores = self._learn(apart.chunk, apart.told, apart.waiting)
        else:
            checkpoint.waiting = apart.waiting
        checkpoint.tally.answer(wrong)
        checkpoint.tally.answers += len(chunk) - len(apart.chunk)
        labels.note(apart, scores)
        if checkpoint.waiting is not None:
            checkpoint.waiting = labels.forget(checkpoint.waiting, checkpoint.waiting_since)
        checkpoint.asked = [list(each) for each in labels.asked]

    def _learn(self, chunk: Chunk, told: Told, waiting: Waiting | None) -> np.ndarray:
        """Predict rows, learn what is told of them, and write it down: the scores."""
        checkpoint, rows = self._checkpoint, chunk.rows
        waiting = moved(waiting, checkpoint.waiting_since, rows)
        times, before = among(told.times, rows), self._updates()
        how: dict[str, Any] = {"delay": times, "sample_weight": chunk.weights}
        if isinstance(self._learner, KeyedClassifier):
            trace = self._learner.trace(chunk.X, told.y, keys=chunk.ids, **how)
        else:
            trace = prequential(self._learner, chunk.X, told.y, waiting=waiting, **how)
        checkpoint.waiting, checkpoint.waiting_since = trace.waiting, int(rows[-1]) + 1
        trace = replace(trace, mistakes=trace.mistakes & told.is_known)
        unlabelled = int((~told.is_known).sum())
        is_keyed = isinstance(self._learner, KeyedClassifier)
        updates = int(trace.updates.sum()) if is_keyed else self._updates() - before
        checkpoint.tally.add(trace, updates, unlabelled, int(rows[-1]) + 1)
        checkpoint.metrics.add(trace, told.is_known)
        scores = trace.scores.max(axis=1) if trace.scores.ndim == 2 else np.abs(trace.scores)
        if self._predictions is not None:
            known = np.where(told.is_known, told.y.astype(object), "")
            ids = () if chunk.ids is None else (chunk.ids,)
            self._predictions.write(as_csv(rows, *ids, known, trace.predictions, scores))
        return scores

    def _updates(self) -> int:
        if isinstance(self._learner, KeyedClassifier):
            return 0  # to count them takes long, and each row tells
        return int(getattr(self._learner, "n_updates_", 0))

    def _warm_up(self, chunk: Chunk) -> None:
        """Have everything compiled that is going to be needed; that is not the learner's time."""
        if self._warm:
            return
        before = perf_counter()
        with suppress(TypeError, ValueError), told_if_it_compiles(type(self._learner).__name__):
            told = self._labels.of(chunk)  # or what is wrong is said when it is learned
            which = np.flatnonzero(told.is_known)[:WARM_UP_ROWS]
            if len(which):
                one = getattr(self._learner, "estimator", self._learner)
                prequential(clone(one), chunk.X[which], told.y[which])
                self._warm = True
        self._began += perf_counter() - before

    def _where(self, chunk: Chunk) -> str:
        """Rows to name in an error, unless they are the first."""
        first = not self._checkpoint.tally.learned
        return "" if first else f"rows {chunk.rows[0]} to {chunk.rows[-1]}: "

    def _count(self, chunk: Chunk, reader: Reader) -> None:
        """Write down how far it is, and save it if it is time."""
        tally = self._checkpoint.tally
        tally.rows = int(chunk.rows[-1]) + 1
        self._checkpoint.fingerprint.add(chunk)
        self._checkpoint.plan_by_now = reader.plan_by_now
        tally.seconds = perf_counter() - self._began
        if tally.rows - self._rows_saved >= self._every:
            self._save()

    def _finish(self) -> None:
        tally = self._checkpoint.tally
        if self._aside is not None:
            tally.rows = max(tally.rows, self._aside.last_row + 1)
        self._checkpoint.finished = True
        if isinstance(self._labels, InStream) and self._labels.unasked:
            note(f"{self._labels.unasked:,} labels came to rows that did not wait for one")
        self._notes.finish()

    def _save(self) -> None:
        checkpoint = self._checkpoint
        checkpoint.tally.seconds = perf_counter() - self._began
        self._rows_saved = checkpoint.tally.rows
        if self._model is None or not checkpoint.tally.learned:
            return
        for file in (self._predictions, self._aside):
            if file is not None:
                file.sync()
        if self._predictions is not None:
            checkpoint.predictions = self._predictions.length
        write_checkpoint(self._learner, self._model, checkpoint)
