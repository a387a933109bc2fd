"""Draw docs/engine.svg: a block on its way through the engine.

    python scripts/draw_engine.py

The numbers are those of a real block: six supports, eight examples, a Gaussian kernel, and a
Perceptron on a budget that is full and forgets its oldest support. Writes the same file every time.
"""

from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

from budgetron.kernels import gaussian
from budgetron.papers.report.looks import COLOURS

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "engine.svg"
BLUE, ORANGE, GREEN = COLOURS[:3]
INK, PALE, MINUS = "#222", "#777", "\N{MINUS SIGN}"
SUPPORTS, LENGTH, FEATURES = 6, 8, 3
WIDTH, LEFT, CELL, ROW = 480, 22, 38, 22
FIRST = WIDTH - LEFT - LENGTH * CELL  # where the block's columns begin


class Run:
    """A block, its kernel values, and its scores before and after the first mistake."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        kernel = gaussian(1.0)
        old, block = rng.uniform(-1, 1, (SUPPORTS, 2)), rng.uniform(-1, 1, (LENGTH, 2))
        weights = np.sign(old[:, 0] * old[:, 1])
        self.labels = np.sign(block[:, 0] * block[:, 1])
        self.values = kernel(old, block)
        self.scores = weights @ self.values
        self.wrong = (self.scores >= 0) != (self.labels > 0)
        self.t = int(np.argmax(self.wrong))
        own = kernel(block[self.t : self.t + 1], block)[0]
        self.weights, self.newcomer = weights, own
        self.after = self.scores + self.labels[self.t] * own - weights[0] * self.values[0]

    @property
    def is_telling(self):
        """Whether one mistake in the middle turns a later score, and no score is too near to 0."""
        later = slice(self.t + 1, None)
        turned = (self.scores[later] >= 0) != (self.after[later] >= 0)
        return (
            self.wrong.sum() == 2
            and self.t == 2
            and turned.sum() == 1
            and self.wrong[later][turned].all()
            and min(abs(self.scores).min(), abs(self.after[later]).min()) > 0.06
            and abs(self.weights.sum()) == 0
        )


class Picture:
    """Shapes, one below the other."""

    def __init__(self):
        self.shapes, self.y = [], 0

    def add(self, shape):
        self.shapes.append(shape)

    def text(self, x, y, words, size=15, colour=INK, anchor="start", weight="normal"):
        self.add(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}" '
            f'text-anchor="{anchor}" font-weight="{weight}">{escape(words)}</text>'
        )

    def box(self, x, y, width, height, fill, stroke="#fff", thick=1.0):
        self.add(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}" '
            f'stroke="{stroke}" stroke-width="{thick:g}"/>'
        )

    def line(self, x1, y1, x2, y2, colour=INK, thick=1.5, more=""):
        self.add(
            f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{colour}" '
            f'stroke-width="{thick:g}" {more}/>'
        )

    def title(self, number, words):
        self.y += 46
        self.add(f'<circle cx="{LEFT + 11}" cy="{self.y - 6}" r="13" fill="{BLUE}"/>')
        self.text(LEFT + 11, self.y, str(number), 16, "#fff", "middle", "bold")
        self.text(LEFT + 33, self.y, words, 18, weight="bold")
        self.y += 14

    def say(self, *lines):
        for words in lines:
            self.y += 20
            self.text(LEFT, self.y, words)
        self.y += 12

    def svg(self):
        body = "\n".join(self.shapes)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.y + 14:g}" '
            f'font-family="Helvetica, Arial, sans-serif" role="img">\n'
            f'<rect width="100%" height="100%" fill="#fff"/>\n{body}\n</svg>\n'
        )


def shade(value):
    """Blue, the stronger the larger the kernel value."""
    red, green, blue = (int(BLUE[i : i + 2], 16) for i in (1, 3, 5))
    part = 0.12 + 0.88 * value
    return f"rgb({', '.join(str(round(255 + part * (c - 255))) for c in (red, green, blue))})"


def of_sign(score):
    return GREEN if score >= 0 else ORANGE


def scores_in(picture, scores, labels, first=0, marked=None):
    """A row of scores, with a mark under each that has been passed."""
    for j, score in enumerate(scores):
        x = FIRST + j * CELL
        if j < first:
            picture.box(x, picture.y, CELL, 28, "#f1f1f1")
            continue
        here = {"stroke": INK, "thick": 2.5} if j == marked else {}
        picture.box(x + 1, picture.y, CELL - 2, 28, "#fff", **(here or {"stroke": "#bbb"}))
        colour = of_sign(score)
        picture.text(
            x + CELL / 2,
            picture.y + 19,
            f"{score:+.1f}".replace("-", MINUS),
            14,
            colour,
            "middle",
            "bold",
        )
    for j, label in enumerate(labels):
        x = FIRST + j * CELL + CELL / 2
        picture.text(x, picture.y + 46, "+" if label > 0 else MINUS, 16, of_sign(label), "middle")
    picture.text(LEFT, picture.y + 19, "scores")
    picture.text(LEFT, picture.y + 46, "labels")
    picture.y += 54


def look_ahead(picture, run):
    picture.title(1, "Look ahead: one matrix product")
    picture.say("Every support meets every example of the block.")
    top = picture.y + 24
    picture.text(FIRST + LENGTH * CELL / 2, top - 8, "a block of the stream", 15, PALE, "middle")
    for j in range(LENGTH):
        picture.box(FIRST + j * CELL, top, CELL, FEATURES * 12, "#dfe3e6")
    low = top + FEATURES * 12 + 10
    for i in range(SUPPORTS):
        for c in range(FEATURES):
            picture.box(LEFT + 34 + c * 14, low + i * ROW, 14, ROW, "#dfe3e6")
        sign = "+1" if run.weights[i] > 0 else f"{MINUS}1"
        picture.text(LEFT, low + i * ROW + 16, sign, 15, of_sign(run.weights[i]), weight="bold")
        for j in range(LENGTH):
            x = FIRST + j * CELL
            picture.box(x, low + i * ROW, CELL, ROW, shade(run.values[i, j]))
    picture.text(LEFT, low - 22, "weights and", 15, PALE)
    picture.text(LEFT, low - 5, "supports", 15, PALE)
    middle = low + SUPPORTS * ROW / 2
    picture.text((LEFT + 76 + FIRST) / 2, middle + 6, "k(·,·)", 15, INK, "middle")
    picture.y = low + SUPPORTS * ROW
    picture.say(
        "The darker, the more alike. Weights times values", "are all scores of the block, at once:"
    )
    scores_in(picture, run.scores, run.labels)


def walk(picture, run):
    picture.title(2, "Walk: score, compare, update, next")
    picture.say(
        f"Scores with the right sign are passed. Example {run.t + 1}",
        "has the wrong one: a mistake, and an update.",
    )
    x = FIRST + run.t * CELL + CELL / 2
    picture.line(FIRST + 6, picture.y + 6, x - 6, picture.y + 6, INK, 2)
    picture.add(f'<path d="M{x - 8:g} {picture.y:g} l12 6 l-12 6 z" fill="{INK}"/>')
    picture.y += 18
    scores_in(picture, run.scores, run.labels, marked=run.t)


def correct(picture, run):
    later = FIRST + (run.t + 1) * CELL
    picture.title(3, "Each edit corrects what is still to come")
    picture.say(
        "add: the example becomes a support. Its values with", "the rest of the block come in,"
    )

    def strip(words, values, sign):
        picture.text(LEFT, picture.y + 16, words, 15, of_sign(sign), weight="bold")
        for j in range(run.t + 1, LENGTH):
            picture.box(FIRST + j * CELL, picture.y, CELL, ROW, shade(values[j]))
        picture.y += ROW

    y, oldest = run.labels[run.t], run.weights[0]
    strip("+ k(new, ·)" if y > 0 else f"{MINUS} k(new, ·)", run.newcomer, y)
    picture.say("remove: the budget is full, the oldest goes, and", "with it what it said:")
    strip(f"{MINUS} k(old, ·)" if oldest > 0 else "+ k(old, ·)", run.values[0], -oldest)
    picture.y += 14
    scores_in(picture, run.after, run.labels, first=run.t + 1)
    j = run.t + 1 + int(np.argmax(((run.scores >= 0) != (run.after >= 0))[run.t + 1 :]))
    picture.line(later + (j - run.t - 1) * CELL + 4, picture.y + 2,
                 later + (j - run.t) * CELL - 4, picture.y + 2, BLUE, 3)  # fmt: skip
    picture.say(
        f"Example {j + 1} would have been a mistake before.",
        "Nothing is evaluated twice, and the next score is",
        "what the one-by-one algorithm would see.",
    )


def settle(picture):
    picture.title(4, "What is too near to call is evaluated again")
    picture.say(
        "A score may be off by its rounding error. Only where",
        "that could change a decision, it is computed exactly.",
    )
    y, middle, reach = picture.y + 34, WIDTH / 2, WIDTH / 2 - LEFT
    picture.box(middle - 46, y - 26, 92, 52, "#fbe3d6", "none")
    picture.line(LEFT, y, WIDTH - LEFT, y)
    picture.line(middle, y - 30, middle, y + 30, INK, 2)
    for place, colour in ((-0.83, INK), (-0.52, INK), (0.09, ORANGE), (0.44, INK), (0.71, INK)):
        x = middle + place * reach
        picture.add(f'<circle cx="{x:g}" cy="{y:g}" r="7" fill="{colour}"/>')
    picture.text(middle, y + 48, "threshold", 15, INK, "middle")
    picture.text(LEFT, y - 16, "clear", 15, PALE)
    picture.text(WIDTH - LEFT, y - 16, "clear", 15, PALE, "end")
    picture.text(middle + 54, y + 24, "exact, in float64", 15, ORANGE)
    picture.y = y + 54


def main():
    run = next(run for run in map(Run, range(100_000)) if run.is_telling)
    picture = Picture()
    picture.y = -16
    look_ahead(picture, run)
    walk(picture, run)
    correct(picture, run)
    settle(picture)
    PICTURE.write_text(picture.svg())


if __name__ == "__main__":
    main()
