"""Vowpal Wabbit: a linear model with hinge loss, and its kernel SVM, whose supports grow.

Rows are lines of text, as it takes them; to parse them is part of what is timed, to write them is
not. Learning a row also predicts it first, so each is handed over once.
"""

from __future__ import annotations

import numpy as np
from vowpalwabbit import Workspace

from .contender import Contender, filled, with_widths

__all__ = ["kernel_machine", "linear"]

LIBRARY = "Vowpal Wabbit"
STEPS = tuple({"learning_rate": rate} for rate in (0.5, 0.1, 0.02))
PENALTIES = tuple({"l2": l2} for l2 in (1e-3, 1e-4, 1e-5))


def linear(stream):
    """`--loss_function hinge`."""
    return _contender(
        "--loss_function hinge", "linear", stream.features + 1, "--loss_function hinge", STEPS
    )


def kernel_machine(stream):
    """`--ksvm` with a Gaussian kernel."""
    choices = tuple(
        {"bandwidth" if key == "gamma" else key: value for key, value in choice.items()}
        for choice in with_widths(PENALTIES, stream)
    )
    return _contender("--ksvm, rbf", "kernel", None, "--ksvm --kernel rbf", choices)


def _contender(name, family, numbers, options, choices):
    def begin(**choice):
        chosen = " ".join(f"--{name} {value}" for name, value in choice.items())
        machine = Workspace(f"{options} {chosen} --quiet")

        def step(rows):
            lines, labels = rows
            scores = np.zeros(len(lines))
            for t, line in enumerate(lines):
                example = machine.example(line)
                machine.learn(example)
                scores[t] = example.get_simplelabel_prediction()
                machine.finish_example(example)
            return (scores > 0) != labels

        return step

    return Contender(
        name=name,
        library=LIBRARY,
        family=family,
        at_once=1,
        numbers=numbers,
        begin=begin,
        prepare=_lines,
        choices=choices,
    )


def _lines(X, y):
    lines = [
        f"{label} | " + " ".join(f"{name}:{value:.6g}" for name, value in zip(*row, strict=True))
        for row, label in zip(filled(X), np.where(y, 1, -1), strict=True)
    ]
    return lines, y.astype(bool)
