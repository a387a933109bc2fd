"""What `docs/flagship-results.md` shows: Budgetron beside every other learner on a budget."""

from . import ablation, contest, cost, endless, shifts

__all__ = ["FLAGSHIP"]

FLAGSHIP = {section.NAME: section for section in (contest, shifts, cost, endless, ablation)}
