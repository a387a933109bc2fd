"""Write what came out of the papers into docs/papers-results.md, from the results that are kept.

python scripts/papers_page.py
"""

from collections import Counter
from pathlib import Path

from budgetron.papers.exhibit import MARKS
from budgetron.papers.machine import Machine
from budgetron.papers.reasons import REASONS, unmet
from budgetron.papers.registry import PAPERS
from budgetron.papers.task import Results

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "papers-results.md"
SCALE = "full"
BESIDE_THE_PAPERS = "contenders", "flagship"

HOW_TO_READ = """\
[The papers, reproduced](papers.md#the-verdicts) says what a verdict means; it is one rule for all.
Where something is not as the paper says, the reason is *data* (the paper's are not at hand),
*noise* (what was measured does not decide it) or a *reading* (the paper leaves open, or
contradicts, what was done)."""


def page(results):
    """The page, from the registry and the results."""
    shown = {
        artifact.key: (artifact, artifact.show(results, SCALE))
        for paper in PAPERS
        for artifact in paper.artifacts
    }
    of_papers = [
        exhibit for artifact, exhibit in shown.values() if artifact.paper not in BESIDE_THE_PAPERS
    ]
    verdicts = Counter(exhibit.verdict for exhibit in of_papers)
    machine = Machine.of(results.directory)
    lines = [
        "# The papers, reproduced: what came out",
        "",
        "<!-- made by scripts/papers_page.py -->",
        "",
        f"Of the {len(of_papers)} artifacts of the five papers "
        + ", ".join(f"{verdicts[verdict]} are {verdict}" for verdict in MARKS)
        + ".",
        HOW_TO_READ,
        "",
        "| artifact | verdict | statements that hold | numbers that agree | where not |",
        "|---|---|---|---|---|",
    ]
    for key, (artifact, exhibit) in shown.items():
        kinds = [REASONS[key][what].kind for what, _ in unmet(exhibit)]
        if exhibit.stand_in:
            kinds.append("data")
        held = sum(claim.holds for claim in exhibit.claims)
        agree = sum(number.agrees(len(exhibit.numbers)) for number in exhibit.numbers)
        numbers = f"{agree} of {len(exhibit.numbers)}" if exhibit.numbers else ""
        lines.append(
            f"| {artifact.paper}, {artifact.title} | {MARKS[exhibit.verdict]} {exhibit.verdict}"
            f" | {held} of {len(exhibit.claims)} | {numbers} | {', '.join(sorted(set(kinds)))} |"
        )
    for key, (artifact, exhibit) in shown.items():
        rest = [*unmet(exhibit)]
        if not rest and not exhibit.stand_in:
            continue
        lines += ["", f"## {key}", "", f"{artifact.title}: *{exhibit.verdict}*.", ""]
        if exhibit.stand_in:
            lines += [f"*Data.* {' '.join(exhibit.stand_in.split())}", ""]
        said = None
        for what, measured in rest:
            reason = REASONS[key][what]
            words = "*As before.*" if reason is said else f"*{reason.kind.title()}.* {reason.words}"
            lines.append(f"- {what}: {measured}. {words}")
            said = reason
    lines += [
        "",
        f"Results of {machine.date}, with Python {machine.python}, NumPy {machine.numpy} and"
        f" Numba {machine.numba}.",
    ]
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(Results(ROOT / "results" / SCALE)), encoding="utf-8")
