"""What Exo refuses by the form of a program, though the step could be taken: schedules try such steps and go on otherwise, and
tests expect the refusal. Each function raises what Exo does, in its words. Spec: [rule: python.exo-operations]."""

from __future__ import annotations

import re
from typing import Any, Iterator, List, NoReturn, Optional

from .._errors import SchedulingError
from . import API_cursors as C


def refuse(primitive: str, why: str) -> NoReturn:
    """Raises what a step is refused with for a form."""
    refused = SchedulingError(f"{primitive}: {why}")
    refused.primitive, refused.found = primitive, "form"
    raise refused


def text(cursor: Any) -> str:
    """What is at a cursor, on one line."""
    return str(cursor._raw.text()).split("\n")[0]


def _is_zero(bound: Any) -> bool:
    return isinstance(bound, C.LiteralCursor) and bound.value() == 0


def zero_based(loop: Any) -> None:
    """A loop that is divided begins at 0 as it is written."""
    if not _is_zero(loop.lo()):
        refuse("divide_loop", f"expected the lower bound of the loop to be zero, got {text(loop.lo())}.")


def zero_based_product(outer: Any) -> None:
    """Loops whose product is one both begin at 0."""
    inner = outer.body()[0]
    if not (_is_zero(outer.lo()) and _is_zero(inner.lo())):
        refuse(
            "mult_loops",
            "expected the inner and outer loops to have a constant lower bound of 0,"
            f" got {text(inner.lo())} and {text(outer.lo())}.",
        )


def literal_bounds(loop: Any) -> None:
    """A loop that is written out has numbers for bounds, as it is written."""
    if not all(isinstance(bound, C.LiteralCursor) for bound in (loop.lo(), loop.hi())):
        refuse("unroll_loop", f"expected loop '{loop.name()}' to have constant bounds")


def sum_of_itself(assign: Any) -> None:
    """What becomes a reduction is the sum of the cell that is assigned, and something, in this order."""
    rhs = assign.rhs()
    if not isinstance(rhs, C.BinaryOpCursor) or rhs.op() != "+":
        refuse("fold_into_reduce", "The rhs of the assignment must be an add.")
    cell = text(assign).split(" = ")[0].strip()
    if not isinstance(rhs.lhs(), C.ReadCursor) or text(rhs.lhs()) != cell:
        refuse("fold_into_reduce", "The lhs of the addition is not a read to the lhs of the assignment.")


def loop_of_no_else(scope: Any) -> None:
    """A loop is not lifted out of an ``if`` that has an ``else``."""
    around = scope.parent()
    if isinstance(scope, C.ForCursor) and isinstance(around, C.IfCursor) and around.orelse():
        refuse("lift_scope", "cannot lift for loop when if has an orelse clause")


def statements(block: Any) -> Iterator[Any]:
    """The statements of a block, and those inside of them."""
    for stmt in block:
        yield stmt
        if isinstance(stmt, C.ForCursor):
            yield from statements(stmt.body())
        elif isinstance(stmt, C.IfCursor):
            yield from statements(stmt.body())
            if stmt.orelse():
                yield from statements(stmt.orelse())


def _expressions(e: Any) -> Iterator[Any]:
    """An expression, and those inside of it."""
    yield e
    for part in ("lhs", "rhs", "arg"):
        if hasattr(e, part):
            yield from _expressions(getattr(e, part)())
    if isinstance(e, C.ReadCursor):
        for index in e.idx():
            yield from _expressions(index)


def not_written_afterwards(assign: Any) -> None:
    """What is assigned and inlined is not written in the statements that follow, whichever cell of it."""
    writes = (C.AssignCursor, C.ReduceCursor)
    if any(isinstance(stmt, writes) and stmt.name() == assign.name() for stmt in _later(assign)):
        refuse("inline_assign", f"Cannot inline assign {text(assign)} because the buffer is written afterwards.")


