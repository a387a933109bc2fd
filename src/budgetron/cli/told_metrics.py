"""Metrics in words, so that nobody takes a learner for good that is no better than a habit."""

from __future__ import annotations

from typing import Any

from ..evaluation.baselines import BASELINES

__all__ = ["told_metrics"]

MOST_CLASSES = 8
"""More are not shown one by one."""

KEYS = dict(zip(BASELINES, ("majority", "last_label"), strict=True))


def told_metrics(summary: dict[str, Any]) -> dict[str, str]:
    """What to print of a summary of `RunningMetrics`, by its names."""
    if not summary["rows"]:
        return {"mistakes": "none that could be seen: no label has come"}
    error = f"{summary['mistakes']:,}, {summary['error']:.2%} of all predictions"
    better = [name for name, key in KEYS.items() if not summary["mistakes"] < _of(summary, key)]
    told = {"mistakes": f"{error}{''.join(f'; no better than the {name}' for name in better)}"}
    for name, key in KEYS.items():
        told[f"  {name}"] = f"{_of(summary, key):,}, {summary[key]['error']:.2%}"
    told["balanced accuracy"] = f"{summary['balanced_accuracy']:.2%}"
    told["F1"] = f"{summary['f1_macro']:.2%}, the mean of all classes"
    if len(summary["classes"]) <= MOST_CLASSES:
        each = zip(summary["classes"], summary["f1"], strict=True)
        told["F1"] += f": {', '.join(f'{label} {f1:.1%}' for label, f1 in each)}"
    if summary["kappa"] is not None:
        told["kappa"] = f"{summary['kappa']:.3f}"
    if summary["roc_auc"] is not None:
        told["ROC AUC"] = f"{summary['roc_auc']:.3f}, of the last {summary['roc_auc_rows']:,} rows"
    if summary["log_loss"] is not None:
        told["log loss"] = f"{summary['log_loss']:.3f}"
    if len(summary["classes"]) <= MOST_CLASSES:
        rows = zip(summary["classes"], summary["confusion_matrix"], strict=True)
        for label, counts in rows:
            said = zip(summary["classes"], counts, strict=True)
            told[f"  of {sum(counts):,} {label}"] = ", ".join(
                f"{count:,} as {other}" for other, count in said
            )
    return told


def _of(summary: dict[str, Any], key: str) -> int:
    return int(summary[key]["mistakes"])
