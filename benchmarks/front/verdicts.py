"""When to take Budgetron, when a linear model or a forest, and when something else."""

from __future__ import annotations

from ..contenders.ours import FLAGSHIP
from ..sections.contest import best_of
from ..showing import Table
from .names import FOREST, LINEAR, followed, listed, named, ranging

__all__ = ["verdicts"]

RIVALS = LINEAR, FOREST, "Hoeffding tree", "nearest neighbours"
"""What people take."""

SOMETHING_ELSE = """\
- **Take something else** if all rows fit into memory, nothing drifts and time is no matter. Models
  that go over the data many times, such as boosted trees and neural networks, were not measured."""
HOW_TO_READ = """\
Mistakes, *theirs : ours* over the same rows, each predicted before it is learned, the lesser in
bold. Where a peer was too slow for the whole stream, it is the first rows. In brackets: the budget.
"""


def verdicts(fields, links):
    """A line for each kind, and all errors."""
    champions = {name: _champion(runs) for name, runs in fields.items()}
    champions = {name: ours for name, ours in champions.items() if ours is not None}
    duels = {
        kind: {
            workload: duel
            for workload, ours in champions.items()
            for peers in followed(fields[workload], [kind]).values()
            if (duel := Duel(peers, ours)).is_possible
        }
        for kind in RIVALS
    }
    duels = {kind: own for kind, own in duels.items() if own}
    if not duels:
        return []
    lines = [
        (name, ours.name.partition(",")[0], *(_cell(own.get(name)) for own in duels.values()))
        for name, ours in champions.items()
    ]
    words = [*_beside_linear(duels.get(LINEAR, {})), *_beside_forest(duels.get(FOREST, {}))]
    return [
        "\n".join([*words, SOMETHING_ELSE]),
        HOW_TO_READ.strip(),
        Table("", ("stream", "ours", *duels), lines),
        f"[Beside other libraries]({links['contest']}) has all contenders, and says what the"
        " streams are.",
    ]


def _champion(runs):
    """Budgetron with the most memory; where it was not measured the best of ours on a budget."""
    on_a_budget = [run for run in runs if run.is_ours and run.facts["numbers"]]
    own = named(FLAGSHIP, runs)
    return own[-1] if own else best_of(on_a_budget)


class Duel:
    """Of a kind of peer the one that errs least beside ours, on the rows that it got through."""

    def __init__(self, peers, ours):
        rows = self.rows = max(peer.rows for peer in peers)
        peer = min((one for one in peers if one.at(rows)), key=lambda one: one.mistakes(rows))
        self.is_whole, self.is_possible = peer.is_whole, bool(ours.at(rows))
        if self.is_possible:
            self.theirs, self.ours = peer.mistakes(rows), ours.mistakes(rows)
            self.faster = peer.speed(rows) / ours.speed(rows)


def _cell(duel):
    if duel is None:
        return None
    both = duel.theirs, duel.ours
    marks = ("**" if mistakes == min(both) else "" for mistakes in both)
    errors = (f"{mistakes / duel.rows:.1%}" for mistakes in both)
    told = " : ".join(f"{mark}{error}{mark}" for mark, error in zip(marks, errors, strict=True))
    return told if duel.is_whole else f"{told} in {duel.rows:,}"


def _beside_linear(duels):
    behind = [name for name, duel in duels.items() if duel.theirs <= duel.ours]
    ahead = [name for name in duels if name not in behind]
    if ahead:
        yield f"- **Take it** where it errs less than any linear model: here on {listed(ahead)}."
    if behind:
        faster = ranging(duels[name].faster for name in behind)
        yield (
            f"- **Take a linear model** where that errs as little: here on {listed(behind)}."
            f" It keeps one number for each feature, and there it was {faster} times as fast as"
            " ours. Where rows are words, or wide and sparse for another reason, try it first."
        )


def _beside_forest(duels):
    if duels:
        better = [name for name, duel in duels.items() if duel.theirs < duel.ours]
        slower = ranging(1 / duel.faster for duel in duels.values())
        yield (
            "- **Take a forest** where it errs less and there is time: River's adaptive random"
            f" forest did so on {listed(better) if better else 'none of these streams'}, among the"
            f" rows that it got through. Ours was {slower} times as fast, and the forest's memory"
            " has no bound."
        )
