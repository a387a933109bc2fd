"""What `docs/flagship-results.md` shows: Budgetron beside every other learner on a budget."""

from . import ablation, contest, cost, endless, made, shifts

__all__ = ["FLAGSHIP"]

FLAGSHIP = {section.NAME: section for section in (contest, made, shifts, cost, endless, ablation)}
