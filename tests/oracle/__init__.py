"""Independent slow reference for the learners, written from the papers alone.

Standard library only, but for the matrices of some modules, which are numpy's; nothing here knows
the package under test. The public functions and classes of every module are here by themselves: a
learner's reference is found by the learner's name in snake case.
"""

from importlib import import_module
from inspect import isclass, isfunction
from pkgutil import iter_modules

from .arithmetic import Number, Vector
from .kernels import Kernel
from .rounds import Convention, Stream, Supports, Weights, ZeroScore

__all__ = ["Convention", "Kernel", "Number", "Stream", "Supports", "Vector", "Weights", "ZeroScore"]

for _module in [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__)]:
    for _name, _thing in vars(_module).items():
        _is_own = getattr(_thing, "__module__", None) == _module.__name__
        if _is_own and (isclass(_thing) or isfunction(_thing)) and not _name.startswith("_"):
            assert _name not in __all__, f"{_name} is defined twice"
            globals()[_name] = _thing
            __all__ += [_name]
