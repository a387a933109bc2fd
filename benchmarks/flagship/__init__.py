"""What `docs/flagship-results.md` shows: Budgetron beside every other learner on a budget."""

from . import ablation, classes, contest, cost, endless, late, made, shifts

__all__ = ["FLAGSHIP"]

FLAGSHIP = {
    section.NAME: section
    for section in (contest, made, shifts, classes, late, cost, endless, ablation)
}
