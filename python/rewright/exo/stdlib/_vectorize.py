"""Vectors: loops into lanes, lanes into instructions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Sequence, Tuple

from .._instructions import without_writes
from ..rewrite.LoopIR_unification import UnificationError
from ._cursors import Cursors
from ._loops import fission_into_singles
from ._places import Place, passes_cell
from ._reductions import parallelize_all_reductions
from ._staging import stage_compute
from ._tidy import dce
from .analysis import _passed_buffers
from .higher_order import attempt
from .inspection import CallCursor, ForCursor, InvalidCursorError, SchedulingError, nlr_stmts
from .rc_wrappers import divide_loop_
from .scheduling import FormattedExprStr, cut_loop, replace, simplify


def check_call_site(proc: Any, call_cursor: Any) -> bool:
    """Whether every buffer that a call passes is in a memory that the callee's parameter admits, and has its precision."""
    if not isinstance(call_cursor, CallCursor):
        raise TypeError("call_cursor must be a CallCursor")
    return all(
        passed is not None and issubclass(passed.memory, parameter.memory) and passed.type is parameter.type
        for passed, parameter in _passed_buffers(proc, call_cursor)
    )


@dataclass
class replace_cursors(Cursors):
    """The call."""

    call: Any


def checked_replace(proc: Any, stmt: Any, subproc: Any, quiet: bool = False) -> Any:
    """``replace`` of one statement by a call whose buffers are in the memories, and of the precisions, that the callee
    asks for. Whatever is against it is a ``SchedulingError``."""
    stmt = proc.forward(stmt)
    try:
        proc = replace(proc, stmt, subproc, quiet=quiet)
    except Exception as refusal:
        raise SchedulingError("failed to replace") from refusal
    call = Place(stmt).in_version(proc)
    if passes_cell(call):
        raise SchedulingError("failed to replace")
    if not check_call_site(proc, call):
        raise SchedulingError("Call site inconsistency")
    return proc


#: Statements by their classes, and what is in loops.
_Kinds = Tuple[Tuple[type, Any], ...]


def _kinds(block: Any) -> _Kinds:
    return tuple((type(stmt), _kinds(stmt.body()) if isinstance(stmt, ForCursor) else None) for stmt in block)


def _are_of(block: Any, kinds: _Kinds) -> bool:
    """Whether statements may be the body of a procedure, as far as their kinds say: most are not, and are not asked more of.
    Of several in a block the order does not matter."""
    if len(block) != len(kinds):
        return False
    if len(kinds) != 1:
        return Counter(map(type, block)) == Counter(kind for kind, _ in kinds)
    (kind, inside), found = kinds[0], type(block[0])
    return found is kind and (inside is None or _are_of(block[0].body(), inside))


def replace_all_stmts(proc: Any, instructions: Any) -> Any:
    """Replaces every statement that is the whole body of one of the procedures by a call of the first that it is."""
    callees = instructions if isinstance(instructions, list) else [instructions]
    bodies = [_kinds(without_writes(callee)) for callee in callees]
    distinct = set(bodies)
    for stmt in nlr_stmts(proc):
        # What is in a statement is as it was: calls have come in its place, if at all, and of what is around it.
        fitting = {kinds for kinds in distinct if _are_of([stmt], kinds)}
        possible = [callee for callee, kinds in zip(callees, bodies) if kinds in fitting]
        if not possible:
            continue
        try:
            stmt = proc.forward(stmt)
        except InvalidCursorError:
            continue
        for callee in possible:
            # Most are not: that is seen before a refusal is put into words.
            if not proc._raw.has_form_of(stmt._raw, callee._raw):
                continue
            try:
                proc = checked_replace(proc, stmt, callee)
                break
            except (SchedulingError, UnificationError):
                continue
    return proc


@dataclass
class vectorize_cursors(Cursors):
    """The loop over vectors."""

    loop: Any


def vectorize(
    proc: Any,
    loop: Any,
    vec_width: int,
    precision: Any,
    mem_type: Any,
    instructions: Sequence[Any] = [],
    rules: Sequence[Any] = [],
    tail: str = "cut_and_predicate",
    rc: bool = False,
) -> Any:
    """Makes a loop one over vectors of so many lanes.

    Reductions over the loop get a sum for each lane; every operation of the body gets operands and a result in
    ``mem_type``, of a precision; each then has a loop over the lanes of its own; and those that are the body of one of the
    instructions become calls. ``rules`` say what the operands of an operation are, as in ``stage_compute``. ``tail`` says
    what becomes of what is left over: ``"predicate"`` masks lanes everywhere, ``"cut_and_predicate"`` in the last
    iteration; others are those of ``divide_loop``.
    """
    if tail in {"predicate", "cut_and_predicate"}:
        return vectorize_predicate_tail(proc, loop, vec_width, precision, mem_type, instructions, rules, tail, rc)
    proc, (outer, _, _) = divide_loop_(proc, loop, vec_width, tail=tail, rc=True)
    proc = parallelize_all_reductions(proc, outer, memory=mem_type)
    outer = proc.forward(outer)
    inner = outer.body()[0]
    proc = stage_compute(proc, inner, precision, mem_type, rules)
    proc = fission_into_singles(proc, inner)
    proc = replace_all_stmts(proc, instructions)
    return (proc, vectorize_cursors(proc.forward(outer))) if rc else proc


def vectorize_predicate_tail(
    proc: Any,
    loop: Any,
    vec_width: int,
    precision: Any,
    mem_type: Any,
    instructions: Sequence[Any] = [],
    rules: Sequence[Any] = [],
    tail: str = "cut_and_predicate",
    rc: bool = False,
) -> Any:
    """``vectorize`` with masked lanes: in every iteration, or with ``"cut_and_predicate"`` in the last."""
    proc = parallelize_all_reductions(proc, loop, factor=vec_width, memory=mem_type)
    proc = stage_compute(proc, loop, precision, mem_type, rules)
    proc, (outer, inner, _) = divide_loop_(proc, loop, vec_width, rc=True)
    proc = fission_into_singles(simplify(proc), inner)
    if tail == "cut_and_predicate":
        proc = attempt(cut_loop)(proc, outer, FormattedExprStr("_ - 1", outer.hi()))
        outer = proc.forward(outer)
        proc = dce(proc, outer.body())
    proc = replace_all_stmts(proc, instructions)
    return (proc, vectorize_cursors(proc.forward(outer))) if rc else proc
