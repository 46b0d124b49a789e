# ruff: noqa: F401, F403
# mypy: implicit-reexport
"""Schedules that libraries of kernels are made of."""

from __future__ import annotations

from dataclasses import dataclass

from .. import *
from ..frontend.syntax import *
from ._loops import (
    binary_specialize,
    binary_specialize_cursors,
    cut_loop_and_unroll,
    cut_loop_and_unroll_cursors,
    divide_loop_recursive,
    divide_loop_recursive_cursors,
    fission_into_singles,
    hoist_from_loop,
    hoist_from_loop_cursors,
    hoist_stmt,
    hoist_stmt_cursors,
    interleave_loop,
    interleave_outer_loop_with_inner_loop,
    jam_stmt,
    jam_stmt_cursors,
    round_loop,
    tile_loops,
    tile_loops_bottom_up,
    unroll_and_jam,
    unroll_and_jam_parent,
)
from ._reductions import parallelize_all_reductions, parallelize_reduction
from ._staging import (
    abs_rule,
    auto_stage_mem,
    bind_and_set_expr,
    bind_and_set_expr_cursors,
    cse,
    dealias,
    dealiasing_pass,
    fma_rule,
    ordered_stage_expr,
    parallelize_allocs,
    parallelize_and_lift_alloc,
    stage_compute,
    stage_expr_into_memory,
    unfold_reduce,
)
from ._tidy import (
    bound_loop_by_if,
    cleanup,
    dce,
    inline_copies,
    reorder_stmt_backwards,
    reorder_stmt_forward,
    undo_divide_and_guard_loop,
    unroll_buffers,
    unroll_loops,
)
from ._vectorize import (
    check_call_site,
    checked_replace,
    replace_all_stmts,
    replace_cursors,
    vectorize,
    vectorize_cursors,
    vectorize_predicate_tail,
)
from .higher_order import *
from .inspection import *
from .rc_wrappers import *
from .scheduling import *
