"""Numbers, exact where they can be: int and Fraction stay exact, float stays float."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

Number = int | float | Fraction
Vector = Sequence[Number]


def is_exact(*numbers: Number) -> bool:
    """Whether all numbers are rationals, so that arithmetic on them has no rounding."""
    return all(isinstance(number, int | Fraction) for number in numbers)


def magnitude(number: Number) -> Number:
    """|number|."""
    return number if number >= 0 else -number


def total(terms: Iterable[Number]) -> Number:
    """The sum: exact for rationals, rounded once (math.fsum) as soon as a float takes part."""
    terms = list(terms)
    return sum(terms) if is_exact(*terms) else math.fsum(terms)


def divide(a: Number, b: Number) -> Number:
    """a / b, where two integers give a Fraction instead of a float."""
    return Fraction(a) / Fraction(b) if is_exact(a, b) else a / b
