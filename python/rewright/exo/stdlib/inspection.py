# ruff: noqa: F401, F403
# mypy: implicit-reexport
"""Asking a procedure what it is: traversals, tests of syntax, and ways about the tree.

Every function takes the procedure first and forwards the cursors that it is given, so cursors of earlier versions do.
"""

from __future__ import annotations

import re as _re
import typing as _typing

from ..._errors import SchedulingError
from .. import *
from ..API import Procedure
from ..API_cursors import *
from ..API_cursors import (
    AllocCursor,
    ArgCursor,
    AssignConfigCursor,
    AssignCursor,
    BinaryOpCursor,
    BlockCursor,
    CallCursor,
    Cursor,
    ExprCursor,
    ExprListCursor,
    ExternFunctionCursor,
    ForCursor,
    IfCursor,
    InvalidCursor,
    LiteralCursor,
    PassCursor,
    ReadConfigCursor,
    ReadCursor,
    ReduceCursor,
    StmtCursor,
    StrideExprCursor,
    UnaryMinusCursor,
    WindowExprCursor,
    WindowStmtCursor,
)
from ..frontend.syntax import *
from ..libs.memories import *
from ..platforms.neon import *
from ..platforms.x86 import *
from .analysis import *
from .analysis import get_observed_stmts

if _typing.TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Union

#: Where there is nothing to say: the whole procedure.
_WHOLE = InvalidCursor()


# Traversals.


def get_children(proc: Any, cursor: Any = _WHOLE, lr: bool = True) -> Iterator[Any]:
    """The parts that something has right inside it, from left to right, or with ``lr=False`` from right to left.

    Of a procedure, which is meant where no cursor is given: its arguments, then its body as a block. Of a block, or any
    list: its members. Of a tensor: its extents. An interval of a window is a pair of cursors.
    """
    children = _children(_here(proc, cursor))
    yield from children if lr else reversed(children)


def _here(proc: Any, cursor: Any) -> Any:
    if isinstance(cursor, InvalidCursor):
        return proc
    return proc.forward(cursor) if isinstance(cursor, (StmtCursor, ExprCursor)) else cursor


#: Of each class of cursors, what gives the parts.
_PARTS: Dict[type, Callable[[Any], List[Any]]] = {
    ReadCursor: lambda expr: list(expr.idx()),
    WindowExprCursor: lambda expr: list(expr.idx()),
    UnaryMinusCursor: lambda expr: [expr.arg()],
    BinaryOpCursor: lambda expr: [expr.lhs(), expr.rhs()],
    ExternFunctionCursor: lambda expr: list(expr.args()),
    LiteralCursor: lambda expr: [],
    ReadConfigCursor: lambda expr: [],
    AllocCursor: lambda stmt: list(stmt.shape()) if stmt.is_tensor() else [],
    AssignCursor: lambda stmt: [*stmt.idx(), stmt.rhs()],
    ReduceCursor: lambda stmt: [*stmt.idx(), stmt.rhs()],
    ForCursor: lambda stmt: [stmt.lo(), stmt.hi(), *stmt.body()],
    IfCursor: lambda stmt: [stmt.cond(), *_branches(stmt)],
    CallCursor: lambda stmt: list(stmt.args()),
    WindowStmtCursor: lambda stmt: [stmt.winexpr()],
    AssignConfigCursor: lambda stmt: [stmt.rhs()],
    PassCursor: lambda stmt: [],
    ArgCursor: lambda arg: [arg.shape()] if arg.is_tensor() else [],
    ExprListCursor: list,
    BlockCursor: list,
    tuple: list,
    list: list,
    Procedure: lambda proc: [*proc.args(), proc.body()],
}


def _branches(stmt: Any) -> List[Any]:
    orelse = stmt.orelse()
    return [*stmt.body(), *orelse] if orelse else list(stmt.body())


def _children(of: Any) -> List[Any]:
    kind = type(of)
    parts = _PARTS.get(kind)
    if parts is None:
        known = [other for other in _PARTS if isinstance(of, other)]
        if not known:
            raise SchedulingError(f"nothing is known of the parts of {kind.__name__}")
        parts = _PARTS[kind] = _PARTS[known[0]]
    return parts(of)


