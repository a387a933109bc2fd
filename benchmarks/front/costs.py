"""What a larger budget costs, and what more cores and a GPU bring."""

from __future__ import annotations

from ..contenders.ours import FLAGSHIP
from ..sections.budgets import errors_and_speeds
from ..sections.gpu import speeds_by_device
from ..sections.threads import speeds_by_threads
from ..showing import Line, Picture
from .names import LOOKS, OURS, PICTURED, ranging, two_digits

__all__ = ["cores", "gpu", "speed_by_budget"]

CORES = "its machine's cores"
NAMES = {learner: name for name, learner in OURS.items()}
COST = """\
Time is in proportion to the budget for learners that forget, and to its square for those that
project, and for `Budgetron`. Start with 100."""


def speed_by_budget(records, links):
    """Rows a second of a9a, from an empty budget on."""
    errors, speeds = errors_and_speeds(records)
    lines = _lines(
        (NAMES[who], budget, speed) for (who, budget), speed in speeds.items() if who in NAMES
    )
    if not lines:
        return []
    told = [
        f"{two_digits(speeds[who, budget])} rows a second and {100 * error:.1f} % mistakes with a"
        f" budget of {budget:,}"
        for (who, budget), error in errors.items()
        if who == FLAGSHIP
    ]
    words = [f"`Budgetron` on a9a: {', '.join(told)}."] if told else []
    return [
        "## Speed by budget",
        " ".join([COST, *words, f"[What an example costs]({links['engine']})"]),
        _picture("budgets", "Rows a second by budget", "rows a second", {"a9a, one core": lines}),
    ]


def cores(records, links):
    """How many times as fast with more threads."""
    found = {}
    for (workload, who, dtype, budget), speeds in speeds_by_threads(records).items():
        if who in NAMES and workload in PICTURED and dtype == "float64":
            gain = NAMES[who], budget, speeds[max(speeds)] / speeds[1]
            found.setdefault((workload, max(speeds)), []).append(gain)
    panels = {f"{workload}, {most} threads": _lines(own) for (workload, most), own in found.items()}
    if not panels:
        return []
    gains = [(name, gain) for own in found.values() for name, _, gain in own]
    told = [
        f"{name} {ranging(gain for who, gain in gains if who == name)}"
        for name in OURS
        if name in dict(gains)
    ]
    return [
        "## More cores",
        "How many times as fast one learner is with all threads of the machine:"
        f" {', '.join(told)}. Many learners, such as one for each customer, have a core each:"
        f" [Cores, GPU and scaling](docs/scaling.md), [all numbers]({links['cores']})",
        _picture("cores", "Times as fast with more threads", "times as fast", panels, log_y=False),
    ]


def gpu(records, links):
    """Rows a second on a GPU and on the cores beside it."""
    speeds = speeds_by_device(records, "speed")
    if not speeds:
        return []
    panels = {
        title: _lines(
            (NAMES[who], budget, speed)
            for (who, budget, where), speed in speeds.items()
            if where == device and who in NAMES
        )
        for device, title in (("cuda", records[0]["gpu"]), ("cpu", CORES))
    }
    gains = [
        speed / speeds[who, budget, "cpu"]
        for (who, budget, device), speed in speeds.items()
        if device != "cpu" and (who, budget, "cpu") in speeds
    ]
    return [
        "## A GPU",
        "It pays with budgets of thousands, for learners that forget or project, and for"
        f" `Budgetron`: here it was {ranging(gains)} times as fast as all cores of its machine."
        f" [On a GPU](docs/gpu.md), [all numbers]({links['cores']})",
        _picture("gpu", "Rows a second on a GPU and on CPUs", "rows a second", panels),
    ]


def _lines(found):
    """Points by name, in the order of budgets."""
    lines = {}
    for name, budget, y in found:
        lines.setdefault(name, Line(LOOKS[name], [])).points.append((budget, y))
    return {name: line._replace(points=sorted(line.points)) for name, line in lines.items()}


def _picture(name, title, y_label, panels, *, log_y=True):
    budgets = {x for lines in panels.values() for line in lines.values() for x, _ in line.points}
    ticks = sorted(budgets) if len(budgets) <= 5 else ()
    whose = f"{title}, of Budgetron and others"
    return Picture(f"front-{name}", whose, "budget", y_label, panels, log_y=log_y, ticks=ticks)
