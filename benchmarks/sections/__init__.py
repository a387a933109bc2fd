"""The parts of the benchmark, in the order of the page.

Each is a module with a `NAME`, a `TITLE`, a function `measure`, which yields a plain record for
each measurement at a scale, and a function `show`, which makes an `Exhibit` of them. One that needs
what not every machine has says whether it `is_possible`.
"""

from . import (
    budgets,
    command_line,
    contest,
    features,
    first_use,
    gpu,
    learners,
    length,
    many_classes,
    memory,
    overhead,
    problems,
    single_rows,
    sparse_rows,
    threads,
)

__all__ = ["SECTIONS"]

SECTIONS = {
    section.NAME: section
    for section in (
        contest,
        overhead,
        sparse_rows,
        budgets,
        features,
        length,
        memory,
        threads,
        gpu,
        problems,
        many_classes,
        single_rows,
        learners,
        command_line,
        first_use,
    )
}
