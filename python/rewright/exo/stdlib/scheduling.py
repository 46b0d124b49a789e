# ruff: noqa: F401, F403
# mypy: implicit-reexport
"""The primitives, and the oldest combinators on them: repetition, sequences, instruction selection."""

from __future__ import annotations

import typing as _typing
from functools import wraps as _wraps

from ..._errors import SchedulingError
from .._instructions import without_writes as _without_writes
from ..API import Procedure
from ..API_cursors import *
from ..API_cursors import lift as _lift
from ..API_cursors import (
    AssignCursor,
    CallCursor,
    ForCursor,
    IfCursor,
    InvalidCursorError,
    ReduceCursor,
)
from ..API_scheduling import (
    ArgOrAllocCursorA,
    BlockCursorA,
    BoolA,
    FormattedExprStr,
    ProcA,
    add_loop,
    add_unsafe_guard,
    autofission,
    autolift_alloc,
    bind_config,
    bind_expr,
    call_eqv,
    commute_expr,
    cut_loop,
    delete_buffer,
    delete_config,
    delete_pass,
    divide_dim,
    divide_loop,
    divide_with_recompute,
    eliminate_dead_code,
    expand_dim,
    extract_subproc,
    fission,
    fold_into_reduce,
    fuse,
    inline,
    inline_assign,
    inline_window,
    insert_noop_call,
    insert_pass,
    is_atomic_scheduling_op,
    join_loops,
    left_reassociate_expr,
    lift_alloc,
    lift_reduce_constant,
    lift_scope,
    make_instr,
    merge_writes,
    mult_dim,
    mult_loops,
    parallelize_loop,
    rearrange_dim,
    remove_loop,
    rename,
    reorder_loops,
    reorder_stmts,
    replace,
    resize_dim,
    reuse_buffer,
    rewrite_expr,
    sched_op,
    set_memory,
    set_precision,
    set_window,
    shift_loop,
    simplify,
    sink_alloc,
    specialize,
    split_write,
    stage_mem,
    unroll_buffer,
    unroll_loop,
    write_config,
)
from ..rewrite.LoopIR_unification import UnificationError as _UnificationError
from ._places import Place as _Place
from ._places import passes_cell as _passes_cell
from .analysis import check_call_mem_types

if _typing.TYPE_CHECKING:
    from typing import Any, Callable, Iterable, List, Optional, Tuple


def repeat(sched: Callable[..., Any], n_times: Optional[int] = None, verbose: bool = False) -> Callable[..., Any]:
    """The schedule that makes a step with the same arguments until it is refused, or exactly ``n_times``; then a refusal
    goes on to the caller. ``verbose`` prints what ended it."""
    if n_times is not None and (not isinstance(n_times, int) or n_times < 1):
        raise TypeError("expected n_times to be None or a positive int")

    @_wraps(sched)
    def repeated_sched(proc: Any, *args: Any, **kwargs: Any) -> Any:
        if n_times is not None:
            for _ in range(n_times):
                proc = sched(proc, *args, **kwargs)
            return proc
        try:
            while True:
                proc = sched(proc, *args, **kwargs)
        except (SchedulingError, TypeError, ValueError) as refusal:
            if verbose:
                print("repeat ended with error", refusal)
        return proc

    repeated_sched.__name__ = f"repeat_{sched.__name__}"
    return repeated_sched


_SEQUENCE = """
sched_seq(proc, steps) takes steps of two forms: a function, which is given the procedure alone, and a list or tuple of a
function and what it is given after the procedure:

    sched_seq(p, [cleanup, (rename, "foo"), (set_memory, "A", DRAM_STATIC)])
"""


def sched_seq(proc: Any, sched_list: Iterable[Any]) -> Any:
    """Makes steps one after the other: each a function of the procedure, or a list or tuple of a function and its further
    arguments."""
    for step in sched_list:
        if callable(step):
            proc = step(proc)
        elif not isinstance(step, (list, tuple)):
            raise TypeError(f"{_SEQUENCE}\n{step!r} is neither")
        elif not step:
            raise TypeError(f"{_SEQUENCE}\nthis one is empty")
        else:
            proc = step[0](proc, *step[1:])
    return proc


def loop_hack(sched: Callable[..., Any], find_func: Callable[..., Any], verbose: bool = False) -> Callable[..., Any]:
    """The schedule that makes a step at each of the places that ``find_func`` finds, which it looks for again after each
    step: the n-th step is at the n-th place that there is by then. Cursors that are forwarded do better."""

    @_wraps(sched)
    def loop_hack_sched(proc: Any, *args: Any, **kwargs: Any) -> Any:
        for n in range(len(find_func(proc))):
            proc = sched(proc, find_func(proc)[n], *args, **kwargs)
        return proc

    loop_hack_sched.__name__ = f"loop_hack_{sched.__name__}"
    return loop_hack_sched


class MemoryError(Exception):  # noqa: A001
    """Statements were replaced by a call, but their buffers are in other memories than the callee asks for."""

    def __init__(self, msg: object) -> None:
        super().__init__(str(msg))
        self._err_msg = str(msg)

    def __str__(self) -> str:
        return self._err_msg


