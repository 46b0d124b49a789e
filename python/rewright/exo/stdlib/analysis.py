# ruff: noqa: F401, F403
# mypy: implicit-reexport
"""What a statement can see: the statements that ran before it, and the memories of the buffers that it names."""

from __future__ import annotations

from typing import Any, Dict, Iterator, Optional, Tuple

from ..._errors import SchedulingError
from .. import API_cursors as _cursors
from ..API import Procedure
from ..core.memory import DRAM

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
        passed is not None and issubclass(passed[0], parameter.mem())
        for passed, parameter in _passed_buffers(call_cursor.proc(), call_cursor)
    )


def _passed_buffers(proc: Any, call: Any) -> Iterator[Tuple[Optional[Tuple[Any, Any]], Any]]:
    """Of each data argument of a call: the memory and type of the buffer that is passed, and the parameter. A value that
    is computed for the call is in no memory: nothing, and the parameter."""
    known = _buffers_in_scope(proc, call)
    for argument, parameter in zip(call.args(), call.subproc().args()):
        if parameter.type().is_numeric():
            of_buffer = isinstance(argument, (_cursors.ReadCursor, _cursors.WindowExprCursor))
            yield (known[argument.name()] if of_buffer else None), parameter


def _buffers_in_scope(proc: Any, stmt: Any) -> Dict[str, Tuple[Any, Any]]:
    """Memory and type of each buffer that a statement may name. The outermost of two with one name counts, as Exo has it;
    a window is where the buffer is that it looks at."""
    known = {arg.name(): (arg.mem(), arg.type()) for arg in proc.args() if arg.type().is_numeric()}
    windows = []
    for seen in get_observed_stmts(stmt):
        if isinstance(seen, _cursors.AllocCursor):
            known[seen.name()] = (seen.mem(), seen.type())
        elif isinstance(seen, _cursors.WindowStmtCursor):
            windows.append(seen)
    for window in reversed(windows):
        if window.winexpr().name() in known:
            known.setdefault(window.name(), known[window.winexpr().name()])
    return known
