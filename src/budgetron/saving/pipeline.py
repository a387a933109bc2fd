"""A pipeline of scikit-learn: transformers that are known, and a learner of this package."""

from __future__ import annotations

from typing import Any

from sklearn.pipeline import Pipeline

from ..estimators import StreamClassifier
from .arrays import Arrays
from .checking import demand, fields, listed, text
from .state import describe, restore
from .transformers import describe_transformer, restore_transformer

__all__ = ["describe_pipeline", "restore_pipeline"]

PASS = "passthrough"


def describe_pipeline(pipeline: Pipeline, arrays: Arrays) -> dict[str, Any]:
    """The steps, by name, of which the last is the learner."""
    demand(type(pipeline) is Pipeline, f"{type(pipeline).__name__} is no pipeline of scikit-learn")
    others = {"steps", "memory", "verbose", "transform_input"}
    told = {name: pipeline.get_params(deep=False).get(name) for name in others - {"steps"}}
    demand(not any(told.values()), "a pipeline with memory or other options cannot be saved")
    *before, (name, learner) = pipeline.steps
    demand(
        isinstance(learner, StreamClassifier),
        f"the last step of a pipeline, {name!r}, must be a learner of this package to be saved",
    )
    return {
        "class": "Pipeline",
        "steps": [
            [each, step if step == PASS else describe_transformer(each, step, arrays.part())]
            for each, step in before
        ],
        "name": str(name),
        "learner": describe(learner, arrays),
    }


def restore_pipeline(document: Any, arrays: Arrays) -> Pipeline:
    """The pipeline that was described."""
    fields(document, "the pipeline", ("class", "steps", "name", "learner"))
    steps: list[Any] = []
    for step in listed(document["steps"], "the steps"):
        pair = listed(step, "a step")
        demand(len(pair) == 2, "a step must be a name and a transformer")
        name = text(pair[0], "the name of a step")
        own = pair[1]
        steps.append((name, PASS if own == PASS else restore_transformer(own, arrays.part())))
    steps.append(
        (text(document["name"], "the name of a step"), restore(document["learner"], arrays))
    )
    demand(len({name for name, _ in steps}) == len(steps), "a name of a step is repeated")
    return Pipeline(steps)
