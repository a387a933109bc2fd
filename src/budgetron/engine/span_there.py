"""What a device has of a span: M, the covariance, and the coordinates of a stretch of examples."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.buffers import Buffers
from ..core.edits.span import BASE, GONE, HAS_OWN, JOINED, NOT_KEPT, PENDING, RISE, Span
from ..core.edits.span_on_device import StretchOnDevice
from ..core.state import SEEN, SIZE, State
from .descent import Descent
from .device import Device

__all__ = ["SpanThere"]

REAL = np.dtype(np.float64)


class SpanThere:
    """The matrices of one learner on a device; its weights stay here.

    What is learned there comes home when it is asked for, or when another learner's matrices are to
    take the place.

    Parameters
    ----------
    device : Device
    rooms : Buffers
        For what comes from there.
    """

    def __init__(self, device: Device, rooms: Buffers) -> None:
        self._device, self._rooms = device, rooms
        self._M, self._P = (device.arrays.zeros((0, 0)) for _ in range(2))
        self._followed: Descent | None = None
        self._seen = 0  # how many examples had been when the matrices were as they are
        self._home: Span | None = None  # where they have changed since they were sent
        self._Z: Any = None  # a column for each example of the stretch
        self._images: Any = None

    @property
    def nbytes(self) -> int:
        """How much memory they take."""
        return int(self._M.nbytes + self._P.nbytes)

    def follow(self, state: State, descent: Descent) -> None:
        """Have the matrices of a learner as it is now."""
        span, slots = state.memory, len(state.order)
        n, seen = int(state.counts[SIZE]), int(state.counts[SEEN])
        is_known = seen == self._seen and descent.goes_on_from(self._followed, seen)
        self._followed = None
        if not is_known:
            self.come_home()
        if slots != len(self._M):
            self._M, self._P = (self._resized(A, slots, n * is_known) for A in (self._M, self._P))
        if not is_known:
            for A, here in ((self._M, span.inverse), (self._P, span.covariance)):
                A[:] = 0
                A[:n, :n] = self._device.send(here[:n, :n])
        elif self._home is not None:
            self._home = span
        self._followed, self._seen = descent, seen

    def _resized(self, matrix: Any, slots: int, kept: int) -> Any:
        resized = self._device.arrays.zeros((slots, slots))
        resized[:kept, :kept] = matrix[:kept, :kept]
        return resized

    def come_home(self, span: Span | None = None) -> None:
        """Bring whose matrices have changed, if it is theirs or nobody's in particular."""
        home = self._home
        if home is None or (span is not None and span is not home):
            return
        slots = len(home.inverse)
        with self._device.at_work():
            self._P += self._P.T.copy()
            self._P /= 2  # of which rounding may have made two different halves
            for A, here in ((self._M, home.inverse), (self._P, home.covariance)):
                room = self._rooms.shaped("matrix", REAL, slots, slots)
                self._device.fetch(A, room)
                self._device.wait(self._device.mark())
                np.copyto(here, room)
        self._home = None

    # -------------------------------------------------------------------------------- a stretch

    def locate(self, values: Any, weights: np.ndarray) -> np.ndarray:
        """Find coordinates, and margins by some weights, given kernel values with all supports."""
        n = len(values)
        self._Z = self._M[:n, :n] @ values
        (margins,) = self._fetched(margins=self._device.send(weights) @ self._Z)
        return margins

    def foresee(self, stretch: StretchOnDevice, weights: np.ndarray, least: int) -> None:
        """Find all that is asked of the examples, and of the least support's own direction."""
        n, columns = len(self._Z), self._Z
        if least >= 0:
            own = self._M[:n, least]
            columns = self._device.arrays.concatenate([columns, own[:, None]], axis=1)
            stretch.leaving[:n] = self._fetched(leaving=own)[0]
        stretch.places[HAS_OWN] = least >= 0
        self._images = self._P[:n, :n] @ columns
        many = columns.shape[1]
        stretch.grams[:many, :many], stretch.covariances[:many, :many], margins = self._fetched(
            grams=columns.T @ columns,
            covariances=columns.T @ self._images,
            margins=self._device.send(weights) @ columns,
        )
        stretch.lengths[:many] = np.diagonal(stretch.grams)[:many]
        stretch.variances[:many] = np.diagonal(stretch.covariances)[:many]
        stretch.margins[:, :, :many] = margins.reshape(*stretch.margins.shape[:2], many)

    def meant(self, common: np.ndarray) -> np.ndarray:
        """How much each support means, given the common hypotheses: see `rules.budgetron`."""
        arrays, M = self._device.arrays, self._M[: common.shape[1], : common.shape[1]]
        weights = self._device.send(common) @ M
        squares = (weights * weights).sum(axis=0) / (M * M).sum(axis=0)
        return self._fetched(meant=arrays.sqrt(squares))[0]

    def _fetched(self, **arrays: Any) -> list[np.ndarray]:
        """Arrays from there, in the rooms of their names."""
        rooms = [self._rooms.shaped(name, REAL, *array.shape) for name, array in arrays.items()]
        for array, room in zip(arrays.values(), rooms, strict=True):
            self._device.fetch(array, room)
        self._device.wait(self._device.mark())
        return rooms

    def store(
        self, stretch: StretchOnDevice, far: np.ndarray, state: State, descent: Descent
    ) -> np.ndarray:
        """Let the matrices follow the examples of the stretch, and say how the weights do.

        These go so `far` along each step (rows).
        """
        self._followed, self._home, device = None, None, self._device
        if stretch.places[GONE] != NOT_KEPT:
            self._lose(int(stretch.places[GONE]))
        self._admit(stretch)
        n, many = len(self._Z), int(stretch.places[PENDING])
        taken = stretch.taken_by[:many]
        base, rise = (device.send(stretch.inflated[taken, which]) for which in (BASE, RISE))
        which, P = device.send(taken), self._P[:n, :n]
        steps = base * self._images[:, which] + rise * self._Z[:, which]
        P *= stretch.inflation[BASE]
        if many > 0:
            links = device.send(np.tril(stretch.links[:many, :many], -1))
            options = {"lower": True, "unit_diagonal": True, "check_finite": False}
            steps = device.linalg.solve_triangular(links, steps.T, **options)
            shrinks = device.send(np.sqrt(stretch.gains[:many]))[:, None] * steps
            P -= shrinks.T @ shrinks
            (moves,) = self._fetched(moves=device.send(far.T) @ steps)
        else:
            moves = np.zeros((far.shape[1], n))
        slots = len(self._P)
        diagonal = self._P.reshape(-1)[: n * (slots + 1) : slots + 1]
        diagonal += stretch.inflation[RISE]
        self._followed, self._seen = descent, int(state.counts[SEEN])
        self._home = state.memory
        return moves

    def _admit(self, stretch: StretchOnDevice) -> None:
        """Add coordinates for the examples that have become supports: see `SpanLearner`."""
        joined, old, device = int(stretch.places[JOINED]), len(self._Z), self._device
        if joined == 0:
            return
        rows, n, M = stretch.joined[:joined], old + joined, self._M
        T = device.send(np.tril(stretch.gained[:joined, rows].T))
        options = {"lower": True, "check_finite": False}
        if old > 0:
            Y = self._Z[:, device.send(rows)].T @ M[:old, :old]
            M[old:n, :old] = -device.linalg.solve_triangular(T, Y, **options)
        M[old:n, old:n] = device.linalg.solve_triangular(T, device.arrays.eye(joined), **options)
        stored = stretch.stored[:joined, None]
        self._P[old:n, :n], self._P[:n, old:n] = 0, 0
        self._P[old:n, old:n] = device.send(np.diag(stored[:, 0]))
        new = stretch.gained[:joined, : self._Z.shape[1]]
        for name, more in (("_Z", new), ("_images", stored * new)):
            before = getattr(self, name)[:, : new.shape[1]]
            setattr(self, name, device.arrays.concatenate([before, device.send(more)]))

    def _lose(self, i: int) -> None:
        """Let support `i` leave: see `edits.span.dismiss`."""
        n, M, P = len(self._Z), self._M, self._P
        u = M[:n, i].copy()
        turned = self._turned(M[:n, :n], u, i)
        M[: n - 1, :i], M[: n - 1, i : n - 1] = turned[:, :i], turned[:, i + 1 :]
        P[: n - 1, : n - 1] = self._turned(self._turned(P[:n, :n], u, i).T, u, i)
        M[n - 1, :n], M[:n, n - 1] = 0, 0
        self._Z = self._turned(self._Z, u, i)
        self._images = P[: n - 1, : n - 1] @ self._Z if n > 1 else self._Z

    def _turned(self, rows: Any, u: Any, first: int) -> Any:
        """Rows, rotated so that all of u, from the `first` on, would be in the last, without it.

        Of neighbours one after the other: from the rows so far, added up by their part in u, each
        takes the next one's place.
        """
        arrays, u, later = self._device.arrays, u[first:], rows[first:]
        lengths = arrays.sqrt(arrays.cumsum(u * u))
        lengths[:1] = u[:1]
        so_far = arrays.cumsum(u[:, None] * later, axis=0)[:-1]
        so_far *= (u[1:] / (lengths[1:] * lengths[:-1]))[:, None]
        so_far -= (lengths[:-1] / lengths[1:])[:, None] * later[1:]
        return arrays.concatenate([rows[:first], so_far])
