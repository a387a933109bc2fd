"""A paper with all that an exhibit can have, done in no time."""

from types import SimpleNamespace

from budgetron.papers.exhibit import Artifact, Claim, Exhibit, Figure, Series, Table
from budgetron.papers.task import Task, does

VERDICTS = ("reproduced", "reproduced in shape", "not reproduced")
LEARNERS = ("Perceptron", "RandomizedBudgetSecondOrderPerceptron(1000)", "Forgetron <b>")


@does("test-report")
def outcome(verdict):
    if verdict == "without data":
        raise FileNotFoundError("there is no tiny.svm")
    return {"verdict": verdict}


def tasks(verdict):
    return [Task.of("test-report", verdict=verdict)]


def figure(title, length, **axes):
    x = [float(2**place if axes.get("log_x") else place + 1) for place in range(length)]
    curves = [
        Series(name, x, [10.0 * (place + 1) + at for at in x], spread=[1.0] * length)
        for place, name in enumerate(LEARNERS)
    ]
    paper = Series("Perceptron (paper)", x, [9.0 + at for at in x], is_paper=True)
    return Figure(title, "rows", "mistakes", (*curves, paper), f"Alt of {title}", **axes)


def exhibit(verdict):
    return Exhibit(
        verdict=verdict,
        why=f"Because it is {verdict}.",
        settings="Seeds 0 to 9 & all else as printed.",
        tables=(
            Table(
                f"Errors, {verdict}",
                ("learner", "ours", "paper", "difference", *(f"wide {n}" for n in range(8))),
                tuple((name, 12.25, 12, 0.25, *range(8)) for name in LEARNERS),
            ),
        ),
        figures=(figure(f"Long, {verdict}", 60), figure(f"Short, {verdict}", 6, log_x=True)),
        claims=(Claim("It is so.", True, "-1.5 %"), Claim("It is not so.", False, "2")),
        reading="As it is written.",
        stand_in="w7a for w8a" if verdict == "not reproduced" else "",
    )


def artifact(name, verdict):
    return Artifact(
        "tiny",
        name,
        f"Table of {name}",
        lambda scale: tasks(verdict),
        lambda results, scale: exhibit(results[tasks(verdict)[0]]["verdict"]),
    )


ARTIFACTS = [artifact(f"table-{number}", verdict) for number, verdict in enumerate(VERDICTS, 1)]
WITHOUT_DATA = artifact("table-9", "without data")
PAPER = SimpleNamespace(
    name="tiny", title="A tiny paper", source="Nobody, 1999", artifacts=[*ARTIFACTS, WITHOUT_DATA]
)
