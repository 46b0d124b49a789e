# ruff: noqa: F401, F403
# mypy: implicit-reexport
"""What a statement can see: the statements that ran before it, and the memories of the buffers that it names."""

from __future__ import annotations

from typing import Any, Iterator, NamedTuple, Optional, Tuple

from ..._errors import SchedulingError
from .. import API_cursors as _cursors
from ..API import Procedure
from ..API_types import ExoType
from ..core.memory import DRAM, of_handle

__all__ = ["DRAM", "Procedure", "SchedulingError", "check_call_mem_types", "get_observed_stmts"]


def get_observed_stmts(stmt_cursor: Any) -> Iterator[Any]:
    """The statements whose names are in scope at a statement, nearest first: those before it in its block, then the
    statement around it, those before that, and so on to the top.

    At ``s4`` in ``s1; if c: (s2; for …: (s3; s4; s5))`` these are ``s3``, the loop, ``s2``, the condition and ``s1``.
    Anything but a statement cursor is a ``TypeError``.
    """
    if not isinstance(stmt_cursor, _cursors.StmtCursor):
        raise TypeError("stmt_cursor must be an instance of StmtCursor")
    at: Any = stmt_cursor
    while True:
        before = at.prev()
        at = before if before else at.parent()
        if not at:
            return
        yield at


def check_call_mem_types(call_cursor: Any) -> bool:
    """Whether every buffer that a call passes is in a memory that the callee's parameter admits: the parameter's own, or
    one derived from it. Anything but a call cursor is a ``TypeError``."""
    if not isinstance(call_cursor, _cursors.CallCursor):
        raise TypeError("call_cursor must be a CallCursor")
    return all(
        passed is not None and issubclass(passed.memory, parameter.memory)
        for passed, parameter in _passed_buffers(call_cursor.proc(), call_cursor)
    )


class _Held(NamedTuple):
    """Where a buffer is, and the type of its cells."""

    memory: Any
    type: Any


def _passed_buffers(proc: Any, call: Any) -> Iterator[Tuple[Optional[_Held], _Held]]:
    """Of each data argument of a call: memory and type of the buffer that is passed, and of the parameter. A value that is
    computed for the call is in no memory: nothing, and the parameter's. The arguments around the call are ``proc``'s. The
    outermost of two buffers with one name counts, as Exo has it."""
    for passed, parameter in call._raw.passed_buffers(proc._raw):
        yield passed and _held(passed), _held(parameter)


def _held(raw: Tuple[Any, str]) -> _Held:
    return _Held(of_handle(raw[0]), ExoType.of_word(raw[1]))
