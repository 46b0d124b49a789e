"""Running the programs, and what comes of them as text."""

from __future__ import annotations

import importlib
import re
from itertools import groupby
from typing import Any, Callable, Dict, List, NamedTuple

from .normal import normal_form

Cases = Dict[str, Callable[[], Any]]
MODULES = ("vectors", "loops", "buffers", "combinators", "inspection", "halide", "library", "gemmini")


class Run(NamedTuple):
    """What came of a program: the class of the exception, or values; and the steps, where `!` is a refusal."""

    raised: str
    values: List[str]
    steps: str


def every_case() -> Cases:
    """All programs by name."""
    out: Cases = {}
    for module in MODULES:
        found = importlib.import_module(f"exo_programs.{module}").CASES
        assert not out.keys() & found.keys(), "two programs have one name"
        out.update(found)
    return out


def run(case: Callable[[], Any]) -> Run:
    """Runs one, and notes the operations that it tries."""
    import exo
    from exo.API_scheduling import AtomicSchedulingOp

    steps: List[str] = []
    call = AtomicSchedulingOp.__call__

    def noted(self: Any, *args: Any, **named: Any) -> Any:
        at = len(steps)
        steps.append(self.__name__ + "!")
        made = call(self, *args, **named)
        steps[at] = self.__name__
        return made

    AtomicSchedulingOp.__call__ = noted
    try:
        found = case()
    except Exception as e:
        return Run(_kind(e), [], _runs_of(steps))
    finally:
        AtomicSchedulingOp.__call__ = call
    values = found if isinstance(found, (list, tuple)) else [found]
    return Run("", [normal_form(str(v)) if isinstance(v, exo.Procedure) else str(v) for v in values], _runs_of(steps))


def _runs_of(steps: List[str]) -> str:
    """Steps in order, where ``replace!*4`` are four."""
    runs = [(name, len(list(same))) for name, same in groupby(steps)]
    return " ".join(name if count == 1 else f"{name}*{count}" for name, count in runs)


def _kind(e: Exception) -> str:
    """The class by which schedules catch an exception."""
    from exo import SchedulingError
    from exo.API_cursors import InvalidCursorError

    for kind in (SchedulingError, InvalidCursorError, TypeError, ValueError):
        if isinstance(e, kind):
            return kind.__name__
    return type(e).__name__


def written(name: str, run: Run) -> str:
    """A run as a section of a file."""
    lines = [f"== {name}", *([f"raises {run.raised}"] if run.raised else []), f"steps {run.steps}"]
    lines += [f"-- {n}\n{value}" for n, value in enumerate(run.values)]
    return "\n".join(line.rstrip() for line in lines) + "\n\n"


def read(text: str) -> Dict[str, Run]:
    """The sections of a file."""
    out = {}
    for section in re.split(r"^== ", text, flags=re.M)[1:]:
        head, *values = re.split(r"^-- \d+\n", section, flags=re.M)
        name, *lines = head.splitlines()
        told = dict(line.partition(" ")[::2] for line in lines if line)
        out[name] = Run(told.get("raises", ""), [value.rstrip("\n") for value in values], told.get("steps", ""))
    return out
