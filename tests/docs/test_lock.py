"""The developers' environment is written down whole, so that it is the same for all of them."""

import tomllib
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def needed_by(asked):
    """What a package needs, with the extras that are asked for."""
    if asked.name == PROJECT["name"]:
        extras = (PROJECT["optional-dependencies"][extra] for extra in asked.extras)
        return map(Requirement, sum(extras, PROJECT["dependencies"]))
    needed = map(Requirement, requires(asked.name) or [])
    environments = [{"extra": extra} for extra in asked.extras or {""}]
    return (it for it in needed if not it.marker or any(map(it.marker.evaluate, environments)))


def test_everything_that_developers_need_is_locked_at_a_version_that_is_asked_for():
    lines = map(Requirement, (ROOT / "requirements-dev.lock").read_text().splitlines())
    locked = {canonicalize_name(line.name): line.specifier for line in lines}
    waiting, seen = [Requirement("budgetron[dev]")], set()
    while waiting:
        asked = waiting.pop()
        if str(asked) in seen:
            continue
        seen.add(str(asked))
        waiting += needed_by(asked)
        if asked.name != PROJECT["name"]:
            (pin,) = locked.get(canonicalize_name(asked.name), [None])
            assert pin and pin.operator == "==", asked
            assert asked.specifier.contains(pin.version), asked
