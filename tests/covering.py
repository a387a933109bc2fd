"""Every pair of values of two parameters instead of every combination of all of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations
from typing import Any

import pytest

Names = Mapping[str, Any] | Sequence[Any]
Parameter = Names | Callable[[Any], Names]


def pairwise(sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """Rows of numbers, the i-th below `sizes[i]`, in which every pair of two columns occurs.

    Greedy: a row begins with a pair that is still missing, and each of its other columns takes the
    value that adds most missing pairs, of equal ones the value that was used least.
    """
    if len(sizes) < 2:
        return [(value,) for value in range(*sizes)]
    missing = {
        ((i, a), (j, b))
        for i, j in combinations(range(len(sizes)), 2)
        for a in range(sizes[i])
        for b in range(sizes[j])
    }
    used = [[0] * size for size in sizes]
    rows = []
    while missing:
        row = dict(min(missing, key=lambda pair: [used[i][value] for i, value in pair] + [*pair]))
        for i in sorted({*range(len(sizes))} - {*row}, key=lambda i: -sizes[i]):
            gains = [
                (sum(_pair((i, value), other) in missing for other in row.items()), -times)
                for value, times in enumerate(used[i])
            ]
            row[i] = gains.index(max(gains))
        missing -= {*combinations(sorted(row.items()), 2)}
        for i, value in row.items():
            used[i][value] += 1
        rows.append(tuple(row[i] for i in range(len(sizes))))
    return rows


def _pair(one: tuple[int, int], other: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    return (one, other) if one < other else (other, one)


def covering(shift: int = 0, **parameters: Names) -> list[dict[str, Any]]:
    """Combinations of named values in which every pair of two values occurs.

    A shift moves all values on by as many places, so that learners with different shifts meet
    different combinations. The values of a mapping go by its keys.
    """
    values = [[*names] for names in parameters.values()]
    return [
        {
            name: own[(place + shift // (1 + i)) % len(own)]
            for i, (name, own, place) in enumerate(zip(parameters, values, row, strict=True))
        }
        for row in pairwise([*map(len, values)])
    ]


def across(cases: Iterable[Any], argument: str = "case", /, **parameters: Parameter) -> Any:
    """Run a test over these learners, each with every pair of values of two parameters.

    The values of a parameter may depend on the learner. Its first combination is `quick`.
    """
    return pytest.mark.parametrize(
        (argument, *parameters),
        [param for shift, case in enumerate(cases) for param in _cells(case, shift, parameters)],
    )


def _cells(case: Any, shift: int, parameters: Mapping[str, Parameter]) -> Iterator[Any]:
    own = {name: names(case) if callable(names) else names for name, names in parameters.items()}
    for place, row in enumerate(covering(shift, **own)):
        yield pytest.param(
            case,
            *(_value(own[name], key) for name, key in row.items()),
            id="-".join([name_of(case), *map(name_of, row.values())]),
            marks=[pytest.mark.quick] if place == 0 else [],
        )


@contextmanager
def naming(what: Any) -> Iterator[None]:
    """Say in a failure which turn of a loop it was."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"with {name_of(what)}")
        raise


def name_of(thing: Any) -> str:
    """A class or a function goes by its name, everything else by what it looks like."""
    return getattr(thing, "__name__", None) or str(thing)


def _value(names: Names, key: Any) -> Any:
    return names[key] if isinstance(names, Mapping) else key
