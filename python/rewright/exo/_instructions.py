"""What steps make of instructions."""

from __future__ import annotations

from typing import Any

from .. import _rewright
from .._errors import ArgumentError, SchedulingError


def still_instruction(old: Any, new: Any) -> Any:
    """What becomes of an instruction is one, with its C, where it does what the instruction did."""
    c = old.instr() if old.is_instr() and not new.is_instr() and new.does_as(old) else None
    if c is None:
        return new
    try:
        return _rewright.apply("make_instr", new, c, {}, None, True)[0]
    except (ArgumentError, SchedulingError):  # the text speaks of an argument that is no more
        return new
