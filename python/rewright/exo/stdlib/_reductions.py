"""Reductions: each lane of a loop gets a sum of its own."""

from __future__ import annotations

from typing import Any, Optional, Tuple, Union

from ._staging import auto_stage_mem, parallelize_and_lift_alloc
from ._tidy import joined_again
from .higher_order import attempt, make_pass
from .inspection import (
    DRAM,
    ReduceCursor,
    SchedulingError,
    get_enclosing_loop,
    get_parents,
    get_symbols,
    is_loop,
    is_reduce,
)
from .rc_wrappers import divide_loop_
from .scheduling import FormattedExprStr, fission, reorder_loops, set_memory, simplify, unroll_loop


def parallelize_reduction(
    proc: Any,
    reduce_stmt: Any,
    factor: Optional[int] = None,
    memory: Any = DRAM,
    nth_loop: int = 1,
    unroll: Union[bool, Tuple[bool, bool]] = False,
) -> Any:
    """Gives the iterations of the n-th loop around a reduction sums of their own, in a buffer of ``memory``, which are
    added up after it; with a factor, so many sums.

    ``unroll`` says whether the loops that clear and add up are unrolled: both, or each.
    """
    clears, adds = (unroll, unroll) if isinstance(unroll, bool) else unroll
    reduce_stmt = proc.forward(reduce_stmt)
    if not is_reduce(proc, reduce_stmt):
        raise TypeError(f"reduce_stmt must of type {ReduceCursor}")
    loop = get_enclosing_loop(proc, reduce_stmt, nth_loop)
    if loop.name() in get_symbols(proc, reduce_stmt.idx()):
        raise SchedulingError("Statement isn't a reduction over the specified loop.")
    length = FormattedExprStr("_", loop.hi())
    if factor is not None:
        proc, (loop, _, _) = divide_loop_(proc, loop, factor, tail="guard", rc=True)
        proc = simplify(proc)

    proc = reorder_loops(proc, loop)
    proc = auto_stage_mem(proc, loop, reduce_stmt.name(), accum=True)
    proc = simplify(proc)
    proc = set_memory(proc, _sums(proc, loop), memory)
    proc = parallelize_and_lift_alloc(proc, _sums(proc, loop))

    loop = proc.forward(loop)
    proc = fission(proc, loop.before())
    proc = fission(proc, loop.after())
    proc = reorder_loops(proc, proc.forward(loop).parent())

    loop = proc.forward(loop)
    if clears:
        proc = unroll_loop(proc, loop.prev())
    if adds:
        proc = unroll_loop(proc, loop.next())
    return proc if factor is None else joined_again(proc, loop, length)


def _sums(proc: Any, loop: Any) -> Any:
    """The allocation of the sums, two statements before the loop."""
    return proc.forward(loop).prev().prev()


def parallelize_all_reductions(
    proc: Any,
    loop: Any,
    factor: Optional[int] = None,
    memory: Any = DRAM,
    unroll: Union[bool, Tuple[bool, bool]] = False,
) -> Any:
    """Does so with every reduction over a loop inside it."""
    loop = proc.forward(loop)

    def parallelize(proc: Any, stmt: Any) -> Any:
        stmt = proc.forward(stmt)
        target = proc.forward(loop)
        depth = 0
        for around in get_parents(proc, stmt):
            depth += is_loop(proc, around)
            if around == target:
                break
        return parallelize_reduction(proc, stmt, factor, memory, depth, unroll)

    return make_pass(attempt(parallelize))(proc, loop.body())
