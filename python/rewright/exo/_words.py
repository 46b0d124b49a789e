"""Words that Exo says where a step is refused, for those who look for them in a message: by our condition, or, where a program or
an argument has not the form that is asked for, by our message. ``{0}`` is the first argument after the procedure."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Sequence, Tuple

from .._deviations import EXO_ACCEPTS
from .._errors import SchedulingError
from . import API_cursors as C

_OUT = "The buffer {0} is accessed out-of-bounds"
_EQUIVALENT = "Expressions are not equivalent"
_AFTER = "The variable {0} can potentially be used after the statement at {0.text} executes."
_CONFIG = (
    "Cannot change configuration value of a field; the new (and different) values might be read later in this procedure;"
    " Cannot rewrite because the configuration field might be read subsequently"
)
_CONFIG_OF = (
    "Cannot change configuration value of {1}_{2}; the new (and different) values might be read later in this procedure;"
    " Cannot rewrite because the configuration field {1}_{2} might be read subsequently"
)
_NESTED = "expected {0.kind} to be directly nested in parent; Cannot lift scope of top-level statement"
_IDEMPOTENT = "The statement at {0.text} is not idempotent."
_FISSION = "Cannot fission loop over {0.outer}"
_HIDES = (
    "Will not fission here, because doing so will hide the allocation of {m[1]} from a later use site."
    " an allocation might be buried in a different scope than some use-site"
)
_ORDER = "Statements at {0.text} and {0.last.text} do not commute."
_LOOPS = "Loops {0} and {0.inner} cannot be reordered."
_BOUNDS = "inner loop's lo or hi depends on outer loop's iteration variable"
_ZERO = "expected the lower bound of the loop to be zero, got {0.lo}."
_NOT_POSITIVE = "The expression {1} is not guaranteed to be greater than 0."
_FOLDED = "Buffer folding failed because the access window goes more than {2} before the largest access of previous statements"

_WORDS: Dict[Tuple[str, str], str] = {
    ("add_loop", "idempotent"): _IDEMPOTENT,
    ("add_loop", "positive"): "The expression {2} is not guaranteed to be greater than 0.",
    ("autofission", "scope"): _HIDES,
    ("bind_config", "unread"): _CONFIG_OF,
    ("bind_expr", "unchanged"): "Unsafe to bind all of the provided exprs.",
    ("call_eqv", "equivalent"): "Cannot swap call because the two procedures are not equivalent",
    ("call_eqv", "unread"): _CONFIG,
    ("cut_loop", "between"): "Expected `lo` <= `cut_point`, Expected `cut_point` <= `hi`",
    ("delete_buffer", "unused"): _AFTER,
    ("delete_config", "unread"): _CONFIG,
    ("delete_config", "same"): _CONFIG,
    ("delete_config", "fields"): "Cannot delete or insert statements at {0.text} because they may modify non-configuration data",
    ("divide_dim", "divides"): "cannot perfectly divide",
    ("divide_dim", "windows"): "Cannot divide {0} because buffer is passed as an argument; Cannot divide {0} because the buffer is windowed later on",
    ("divide_loop", "divides"): "cannot perfectly divide '{0.hi}' by {1}; cannot perfectly split",
    ("divide_loop", "lower_bound"): _ZERO,
    ("divide_with_recompute", "covered"): "outer_hi * outer_stride exceeds loop's hi {0.hi}",
    ("divide_with_recompute", "idempotent"): _IDEMPOTENT,
    ("divide_with_recompute", "lower_bound"): _ZERO,
    ("eliminate_dead_code", "decided"): "If condition isn't always True or always False",
    ("eliminate_dead_code", "never_runs"): "Loop condition isn't always False",
    ("expand_dim", "in_bounds"): _OUT,
    ("expand_dim", "positive"): _NOT_POSITIVE,
    ("expand_dim", "windows"): "TODO: Please Contact the developers to fix (i.e. add) support for passing windows to scalar arguments",
    ("fission", "bounds_stable"): _FISSION,
    ("fission", "commute"): _FISSION,
    ("fission", "inside"): "Can only lift past a for loop or an if statement",
    ("fission", "scope"): _HIDES,
    ("fold_into_reduce", "same_cell"): "The lhs of the addition is not a read to the lhs of the assignment.",
    ("fold_into_reduce", "term"): "The rhs of the assignment must be an add. The lhs of the addition is not a read to the lhs of the assignment.",
    ("fuse", "adjacent"): (
        "expected the two loops to be fused to come one right after the other."
        " However, the statement after the first loop is:\n{0.next}\n, not the provided second loop:\n {1}."
        " expected the two if statements to be fused to come one right after the other"
    ),
    ("fuse", "bounds"): _EQUIVALENT + ": the bounds of the loops are {0.hi} and {1.hi}",
    ("fuse", "commute"): "Cannot fission loop over {0}",
    ("insert_noop_call", "windows"): "Function argument type mismatch:expected another number of dimensions",
    ("insert_noop_call", "noop"): "Cannot insert a proc whose body is not pass",
    ("join_loops", "adjacent"): "expected the second loop to be directly after the first",
    ("join_loops", "meet"): "expected the first loop upper bound {0.hi} to be the same as the second loop lower bound {1.lo}",
    ("join_loops", "same_body"): (
        "expected the two loops to have identical bodies;"
        " expected the first loop upper bound {0.hi} to be the same as the second loop lower bound {1.lo}"
    ),
    ("lift_alloc", "extents"): (
        "Cannot lift allocation statement {0.text} past loop with iteration variable {0.outer} because the allocation size depends on {0.outer}."
    ),
    ("lift_reduce_constant", "only"): (
        "cannot lift constant because the buffer is read in the loop body;"
        " cannot lift constant because there are other operations on the same buffer that may interfere"
    ),
    ("lift_reduce_constant", "same_factor"): (
        "cannot lift constant because the reduces to buffer {0} in the loop body have different constants"
    ),
    ("lift_reduce_constant", "scaled"): (
        "cannot lift constant because did not find a reduce in the loop body of the form `buffer += c * expr`"
    ),
    ("lift_reduce_constant", "unchanged"): "cannot lift constant because it is a buffer that is written in the loop body",
    ("lift_scope", "bodies_commute"): _LOOPS,
    ("lift_scope", "bounds"): _BOUNDS,
    ("lift_scope", "no_else"): "cannot lift for loop when if has an orelse clause",
    ("lift_scope", "only_statement"): _NESTED,
    ("lift_scope", "stable"): "if statement depends on iteration variable",
    ("merge_writes", "not_read"): (
        "expected the right hand side of the second statement to not depend on the left hand side of the first statement."
    ),
    ("merge_writes", "same_cell"): "expected the left hand side's indices to be the same.",
    ("mult_dim", "constant"): "Cannot multiply with non-literal second dimension: {0.extents}",
    ("mult_dim", "windows"): "Cannot multiply {0} because buffer is passed as an argument; Cannot multiply {0} because the buffer is windowed later on",
    ("mult_loops", "constant"): "expected the inner loop to have a constant bound, got {0.inner.hi}.",
    ("mult_loops", "nested"): "expected loop directly inside of {0} loop",
    ("mult_loops", "zero_based"): "expected the inner and outer loops to have a constant lower bound of 0, got {0.inner.lo} and {0.lo}.",
    ("parallelize_loop", "races"): "Cannot parallelize loop over {0}",
    ("rearrange_dim", "windows"): (
        "Cannot permute buffer '{0}' because it is passed as a sub-procedure argument at {0.next};"
        " Permuting the window expression at {0.next} would change the meaning of the window;"
        " propagating dimension rearrangement through windows is not currently supported"
    ),
    ("remove_loop", "idempotent"): _IDEMPOTENT,
    ("remove_loop", "independent"): "Cannot remove loop, {0} is not free in the loop body.",
    ("remove_loop", "runs"): "The expression {0.hi} is not guaranteed to be greater than 0.",
    ("reorder_loops", "bodies_commute"): _LOOPS,
    ("reorder_loops", "bounds"): _BOUNDS,
    ("reorder_loops", "nested"): "expected loop directly inside of {0} loop",
    ("reorder_stmts", "commute"): _ORDER,
    ("reorder_stmts", "scope"): _ORDER,
    ("resize_dim", "in_bounds"): _OUT,
    ("resize_dim", "order"): _FOLDED,
    ("resize_dim", "positive"): "The expression {2} is not guaranteed to be greater than 0.",
    ("resize_dim", "windows"): "Buffer folding failed because the current analysis cannot handle variable width access windows.",
    ("reuse_buffer", "dead"): "The variable {0} can potentially be used after the statement at {1.text} executes.",
    ("reuse_buffer", "apart"): "The variable {0} can potentially be used after the statement at {1.text} executes.",
    ("replace", "match"): "cannot unify the statements with those of '{1}'; Unification of various index expressions failed",
    ("rewrite_expr", "equal"): _EQUIVALENT + ":\n{0.text}\nvs.\n{1}",
    ("sink_alloc", "only_inside"): "Cannot sink allocation {0.text} because the buffer is accessed outside of the scope provided.",
    ("specialize", "scope"): "Block contains allocations which are used outside the block.",
    ("split_write", "sum"): "Expected the rhs of the statement to be an addition.",
    ("stage_mem", "accumulates"): "The buffer {1.buffer} is accessed in a way other than simply reducing into it",
    ("stage_mem", "bounds"): "The buffer {2} is accessed out-of-bounds; The buffer {1.buffer} is accessed out-of-bounds",
    ("stage_mem", "inside"): (
        "Buffer has accesses which are neither fully within nor disjoint from the window;"
        " The buffer {2} is accessed out-of-bounds"
    ),
    ("unroll_buffer", "constant"): "Expected a constant buffer dimension, got {0.extents} at {1}'th dimension.",
    ("unroll_buffer", "constant_index"): "Expected a constant buffer access, got one at {1}'th dimension. Try unrolling the loop.",
    ("unroll_buffer", "windows"): "Cannot unroll a buffer at a dimension used as a window.",
    ("unroll_loop", "constant"): "expected loop '{0}' to have constant bounds",
    ("write_config", "unread"): _CONFIG_OF,
    ("write_config", "same"): _CONFIG_OF,
}

#: By the primitive and words of our message, which may be captured as ``{m[1]}``.
_FORMS: List[Tuple[str, str, str]] = [
    ("autolift_alloc", r"there are (\d+) loops", "specified lift level {1} is higher than the number of loop {m[1]}"),
    ("autolift_alloc", r"less than|below", "Lift size cannot be less than for-loop bound"),
    ("cut_loop", r"", "Expected `lo` <= `cut_point`, Expected `cut_point` <= `hi`"),
    ("expand_dim", r"", _OUT + "; " + _NOT_POSITIVE),
    ("lift_alloc", r"between 1 and (\d+)", "specified lift level {1} is more than {m[1]}, the number of loops and ifs above the allocation"),
    ("lift_alloc", r"no loop", "specified lift level {1} is more than 0, the number of loops and ifs above the allocation"),
    ("insert_noop_call", r"", "Function argument type mismatch:"),
    ("resize_dim", r"", _OUT + "; The expression {2} is not guaranteed to be greater than 0."),
    ("rewrite_expr", r"", _EQUIVALENT + ":\n{0.text}\nvs.\n{1}"),
    ("shift_loop", r"", "Expected 0 <= `new_lo`"),
    ("specialize", r"", "Invalid specialization condition."),
    ("stage_mem", r"has (\d+) dimensions? and (\d+)", "expected windowing of '{2.buffer}' to have {m[1]} indices, but only got {m[2]}"),
    ("rearrange_dim", r"(\d+)$", "permute_vector argument ({1}) was not a permutation of {m[1]} numbers"),
    ("unroll_buffer", r"has 0 dimensions", "Cannot unroll a scalar buffer"),
    ("unroll_buffer", r"", "Expected a constant buffer access, got one at {1}'th dimension."),
    ("divide_dim", r"dimensions", "Cannot divide out-of-bounds dimension index {1}"),
    ("mult_dim", r"by itself", "Cannot multiply dimension {1} by itself"),
    ("mult_dim", r"has (\d+) dimensions, and (-?\d+)", "Cannot multiply out-of-bounds dimension index {m[2]}"),
    ("partial_eval", r"is data", "cannot partially evaluate numeric (non-index, non-bool) arguments"),
]


class _Argument:
    """An argument of a step in a message: its name, or its text; and of a cursor what is at it."""

    def __init__(self, of: Any) -> None:
        self._of = of

    def __str__(self) -> str:
        named = isinstance(self._of, (C.ForCursor, C.AllocCursor, C.ArgCursor, C.WindowStmtCursor))
        if named or not isinstance(self._of, C.Cursor) and callable(getattr(self._of, "name", None)):
            return str(self._of.name())
        return self.text

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    @property
    def text(self) -> str:
        """The text of a statement or an expression."""
        if isinstance(self._of, C.InvalidCursor):
            return ""
        is_cursor = isinstance(self._of, C.Cursor) and self._of._raw is not None
        return str(self._of._raw.text()).split("\n")[0] if is_cursor else str(self._of)

    @property
    def lo(self) -> str:
        """Where a loop begins."""
        return str(_Argument(self._of.lo()).text) if isinstance(self._of, C.ForCursor) else ""

    @property
    def hi(self) -> str:
        """Where a loop ends."""
        return str(_Argument(self._of.hi()).text) if isinstance(self._of, C.ForCursor) else ""

    @property
    def kind(self) -> str:
        """What a statement is."""
        return "for loop" if isinstance(self._of, C.ForCursor) else "if statement"

    @property
    def inner(self) -> _Argument:
        """The first statement of a body."""
        return _Argument(self._of.body()[0] if isinstance(self._of, C.ForCursor) else self._of)

    @property
    def last(self) -> _Argument:
        """The last statement of a block."""
        return _Argument(self._of[-1] if isinstance(self._of, C.BlockCursor) else self._of)

    @property
    def next(self) -> str:
        """The text of what comes after a statement."""
        after = self._of.next() if isinstance(self._of, C.StmtCursor) else None
        return str(_Argument(after).text) if after else ""

    @property
    def outer(self) -> _Argument:
        """What is around it."""
        around = self._of.parent() if isinstance(self._of, C.Cursor) else self._of
        return _Argument(around.parent() if isinstance(around, C.GapCursor) else around)

    @property
    def extents(self) -> str:
        """The extents of a buffer."""
        return ", ".join(str(e._raw.text()) for e in self._of.shape()) if hasattr(self._of, "shape") else ""

    @property
    def buffer(self) -> str:
        """The buffer of a window."""
        return re.split(r"\W", str(self).strip(), maxsplit=1)[0]


def exos_words(primitive: str, condition: str, message: str, args: Sequence[Any]) -> str:
    """What Exo would say, or nothing."""
    words, found = _WORDS.get((primitive, condition), ""), None
    if not condition:
        for of, pattern, template in _FORMS:
            found = re.search(pattern, message) if of == primitive and not words else found
            words = template if found and of == primitive and not words else words
    found = found or re.search(r"`(\w+)`", message)
    try:
        return words.format(*map(_Argument, args), m=found)
    except (AttributeError, IndexError, KeyError, TypeError):
        return re.sub(r"\{[^}]*\}", "…", words)


def with_exos_words(message: str, primitive: str, condition: str, args: Sequence[Any]) -> str:
    """A message with the words that Exo would have."""
    words = exos_words(primitive, condition, message, args)
    if not words:
        return message
    # Of a family of which Exo accepts some steps, which of them it does not see from here.
    who = "where Exo refuses such a step, it says" if EXO_ACCEPTS in message else "Exo says"
    return f"{message}\n  = {who}: {words}"


def in_exos_words(refused: SchedulingError, args: Sequence[Any] = ()) -> SchedulingError:
    """A refusal with the words that Exo would have."""
    message = with_exos_words(str(refused), refused.primitive, refused.condition, args)
    if message == str(refused):
        return refused
    told = SchedulingError(message)
    told.__dict__.update(refused.__dict__)
    return told
