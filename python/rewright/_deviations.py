"""Where Rewright refuses what Exo 1.0.0 accepts, because it is wrong."""

from __future__ import annotations

from functools import lru_cache
from typing import Dict, List, NamedTuple, Tuple

from . import _rewright
from ._errors import SchedulingError

__all__ = ["Deviation", "deviations"]


#: How the note of a refusal that Exo lacks begins.
EXO_ACCEPTS = "Exo 1.0.0 accepts such steps"


class Deviation(NamedTuple):
    """A family of steps that Exo 1.0.0 accepts, and that are refused here."""

    #: The primitive.
    primitive: str
    #: The condition that Exo does not ask for, or not in full.
    condition: str
    #: What the condition says.
    sentence: str
    #: A program of the family, in words. Exo 1.0.0 was seen to accept it.
    example: str


#: Primitive, condition, and the program that Exo was given.
_TABLE: List[Tuple[str, str, str]] = [
    ("bind_expr", "bounds", "a cell that need not exist"),
    ("bind_expr", "unchanged", "changed through a window"),
    ("call_eqv", "equivalent", "a step that cannot be taken back"),
    ("divide_with_recompute", "apart", "A piece reads what a later iteration of the one before has cleared"),
    ("divide_with_recompute", "covered", "There would be no piece"),
    ("divide_with_recompute", "lower_bound", "The loop starts at 1"),
    ("divide_with_recompute", "sequential", "Threads of the new outer loop would compute the same cell at once"),
    ("eliminate_dead_code", "decided", "the copy in the other branch of a specialised statement does not know what the first one knows"),
    ("expand_dim", "in_bounds", "a window is a use though no cell is touched through it"),
    ("fission", "commute", "Each iteration clears a cell, sums into it and stores it"),
    ("fuse", "bounds", "The second loop begins later"),
    ("fuse", "commute", "Threads of the fused loop would read what others write"),
    ("inline_assign", "dead", "read after the block"),
    ("inline_assign", "local", "an argument, which the caller sees"),
    ("inline_assign", "only_reads", "passed to a procedure"),
    ("inline_assign", "unchanged", "the source is changed"),
    ("insert_noop_call", "asserts", "an assertion that may not hold"),
    ("insert_noop_call", "sizes", "a size of 0"),
    ("insert_noop_call", "windows", "a part that is not there"),
    ("join_loops", "apart", "Threads of both loops add to one cell, each loop by one thread"),
    ("join_loops", "same_body", "The bodies name the same variable, but not the same buffer"),
    ("lift_reduce_constant", "zero", "the sum does not begin at zero"),
    ("merge_writes", "not_read", "the reduction reads the cell, through a window"),
    ("merge_writes", "same_cell", "one cell in the branch where the variables are equal, two in its copy"),
    ("mult_dim", "strides", "the stride of a dimension between them"),
    ("rearrange_dim", "strides", "the program asks for the stride of a window"),
    ("reorder_loops", "bodies_commute", "Threads of the loop that comes outside would add to one cell at once"),
    ("reorder_stmts", "commute", "A window shows the cell"),
    ("replace", "asserts", "a column has no unit stride"),
    ("replace", "sizes", "a size that may be 0"),
    ("replace", "windows", "a window that is larger than the buffer"),
    ("resize_dim", "in_bounds", "a window of which only a part is used"),
    ("resize_dim", "order", "a cell is overwritten before it is read"),
    ("resize_dim", "strides", "a stride across the dimension"),
    ("sink_alloc", "no_carry", "set by the first iteration"),
    ("split_write", "not_read", "the second term reads the cell"),
    ("stage_mem", "apart", "written through a window made before"),
    ("stage_mem", "nonnegative", "a window that ends before it begins"),
    ("stage_mem", "windows", "a window that is used later"),
    ("unroll_buffer", "strides", "a stride across the dimension"),
]


@lru_cache(maxsize=1)
def _all() -> Dict[Tuple[str, str], Deviation]:
    sentences = {(p["name"], c["id"]): c["sentence"] for p in _rewright.registry() for c in p["conditions"]}
    return {(p, c): Deviation(p, c, sentences[p, c], example) for p, c, example in _TABLE}


def deviations() -> List[Deviation]:
    """Every family of steps that Exo 1.0.0 accepts though they may change what a program does, and that are refused here."""
    return list(_all().values())


def explained(refused: SchedulingError) -> SchedulingError:
    """A refusal that says so where Exo would not refuse."""
    known = _all().get((refused.primitive, refused.condition))
    if known is None:
        return refused
    note = f"{EXO_ACCEPTS}; it is wrong when this does not hold: {known.sentence}"
    told = SchedulingError(f"{refused}\n  = note: {note} ({known.example})")
    told.__dict__.update(refused.__dict__)
    return told
