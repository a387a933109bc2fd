"""Learners by key: some at work, the others on a shelf."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import merge, nsmallest
from operator import itemgetter
from typing import Any, NamedTuple

from ..saving import dumps, loads
from .keys import Key, from_bytes, to_bytes
from .shelves import Kept, NoShelf, Shelf

__all__ = ["LearnersByKey"]

MANY = 1000
"""So many are put on a shelf at once."""


class _AtWork(NamedTuple):
    """A learner in memory."""

    learner: Any
    used: int
    is_shelved: bool  # whether an older self of it is on the shelf


class _Common(NamedTuple):
    """What is known of all learners together."""

    about: Any
    before: dict[Key, _AtWork]  # what those have been that are learning in place


class LearnersByKey:
    """A map of keys to learners, of which at most so many are at work between two calls.

    Whoever learned longest ago goes back to the shelf first.

    Parameters
    ----------
    shelf : Shelf
    live : int or None
        How many; None for any number.
    about : Any
        What is known of all of them together, and changes with them.

    Attributes
    ----------
    check : callable, optional
        Raises an error for a key and a learner that has been read and cannot be of these.
    """

    def __init__(self, shelf: Shelf, live: int | None = None, about: Any = None) -> None:
        self._shelf, self.live = shelf, live
        self.check: Callable[[Key, Any], None] | None = None
        self._all: dict[Key | None, Any] = {None: _Common(about, {})}  # to be changed at once
        self._found: set[Key] = set()  # on the shelf, when it was last asked
        self._leaving: set[Key] = set()  # for the shelf; not all of them, after an interrupt
        self._is_shelf_empty = True
        self._expected: tuple[Any, int, Any] | None = None

    def _at_work(self) -> Iterator[tuple[Key, _AtWork]]:
        self.settle()
        return ((key, it) for key, it in self._all.items() if key is not None)

    def get(self, keys: Iterable[Key]) -> dict[Key, Any]:
        """The learners of those of these keys that have one; nothing changes."""
        self.settle()
        found, others = {}, []
        for key in keys:
            at_work = self._all.get(key)
            if at_work is None:
                others.append(key)
            else:
                found[key] = at_work.learner
        self._found = set()
        if others and not self._is_shelf_empty:
            for data, kept in self._shelf.get(map(to_bytes, others)).items():
                key = from_bytes(data)
                found[key] = self._read(key, kept.data)
                self._found.add(key)
        return found

    def _read(self, key: Key, data: bytes) -> Any:
        learner = loads(data)
        if self.check is not None:
            self.check(key, learner)
        return learner

    @property
    def about(self) -> Any:
        """What is known of all of them together."""
        return self._all[None].about

    def remember(self, key: Key) -> None:
        """Know what the learner of a key is before it goes on learning in place."""
        at_work = self._all.get(key)
        if at_work is not None:
            with at_work.learner._reading() as still:
                self._all[None].before[key] = at_work._replace(learner=still._draft())

    def expect(self, key: Key, learner: Any, used: int, about: Any) -> None:
        """Know what is to be put as soon as a learner has learned one more row in place."""
        self._expected = learner, learner.n_seen_, ({key: learner}, {key: used}, about)

    def settle(self) -> None:
        """Let those that have begun to learn in place be what they were before.

        One of which a single row was expected has learned it or not. Of those that were leaving for
        the shelf, know who has come there.
        """
        if self._expected is not None:
            learner, seen, put = self._expected
            if learner.n_seen_ > seen:
                self.put(*put)
            else:
                self._expected = None
        before = self._all[None].before
        if before:
            self._all.update(before)
            before.clear()
        if self._leaving:
            own, left = self._all, self._leaving & self._all.keys()
            there = map(from_bytes, self._shelf.get(map(to_bytes, left)))
            own.update({key: own[key]._replace(is_shelved=True) for key in there})
            self._leaving.clear()

    def put(self, learners: Mapping[Key, Any], used: Mapping[Key, int], about: Any) -> None:
        """Let keys that were just asked for have these learners now: all of them or none."""
        own, found = self._all, self._found
        new: dict[Key | None, Any] = {None: _Common(about, {})}
        for key, learner in learners.items():
            is_shelved = own[key].is_shelved if key in own else key in found
            new[key] = _AtWork(learner, used[key], is_shelved)
        own.update(new)
        self._expected = None

    def rest(self) -> None:
        """Put those on the shelf that are too many."""
        extra = 0 if self.live is None else self.at_work - self.live
        if extra > 0:
            last = nsmallest(extra, self._at_work(), key=lambda item: item[1].used)
            if not isinstance(self._shelf, NoShelf):
                self._is_shelf_empty = False
                self._leaving.update(key for key, _ in last)
                self._shelf.put({to_bytes(key): _kept(at_work) for key, at_work in last})
            for key, _ in last:
                del self._all[key]
            self._leaving.clear()

    def take(self, kept: Iterable[tuple[bytes, Kept]]) -> None:
        """Have those that were kept elsewhere: on the shelf, if not all of them may be at work."""
        waiting: dict[bytes, Kept] = {}
        stay = self.live is None or isinstance(self._shelf, NoShelf)
        for number, (data, one) in enumerate(kept, 1):
            if stay:
                key = from_bytes(data)
                self._all[key] = _AtWork(self._read(key, one.data), one.used, False)
            else:
                waiting[data], self._is_shelf_empty = one, False
            if number % MANY == 0:
                self._shelf.put(waiting)
                self.rest()
                waiting = {}
        self._shelf.put(waiting)
        self.rest()

    @property
    def at_work(self) -> int:
        """How many are in memory."""
        return len(self._all) - 1

    @property
    def bytes_on_disk(self) -> int:
        """How long the shelf's file is, if it has one."""
        return int(getattr(self._shelf, "bytes_on_disk", 0))

    def __len__(self) -> int:
        return len(self._shelf) + sum(not it.is_shelved for _, it in self._at_work())

    def kept(self) -> Iterator[tuple[bytes, Kept]]:
        """All of them, as they would be kept, in the order of their keys."""
        own = sorted(((to_bytes(key), it) for key, it in self._at_work()), key=itemgetter(0))
        live = ((data, _kept(at_work)) for data, at_work in own)
        others = (it for it in self._shelf if from_bytes(it[0]) not in self._all)
        return merge(live, others, key=itemgetter(0))

    def facts(self) -> Iterator[tuple[Key, int, int, int]]:
        """Of each, its key and examples seen, mistakes and updates."""
        for key, at_work in self._at_work():
            learner = at_work.learner
            yield key, learner.n_seen_, learner.n_mistakes_, learner.n_updates_
        for data, seen, mistakes, updates in self._shelf.facts():
            key = from_bytes(data)
            if key not in self._all:
                yield key, seen, mistakes, updates


def _kept(at_work: _AtWork) -> Kept:
    own = at_work.learner
    counts = int(own.n_seen_), int(own.n_mistakes_), int(own.n_updates_)
    return Kept(dumps(own), *counts, at_work.used)
