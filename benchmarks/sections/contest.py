"""Everyone over every workload: mistakes and speed at matched memory."""

from __future__ import annotations

from statistics import median

from threadpoolctl import threadpool_limits

from ..contenders import field, matching
from ..contenders.ours import LIBRARY
from ..running import in_turns
from ..showing import Asked, Cloud, Exhibit, Point, Table, grouped
from ..workloads import MEANING, chosen

NAME = "contest"
TITLE = "Mistakes and speed, beside other libraries"
TIMES_FASTER = 3


def measure(scale):
    """Yield a record for each run of each contender over each workload."""
    for workload in chosen(scale):
        stream = workload.stream(scale.rows)
        facts = {
            "workload": workload.name,
            "is_real": stream.is_real,
            "rows": len(stream.y),
            "features": stream.features,
            "gamma": stream.gamma,
        }
        with threadpool_limits(1):
            for record in in_turns(field(stream, scale), stream, scale):
                yield facts | record


class Run:
    """All repeats of a contender on a workload."""

    def __init__(self, records):
        self.records, self.facts = records, records[0]
        self.name, self.family = self.facts["contender"], self.facts["family"]
        self.is_ours = self.facts["library"] == LIBRARY
        self.rows = min(record["marks"][-1]["rows"] for record in records)
        self.is_whole = self.rows == self.facts["rows"]

    def at(self, rows):
        """Its marks after so many rows, one for each repeat; none if it never got there."""
        marks = [mark for record in self.records for mark in record["marks"]]
        return [mark for mark in marks if mark["rows"] == rows]

    def mistakes(self, rows):
        """In the first so many rows."""
        return self.at(rows)[0]["mistakes"]

    def speed(self, rows, of=min):
        """Rows a second over the first so many."""
        return rows / of(mark["seconds"] for mark in self.at(rows))


def runs_by_workload(records):
    """All contenders of each."""
    return {
        workload: [Run(of_one) for of_one in grouped(own, "library", "contender").values()]
        for (workload,), own in grouped(records, "workload").items()
    }


def show(records):
    """A table, a comparison and a cloud for each workload, and a word on linear models."""
    pieces, asked, winners = [INTRODUCTION], [], {}
    for workload, runs in runs_by_workload(records).items():
        facts = runs[0].facts
        data = "" if facts["is_real"] else " (a stand-in: the data files were not there)"
        pieces += [
            f"### {workload}{data}",
            f"{facts['rows']:,} rows of {facts['features']:,} features, gamma up to"
            f" {facts['gamma']:g}:"
            f" {MEANING[workload]}.",
            verdict_on_linear(workload, runs),
            table(workload, runs),
            peer_table(workload, runs),
            cloud(workload, runs),
        ]
        winners[workload] = kernel_wins(runs)
        if winners[workload]:
            asked += [
                faster_than_all(workload, runs, slow=False),
                faster_than_all(workload, runs, slow=True),
            ]
    pieces.insert(0, f"**{summary(winners)}**")
    return Exhibit(pieces, [each for each in asked if each is not None])


INTRODUCTION = f"""\
Every contender goes over the stream once and predicts each row before it learns it; those that
take batches predict a batch before they learn it, except ours, whose batches give the same
predictions as single rows.

{matching.__doc__.strip()}

The width of the kernel is that with which a Forgetron does best on the first rows, or up to four
times as smooth; which of these, and which of three step sizes or penalties where a peer has one, is
chosen in hindsight; Budgetron finds its width itself, and is given nothing. Contenders take turns
on one thread; a slow one stops at a mark of the stream when its time is over, and is compared with
what ours had done at the same mark. Trees, neighbours and Budgetron have six times the time of
others. Preparing rows (arrays, dicts, lines of text) is not timed, and neither is compiling."""


def best_of(runs):
    """Of those that saw the whole stream, the one with the fewest mistakes."""
    whole = [run for run in runs if run.is_whole]
    return min(whole, key=lambda run: run.mistakes(run.rows), default=None)


def best_linear(runs):
    """Of all libraries."""
    return best_of([run for run in runs if run.family == "linear"])


def best_of_ours(runs, *, grows=False):
    """With a budget, or without."""
    return best_of([run for run in runs if run.is_ours and grows is (not run.facts["numbers"])])


def kernel_wins(runs):
    """Whether a learner on a budget makes fewer mistakes on the whole stream than linear models."""
    linear, ours = best_linear(runs), best_of_ours(runs)
    return None not in (linear, ours) and ours.mistakes(ours.rows) < linear.mistakes(linear.rows)


def verdict_on_linear(workload, runs):
    """Who should be used here, in a sentence or two."""
    linear, ours, grown = best_linear(runs), best_of_ours(runs), best_of_ours(runs, grows=True)
    theirs = best_of([run for run in runs if not run.is_ours and run.family == "kernel"])
    if linear is None or ours is None:
        return "No contender of one of the two kinds saw the whole stream."
    words = [
        f"**On {workload} a kernel pays**:"
        if kernel_wins(runs)
        else f"**On {workload} a linear model is the better choice**:",
        f"the best linear model, {told(linear)}; the best of ours on a budget, {told(ours)}.",
    ]
    if grown is not None:
        words.append(f"Without a budget, {told(grown)}.")
    if theirs is not None:
        words.append(f"The best kernel learner of a peer that saw all rows: {told(theirs)}.")
    return " ".join(words)


