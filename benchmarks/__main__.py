"""The benchmark.

    python -m benchmarks run [--book NAME] [--quick | --full] [--section NAME ...] [--jobs N]
    python -m benchmarks page [--book NAME] [--quick | --full]
    python -m benchmarks asked [--book NAME] [--quick | --full]

`run` measures and keeps raw results. `page` makes pages and pictures of them: BENCHMARKS.md and
what is behind it in docs/benchmarks/, or with `--book flagship` docs/flagship-results.md, or with
`--book choosing` the tables of docs/choosing.md. `asked` prints which of the figures that were
asked for have been reached. The data are those in the directory that BUDGETRON_DATA names; without
them, stand-ins of the same shape, or none. Sections that count mistakes and take no time can be
spread over processes (`--jobs N`), or over a Dask cluster (`--scheduler tcp://...`).
"""

from __future__ import annotations

import argparse
import warnings
from time import perf_counter

from budgetron.cli.workers import at_work

from .contenders import missing_libraries
from .page import BOOKS, asked, place_of, write_pages
from .records import keep
from .scale import SCALES


def main(arguments=None):
    options = _parser().parse_args(arguments)
    scale, book = SCALES[options.scale], BOOKS[options.book]
    place = place_of(scale, book)
    if options.what == "page":
        write_pages(place, book)
        print(f"wrote {place.page.name}")
        return
    if options.what == "asked":
        print(asked(place, book))
        return
    for name in missing_libraries():
        print(f"{name} is not installed and is left out: pip install '.[bench]'")
    warnings.filterwarnings("ignore", module="sklearn")
    for name in options.section or book.sections:
        if not getattr(book.sections[name], "is_possible", lambda: True)():
            print(f"{name} is not possible here, and is left as it was")
            continue
        start = perf_counter()
        print(f"{name} ...", end=" ", flush=True)
        with at_work(options.jobs, options.scheduler):
            keep(place.results / f"{name}.jsonl", book.sections[name].measure(scale))
        print(f"{perf_counter() - start:.0f} s", flush=True)


def _parser():
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", choices=["run", "page", "asked"])
    scales = parser.add_mutually_exclusive_group()
    scales.set_defaults(scale="usual")
    for name, explained in (
        ("quick", "tiny streams, to see that all works"),
        ("full", "more repeats, longer streams"),
    ):
        scales.add_argument(
            f"--{name}", dest="scale", action="store_const", const=name, help=explained
        )
    parser.add_argument("--book", choices=[*BOOKS], default="benchmarks", help="which page")
    names = [name for book in BOOKS.values() for name in book.sections]
    parser.add_argument("--section", action="append", choices=names, help="only this one")
    parser.add_argument("--jobs", type=int, help="processes for sections that take no time")
    parser.add_argument("--scheduler", help="of a Dask cluster, which does these instead")
    return parser


if __name__ == "__main__":
    main()
