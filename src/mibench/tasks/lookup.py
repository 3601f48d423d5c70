"""A task by its name: one of the forty, a member of a family, or any distribution's spelling."""

from __future__ import annotations

from mibench import identity
from mibench.distributions.base import Distribution
from mibench.errors import ParameterError, SpellingError, UnknownName, unknown
from mibench.tasks import families
from mibench.tasks.benchmark import TASKS
from mibench.tasks.task import Task

_BY_ID = {t.id: t for t in TASKS}


def task(name: str, *, allow_imports: bool = False) -> Task:
    """The task of an id, of the forty or of a family, or the task of a distribution's spelling.

    With `allow_imports`, a spelling may name a class of yours as `module:Name`.

    >>> task("1v1-normal-0.75").mi
    0.413339286592233...
    >>> task("AdditiveNoise(epsilon=0.2)").dim_x
    1
    >>> task("tails-power-1.5").name
    'Power 1.5'
    """
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ParameterError(f"a task's name must be a string, got {type(name).__name__}")
    if name in _BY_ID:
        return _BY_ID[name]
    if "(" not in name and ":" not in name and name not in identity.registered():
        found = families.by_id(name)
        if found is None:
            raise _unknown(name)
        return found
    distribution = identity.parse(name, allow_imports=allow_imports)
    if not isinstance(distribution, Distribution):
        raise SpellingError(f"a task is an id or a distribution's spelling, but {name!r} is neither")
    return Task(identity.spell(distribution), distribution)


def _unknown(name: str) -> UnknownName:
    reason = families.why_none(name)
    if reason:
        return UnknownName(f"unknown task {name if len(name) <= 80 else name[:77] + '...'!r}{reason}")
    known = [*_BY_ID, *(n for n, cls in identity.registered().items() if issubclass(cls, Distribution))]
    return unknown("task", name, known, "'mibench tasks' lists all, and a distribution's spelling is one too")
