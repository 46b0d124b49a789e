"""What steps make of instructions."""

from __future__ import annotations

from itertools import takewhile
from typing import Any, List

from .. import _rewright
from .._errors import ArgumentError, SchedulingError
from .API_cursors import AssignConfigCursor


def still_instruction(old: Any, new: Any) -> Any:
    """What becomes of an instruction is one, with its C, where it does what the instruction did."""
    c = old.instr() if old.is_instr() and not new.is_instr() and new.does_as(old) else None
    if c is None:
        return new
    try:
        return _rewright.apply("make_instr", new, c, {}, None, True)[0]
    except (ArgumentError, SchedulingError):  # the text speaks of an argument that is no more
        return new


def without_writes(subproc: Any) -> List[Any]:
    """The body of a procedure without the writes of fields that it begins with: statements may lack them."""
    body = list(subproc.body())
    leading = list(takewhile(lambda stmt: isinstance(stmt, AssignConfigCursor), body))
    return body[min(len(leading), len(body) - 1) :]
