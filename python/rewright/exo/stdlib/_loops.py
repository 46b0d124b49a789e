"""Loops: tiled, interleaved, unrolled and jammed, cut; statements hoisted out of them and jammed into them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Optional, Sequence, Tuple

from ._cursors import Cursors
from ._reductions import parallelize_all_reductions
from ._staging import parallelize_allocs, parallelize_and_lift_alloc
from ._tidy import reorder_stmt_forward
from .higher_order import apply, attempt, repeate
from .inspection import (
    DRAM,
    AllocCursor,
    ExprCursor,
    ForCursor,
    IfCursor,
    InvalidCursorError,
    LiteralCursor,
    PassCursor,
    SchedulingError,
    StmtCursor,
    expr_to_string,
    get_children,
    get_symbols,
    is_end_of_body,
    is_loop,
)
from .rc_wrappers import cut_loop_, divide_loop_, fission_, specialize_
from .scheduling import (
    FormattedExprStr,
    add_loop,
    divide_loop,
    eliminate_dead_code,
    fission,
    fuse,
    lift_alloc,
    lift_scope,
    mult_loops,
    remove_loop,
    reorder_loops,
    reorder_stmts,
    shift_loop,
    simplify,
    unroll_loop,
)

#: Which of the statements before an inner loop, the inner loop, and the statements after it are unrolled.
Unroll = Tuple[bool, bool, bool]


# Dividing.


@dataclass
class divide_loop_recursive_cursors(Cursors):
    """The outer loops, the inner loops, and the loop with what is left over in the end."""

    outer_loops: List[Any]
    inner_loops: List[Any]
    tail_loop: Any


def divide_loop_recursive(proc: Any, loop: Any, factor: int, tail: str = "cut", rc: bool = False) -> Any:
    """Divides a loop by a factor, the rest of it by half of that, and so on while it is more than 1."""
    if tail not in {"cut", "cut_and_guard"}:
        raise SchedulingError("tail strategy must be cut or cut_and_guard")
    outer_loops, inner_loops = [], []
    rest = loop
    while factor > 1:
        proc, (outer, inner, rest) = divide_loop_(proc, rest, factor, tail=tail, rc=True)
        rest = rest.body()[0] if isinstance(rest, IfCursor) else rest
        outer_loops.append(outer)
        inner_loops.append(inner)
        factor //= 2
    if not rc:
        return proc
    outer_loops = [proc.forward(cursor) for cursor in outer_loops]
    inner_loops = [proc.forward(cursor) for cursor in inner_loops]
    return proc, divide_loop_recursive_cursors(outer_loops, inner_loops, rest)


def round_loop(proc: Any, loop: Any, factor: int, up: bool = True) -> Any:
    """Makes the length of a loop a multiple of a factor: up, with a guard in the body, or down, with a loop for the rest."""
    proc, (outer, _, _) = divide_loop_(proc, loop, factor, tail="guard" if up else "cut", rc=True)
    return mult_loops(proc, outer, outer.name()[:-1])


@dataclass
class cut_loop_and_unroll_cursors(Cursors):
    """The loop that is left."""

    loop: Any


def cut_loop_and_unroll(proc: Any, loop: Any, const: Any, front: bool = True, rc: bool = False) -> Any:
    """Takes the first iteration, or the last, out of a loop, which then starts at 0. ``const`` is not used, in Exo neither:
    it is one iteration."""
    loop = proc.forward(loop)
    cut = FormattedExprStr("_ + 1", loop.lo()) if front else FormattedExprStr("_ - 1", loop.hi())
    proc, (first, second) = cut_loop_(proc, loop, cut, rc=True)
    single, rest = (first, second) if front else (second, first)
    proc = simplify(shift_loop(proc, single, 0))
    proc = unroll_loop(proc, single)
    proc = shift_loop(proc, rest, 0)
    return (proc, cut_loop_and_unroll_cursors(rest)) if rc else proc


@dataclass
class binary_specialize_cursors(Cursors):
    """The copies of the statement, one for each value."""

    stmts: Any


def binary_specialize(proc: Any, stmt: Any, expr: Any, values: Sequence[Any], rc: bool = False) -> Any:
    """Copies a statement for each value that an expression may have, below conditions that halve the values. That there
    are no others must be provable. One value alone is a ``SchedulingError``."""
    if isinstance(expr, ExprCursor):
        expr = expr_to_string(proc.forward(expr))
    if len(values) == 1:
        raise SchedulingError("Cannot specialize given one value!")
    copies: List[Any] = []

    def halve(proc: Any, stmt: Any, values: Sequence[Any]) -> Any:
        if len(values) > 1:
            middle = len(values) // 2
            proc, (cond,) = specialize_(proc, stmt, f"{expr} < {values[middle]}", rc=True)
            proc = halve(proc, cond.body()[0], values[:middle])
            return halve(proc, cond.orelse()[0], values[middle:])
        # The last question has one answer: that it is eliminated proves that the values are all there are.
        proc, (cond,) = specialize_(proc, stmt, f"{expr} == {values[0]}", rc=True)
        proc = simplify(proc)
        if _is_there(proc, cond):
            proc = eliminate_dead_code(proc, cond)
        copies.extend([cond.body()[0], cond.orelse()[0]])
        return proc

    proc = halve(proc, proc.forward(stmt), sorted(values))
    if not rc:
        return proc
    left = []
    for copy in copies:
        try:
            found = proc.forward(copy)
        except InvalidCursorError:
            continue
        if not isinstance(found, PassCursor):
            left.append(found)
    return proc, binary_specialize_cursors(left)


def _is_there(proc: Any, cursor: Any) -> bool:
    try:
        return bool(proc.forward(cursor))
    except InvalidCursorError:
        return False


# Interleaving.


def _interleave(proc: Any, loop: Any, factor: Optional[int], par_reduce: bool, memory: Any, tail: str) -> Any:
    loop = proc.forward(loop)
    if factor is not None:
        proc, (outer, loop, _) = divide_loop_(proc, loop, factor, tail=tail, rc=True)
    else:
        outer = loop.parent()
    # Copies that are in no loop add to their sums once: no more than one of them waits for another.
    if par_reduce and isinstance(outer, ForCursor):
        proc = parallelize_all_reductions(proc, outer, memory=memory, unroll=True)
        loop = proc.forward(outer).body()[0]
    for stmt in loop.body():
        if isinstance(stmt, AllocCursor):
            proc = parallelize_and_lift_alloc(proc, stmt)
    stmts = list(proc.forward(loop).body())
    proc = apply(fission)(proc, [stmt.after() for stmt in stmts[:-1]])
    return apply(unroll_loop)(proc, [proc.forward(stmt).parent() for stmt in stmts])


def interleave_loop(
    proc: Any, loop: Any, factor: Optional[int] = None, par_reduce: bool = False, memory: Any = DRAM, tail: str = "cut"
) -> Any:
    """Unrolls so many iterations of a loop, or all, statement by statement: all copies of the first come before those of
    the second.

    ``par_reduce`` gives the copies of reductions buffers of their own, in ``memory``. ``tail`` says what becomes of the
    iterations that are left over: ``"cut"`` and ``"cut_and_guard"`` a loop, ``"recursive"`` loops interleaved by halves of
    the factor, ``"specialize"`` an interleaved copy for each number that may be left.
    """
    if factor == 1:
        return proc
    loop = proc.forward(loop)
    if tail in {"cut", "cut_and_guard"}:
        return _interleave(proc, loop, factor, par_reduce, memory, tail)
    if tail not in {"recursive", "specialize"}:
        raise SchedulingError(f"Unknown tail strategy: {tail}")
    if factor is None:
        raise SchedulingError("Cannot specify recursive tail strategy and factor=None")
    if tail == "recursive":
        proc, (_, copies, _) = divide_loop_recursive(proc, loop, factor, tail="cut", rc=True)
    else:
        proc, (_, inner, rest) = divide_loop_(proc, loop, factor, tail="cut", rc=True)
        proc = _interleave(proc, inner, None, par_reduce, memory, "cut")
        rest = proc.forward(rest)
        proc, (copies,) = binary_specialize(proc, rest, rest.hi(), list(range(factor)), rc=True)
    for copy in copies:
        proc = _interleave(proc, copy, None, par_reduce, memory, "cut")
    return proc


def interleave_outer_loop_with_inner_loop(
    proc: Any,
    outer_loop_cursor: Any,
    inner_loop_cursor: Any,
    interleave_factor: int,
    unroll: Unroll = (True, True, True),
) -> Any:
    """Divides an outer loop, and moves its inner part into the loop inside it.

    for i: (s1; for j: s2; s3)    ~>    for io: (for ii: s1; for j: for ii: s2; for ii: s3)

    Of the three loops over ``ii``, ``unroll`` says which are unrolled.
    """
    outer = proc.forward(outer_loop_cursor)
    inner = proc.forward(inner_loop_cursor)
    if isinstance(outer.hi(), LiteralCursor) and outer.hi().value() == interleave_factor:
        part = outer
    else:
        names = (outer.name() + "o", outer.name() + "i")
        proc = divide_loop(proc, outer, interleave_factor, names, tail="cut")
        part = proc.forward(outer).body()[0]
    stmts = list(part.body())
    proc = simplify(proc)
    for stmt in stmts:
        if isinstance(stmt, AllocCursor):
            proc = parallelize_and_lift_alloc(proc, stmt)

    inner = proc.forward(inner)
    if inner.prev():
        proc = fission(proc, inner.before())
        inner = proc.forward(inner)
        if unroll[0]:
            proc = unroll_loop(proc, inner.parent().prev())
    if inner.next():
        proc = fission(proc, inner.after())
        inner = proc.forward(inner)
        if unroll[2]:
            proc = unroll_loop(proc, inner.parent().next())
    inner = proc.forward(inner)
    proc = reorder_loops(proc, inner.parent())
    return unroll_loop(proc, inner.parent()) if unroll[1] else proc


def unroll_and_jam(proc: Any, loop: Any, factor: int, unroll: Unroll = (True, True, True)) -> Any:
    """Unrolls so many iterations of a loop into the one loop right inside it."""
    loop = proc.forward(loop)
    inner = [stmt for stmt in loop.body() if isinstance(stmt, ForCursor)]
    if len(inner) > 1:
        raise SchedulingError("Multiple loops found, decision is ambigious")
    if not inner:
        raise SchedulingError("No loops found")
    return interleave_outer_loop_with_inner_loop(proc, loop, inner[0], factor, unroll=unroll)


def unroll_and_jam_parent(proc: Any, loop: Any, factor: int, unroll: Unroll = (True, True, True)) -> Any:
    """Unrolls so many iterations of the loop around a loop into it."""
    loop = proc.forward(loop)
    outer = loop.parent()
    if not isinstance(outer, ForCursor):
        raise SchedulingError("parent is not a loop")
    return interleave_outer_loop_with_inner_loop(proc, outer, loop, factor, unroll=unroll)


def fission_into_singles(proc: Any, cursor: Any) -> Any:
    """Gives every statement inside a loop or a condition a copy of all that is around it, up to there."""
    if not isinstance(cursor, (ForCursor, IfCursor)):
        raise SchedulingError(f"Got type {type(cursor)}, expected {ForCursor} or {IfCursor}")
    cursor = proc.forward(cursor)

    def split(proc: Any, stmt: Any, n_lifts: int = 0) -> Any:
        if n_lifts and not is_end_of_body(proc, stmt):
            proc = fission(proc, stmt.after(), n_lifts)
        inside = [part for part in get_children(proc, stmt) if isinstance(part, StmtCursor)]
        return apply(split)(proc, inside, n_lifts + 1)

    return split(parallelize_allocs(proc, cursor), cursor)


# Tiling.


def tile_loops(proc: Any, loop_tile_pairs: Sequence[Tuple[Any, int]], perfect: bool = False) -> Tuple[Any, List[Any]]:
    """Divides nested loops, outermost first, each by its number, and brings the inner parts together inside: the
    procedure, and cursors to these. ``perfect`` says that nothing is left over."""
    loops = [proc.forward(loop) for loop, _ in loop_tile_pairs]
    tiles = [tile for _, tile in loop_tile_pairs]
    inner_loops = []
    for loop, tile in zip(loops, tiles):
        names = (loop.name() + "o", loop.name() + "i")
        if perfect or (isinstance(loop.hi(), LiteralCursor) and loop.hi().value() % tile == 0):
            proc = divide_loop(proc, loop, tile, names, perfect=True)
        else:
            proc = divide_loop(proc, loop, tile, names, tail="cut")
        inner_loops.append(proc.forward(loop).body()[0])
    for at in reversed(range(len(loops) - 1)):
        for loop in loops[at + 1 :]:
            proc = interleave_outer_loop_with_inner_loop(proc, inner_loops[at], loop, tiles[at], (False, False, False))
    return proc, [proc.forward(loop) for loop in inner_loops]


def tile_loops_bottom_up(proc: Any, loop: Any, tiles: Sequence[Optional[int]]) -> Any:
    """Divides a loop and those right inside it, innermost first, each by its number or by none, and pushes every inner
    part below what it was around. Each loop but the last has one loop and nothing else inside."""
    nest = [loop]
    for _ in tiles[:-1]:
        body = nest[-1].body()
        if len(body) != 1:
            raise SchedulingError("All loop must have a body length of 1")
        if not isinstance(body[0], ForCursor):
            raise SchedulingError("Did not find a nested loop")
        nest.append(body[0])
    for depth, (at, tile) in enumerate(zip(reversed(nest), reversed(tiles)), start=1):
        if tile is None:
            proc = _pushed_in(proc, at, depth)
            continue
        proc, (_, inner, rest) = divide_loop_(proc, at, tile, tail="cut_and_guard", rc=True)
        proc = _pushed_in(proc, inner, depth)
        proc = _pushed_in(proc, rest.body()[0], depth)
    return proc


def _height(stmt: Any) -> int:
    """How many loops and conditions are nested in a statement, itself included."""
    return 1 + max(map(_height, stmt.body())) if isinstance(stmt, (ForCursor, IfCursor)) else 0


def _pushed_in(proc: Any, loop: Any, depth: int) -> Any:
    """Moves a loop inward until there are only so many scopes in it, itself included."""
    loop = proc.forward(loop)
    if _height(loop) == depth:
        return proc
    stmts = list(loop.body())
    for stmt in stmts[:-1]:
        proc = fission(proc, stmt.after())
    part = proc.forward(loop)
    parts = []
    for _ in stmts:
        parts.append(part)
        part = part.next()
    for part in parts:
        if _height(part) == depth:
            continue
        part = proc.forward(part)
        inside = part.body()[0]
        if isinstance(inside, ForCursor):
            proc = reorder_loops(proc, part)
            moved = proc.forward(part)
        elif isinstance(inside, IfCursor):
            proc = lift_scope(proc, inside)
            moved = proc.forward(inside).body()[0]
        else:
            raise AssertionError("a loop is pushed into loops and conditions")
        proc = _pushed_in(proc, moved, depth)
    return proc


# Statements out of loops and into them.


@dataclass
class hoist_stmt_cursors(Cursors):
    """The allocations that went along, the statement, and the loop."""

    allocs: List[Any]
    stmt: Any
    loop: Any


def hoist_stmt(proc: Any, stmt: Any, rc: bool = False) -> Any:
    """Moves a statement that does not name the loop's variable out of the loop, to before it, with the allocations that it
    needs. It is brought to the start of the body first, and what stands before it must let it pass."""
    stmt = proc.forward(stmt)
    if not isinstance(stmt, StmtCursor):
        raise SchedulingError("Cannot hoist cursor that are not statements")
    loop = stmt.parent()
    if not isinstance(loop, ForCursor):
        raise SchedulingError("Statement is not within a loop")
    names = set(get_symbols(proc, stmt))
    if loop.name() in names:
        raise SchedulingError("Cannot hoist cursor to a statement that depends on enclosing loop")

    if isinstance(stmt, AllocCursor):
        proc = lift_alloc(proc, stmt)
        if not rc:
            return proc
        stmt = proc.forward(stmt)
        return proc, hoist_stmt_cursors([stmt], stmt, proc.forward(loop))

    allocs = []
    while stmt.prev():
        before = stmt.prev()
        if isinstance(before, AllocCursor) and before.name() in names:
            proc = lift_alloc(proc, before)
            allocs.append(before)
        else:
            proc = reorder_stmts(proc, stmt.expand(1, 0))
        stmt = proc.forward(stmt)

    if len(loop.body()) > 1:
        proc, (_, loop) = fission_(proc, stmt.after(), rc=True)
        stmt = proc.forward(stmt)
    proc = remove_loop(proc, stmt.parent())
    if not rc:
        return proc
    allocs = [proc.forward(alloc) for alloc in allocs]
    return proc, hoist_stmt_cursors(allocs, proc.forward(stmt), proc.forward(loop))


@dataclass
class hoist_from_loop_cursors(Cursors):
    """Pairs of a statement that was hoisted and the allocations that went along; and the loop."""

    hoisted: List[Any]
    loop: Any


def hoist_from_loop(proc: Any, loop: Any, rc: bool = False) -> Any:
    """Hoists every statement of a loop that can be, but for allocations that none of them needs."""
    loop = proc.forward(loop)
    if not is_loop(proc, loop):
        raise SchedulingError(f"loop must of type {ForCursor} not {type(loop)}")
    done: List[Any] = []

    def hoist(proc: Any, stmt: Any) -> Any:
        stmt = proc.forward(stmt)
        if isinstance(stmt, AllocCursor):
            return proc
        proc, cursors = hoist_stmt(proc, stmt, rc=True)
        done.append(cursors)
        return proc

    proc = apply(attempt(hoist))(proc, loop.body())
    if not rc:
        return proc
    if not done:
        return proc, hoist_from_loop_cursors([], loop)
    hoisted = [(proc.forward(cursors.stmt), tuple(proc.forward(alloc) for alloc in cursors.allocs)) for cursors in done]
    return proc, hoist_from_loop_cursors(hoisted, done[-1].loop)


@dataclass
class jam_stmt_cursors(Cursors):
    """The loop, and the statement in it."""

    loop: Any
    stmt: Any


def jam_stmt(proc: Any, stmt: Any, unsafe_disable_check: bool = False, rc: bool = False) -> Any:
    """Moves a statement into the loop after it, where every iteration runs it, as late in the body as it can be."""
    stmt = proc.forward(stmt)
    loop = stmt.next()
    if not is_loop(proc, loop):
        raise SchedulingError("Next statement must be a loop.")
    length = FormattedExprStr("_ - _", loop.hi(), loop.lo())
    proc = add_loop(proc, stmt, loop.name(), length, unsafe_disable_check=unsafe_disable_check)
    around = proc.forward(stmt).parent()
    proc = simplify(shift_loop(proc, around, FormattedExprStr("_", loop.lo())))
    proc = fuse(proc, around, loop, unsafe_disable_check=unsafe_disable_check)
    proc = repeate(reorder_stmt_forward)(proc, stmt)
    return (proc, jam_stmt_cursors(proc.forward(around), proc.forward(stmt))) if rc else proc
