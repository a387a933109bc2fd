"""Sending contenders over a stream: marks on the way, turns, and a limit of time."""

from __future__ import annotations

from time import perf_counter

__all__ = ["best_choice", "in_turns", "marks_up_to", "run", "warmed_up"]

PIECE = 2000
"""Rows that are prepared at a time, at most."""
WARM_UP = 100
TUNING = 0.2
"""The part of the time for a run that trying out a choice may take."""


def marks_up_to(rows):
    """1, 2 and 5 times powers of ten from 100 on, and the end."""
    regular = [factor * 10**power for power in range(2, 8) for factor in (1, 2, 5)]
    return [mark for mark in regular if mark < rows] + [rows]


def run(contender, stream, seconds, choice):
    """Rows, seconds and mistakes up to each mark that is reached in the time."""
    step, reached = contender.begin(**choice), []
    first, elapsed, mistakes = 0, 0.0, 0
    for mark in marks_up_to(len(stream.y)):
        if first > 0 and elapsed * mark / first > seconds:
            break
        while first < mark:
            last = min(first + PIECE, mark)
            rows = contender.prepare(stream.X[first:last], stream.y[first:last])
            start = perf_counter()
            wrong = step(rows)
            elapsed += perf_counter() - start
            mistakes += int(wrong.sum())
            first = last
        reached.append({"rows": mark, "seconds": elapsed, "mistakes": mistakes})
    return reached


def best_choice(contender, stream, seconds):
    """Of the contender's choices the one with the fewest mistakes, in hindsight.

    That is on the whole stream, or as many of its rows as all choices get through in the time.
    """
    if len(contender.choices) == 1:
        return contender.choices[0]
    runs = [run(contender, stream, seconds, choice) for choice in contender.choices]
    shared = min(reached[-1]["rows"] for reached in runs)
    mistakes = [
        next(mark["mistakes"] for mark in reached if mark["rows"] == shared) for reached in runs
    ]
    return contender.choices[mistakes.index(min(mistakes))]


def warmed_up(contender, stream):
    """Have compiled whatever is to be compiled."""
    rows = contender.prepare(stream.X[:WARM_UP], stream.y[:WARM_UP])
    contender.begin(**contender.choices[0])(rows)


def in_turns(contenders, stream, scale):
    """Every contender over the stream, in turns, as often as the scale says.

    One that the clock stops has been measured for long enough and is not sent again.
    """
    choices, entered = {}, []
    for contender in contenders:
        warmed_up(contender, stream)
        alike = contender.alike or (contender.library, contender.name)
        if alike not in choices:
            choices[alike] = best_choice(contender, stream, TUNING * scale.seconds)
        entered.append((contender, choices[alike]))
    for repeat in range(scale.repeats):
        for entry in [*entered]:
            contender, choice = entry
            marks = run(contender, stream, contender.patience * scale.seconds, choice)
            if marks[-1]["rows"] < len(stream.y):
                entered.remove(entry)
            yield {
                "contender": contender.name,
                "library": contender.library,
                "family": contender.family,
                "at_once": contender.at_once,
                "numbers": contender.numbers,
                "choice": choice,
                **contender.settings,
                "repeat": repeat,
                "marks": marks,
            }
