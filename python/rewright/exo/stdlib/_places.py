"""Where a call stands that took the place of statements, and what it passes."""

from __future__ import annotations

from typing import Any

from ..API_cursors import IfCursor, InvalidCursor, ReadCursor


class Place:
    """Where a statement stands: in which block, and how far down. What is there later need not have come of it."""

    def __init__(self, stmt: Any) -> None:
        self.parent = stmt.parent()
        self.index = 0
        before = stmt.prev()
        while before:
            self.index += 1
            before = before.prev()
        orelse: Any = self.parent.orelse() if isinstance(self.parent, IfCursor) else InvalidCursor()
        self.in_else = bool(orelse) and self.index < len(orelse) and orelse[self.index] == stmt

    def in_version(self, proc: Any) -> Any:
        """The statement that stands there in a later version."""
        around = proc.forward(self.parent) if self.parent else proc
        return (around.orelse() if self.in_else else around.body())[self.index]


def passes_cell(call: Any) -> bool:
    """Whether a call passes a cell of a tensor as a scalar. Exo's unification finds no such call, so schedules that try
    one instruction after the other go on to the next."""
    return any(
        parameter.type().is_numeric()
        and not parameter.is_tensor()
        and isinstance(argument, ReadCursor)
        and len(argument.idx()) > 0
        for argument, parameter in zip(call.args(), call.subproc().args())
    )
