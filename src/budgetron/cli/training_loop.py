"""One learner over a stream, in one pass, which can be stopped at any moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from time import perf_counter

import numpy as np
from sklearn.base import clone

from ..estimators import StreamClassifier
from ..evaluation import Trace, prequential
from ..reading import Chunk, Reader, ReadingError
from ..reading.chunk import part
from .checkpoint import Checkpoint, write_checkpoint
from .interruption import Interruption
from .late_labels import Answers, InPlace, Told, among, moved
from .outputs import AsideFile, GrowingFile, as_csv
from .scale_note import note_unlike_scales
from .tally import Tally

__all__ = ["HEADER", "Stopped", "TrainingLoop"]

HEADER = b"row,label,prediction,score\n"
WARM_UP_ROWS = 256


class Stopped(Exception):  # noqa: N818
    """Why a run did not come to the end of its input."""


class TrainingLoop:
    """A learner on its way, which writes down how far it is.

    Parameters
    ----------
    learner : a learner of this package
    labels : InPlace or Answers
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
        learner: StreamClassifier,
        labels: InPlace | Answers,
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
                    self._warm_up(chunk)
                    try:
                        updates, told = self._updates(), self._labels.of(chunk)
                        trace = self._learn(chunk, told)
                    except (TypeError, ValueError) as error:
                        raise Stopped(f"{self._where(chunk)}{error}") from error
                    self._count(chunk, told, trace, self._updates() - updates)
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
                    self._predictions.write(HEADER)
                yield interruption
            except (ReadingError, Stopped, KeyboardInterrupt) as error:
                self._save()
                if interruption.signal is not None:
                    raise KeyboardInterrupt from error
                raise Stopped(str(error)) from error
            with interruption.held():
                self._save()

    def _learn(self, chunk: Chunk, told: Told) -> Trace:
        """Predict these rows, and learn those whose labels come meanwhile."""
        checkpoint, rows = self._checkpoint, chunk.rows
        waiting = moved(checkpoint.waiting, checkpoint.waiting_since, rows)
        times = among(told.times, rows)
        trace = prequential(self._learner, chunk.X, told.y, delay=times, waiting=waiting)
        checkpoint.waiting, checkpoint.waiting_since = trace.waiting, int(rows[-1]) + 1
        return replace(trace, mistakes=trace.mistakes & told.is_known)

    def _updates(self) -> int:
        return int(getattr(self._learner, "n_updates_", 0))

    def _warm_up(self, chunk: Chunk) -> None:
        """Have everything compiled that is going to be needed; that is not the learner's time."""
        if self._warm:
            return
        note_unlike_scales(self._checkpoint.plan, chunk.X)
        before = perf_counter()
        first = part(chunk, slice(WARM_UP_ROWS))
        with suppress(TypeError, ValueError):  # the learner will say so itself
            prequential(clone(self._learner), first.X, self._labels.of(first).y)
        self._began += perf_counter() - before
        self._warm = True

    def _where(self, chunk: Chunk) -> str:
        """Rows to name in an error, unless they are the first."""
        first = not self._checkpoint.tally.learned
        return "" if first else f"rows {chunk.rows[0]} to {chunk.rows[-1]}: "

    def _count(self, chunk: Chunk, told: Told, trace: Trace, updates: int) -> None:
        """Write down what has just been learned, and save it if it is time."""
        tally = self._checkpoint.tally
        tally.add(trace, updates, int((~told.is_known).sum()), int(chunk.rows[-1]) + 1)
        self._checkpoint.metrics.add(trace, told.is_known)
        self._checkpoint.fingerprint.add(chunk)
        tally.seconds = perf_counter() - self._began
        if self._predictions is not None:
            self._predictions.write(_lines(chunk, told, trace))
        if tally.rows - self._rows_saved >= self._every:
            self._save()

    def _finish(self) -> None:
        tally = self._checkpoint.tally
        if self._aside is not None:
            tally.rows = max(tally.rows, self._aside.last_row + 1)
        self._checkpoint.finished = True

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


def _lines(chunk: Chunk, told: Told, trace: Trace) -> bytes:
    """Lines for the file of predictions; the score is that of the predicted class."""
    scores = trace.scores.max(axis=1) if trace.scores.ndim == 2 else np.abs(trace.scores)
    labels = np.where(told.is_known, told.y.astype(object), "")
    return as_csv(chunk.rows, labels, trace.predictions, scores)
