"""Table I: supports on single chunks."""

from __future__ import annotations

import numpy as np

from ..exhibit import Claim, Exhibit, Scale, Table
from ..judgement import beside, judge
from ..measure import Measure
from ..number import Number
from ..task import Results
from .corpus import SHIFTS, corpus_at_hand
from .group import Group
from .words import READING, settings_in_words

__all__ = ["show_chunks"]

PAPER_CHUNKS = {
    0: (20000, (1368, 152.29), (1358, 134.68)),
    1: (10000, (772, 84.60), (751, 75.58)),
    3: (5000, (445, 50.70), (419, 43.17)),
    7: (2500, (260, 32.98), (241, 26.76)),
}
"""Rows of a chunk, supports of PERC and of SOP with their deviations, by the group's shifts."""


def show_chunks(results: Results, scale: Scale) -> Exhibit:
    """PERC and SOP on every chunk of every group, beside the paper's table."""
    rows, numbers, means = [], [], {}
    for shifts in SHIFTS:
        group, (paper_rows, *paper) = Group(results, scale, shifts), PAPER_CHUNKS[shifts]
        length = group.rows // (shifts + 1)
        for name, (supports, deviation) in zip(("PERC", "SOP"), paper, strict=True):
            mistakes = group.chunk_mistakes(name)
            means[shifts, name] = float(mistakes.mean())
            printed = Measure(supports, deviation, mistakes.size)
            own = Measure.of(mistakes.ravel())
            numbers.append(Number(f"{name}, chunks of {paper_rows} rows", printed, own, 1))
            theirs, ours = 100 * supports / paper_rows, 100 * mistakes.mean() / length
            rows.append(
                (
                    name,
                    paper_rows,
                    supports,
                    length,
                    round(means[shifts, name], 1),
                    round(float(mistakes.std(ddof=1)), 1),
                    round(theirs, 2),
                    round(ours, 2),
                    round(ours - theirs, 2),
                )
            )
    growth = {
        name: [means[shifts, name] / (100 / (shifts + 1)) for shifts in SHIFTS]
        for name in ("PERC", "SOP")
    }
    claims = [
        Claim(
            "SOP needs fewer supports than PERC on chunks of every size",
            all(means[shifts, "SOP"] < means[shifts, "PERC"] for shifts in SHIFTS),
            "; ".join(f"{means[s, 'SOP']:.0f} against {means[s, 'PERC']:.0f}" for s in SHIFTS),
        ),
        Claim(
            "The shorter the chunk, the larger the part of its rows that become supports",
            all((np.diff(values) > 0).all() for values in growth.values()),
            "PERC " + ", ".join(f"{row[7]} %" for row in rows if row[0] == "PERC"),
        ),
        Claim(
            "In Table I SOP's advantage is the larger, in percent, the shorter the chunk",
            bool((np.diff([means[s, "SOP"] / means[s, "PERC"] for s in SHIFTS]) < 0).all()),
            "SOP/PERC "
            + ", ".join(f"{means[s, 'SOP'] / means[s, 'PERC']:.3f}" for s in SHIFTS)
            + "; the paper's "
            + ", ".join(f"{sop / perc:.3f}" for _, (perc, _), (sop, _) in PAPER_CHUNKS.values()),
        ),
    ]
    stand_in = corpus_at_hand().stand_in
    verdict, why = judge(claims, numbers, stand_in=stand_in)
    return Exhibit(
        verdict=verdict,
        why=why,
        settings=settings_in_words(scale, budgets=False),
        reading=READING,
        stand_in=stand_in,
        tables=(
            Table(
                "Table I: supports (= mistakes) on each chunk of the data sets, learned by itself",
                (
                    "algorithm",
                    "rows, paper",
                    "supports, paper",
                    "rows, ours",
                    "supports, ours",
                    "± (deviation)",
                    "% of rows, paper",
                    "% of rows, ours",
                    "difference",
                ),
                tuple(rows),
            ),
            *([] if stand_in else [beside(numbers)]),
        ),
        claims=tuple(claims),
        numbers=() if stand_in else tuple(numbers),
    )