@sched_op([BlockCursorA, ProcA, BoolA])
def call_site_mem_aware_replace(proc: Any, block_cursor: Any, subproc: Any, quiet: bool = False) -> Any:
    """``replace``, and a ``MemoryError`` if then any call of the procedure passes a buffer that is in another memory than
    the callee's parameter."""
    proc = replace(proc, block_cursor, subproc, quiet=quiet)
    _require_memories(_calls(proc.body()))
    return proc


def _require_memories(calls: Iterable[Any]) -> None:
    if not all(map(check_call_mem_types, calls)):
        raise MemoryError("replace failed due to memory type mismatch between block and subproc")


def _calls(block: Any) -> Iterable[Any]:
    for stmt in block:
        if isinstance(stmt, CallCursor):
            yield stmt
        elif isinstance(stmt, ForCursor):
            yield from _calls(stmt.body())
        elif isinstance(stmt, IfCursor):
            yield from _calls(stmt.body())
            if stmt.orelse():
                yield from _calls(stmt.orelse())


def _pattern_of(stmt: Any) -> Optional[str]:
    """The pattern of the statements that may be the first of what a procedure replaces. Bodies that begin with anything
    but a write or a loop are not looked for."""
    if isinstance(stmt, AssignCursor):
        return "_ = _"
    if isinstance(stmt, ReduceCursor):
        return "_ += _"
    return "for _ in _: _" if isinstance(stmt, ForCursor) else None


def _next_place(proc: Any, pattern: str, at: int, callee: Any) -> Optional[Tuple[int, Any]]:
    """The next match of a pattern, from this one on, where the statements may be the body of a procedure, and these statements.
    Most are not: that is seen before a refusal is put into words."""
    if proc._raw.may_call(callee._raw):
        found = proc._raw.next_of_form(pattern, at, callee._raw)
        return None if found is None else (found[0], _lift(found[1], proc))
    length = len(_without_writes(callee))
    try:
        blocks = [place.expand(0, length - 1) for place in proc.find_all(pattern)[at:]]
    except (SchedulingError, InvalidCursorError):
        return None
    return next(((at + k, block) for k, block in enumerate(blocks) if len(block) == length), None)


def _is_cell(stmt: Any, callee: Any) -> bool:
    """Whether a statement writes a cell of a buffer where a procedure writes a scalar."""
    written = _without_writes(callee)[0]
    if not all(isinstance(s, (AssignCursor, ReduceCursor)) for s in (stmt, written)):
        return False
    return len(list(stmt.idx())) > 0 and len(list(written.idx())) == 0


def _replace_where_possible(proc: Any, subprocs: Any, mem_aware: bool, once: bool) -> Any:
    callees: List[Any] = subprocs if isinstance(subprocs, list) else [subprocs]
    for callee in callees:
        if not isinstance(callee, Procedure):
            raise AssertionError("expected Procedure as 2nd argument")
    # The version in which every call is known to pass buffers in memories that are asked for.
    fits: Optional[Procedure] = None
    for callee in callees:
        pattern = _pattern_of(_without_writes(callee)[0])
        at = 0
        while pattern is not None:
            next_place = _next_place(proc, pattern, at, callee)
            if next_place is None:
                break
            at, block = next_place
            try:
                made = replace(proc, block, callee)
                call = _Place(block[0]).in_version(made)
                if mem_aware:
                    _require_memories([call] if fits is proc else _calls(made.body()))
                if _passes_cell(call):
                    raise SchedulingError("a cell is passed as a scalar")
                proc, fits = made, made
            except (SchedulingError, _UnificationError, MemoryError, NotImplementedError) as refusal:
                # Of what is not the body of the procedure, Exo asks no more; where it is, that ends the whole. That a cell is no
                # scalar comes first there.
                if getattr(refusal, "rewright_condition", None) == "replace.aliasing" and not _is_cell(block[0], callee):
                    raise
                at += 1
                continue
            if once:
                break
    return proc


def replace_all(proc: Any, subprocs: Any, mem_aware: bool = True) -> Any:
    """Puts calls of a procedure, or of each of a list, wherever statements are its body. With ``mem_aware``, only where
    the buffers are in the memories that it asks for."""
    return _replace_where_possible(proc, subprocs, mem_aware, once=False)


def replace_once(proc: Any, subprocs: Any, mem_aware: bool = True) -> Any:
    """As ``replace_all``, but each procedure is called in one place at most, the first that can be."""
    return _replace_where_possible(proc, subprocs, mem_aware, once=True)


def lift_if(proc: Any, cursor: Any, n_lifts: int = 1) -> Any:
    """Moves a condition out of so many of the statements around it.

    for i in _:                  if p:
        if p: s1        ~>           for i in _: s1
        else: s2                 else:
                                     for i in _: s2
    """
    for lifted in range(n_lifts):
        try:
            proc = lift_scope(proc, cursor)
        except SchedulingError as refusal:
            left = n_lifts - lifted
            raise SchedulingError(f"Could not fully lift if statement! {left} lift(s) remain! {refusal}") from refusal
    return proc