def _traversal(proc: Any, cursor: Any, node_first: bool, lr: bool) -> List[Any]:
    if not isinstance(cursor, (InvalidCursor, ExprListCursor, BlockCursor)):
        cursor = proc.forward(cursor)
    found: List[Any] = []

    def visit(node: Any) -> None:
        if node_first:
            found.append(node)
        children = _children(_here(proc, node))
        for child in children if lr else reversed(children):
            visit(child)
        if not node_first:
            found.append(node)

    visit(cursor)
    return found


def _stmts(proc: Any, cursor: Any, node_first: bool) -> List[Any]:
    """The statements of a traversal from left to right, without a look at what has none."""
    if not isinstance(cursor, (InvalidCursor, BlockCursor)):
        cursor = proc.forward(cursor)
    found: List[Any] = []

    def visit(stmt: Any) -> None:
        if node_first:
            found.append(stmt)
        here = _here(proc, stmt)
        if isinstance(here, ForCursor):
            inside = list(here.body())
        else:
            inside = _branches(here) if isinstance(here, IfCursor) else []
        for inner in inside:
            visit(inner)
        if not node_first:
            found.append(stmt)

    if isinstance(cursor, (InvalidCursor, BlockCursor)):
        for stmt in proc.body() if isinstance(cursor, InvalidCursor) else cursor:
            visit(stmt)
    elif isinstance(cursor, StmtCursor):
        visit(cursor)
    return found


def lrn(proc: Any, cursor: Any = _WHOLE) -> Iterator[Any]:
    """Everything in the tree below a cursor, itself included: parts from left to right, then what has them."""
    yield from _traversal(proc, cursor, node_first=False, lr=True)


def nlr(proc: Any, cursor: Any = _WHOLE) -> Iterator[Any]:
    """Everything in the tree below a cursor, itself included: what has parts, then they from left to right."""
    yield from _traversal(proc, cursor, node_first=True, lr=True)


def rln(proc: Any, cursor: Any = _WHOLE) -> Iterator[Any]:
    """As ``lrn``, but from right to left."""
    yield from _traversal(proc, cursor, node_first=False, lr=False)


def nrl(proc: Any, cursor: Any = _WHOLE) -> Iterator[Any]:
    """As ``nlr``, but from right to left."""
    yield from _traversal(proc, cursor, node_first=True, lr=False)


def lrn_stmts(proc: Any, block: Any = _WHOLE) -> Iterator[Any]:
    """The statements among ``lrn``."""
    yield from _stmts(proc, block, node_first=False)


def nlr_stmts(proc: Any, block: Any = _WHOLE) -> Iterator[Any]:
    """The statements among ``nlr``."""
    yield from _stmts(proc, block, node_first=True)


# Names.

_NUMBERED = _re.compile(r"\bvar\d+\b")


def get_symbols(proc: Any, cursor: Any = _WHOLE) -> Iterator[str]:
    """The names of variables, buffers and externs below a cursor, as often as they occur."""
    for node in lrn(proc, cursor):
        if isinstance(node, Cursor) and hasattr(node, "name"):
            yield node.name()


def get_declaration(proc: Any, ctxt: Any, name: str) -> Any:
    """The allocation or argument that a name stands for at a cursor; a ``SchedulingError`` where there is none."""
    for seen in get_observed_stmts(get_my_stmt(proc, ctxt)):
        if isinstance(seen, AllocCursor) and seen.name() == name:
            return seen
    for arg in proc.args():
        if arg.name() == name:
            return arg
    raise SchedulingError("Declaration not found!")


def get_unique_names(proc: Any) -> Iterator[str]:
    """Names that do not occur yet: ``var0``, ``var1``, … ``var99``."""
    # How the program is laid out does not matter, and that takes long. Instructions show their C, too.
    text = str(proc) if proc.is_instr() else str(proc._raw)
    taken = set(_NUMBERED.findall(text))
    return (name for name in (f"var{n}" for n in range(100)) if name not in taken)


# Loops and statements.


def is_stmt(proc: Any, stmt: Any) -> bool:
    """Whether a cursor is at a statement."""
    return isinstance(proc.forward(stmt), StmtCursor)


def is_if(proc: Any, if_c: Any) -> bool:
    """Whether a cursor is at a condition."""
    return isinstance(proc.forward(if_c), IfCursor)


def is_loop(proc: Any, loop: Any) -> bool:
    """Whether a cursor is at a loop."""
    return isinstance(proc.forward(loop), ForCursor)