def told(run):
    """What a contender did with the whole stream, in words."""
    return (
        f"{titled(run)}, makes {share(run, run.rows)} mistakes at"
        f" {run.speed(run.rows):,.0f} rows a second"
    )


def summary(winners):
    """On which workloads which kind of model is the better choice."""
    kernel = [workload for workload, wins in winners.items() if wins]
    linear = [workload for workload in winners if workload not in kernel]
    words = [
        f"A linear model is the better choice on {', '.join(linear)}." if linear else "",
        f"A kernel pays on {', '.join(kernel)}." if kernel else "",
    ]
    return " ".join(filter(None, words))


def table(workload, runs):
    """All contenders, with what they did on the rows that they reached."""
    rows = [
        (
            run.facts["library"],
            run.name,
            run.family,
            run.facts["at_once"] or "any",
            f"{run.facts['numbers']:,}" if run.facts["numbers"] else "grows",
            f"{run.rows:,}",
            share(run, run.rows),
            f"{run.speed(run.rows):,.0f}",
            f"{run.speed(run.rows, median):,.0f}",
        )
        for run in runs
    ]
    columns = ("library", "contender", "kind", "at once", "numbers kept", "rows", "mistakes")
    return Table(f"{workload}: all contenders", (*columns, "rows/s", "median"), rows)


def peer_table(workload, runs):
    """Each peer beside the fastest of ours that made no more mistakes on the same rows."""
    lines = []
    for peer in runs:
        if peer.is_ours:
            continue
        anyhow, singly = fastest_as_good(peer, runs), fastest_as_good(peer, runs, single_rows=True)
        lines.append(
            (
                titled(peer),
                f"{peer.rows:,}",
                share(peer, peer.rows),
                f"{peer.speed(peer.rows):,.0f}",
                anyhow.name if anyhow else "none makes as few mistakes",
                share(anyhow, peer.rows) if anyhow else None,
                f"{ratio(anyhow, peer):.1f} x" if anyhow else None,
                f"{ratio(singly, peer):.1f} x" if singly and peer.facts["at_once"] == 1 else None,
            )
        )
    return Table(
        f"{workload}: the fastest of ours with no more mistakes than each peer, on the same rows",
        ("peer", "rows", "mistakes", "rows/s", "ours", "mistakes", "faster", "row by row"),
        lines,
    )


def cloud(workload, runs):
    """Mistakes against speed."""
    points = [
        Point(
            run.speed(run.rows),
            100 * run.mistakes(run.rows) / run.rows,
            titled(run),
            run.facts["library"],
            run.family,
            not run.is_whole,
        )
        for run in runs
    ]
    front = {
        point.name
        for point in points
        if not any(other.x > point.x and other.y <= point.y for other in points)
    }
    return Cloud(
        f"contest-{workload}",
        f"{workload}: further right is faster, lower is better",
        "rows a second",
        "mistakes, percent",
        points,
        "hollow: over the first rows only",
        frozenset(front),
    )


def fastest_as_good(peer, runs, *, single_rows=False):
    """Of ours, on the peer's rows."""
    rows, few = peer.rows, peer.mistakes(peer.rows)
    candidates = [
        run
        for run in runs
        if run.is_ours
        and (run.facts["at_once"] == 1 or not single_rows)
        and run.at(rows)
        and run.mistakes(rows) <= few
    ]
    return max(candidates, key=lambda run: run.speed(rows), default=None)


def faster_than_all(workload, runs, *, slow):
    """Whether ours are so many times faster than every peer at equal or fewer mistakes.

    Slow peers are those that did not reach the end of the stream. Where a linear one was ahead of
    all kernels on the rows that it saw, it is not asked for.
    """
    peers = [run for run in runs if not run.is_ours and run.is_whole is not slow]
    nearest = {peer: fastest_as_good(peer, runs) for peer in peers}
    ratios = {
        titled(peer): ratio(ours, peer) if ours else 0.0
        for peer, ours in nearest.items()
        if ours or peer.is_whole or peer.family != "linear"
    }
    if not ratios:
        return None
    least = min(ratios, key=ratios.get)
    found = f"{ratios[least]:.1f} x" if ratios[least] else "none of ours makes as few mistakes"
    which = "of those too slow for the whole stream" if slow else "of those that saw the stream"
    return Asked(
        f"{workload}: speed beside the nearest peer {which}, at equal or fewer mistakes",
        f"at least {TIMES_FASTER} x",
        f"{found} ({least})",
        ratios[least] >= TIMES_FASTER,
    )


def ratio(ours, peer):
    """How many times faster, on the peer's rows."""
    return ours.speed(peer.rows) / peer.speed(peer.rows)


def share(run, rows):
    """Mistakes in percent."""
    return f"{run.mistakes(rows) / rows:.2%}"


def titled(run):
    """Library and name."""
    return run.name if run.is_ours else f"{run.facts['library']} {run.name}"
