"""One learner over a stream, in one pass, which can be stopped at any moment."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from time import perf_counter

import numpy as np
from sklearn.base import clone

from ..engine import Trace
from ..estimators import StreamClassifier
from ..evaluation import prequential
from ..reading import Chunk, Reader, ReadingError
from .checkpoint import Checkpoint, write_checkpoint
from .interruption import Interruption
from .outputs import AsideFile, GrowingFile, as_csv
from .scale_note import note_unlike_scales
from .tally import Tally
from .windows import windows

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
        checkpoint: Checkpoint,
        model: str | None,
        every: int,
        predictions: GrowingFile | None,
        aside: AsideFile | None,
    ) -> None:
        self._learner = learner
        self._checkpoint = checkpoint
        self._model = model
        self._every = every
        self._predictions = predictions
        self._aside = aside
        self._prepared = False

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
        Stopped
            If it had to stop. What was learned before is kept.
        KeyboardInterrupt
            If it was interrupted. Likewise.
        """
        tally = self._checkpoint.tally
        self._begun = perf_counter() - tally.seconds
        with ExitStack() as stack:
            for file in (self._predictions, self._aside):
                if file is not None:
                    stack.enter_context(file)
            interruption = stack.enter_context(Interruption())
            try:
                self._learn_all(reader, progress, interruption)
            except (ReadingError, Stopped, KeyboardInterrupt) as error:
                self._save()
                if interruption.signal is not None:
                    raise KeyboardInterrupt from error
                raise Stopped(str(error)) from error
            with interruption.held():
                self._save()

    def _learn_all(
        self, reader: Reader, progress: Callable[[Tally], None], interruption: Interruption
    ) -> None:
        tally, saved = self._checkpoint.tally, self._checkpoint.tally.rows
        if self._predictions is not None and not self._predictions.length:
            self._predictions.write(HEADER)
        for window in windows(reader, self._checkpoint.window):
            with interruption.held():
                self._prepare(window)
                self._learn(window)
                progress(tally)
                if tally.rows - saved >= self._every:
                    self._save()
                    saved = tally.rows
        if self._aside is not None:
            tally.rows = max(tally.rows, self._aside.last_row + 1)
        self._checkpoint.finished = True

    def _prepare(self, window: Chunk) -> None:
        """Have everything compiled that is going to be needed; that is not the learner's time."""
        if self._prepared:
            return
        note_unlike_scales(self._checkpoint.plan, window.X)
        before = perf_counter()
        with suppress(TypeError, ValueError):  # the learner will say so itself
            prequential(
                clone(self._learner), window.X[:WARM_UP_ROWS], np.asarray(window.y)[:WARM_UP_ROWS]
            )
        self._begun += perf_counter() - before
        self._prepared = True

    def _learn(self, window: Chunk) -> None:
        tally = self._checkpoint.tally
        try:
            trace = prequential(self._learner, window.X, window.y)
        except (TypeError, ValueError) as error:
            where = "rows {} to {}: ".format(*window.rows[[0, -1]]) if tally.learned else ""
            raise Stopped(f"{where}{error}") from error
        tally.add(trace, int(window.rows[-1]) + 1)
        tally.seconds = perf_counter() - self._begun
        if self._predictions is not None:
            self._predictions.write(_lines(window, trace))

    def _save(self) -> None:
        self._checkpoint.tally.seconds = perf_counter() - self._begun
        if self._model is None or not self._checkpoint.tally.learned:
            return
        for file in (self._predictions, self._aside):
            if file is not None:
                file.sync()
        if self._predictions is not None:
            self._checkpoint.predictions = self._predictions.length
        write_checkpoint(self._learner, self._model, self._checkpoint)


def _lines(window: Chunk, trace: Trace) -> bytes:
    """Lines for the file of predictions; the score is that of the predicted class."""
    scores = trace.scores.max(axis=1) if trace.scores.ndim == 2 else np.abs(trace.scores)
    return as_csv(window.rows, np.asarray(window.y), trace.predictions, scores)