def check_is_loop(proc: Any, loop: Any) -> None:
    """A ``TypeError`` where a cursor is not at a loop."""
    if not is_loop(proc, loop):
        raise TypeError(f"loop is not a {ForCursor}")


def is_loop_bounds_const(proc: Any, loop: Any) -> bool:
    """Whether both bounds of a loop are numbers."""
    check_is_loop(proc, loop)
    loop = proc.forward(loop)
    return isinstance(loop.lo(), LiteralCursor) and isinstance(loop.hi(), LiteralCursor)


def loop_body_len(proc: Any, loop: Any) -> int:
    """How many statements a loop has right inside it."""
    check_is_loop(proc, loop)
    return len(proc.forward(loop).body())


def is_single_stmt_loop(proc: Any, loop: Any) -> bool:
    """Whether that is one."""
    return loop_body_len(proc, loop) == 1


# Ways about the tree.


class CursorNavigationError(Exception):
    """There is no such place as was asked for."""


def match_parent(cursor1: Any, cursor2: Any) -> Tuple[Any, Any]:
    """The two places, around two cursors of one procedure, that have the same parent."""
    proc = cursor1.proc()
    assert proc == cursor2.proc(), "cursors originate from different procs"
    deeper = get_depth(proc, cursor1) - get_depth(proc, cursor2)
    for _ in range(deeper):
        cursor1 = cursor1.parent()
    for _ in range(-deeper):
        cursor2 = cursor2.parent()
    while cursor1.parent() != cursor2.parent():
        cursor1, cursor2 = cursor1.parent(), cursor2.parent()
    return cursor1, cursor2


def get_top_level_stmt(proc: Any, c: Any) -> Any:
    """The statement of the procedure's own block that a cursor is in."""
    c = proc.forward(c)
    while c.parent():
        c = c.parent()
    return c


def get_enclosing_scope(proc: Any, cursor: Any, scope_type: Any) -> Any:
    """The nearest place of a class, or of a tuple of classes, around a cursor; a ``SchedulingError`` where there is none."""
    for around in get_parents(proc, cursor):
        if isinstance(around, scope_type):
            return around
    raise SchedulingError("No enclosing scope found")


def _nth_around(proc: Any, cursor: Any, scope_type: Any, n: int) -> Any:
    cursor = proc.forward(cursor)
    for _ in range(n):
        cursor = get_enclosing_scope(proc, cursor, scope_type)
    return cursor


def get_enclosing_loop(proc: Any, cursor: Any, n: int = 1) -> Any:
    """The n-th loop around a cursor, counted from the inside."""
    return _nth_around(proc, cursor, ForCursor, n)


def get_enclosing_loop_by_name(proc: Any, cursor: Any, loop_iter: str) -> Any:
    """The nearest loop over a variable of this name around a cursor, which may be that loop itself; a
    ``CursorNavigationError`` where there is none."""
    cursor = proc.forward(cursor)
    while not (isinstance(cursor, ForCursor) and cursor.name() == loop_iter):
        cursor = cursor.parent()
        if not cursor:
            raise CursorNavigationError("no enclosing loop found")
    return cursor


def get_enclosing_if(proc: Any, cursor: Any, n: int = 1) -> Any:
    """The n-th condition around a cursor, counted from the inside."""
    return _nth_around(proc, cursor, IfCursor, n)


def get_enclosing_stmt(proc: Any, cursor: Any, n: int = 1) -> Any:
    """The n-th statement around a cursor, counted from the inside."""
    return _nth_around(proc, cursor, StmtCursor, n)


def get_my_stmt(proc: Any, cursor: Any) -> Any:
    """The statement at a cursor, or the one that an expression is in."""
    cursor = proc.forward(cursor)
    return cursor if isinstance(cursor, StmtCursor) else get_enclosing_stmt(proc, cursor)


def get_index_in_body(proc: Any, stmt: Any, from_top: bool = True) -> int:
    """How many statements come before one in its block; with ``from_top=False``, the same place counted from the end of
    the body around it, as a negative number."""
    stmt = proc.forward(stmt)
    index = 0
    while stmt.prev():
        stmt = stmt.prev()
        index += 1
    return index if from_top else index - len(get_parent(proc, stmt).body())


def get_parent(proc: Any, stmt: Any) -> Any:
    """What is around a statement: another, or the procedure."""
    return proc.forward(stmt).parent() or proc


