"""Small steps that other schedules end with: what never runs, what runs once, statements past each other."""

from __future__ import annotations

from typing import Any, Optional

from .higher_order import attempt, make_pass, predicate
from .inspection import (
    AllocCursor,
    BinaryOpCursor,
    ForCursor,
    IfCursor,
    InvalidCursor,
    LiteralCursor,
    ReadCursor,
    SchedulingError,
    is_copy,
    is_loop,
    is_loop_bounds_const,
    lrn_stmts,
)
from .scheduling import (
    FormattedExprStr,
    cut_loop,
    delete_pass,
    eliminate_dead_code,
    inline_assign,
    mult_loops,
    reorder_stmts,
    simplify,
    unroll_buffer,
    unroll_loop,
)


def _eliminate_dead_branch(proc: Any, stmt: Any) -> Any:
    stmt = proc.forward(stmt)
    return proc if isinstance(stmt, ForCursor) else eliminate_dead_code(proc, stmt)


#: ``dce(proc, block)``: of each condition in a block that is always true or never, only the branch that is taken stays.
#: Loops stay, also those that never run: in Exo, too, they do.
dce = make_pass(attempt(_eliminate_dead_branch))

#: ``inline_copies(proc, block)``: assignments of what is read from a buffer of the same memory are inlined.
inline_copies = make_pass(predicate(attempt(inline_assign), is_copy))


def unroll_loops(proc: Any, block: Any = InvalidCursor(), threshold: Optional[int] = None) -> Any:
    """Unrolls every loop whose bounds are numbers, inner loops first; with a threshold, those of so many iterations at
    most."""

    def short(proc: Any, stmt: Any) -> bool:
        stmt = proc.forward(stmt)
        if not (is_loop(proc, stmt) and is_loop_bounds_const(proc, stmt)):
            return False
        return threshold is None or stmt.hi().value() - stmt.lo().value() <= threshold

    return make_pass(predicate(unroll_loop, short), lrn_stmts)(proc, block)


def cleanup(proc: Any) -> Any:
    """Simplifies, unrolls loops of one iteration at most, takes out branches that never run, and every ``pass``."""
    proc = dce(unroll_loops(simplify(proc), threshold=1))
    try:
        proc.find("pass")
    except SchedulingError:
        return proc
    return attempt(delete_pass, errs=(SchedulingError,))(proc)


def unroll_buffers(proc: Any, block: Any = InvalidCursor(), mem: Any = None) -> Any:
    """Makes scalars of the first dimensions of buffers, while they are numbers. Of a buffer in ``mem`` the last dimension
    stays: it is a register."""

    def unroll_first(proc: Any, stmt: Any) -> Any:
        alloc = proc.forward(stmt)
        if not isinstance(alloc, AllocCursor) or not alloc.is_tensor():
            return proc
        extents = alloc.shape()
        stays = 1 if alloc.mem() is mem else 0
        if len(extents) == stays or not isinstance(extents[0], LiteralCursor):
            return proc
        return unroll_buffer(proc, alloc, 0)

    while True:
        made = make_pass(unroll_first)(proc, block)
        if made == proc:
            return made
        proc = made


def reorder_stmt_forward(proc: Any, stmt: Any) -> Any:
    """Swaps a statement with the one after it."""
    return reorder_stmts(proc, proc.forward(stmt).as_block().expand(0, 1))


def reorder_stmt_backwards(proc: Any, stmt: Any) -> Any:
    """In Exo this asks for a block that begins one statement later, which is always a ``ValueError``; so it is here.
    ``reorder_stmts(p, s.expand(1, 0))`` swaps a statement with the one before it."""
    return reorder_stmts(proc, proc.forward(stmt).as_block().expand(-1, 0))


_NOT_GUARDED = "Expected loop to be of the following structure:\nfor iter in seq(lo, hi):\n\t if iter < e:"


def bound_loop_by_if(proc: Any, loop: Any) -> Any:
    """Ends a loop where the condition that is all its body begins to fail: ``for i in seq(a, b): if i < e: s`` becomes
    ``for i in seq(a, a + e): s``. Another form is a ``SchedulingError``."""
    loop = proc.forward(loop)
    body = loop.body()
    guard = body[0]
    if len(body) != 1 or not isinstance(guard, IfCursor) or guard.orelse():
        raise SchedulingError(_NOT_GUARDED)
    cond: Any = guard.cond()
    if not isinstance(cond, BinaryOpCursor) or cond.op() != "<":
        raise SchedulingError(_NOT_GUARDED)
    counted: Any = cond.lhs()
    if not isinstance(counted, ReadCursor) or counted.name() != loop.name():
        raise SchedulingError(_NOT_GUARDED)
    proc = cut_loop(proc, loop, FormattedExprStr("_ + _", loop.lo(), cond.rhs()))
    runs = proc.forward(loop)
    rest = runs.next()
    proc = eliminate_dead_code(proc, runs.body()[0])
    proc, gone = attempt(eliminate_dead_code)(proc, rest, rs=True)
    return proc if gone else eliminate_dead_code(proc, rest.body()[0])


def undo_divide_and_guard_loop(proc: Any, loop: Any) -> Any:
    """Makes one loop again of ``io`` and ``ii`` that ``divide_loop`` made with a guard: the name loses its last letter."""
    loop = proc.forward(loop)
    return bound_loop_by_if(simplify(mult_loops(proc, loop, loop.name()[:-1])), loop)


def joined_again(proc: Any, loop: Any, length: Any) -> Any:
    """The same of a loop whose guard may be gone, since ``simplify`` knows that nothing is left over: then it ends at the
    length that it had, which is where the guard would end it."""
    loop = proc.forward(loop)
    proc = simplify(mult_loops(proc, loop, loop.name()[:-1]))
    if isinstance(proc.forward(loop).body()[0], IfCursor):
        return bound_loop_by_if(proc, loop)
    proc = cut_loop(proc, loop, length)
    return eliminate_dead_code(proc, proc.forward(loop).next())