def one_constant(assign: Any, loop: Any) -> None:
    """The constant that is lifted out of reductions is the left factor of each, the same one, and of nothing in the loop."""
    name, inside = assign.name(), list(statements(loop.body()))
    rhs: Any
    cell = text(assign).split(" = ")[0].strip()
    factors = []
    for stmt in inside:
        if not isinstance(stmt, (C.AssignCursor, C.ReduceCursor)) or stmt.name() != name:
            continue
        rhs = stmt.rhs()
        is_scaled = isinstance(rhs, C.BinaryOpCursor) and rhs.op() == "*" and isinstance(rhs.lhs(), (C.LiteralCursor, C.ReadCursor))
        if isinstance(stmt, C.AssignCursor) or not is_scaled or text(stmt).split(" += ")[0].strip() != cell:
            refuse(
                "lift_reduce_constant",
                "cannot lift constant because there are other operations on the same buffer that may interfere",
            )
        factors.append(rhs.lhs())
    if not factors:
        return
    if any(text(factor) != text(factors[0]) for factor in factors):
        refuse(
            "lift_reduce_constant",
            f"cannot lift constant because the reduces to buffer {name} in the loop body have different constants",
        )
    defined = {loop.name(), *(stmt.name() for stmt in inside if isinstance(stmt, (C.ForCursor, C.AllocCursor)))}
    for e in _expressions(factors[0]):
        if isinstance(e, C.ReadCursor) and e.name() in defined:
            refuse("lift_reduce_constant", f"{text(factors[0])} depends on the variable {e.name()} which is defined within the loop")


def enough_scopes(alloc: Any, n_lifts: int) -> None:
    """An allocation goes out of no more loops and guards than there are around it."""
    depth, around = 0, alloc.parent()
    while around:
        depth, around = depth + 1, around.parent()
    if n_lifts > depth:
        refuse("autolift_alloc", f"specified lift level {n_lifts} is higher than the number of loop {depth}")


def _later(alloc: Any) -> Iterator[Any]:
    """The statements that may use a buffer."""
    stmt = alloc.next()
    while stmt:
        yield from statements([stmt])
        stmt = stmt.next()


def passed_to(alloc: Any) -> Optional[Any]:
    """The first call that is given a buffer, or a window of it."""
    calls = (stmt for stmt in _later(alloc) if isinstance(stmt, C.CallCursor))
    for call in calls:
        for arg in call.args():
            if isinstance(arg, (C.ReadCursor, C.WindowExprCursor)) and arg.name() == alloc.name():
                return arg
    return None


def not_passed_to_permute(alloc: Any) -> None:
    """A buffer whose dimensions are permuted is given to no call."""
    found = passed_to(alloc)
    if found is not None:
        why = f"Cannot permute buffer '{alloc.name()}' because it is passed as a sub-procedure argument at {text(found)}"
        refuse("rearrange_dim", why)


def neither_passed_nor_windowed(primitive: str, verb: str, alloc: Any) -> None:
    """A buffer of which dimensions are divided or multiplied is given to no call, and no window is taken of it."""
    found = passed_to(alloc)
    if isinstance(found, C.ReadCursor):
        refuse(primitive, f"Cannot {verb} {alloc.name()} because buffer is passed as an argument")
    windows = (stmt.winexpr() for stmt in _later(alloc) if isinstance(stmt, C.WindowStmtCursor))
    if found is not None or any(window.name() == alloc.name() for window in windows):
        refuse(primitive, f"Cannot {verb} {alloc.name()} because the buffer is windowed later on")


def nothing_but_pass(called: Any) -> None:
    """What is called for no effect is written as ``pass``."""
    body = called.body()
    if len(body) != 1 or not isinstance(body[0], C.PassCursor):
        refuse("insert_noop_call", "Cannot insert a proc whose body is not pass")


_WINDOW = re.compile(r"\s*(\w+)\s*\[(.*)\]\s*$", re.S)


def window_of_a_name(window: str) -> None:
    """What is staged is a part of something with a name."""
    found = _WINDOW.match(window)
    if found and not re.match(r"[a-zA-Z_]", found[1]):
        raise ValueError(f"'{found[1]}' is not a valid name")


def window_of_all_dimensions(block: Any, window: str, uses: List[Any]) -> None:
    """A window that is staged has as many indices as the buffer, of which ``uses`` says what each statement does with it."""
    found = _WINDOW.match(window)
    name, given = (found[1], _commas(found[2]) + 1) if found else (window.strip(), 0)
    rank = next((each.rank for each in uses if each.rank), None) or _declared_rank(block, name)
    if rank not in (None, given):
        refuse("stage_mem", f"expected windowing of '{name}' to have {rank} indices, but only got {given}")


def _declared_rank(block: Any, name: str) -> Optional[int]:
    """The number of dimensions of an argument of a name, if it is a tensor."""
    declared = [arg for arg in block._proc.args() if arg.name() == name]
    if len(declared) != 1 or not declared[0].is_tensor():
        return None
    return len(declared[0].shape())


def _commas(indices: str) -> int:
    """The commas that are in no parentheses."""
    depth = count = 0
    for c in indices:
        depth += (c in "([{") - (c in ")]}")
        count += c == "," and depth == 0
    return count