def get_parents(proc: Any, stmt: Any, up_to: Any = None) -> Iterator[Any]:
    """Everything around a cursor, nearest first: to the top, or to ``up_to``, which comes last."""
    at = proc.forward(stmt)
    last = None
    if up_to is not None:
        last = proc.forward(up_to)
        assert last.is_ancestor_of(at), "`up_to` is not around the cursor"
        if last == at:
            return
    at = at.parent()
    while at:
        yield at
        if last is not None and at == last:
            return
        at = at.parent()


def get_nth_inner_loop(proc: Any, loop: Any, n: int) -> Any:
    """The n-th loop right inside a loop, counted from 0; a ``SchedulingError`` where there are not so many."""
    inner = [stmt for stmt in proc.forward(loop).body() if isinstance(stmt, ForCursor)]
    if n >= len(inner):
        raise SchedulingError(f"Expected exactly at least {n + 1} loops, found {len(inner)}")
    return inner[n]


def get_inner_loop(proc: Any, loop: Any) -> Any:
    """The first loop right inside a loop."""
    return get_nth_inner_loop(proc, loop, 0)


def is_start_of_body(proc: Any, stmt: Any) -> bool:
    """Whether a statement is the first of its block."""
    return not proc.forward(stmt).prev()


def is_end_of_body(proc: Any, stmt: Any) -> bool:
    """Whether a statement is the last of its block."""
    return not proc.forward(stmt).next()


def get_depth(proc: Any, cursor: Any) -> int:
    """How deep a cursor is: 2 for a statement of the procedure's own block, one more for each statement and expression
    around it."""
    return 2 + sum(1 for _ in get_parents(proc, cursor))


def get_lca(proc: Any, cursor1: Any, cursor2: Any) -> Any:
    """The innermost place that both cursors are in; a ``CursorNavigationError`` where there is none."""
    common = proc.forward(cursor1)
    other = proc.forward(cursor2)
    while not common.is_ancestor_of(other):
        common = common.parent()
        if not common:
            raise CursorNavigationError("these cursors do not have a common ancestor")
    return common


def get_distance(proc: Any, cursor1: Any, cursor2: Any) -> int:
    """How many moves to a parent, or back, lead from one cursor to the other."""
    common = get_lca(proc, cursor1, cursor2)
    return get_depth(proc, cursor1) + get_depth(proc, cursor2) - 2 * get_depth(proc, common)


def get_bounding_block(proc: Any, cursors: Iterable[Any]) -> Any:
    """The smallest block that all cursors are in."""
    stmts = [get_my_stmt(proc, cursor) for cursor in cursors]
    depths = [get_depth(proc, stmt) for stmt in stmts]
    while any(stmt.parent() != stmts[0].parent() for stmt in stmts):
        deepest = max(depths)
        for at, depth in enumerate(depths):
            if depth == deepest:
                stmts[at] = stmts[at].parent()
                depths[at] -= 1
    order = sorted(((get_index_in_body(proc, stmt), stmt) for stmt in stmts), key=lambda pair: pair[0])
    return order[0][1].as_block().expand(0, order[-1][0] - order[0][0])


# What an expression or a write is.


def is_binop(proc: Any, expr: Any, op: Optional[str] = None) -> bool:
    """Whether an expression is a binary operation, of this operator if one is given."""
    expr = proc.forward(expr)
    return isinstance(expr, BinaryOpCursor) and (op is None or expr.op() == op)


def is_add(proc: Any, expr: Any) -> bool:
    """Whether it is a sum."""
    return is_binop(proc, expr, "+")


def is_sub(proc: Any, expr: Any) -> bool:
    """Whether it is a difference."""
    return is_binop(proc, expr, "-")


def is_mul(proc: Any, expr: Any) -> bool:
    """Whether it is a product."""
    return is_binop(proc, expr, "*")


def is_div(proc: Any, expr: Any) -> bool:
    """Whether it is a quotient."""
    return is_binop(proc, expr, "/")


def is_mod(proc: Any, expr: Any) -> bool:
    """Whether it is a remainder."""
    return is_binop(proc, expr, "%")


def is_builtin(proc: Any, expr: Any, name: str) -> bool:
    """Whether an expression is a call of the extern of this name."""
    expr = proc.forward(expr)
    return isinstance(expr, ExternFunctionCursor) and expr.name() == name


def is_select(proc: Any, expr: Any) -> bool:
    """Whether it is ``select(…)``."""
    return is_builtin(proc, expr, "select")


