"""Words that Exo says where a step is refused, by our condition: for those who look for them in a message."""

from __future__ import annotations

from typing import Dict, Tuple

from .._errors import SchedulingError

_OUT = "accessed out-of-bounds"
_POSITIVE = "is not guaranteed to be positive"
_EQUIVALENT = "Expressions are not equivalent"
_AFTER = "can potentially be used after"
_CONFIG = "Cannot change configuration value, might be read later in this procedure"
_NESTED = "to be directly nested in parent"
_IDEMPOTENT = "is not idempotent"
_NEXT = "to be directly after the first, to come one right after the other"

_WORDS: Dict[Tuple[str, str], str] = {
    ("add_loop", "idempotent"): _IDEMPOTENT,
    ("add_loop", "positive"): _POSITIVE,
    ("autofission", "scope"): "Will not fission here",
    ("bind_config", "unread"): _CONFIG,
    ("bind_expr", "unchanged"): "Unsafe to bind all of the provided exprs",
    ("call_eqv", "equivalent"): "Cannot swap call because the two procedures are not equivalent",
    ("call_eqv", "unread"): _CONFIG,
    ("cut_loop", "between"): "Expected `lo` <= `cut_point`, Expected `cut_point` <= `hi`",
    ("delete_buffer", "unused"): _AFTER,
    ("delete_config", "unread"): _CONFIG,
    ("divide_dim", "divides"): "cannot perfectly divide",
    ("divide_dim", "windows"): "buffer is passed as an argument, the buffer is windowed later on",
    ("divide_loop", "divides"): "cannot perfectly split",
    ("divide_loop", "lower_bound"): "expected the lower bound of the loop to be zero",
    ("divide_with_recompute", "covered"): "outer_hi * outer_stride exceeds loop's hi",
    ("divide_with_recompute", "idempotent"): _IDEMPOTENT,
    ("divide_with_recompute", "lower_bound"): "expected the lower bound of the loop to be zero",
    ("eliminate_dead_code", "decided"): "If condition isn't always True or always False",
    ("eliminate_dead_code", "never_runs"): "Loop condition isn't always False",
    ("expand_dim", "in_bounds"): _OUT,
    ("expand_dim", "positive"): _POSITIVE,
    ("fission", "bounds_stable"): "Cannot fission loop",
    ("fission", "commute"): "Cannot fission loop",
    ("fission", "inside"): "Can only lift past a for loop or an if statement",
    ("fission", "scope"): "Will not fission here",
    ("fold_into_reduce", "term"): "The rhs of the assignment must be an add",
    ("fuse", "adjacent"): _NEXT,
    ("fuse", "bounds"): _EQUIVALENT,
    ("fuse", "commute"): "Cannot fission loop",
    ("inline_assign", "dead"): "because the buffer is written afterwards",
    ("insert_noop_call", "noop"): "Cannot insert a proc whose body is not pass",
    ("join_loops", "adjacent"): "expected the second loop to be directly after the first",
    ("join_loops", "meet"): "to be the same as the second loop lower bound",
    ("join_loops", "same_body"): "expected the two loops to have identical bodies",
    ("lift_alloc", "extents"): "the allocation size depends on",
    ("lift_reduce_constant", "only"): "cannot lift constant because the buffer is read in the loop body",
    ("lift_reduce_constant", "same_factor"): "cannot lift constant because the reduces have different constants",
    ("lift_reduce_constant", "scaled"): "cannot lift constant because did not find a reduce in the loop body",
    ("lift_reduce_constant", "unchanged"): "cannot lift constant because it is a buffer that is written in the loop body",
    ("lift_scope", "bodies_commute"): "cannot be reordered",
    ("lift_scope", "bounds"): "inner loop's lo or hi depends on outer loop's iteration variable",
    ("lift_scope", "no_else"): "cannot lift for loop when if has an orelse clause",
    ("lift_scope", "only_statement"): _NESTED,
    ("lift_scope", "stable"): "if statement depends on iteration variable",
    ("merge_writes", "not_read"): "depend on the left hand side of the first statement",
    ("merge_writes", "same_cell"): "expected the left hand side's indices to be the same",
    ("mult_dim", "constant"): "Cannot multiply with non-literal second dimension",
    ("mult_dim", "windows"): "buffer is passed as an argument, the buffer is windowed later on",
    ("mult_loops", "constant"): "expected the inner loop to have a constant bound",
    ("mult_loops", "nested"): "expected loop directly inside of",
    ("mult_loops", "zero_based"): "to have a constant lower bound of 0",
    ("parallelize_loop", "races"): "Cannot parallelize loop",
    ("rearrange_dim", "windows"): "Cannot permute buffer, would change the meaning of the window",
    ("remove_loop", "idempotent"): _IDEMPOTENT,
    ("remove_loop", "independent"): "Cannot remove loop, not free in the loop body",
    ("remove_loop", "runs"): _POSITIVE,
    ("reorder_loops", "bodies_commute"): "cannot be reordered",
    ("reorder_loops", "bounds"): "inner loop's lo or hi depends on outer loop's iteration variable",
    ("reorder_stmts", "commute"): "do not commute",
    ("resize_dim", "in_bounds"): _OUT,
    ("resize_dim", "order"): "Buffer folding failed",
    ("resize_dim", "positive"): _POSITIVE,
    ("reuse_buffer", "dead"): _AFTER,
    ("rewrite_expr", "equal"): _EQUIVALENT,
    ("sink_alloc", "only_inside"): "because the buffer is accessed outside of the scope provided",
    ("specialize", "scope"): "Block contains allocations which are used outside the block",
    ("split_write", "sum"): "Expected the rhs of the statement to be an addition",
    ("stage_mem", "bounds"): _OUT,
    ("stage_mem", "inside"): "accesses which are neither fully within nor disjoint from the window",
    ("stage_mem", "positive"): _POSITIVE,
    ("unroll_buffer", "constant"): "Expected a constant buffer dimension",
    ("unroll_buffer", "constant_index"): "Expected a constant buffer access",
    ("unroll_buffer", "windows"): "Cannot unroll a buffer at a dimension used as a window",
    ("unroll_loop", "constant"): "to have constant bounds",
    ("write_config", "unread"): _CONFIG,
}


def in_exos_words(refused: SchedulingError) -> SchedulingError:
    """A refusal with the words that Exo would have."""
    words = _WORDS.get((refused.primitive, refused.condition))
    if words is None:
        return refused
    told = SchedulingError(f"{refused}\n  = Exo says: {words}")
    told.__dict__.update(refused.__dict__)
    return told