def is_relu(proc: Any, expr: Any) -> bool:
    """Whether it is ``relu(…)``."""
    return is_builtin(proc, expr, "relu")


def is_sin(proc: Any, expr: Any) -> bool:
    """Whether it is ``sin(…)``."""
    return is_builtin(proc, expr, "sin")


def is_literal(proc: Any, expr: Any, value: Union[None, bool, int, float] = None) -> bool:
    """Whether an expression is a number or a truth value, this one if one is given."""
    expr = proc.forward(expr)
    return isinstance(expr, LiteralCursor) and (value is None or expr.value() == value)


def is_unary_minus(proc: Any, expr: Any) -> bool:
    """Whether it is ``-e``."""
    return isinstance(proc.forward(expr), UnaryMinusCursor)


def is_reduce(proc: Any, reduce: Any) -> bool:
    """Whether a statement is ``x[i] += e``."""
    return isinstance(proc.forward(reduce), ReduceCursor)


def is_assign(proc: Any, assign: Any) -> bool:
    """Whether a statement is ``x[i] = e``."""
    return isinstance(proc.forward(assign), AssignCursor)


def is_read(proc: Any, read: Any, name: Optional[str] = None) -> bool:
    """Whether an expression reads a variable or a buffer, the one of this name if one is given."""
    read = proc.forward(read)
    return isinstance(read, ReadCursor) and (name is None or read.name() == name)


def is_write(proc: Any, write: Any) -> bool:
    """Whether a statement writes a cell of a buffer."""
    return is_reduce(proc, write) or is_assign(proc, write)


def is_access(proc: Any, access: Any) -> bool:
    """Whether something reads or writes by name."""
    return is_read(proc, access) or is_write(proc, access)


def is_copy(proc: Any, assign: Any) -> bool:
    """Whether a statement assigns what it reads from a buffer of the same memory, and nothing else."""
    assign = proc.forward(assign)
    if not is_assign(proc, assign) or not is_read(proc, assign.rhs()):
        return False
    written = get_declaration(proc, assign, assign.name())
    read = get_declaration(proc, assign, assign.rhs().name())
    return written.mem() is read.mem()


#: What tells two expressions of one class and equal parts apart.
_TRAITS = ("name", "value", "op", "config", "field")


def are_exprs_equal(proc: Any, expr1: Any, expr2: Any) -> bool:
    """Whether two expressions are written alike, by the names that occur in them."""

    def alike(one: Any, other: Any) -> bool:
        if type(one) is not type(other):
            return False
        if isinstance(one, Cursor):
            for trait in _TRAITS:
                if hasattr(one, trait) and getattr(one, trait)() != getattr(other, trait)():
                    return False
        parts, others = list(get_children(proc, one)), list(get_children(proc, other))
        return len(parts) == len(others) and all(map(alike, parts, others))

    return alike(proc.forward(expr1), proc.forward(expr2))


def expr_to_string(expr_cursor: Any, subst: Mapping[str, Any] = {}) -> str:
    """An expression as text, every part of it in parentheses; ``subst`` says what is written for names that are read.

    Fields, windows and negations are not written: they are a ``SchedulingError``.
    """
    if isinstance(expr_cursor, ExprListCursor):
        parts = [expr_to_string(part, subst) for part in expr_cursor]
        return f"[{', '.join(parts)}]" if parts else ""
    if isinstance(expr_cursor, ReadCursor):
        name = expr_cursor.name()
        return f"({subst[name] if name in subst else name + expr_to_string(expr_cursor.idx(), subst)})"
    if isinstance(expr_cursor, LiteralCursor):
        return f"({expr_cursor.value()})"
    if isinstance(expr_cursor, BinaryOpCursor):
        lhs, rhs = (expr_to_string(side, subst) for side in (expr_cursor.lhs(), expr_cursor.rhs()))
        return f"({lhs}{expr_cursor.op()}{rhs})"
    if isinstance(expr_cursor, ExternFunctionCursor):
        return f"({expr_cursor.name()}({expr_to_string(expr_cursor.args(), subst)[1:-1]}))"
    if isinstance(expr_cursor, (ReadConfigCursor, WindowExprCursor, UnaryMinusCursor, StrideExprCursor)):
        raise SchedulingError(f"{type(expr_cursor).__name__} is not supported")
    raise SchedulingError("Cursor must be an ExprCursor")
