"""``exo.API_scheduling``: the operations that make new versions of procedures."""

from __future__ import annotations

import ast
import re
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from .. import _rewright
from .._errors import ArgumentError, InvalidCursorError, SchedulingError
from .._deviations import explained
from . import API_cursors as PC
from . import _narrower
from ._arguments import *  # noqa: F403
from ._arguments import (
    AllocCursorA,
    ArgCursorA,
    ArgOrAllocCursorA,
    AssignCursorA,
    AssignOrReduceCursorA,
    BlockCursorA,
    BoolA,
    CallCursorA,
    ConfigA,
    ConfigFieldA,
    CustomWindowExprA,
    EnumA,
    ExprCursorA,
    ForCursorA,
    ForOrIfCursorA,
    GapCursorA,
    InstrStrA,
    IntA,
    ListA,
    ListOrElemA,
    MemoryA,
    NameA,
    NestedForCursorA,
    NewExprA,
    NewExprOrCustomWindowExprA,
    NewText,
    OptionalA,
    PosIntA,
    ProcA,
    StmtCursorA,
    TypeAbbrevA,
    WindowStmtCursorA,
    sched_op,
)
from ._instructions import still_instruction, without_writes
from ._templates import as_read
from ._words import in_exos_words, with_exos_words
from .API import Procedure, assert_equal, asserted
from .API_types import ExoType
from .frontend.parse_fragment import syntax_error, unreadable
from .rewrite.LoopIR_unification import UnificationError


#: What Exo's module gives to those who import all of it: typing's names and such, too, and no name of an exception.
__all__ = [
    "AllocCursorA",
    "Any",
    "ArgCursorA",
    "ArgOrAllocCursorA",
    "ArgumentProcessor",
    "AssignCursorA",
    "AssignOrReduceCursorA",
    "AtomicSchedulingOp",
    "BlockCursorA",
    "BoolA",
    "CallCursorA",
    "Config",
    "ConfigA",
    "ConfigFieldA",
    "CursorArgumentProcessor",
    "CustomWindowExprA",
    "DictA",
    "EnumA",
    "ExoType",
    "ExprCursorA",
    "ForCursorA",
    "ForOrIfCursorA",
    "FormattedExprStr",
    "GapCursorA",
    "IdA",
    "IfCursorA",
    "InstrStrA",
    "IntA",
    "List",
    "ListA",
    "ListOrElemA",
    "Memory",
    "MemoryA",
    "NameA",
    "NameCountA",
    "NestedForCursorA",
    "NewExprA",
    "NewExprOrCustomWindowExprA",
    "OptionalA",
    "PC",
    "PosIntA",
    "ProcA",
    "Procedure",
    "StmtCursorA",
    "Tuple",
    "TypeAbbrevA",
    "UnificationError",
    "WindowStmtCursorA",
    "add_loop",
    "add_unsafe_guard",
    "autofission",
    "autolift_alloc",
    "bind_config",
    "bind_expr",
    "call_eqv",
    "commute_expr",
    "cut_loop",
    "dataclass",
    "delete_buffer",
    "delete_config",
    "delete_pass",
    "divide_dim",
    "divide_loop",
    "divide_with_recompute",
    "eliminate_dead_code",
    "expand_dim",
    "extract_subproc",
    "fission",
    "fold_into_reduce",
    "fuse",
    "inline",
    "inline_assign",
    "inline_window",
    "insert_noop_call",
    "insert_pass",
    "inspect",
    "is_atomic_scheduling_op",
    "is_pos_int",
    "is_subclass_obj",
    "is_valid_name",
    "join_loops",
    "left_reassociate_expr",
    "lift_alloc",
    "lift_reduce_constant",
    "lift_scope",
    "make_instr",
    "merge_writes",
    "mult_dim",
    "mult_loops",
    "parallelize_loop",
    "re",
    "rearrange_dim",
    "remove_loop",
    "rename",
    "reorder_loops",
    "reorder_stmts",
    "replace",
    "resize_dim",
    "reuse_buffer",
    "rewrite_expr",
    "sched_op",
    "set_memory",
    "set_precision",
    "set_window",
    "shift_loop",
    "simplify",
    "sink_alloc",
    "specialize",
    "split_write",
    "stage_mem",
    "unroll_buffer",
    "unroll_loop",
    "write_config",
]


def _step(name: str, proc: Any, *args: Any, assuming: Any = False) -> Procedure:
    """What a primitive makes of a procedure. With ``assuming=True`` conditions on its meaning that are not proved are assumed; with
    a list, those of them that it names."""
    made = _made(name, proc, args, assuming)[0]
    # In Exo, `autofission` makes a procedure of an instruction, whatever it does.
    return Procedure(made if name == "autofission" else still_instruction(proc._raw, made))


#: What Exo's own meaning of programs leaves open, and is assumed where it is not proved: data are real numbers, whatever holds
#: them, and a buffer that is not used may have a negative extent.
_ASSUMED: Dict[str, List[str]] = {
    "bind_expr": ["precision"],
    "fold_into_reduce": ["precision"],
    "inline": ["precision"],
    "inline_assign": ["precision"],
    "left_reassociate_expr": ["precision"],
    "lift_alloc": ["nonnegative"],
    "merge_writes": ["precision"],
    "replace": ["precision"],
    "set_precision": ["floating"],
    "split_write": ["precision"],
}


def _made(name: str, proc: Any, args: Tuple[Any, ...], assuming: Any = False) -> List[Any]:
    assumed = [] if assuming is True else assuming or _ASSUMED.get(name)
    try:
        # What calls are given is looked at when C is made.
        return list(_rewright.apply(name, proc._raw, args, {}, assumed, True))
    except ArgumentError as e:
        raise _wrong(name, args, with_exos_words(str(e), name, "", args)) from None
    except SchedulingError as e:
        if (name, e.condition) in _VALUES:
            raise ValueError(str(e)) from None
        raise in_exos_words(explained(e), args) from None


#: What a dimension or a number of loops makes no sense for is the program's matter there.
_REFUSED = frozenset(
    "add_loop autolift_alloc call_eqv cut_loop divide_with_recompute expand_dim extract_subproc lift_alloc rename replace resize_dim"
    " reuse_buffer rewrite_expr shift_loop specialize unroll_buffer".split()
)

#: Here it is the value's.
_WRONG_VALUES = frozenset("divide_dim mult_dim rearrange_dim sink_alloc".split())

#: Refusals that are a wrong value's, by condition.
_VALUES = {("merge_writes", "writes")}

#: Numbers from here on are no numbers of loops or cells.
_LARGE = 1 << 31


def _wrong(name: str, args: Tuple[Any, ...], why: str) -> Exception:
    """What is raised for arguments that make no sense."""
    flat = _flat(args)
    texts = [arg for arg in flat if isinstance(arg, NewText)]
    if texts:
        return unreadable(why, texts)
    is_large = any(isinstance(arg, int) and abs(arg) >= _LARGE for arg in flat)
    if name in _WRONG_VALUES and not (is_large and name == "divide_dim"):
        return ValueError(why)
    if name in _REFUSED or is_large:
        refused = SchedulingError(why)
        refused.primitive, refused.found = name, "form"
        return refused
    return ArgumentError(why)


def _is_negative(text: Any) -> bool:
    try:
        return int(text) < 0
    except ValueError:
        return False


def _is_sum_or_product(e: Any, what: str) -> None:
    if not isinstance(e, PC.BinaryOpCursor) or e.op() not in ("+", "*"):
        op = e.op() if isinstance(e, PC.BinaryOpCursor) else e._raw.text()
        raise TypeError(f"{what}, got {op}")


def _flat(args: Any) -> List[Any]:
    return [item for arg in args for item in (arg if isinstance(arg, list) else [arg])]


@sched_op([])
def simplify(proc: Any) -> Procedure:
    """Makes expressions and control flow simpler."""
    return _step("simplify", proc, True)


@sched_op([NameA])
def rename(proc: Any, name: Any) -> Procedure:
    """Gives the procedure another name."""
    return _step("rename", proc, name)


@sched_op([InstrStrA, InstrStrA])
def make_instr(proc: Any, c_instr: Any, c_global: Any = "") -> Procedure:
    """Makes the procedure an instruction."""
    return _step("make_instr", proc, as_read(c_instr, str(proc)), c_global)


@sched_op([GapCursorA])
def insert_pass(proc: Any, gap_cursor: Any) -> Procedure:
    """Puts a ``pass`` into a gap."""
    return _step("insert_pass", proc, gap_cursor)


@sched_op([])
def delete_pass(proc: Any) -> Procedure:
    """Takes out every ``pass``."""
    return _step("delete_pass", proc)


@sched_op([BlockCursorA(block_size=2)])
def reorder_stmts(proc: Any, block_cursor: Any) -> Procedure:
    """Swaps two statements."""
    return _step("reorder_stmts", proc, block_cursor)


@sched_op([ForCursorA])
def parallelize_loop(proc: Any, loop_cursor: Any) -> Procedure:
    """Lets the iterations of a loop run side by side."""
    return _step("parallelize_loop", proc, loop_cursor)


@sched_op([ExprCursorA(many=True)])
def commute_expr(proc: Any, expr_cursors: Any) -> Procedure:
    """Swaps the operands of sums and products."""
    for e in expr_cursors:
        _is_sum_or_product(e, "only '+' or '*' can commute")
        if not e.type().is_numeric():
            raise TypeError("only numeric (not index or size) expressions can commute by commute_expr()")
    return _step("commute_expr", proc, expr_cursors)


@sched_op([ExprCursorA])
def left_reassociate_expr(proc: Any, expr: Any) -> Procedure:
    """``a + (b + c)`` becomes ``(a + b) + c``."""
    _is_sum_or_product(expr, "Only '+' or '*' can be reassociated")
    if not isinstance(expr.rhs(), PC.BinaryOpCursor) or expr.rhs().op() != expr.op():
        raise TypeError(f"The rhs of the expression must be the same binary operation as the expression ({expr.op()})")
    return _step("left_reassociate_expr", proc, expr)


@sched_op([ExprCursorA, NewExprA("expr_cursor")])
def rewrite_expr(proc: Any, expr_cursor: Any, new_expr: Any) -> Procedure:
    """Puts an equal expression in the place of another."""
    return _step("rewrite_expr", proc, expr_cursor, new_expr)


@sched_op([ListOrElemA(ExprCursorA), NameA])
def bind_expr(proc: Any, expr_cursors: Any, new_name: Any) -> Procedure:
    """Computes an expression into a new buffer first."""
    if not expr_cursors:
        raise TypeError("expected at least one expression")
    types = [e.type() for e in expr_cursors]
    if not all(typ.is_numeric() for typ in types):
        raise TypeError("only numeric (not index or size) expressions can be bound by bind_expr()")
    (first, *others), typ = expr_cursors, types[0]
    # Those that are written otherwise than the first stay.
    alike = [e for e in others if repr(e) == repr(first)]
    made = _step("bind_expr", proc, [first, *alike], new_name)
    if typ is not ExoType.R and typ is first._own_type():
        return made
    # What a literal comes first in has no precision yet, and functions have their own. Other buffers may have the new name, too.
    known = [made.forward(c) for c in _allocations(proc, new_name)]
    (buffer,) = (c for c in _allocations(made, new_name) if c not in known)
    return _step("set_precision", made, buffer, typ)


def _allocations(proc: Any, name: str) -> List[Any]:
    """The allocations of buffers of a name."""
    try:
        return list(proc.find(f"{name}: _", many=True))
    except SchedulingError:
        return []


@sched_op([CallCursorA])
def inline(proc: Any, call_cursor: Any) -> Procedure:
    """Puts the body of a procedure in the place of a call."""
    return _step("inline", proc, call_cursor)


@sched_op([ArgOrAllocCursorA, TypeAbbrevA])
def set_precision(proc: Any, cursor: Any, typ: Any) -> Procedure:
    """Sets the type of the cells of a buffer."""
    return _step("set_precision", proc, cursor, typ)


@sched_op([ArgCursorA, BoolA])
def set_window(proc: Any, cursor: Any, is_window: Any = True) -> Procedure:
    """Makes an argument a window, or dense."""
    if not cursor.is_tensor():
        raise SchedulingError(f"set_window: cannot change windowing of a non-tensor/window argument, `{cursor.name()}`")
    return _step("set_window", proc, cursor, is_window)


@sched_op([ArgOrAllocCursorA, MemoryA])
def set_memory(proc: Any, cursor: Any, memory_type: Any) -> Procedure:
    """Puts a buffer into another memory."""
    return _step("set_memory", proc, cursor, memory_type)


@sched_op([ExprCursorA, ConfigA, ConfigFieldA])
def bind_config(proc: Any, var_cursor: Any, config: Any, field: Any) -> Procedure:
    """Writes a value into a field, and reads it from there."""
    if not isinstance(var_cursor, PC.ReadCursor):
        raise TypeError(f"expected a cursor to a single variable Read, not {var_cursor._raw.text()}")
    typ = var_cursor.type()
    _to_a_field("bind", var_cursor._raw.text(), typ, len(var_cursor.idx()) > 0)
    if typ is not ExoType.of_word(str(config.lookup_type(field))):
        raise TypeError(
            f"expected type of expression to bind ({typ.value}) to match type of Config variable ({config.lookup_type(field)})"
        )
    return _step("bind_config", proc, var_cursor, config, field)


@sched_op([StmtCursorA])
def delete_config(proc: Any, stmt_cursor: Any) -> Procedure:
    """Takes out a write to a field, or what writes fields alone."""
    if not isinstance(stmt_cursor, (PC.AssignConfigCursor, PC.CallCursor)):
        raise SchedulingError(
            f"delete_config: Cannot delete or insert statements at {stmt_cursor._raw.text()} because they may modify non-configuration data"
        )
    return _step("delete_config", proc, stmt_cursor)


@sched_op([GapCursorA, ConfigA, ConfigFieldA, NewExprA("gap_cursor")])
def write_config(proc: Any, gap_cursor: Any, config: Any, field: Any, rhs: Any) -> Procedure:
    """Writes a field: a scalar, a truth value, a stride or a literal."""
    try:
        made = _step("write_config", proc, gap_cursor, config, field, rhs)
    except SchedulingError as e:
        # What has no type that fits.
        if e.condition and not (isinstance(rhs, NewText) and not _is_operand(rhs)):
            raise
        raise TypeError(f"{e}\n  = Exo says: {_NO_OPERAND} {_no_field('write', str(rhs))}") from None
    if isinstance(rhs, NewText) and not _is_operand(rhs):
        raise TypeError(f"{_NO_OPERAND}, not {rhs}")
    before = gap_cursor.type() == PC.GapType.Before
    anchor = made.forward(gap_cursor.anchor())
    value = (anchor.prev() if before else anchor.next()).rhs()
    if isinstance(value, PC.ReadCursor):
        _to_a_field("write", value._raw.text(), value.type(), len(value.idx()) > 0)
    return made


def _is_operand(text: str) -> bool:
    node = ast.parse(text.strip(), mode="eval").body
    is_stride = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "stride"
    return is_stride or isinstance(node, (ast.Name, ast.Subscript, ast.Constant))


#: What else than a value of one is written to a field.
_NO_OPERAND = "expected the rhs to be read, stride expression, or constant"


def _no_field(verb: str, text: str) -> str:
    reason = "since index and size expressions may depend on loop iteration"
    return f"cannot {verb} non-real-scalar non-boolean value {text} to configuration states, {reason}"


def _to_a_field(verb: str, text: str, typ: ExoType, is_part: bool) -> None:
    """Fields are of scalars and truth values: sizes and indices may be those of a loop."""
    if not typ.is_bool() and (is_part or not typ.is_numeric()):
        raise TypeError(_no_field(verb, text))


@sched_op([AllocCursorA, IntA, NewExprA("buf_cursor"), NewExprA("buf_cursor"), BoolA])
def resize_dim(proc: Any, buf_cursor: Any, dim_idx: Any, size: Any, offset: Any, fold: Any = False) -> Procedure:
    """Changes the extent of a dimension."""
    rank = len(buf_cursor.shape()) if buf_cursor.is_tensor() else 0
    if dim_idx >= rank > 0:
        raise IndexError(f"`{buf_cursor.name()}` has {rank} dimensions, and {dim_idx} is not one")
    # Exo folds from 0, wherever the cells begin.
    return _step("resize_dim", proc, buf_cursor, dim_idx, size, 0 if fold else offset, fold)


@sched_op([AllocCursorA, NewExprA("buf_cursor"), NewExprA("buf_cursor")])
def expand_dim(proc: Any, buf_cursor: Any, alloc_dim: Any, indexing_expr: Any) -> Procedure:
    """Gives a buffer one more dimension."""
    return _step("expand_dim", proc, buf_cursor, alloc_dim, indexing_expr)


@sched_op([AllocCursorA, ListA(IntA)])
def rearrange_dim(proc: Any, buf_cursor: Any, permute_vector: Any) -> Procedure:
    """Permutes the dimensions of a buffer."""
    made = _step("rearrange_dim", proc, buf_cursor, permute_vector)
    _narrower.not_passed_to_permute(buf_cursor)
    return made


@sched_op([AllocCursorA, IntA, PosIntA])
def divide_dim(proc: Any, alloc_cursor: Any, dim_idx: Any, quotient: Any) -> Procedure:
    """Splits a dimension in two."""
    made = _step("divide_dim", proc, alloc_cursor, dim_idx, quotient)
    _narrower.neither_passed_nor_windowed("divide_dim", "divide", alloc_cursor)
    return made


@sched_op([AllocCursorA, IntA, IntA])
def mult_dim(proc: Any, alloc_cursor: Any, hi_dim_idx: Any, lo_dim_idx: Any) -> Procedure:
    """Makes one dimension of two."""
    made = _step("mult_dim", proc, alloc_cursor, hi_dim_idx, lo_dim_idx)
    _narrower.neither_passed_nor_windowed("mult_dim", "multiply", alloc_cursor)
    return made


@sched_op([AllocCursorA, IntA])
def unroll_buffer(proc: Any, alloc_cursor: Any, dimension: Any) -> Procedure:
    """Makes a buffer for each index of a dimension."""
    return _step("unroll_buffer", proc, alloc_cursor, dimension)


@sched_op([AllocCursorA, PosIntA])
def lift_alloc(proc: Any, alloc_cursor: Any, n_lifts: Any = 1) -> Procedure:
    """Takes an allocation out of what is around it."""
    return _step("lift_alloc", proc, alloc_cursor, n_lifts)


@sched_op([AllocCursorA])
def sink_alloc(proc: Any, alloc_cursor: Any) -> Procedure:
    """Takes an allocation into the next statement."""
    after = alloc_cursor.next()
    if not isinstance(after, (PC.ForCursor, PC.IfCursor)):
        raise ValueError(f"Cannot sink alloc because the statement after the allocation is not a loop or if statement, it is {after}")
    return _step("sink_alloc", proc, alloc_cursor)


@sched_op([AllocCursorA, PosIntA, EnumA(["row", "col"]), OptionalA(PosIntA), BoolA])
def autolift_alloc(proc: Any, alloc_cursor: Any, n_lifts: Any = 1, mode: Any = "row", size: Any = None, keep_dims: Any = False) -> Procedure:
    """Takes an allocation out of loops, with a dimension for each."""
    _narrower.enough_scopes(alloc_cursor, n_lifts)
    return _step("autolift_alloc", proc, alloc_cursor, n_lifts, mode, size, keep_dims)


@sched_op([AllocCursorA])
def delete_buffer(proc: Any, buf_cursor: Any) -> Procedure:
    """Takes out a buffer that is not used."""
    return _step("delete_buffer", proc, buf_cursor)


@sched_op([AllocCursorA, AllocCursorA])
def reuse_buffer(proc: Any, buf_cursor: Any, replace_cursor: Any) -> Procedure:
    """Puts one buffer in the place of another."""
    return _step("reuse_buffer", proc, buf_cursor, replace_cursor)


@sched_op([WindowStmtCursorA])
def inline_window(proc: Any, winstmt_cursor: Any) -> Procedure:
    """Puts what a window is of in the place of the window."""
    return _step("inline_window", proc, winstmt_cursor)


@sched_op([BlockCursorA, CustomWindowExprA("block_cursor"), NameA, BoolA])
def stage_mem(proc: Any, block_cursor: Any, win_expr: Any, new_buf_name: Any, accum: Any = False) -> Procedure:
    """Works on a copy of a part of a buffer."""
    _narrower.window_of_a_name(win_expr)
    name = re.split(r"\W", win_expr.strip(), maxsplit=1)[0]
    before = _uses(block_cursor, name)
    # Exo loads what is read or added to somewhere, needed or not, but for a single cell that is written first.
    deciding = before if ":" in win_expr else [uses for uses in before if uses.mentioned][:1]
    loads = not accum and any(uses.read or uses.reduced for uses in deciding)
    made = _step("stage_mem", proc, block_cursor, win_expr, new_buf_name, accum, loads)
    _narrower.window_of_all_dimensions(block_cursor, win_expr, before)
    staged = (made.forward(stmt) for stmt, uses in zip(block_cursor, before) if uses.mentioned)
    # What uses other cells stays as it is: where all do, there is nothing to be staged.
    if not any(uses.mentioned for stmt in staged for uses in _uses(stmt, new_buf_name)):
        raise SchedulingError(
            f"stage_mem: Cannot stage '{name}' with the given window shape. Wrong window shape, or '{name}' not accessed in the given scope?"
        )
    if accum and any(uses.read or uses.assigned for uses in before):
        _narrower.refuse("stage_mem", f"The buffer {name} is accessed in a way other than simply reducing into it")
    return made


class _Uses(NamedTuple):
    """What a statement does with a buffer: a window of it, and passing it, counts as reading. The rank is that of the accesses."""

    mentioned: bool
    read: bool
    assigned: bool
    reduced: bool
    rank: Optional[int]


def _uses(stmts: Any, name: str) -> List[_Uses]:
    return [_Uses(*uses) for uses in _rewright.uses(stmts._raw, name)]


@sched_op([ForCursorA, NewExprA("loop_cursor"), PosIntA, ListA(NameA, length=2)])
def divide_with_recompute(proc: Any, loop_cursor: Any, outer_hi: Any, outer_stride: Any, new_iters: Any) -> Procedure:
    """Divides a loop into parts that overlap."""
    return _step("divide_with_recompute", proc, loop_cursor, outer_hi, outer_stride, new_iters)


@sched_op([NestedForCursorA, NameA])
def mult_loops(proc: Any, nested_loops: Any, new_iter_name: Any) -> Procedure:
    """Makes one loop of two."""
    made = _step("mult_loops", proc, nested_loops, new_iter_name)
    _narrower.zero_based_product(nested_loops)
    return made


@sched_op([ForCursorA, ForCursorA])
def join_loops(proc: Any, loop1_cursor: Any, loop2_cursor: Any) -> Procedure:
    """Makes one loop of two that follow each other."""
    _followed(loop1_cursor)
    return _step("join_loops", proc, loop1_cursor, loop2_cursor)


@sched_op([ForCursorA, NewExprA("loop_cursor")])
def cut_loop(proc: Any, loop_cursor: Any, cut_point: Any) -> Procedure:
    """Cuts a loop in two."""
    return _step("cut_loop", proc, loop_cursor, cut_point)


@sched_op([ForCursorA, NewExprA("loop_cursor")])
def shift_loop(proc: Any, loop_cursor: Any, new_lo: Any) -> Procedure:
    """Lets a loop begin elsewhere."""
    if _is_negative(new_lo):
        raise SchedulingError(f"shift_loop: Expected 0 <= `new_lo`, got {new_lo}")
    return _step("shift_loop", proc, loop_cursor, new_lo)


@sched_op([NestedForCursorA])
def reorder_loops(proc: Any, nested_loops: Any) -> Procedure:
    """Swaps two loops."""
    return _step("reorder_loops", proc, nested_loops)


@sched_op([BlockCursorA(block_size=2)])
def merge_writes(proc: Any, block_cursor: Any) -> Procedure:
    """Makes one write of two."""
    first, second = block_cursor
    writes = (PC.AssignCursor, PC.ReduceCursor)
    if not (isinstance(first, writes) and isinstance(second, writes)):
        raise ValueError(f"expected two consecutive assign/reduce statements, got {type(first)} and {type(second)} instead.")
    if first.name() != second.name():
        raise ValueError("expected the two statements' left hand sides to have the same name & type")
    return _step("merge_writes", proc, block_cursor)


@sched_op([AssignOrReduceCursorA])
def split_write(proc: Any, stmt: Any) -> Procedure:
    """Makes two writes of the write of a sum."""
    return _step("split_write", proc, stmt)


@sched_op([AssignCursorA])
def fold_into_reduce(proc: Any, assign: Any) -> Procedure:
    """``x = x + e`` becomes ``x += e``."""
    made = _step("fold_into_reduce", proc, assign)
    _narrower.sum_of_itself(assign)
    return made


@sched_op([AssignCursorA])
def inline_assign(proc: Any, alloc_cursor: Any) -> Procedure:
    """Puts an assigned value in the place of its reads."""
    # What is refused after this Exo accepts.
    _narrower.not_written_afterwards(alloc_cursor)
    return _step("inline_assign", proc, alloc_cursor)


@sched_op([BlockCursorA(block_size=2)])
def lift_reduce_constant(proc: Any, block_cursor: Any) -> Procedure:
    """Takes a constant factor out of a reduction."""
    first, second = block_cursor
    if isinstance(first, PC.AssignCursor) and isinstance(second, PC.ForCursor):
        _narrower.one_constant(first, second)
    return _step("lift_reduce_constant", proc, block_cursor)


@sched_op([GapCursorA, PosIntA])
def autofission(proc: Any, gap_cursor: Any, n_lifts: Any = 1) -> Procedure:
    """Splits the loops around a gap, as far as that can be done."""
    depth, around = 0, _statement_before(gap_cursor).parent()
    while around:
        depth, around = depth + 1, around.parent()
    # Around the body of the procedure there is nothing to split.
    return _step("autofission", proc, gap_cursor, min(n_lifts, depth)) if depth else proc


@sched_op([ForCursorA])
def unroll_loop(proc: Any, loop_cursor: Any) -> Procedure:
    """Writes the iterations of a loop one after the other."""
    _narrower.literal_bounds(loop_cursor)
    return _step("unroll_loop", proc, loop_cursor)


@sched_op([ForOrIfCursorA])
def lift_scope(proc: Any, scope_cursor: Any) -> Procedure:
    """Takes a loop or an ``if`` out of what is around it."""
    made = _step("lift_scope", proc, scope_cursor)
    _narrower.loop_of_no_else(scope_cursor)
    return made


@sched_op([ForOrIfCursorA])
def eliminate_dead_code(proc: Any, stmt_cursor: Any) -> Procedure:
    """Takes out what does not run."""
    return _step("eliminate_dead_code", proc, stmt_cursor)


@sched_op([BlockCursorA, ListOrElemA(NewExprA("block"))])
def specialize(proc: Any, block: Any, conds: Any) -> Procedure:
    """Makes a copy of a block for each of some conditions."""
    return _step("specialize", proc, block, conds)


@sched_op([GapCursorA, ProcA, ListA(NewExprOrCustomWindowExprA("gap_cursor"))])
def insert_noop_call(proc: Any, gap_cursor: Any, instr: Any, args: Any) -> Procedure:
    """Calls a procedure that has no effect there."""
    if len(args) != len(instr.args()):
        raise TypeError("Function argument count mismatch")
    _narrower.nothing_but_pass(instr)
    return _step("insert_noop_call", proc, gap_cursor, instr, args)


@sched_op([BlockCursorA, NameA, BoolA])
def extract_subproc(
    proc: Any, block: Any, subproc_name: Any, include_asserts: Any = True
) -> Tuple[Procedure, Procedure]:
    """Makes a procedure of a block, and calls it."""
    made = _made("extract_subproc", proc, (block, subproc_name, include_asserts))
    return Procedure(still_instruction(proc._raw, made[0])), Procedure(made[1])


@sched_op([BlockCursorA, ProcA, BoolA])
def replace(proc: Any, block_cursor: Any, subproc: Any, quiet: Any = False) -> Procedure:
    """Puts a call in the place of statements that do what a procedure does. With ``quiet``, a refusal says only that they do not."""
    if len(block_cursor) < len(without_writes(subproc)):
        raise SchedulingError(f"replace: Not enough statements to match the body of `{subproc.name()}`")
    # Who tries many procedures does so quietly, and most have not the form: no more than that is put into words.
    if quiet and not proc._raw.has_form_of(block_cursor._raw, subproc._raw):
        raise _of_another_form(block_cursor, subproc)
    try:
        return _step("replace", proc, block_cursor, subproc)
    except SchedulingError as e:
        if e.condition != "match":
            raise
        if not quiet:
            _print_both(block_cursor, subproc)
        refused = UnificationError(str(e))
        refused.__dict__.update(e.__dict__)
        raise refused from None


def _print_both(block_cursor: Any, subproc: Any) -> None:
    """What did not match: Exo has it on the standard output, where tests look for it."""
    print(f"Failed to unify the following:\nSubproc:\n{subproc}\nStatements:")
    for stmt in block_cursor:
        print(PC._shown(stmt._raw.text()))


def _of_another_form(block_cursor: Any, subproc: Any) -> UnificationError:
    said = f"replace: the statements are not the body of `{subproc.name()}`"
    refused = UnificationError(with_exos_words(said, "replace", "match", (block_cursor, subproc)))
    refused.primitive, refused.condition, refused.rewright_condition = "replace", "match", "replace.match"
    refused.found = "form"
    return refused


@sched_op([CallCursorA, ProcA])
def call_eqv(proc: Any, call_cursor: Any, eqv_proc: Any) -> Procedure:
    """Calls another version of a procedure, or one that ``unsafe_assert_eq`` says to be equal, which is an assumption then."""
    called = call_cursor.subproc()._raw
    try:
        return _step("call_eqv", proc, call_cursor, eqv_proc)
    except SchedulingError as e:
        if e.condition != "equivalent" or not asserted(called, eqv_proc._raw):
            raise
    made = _step("call_eqv", proc, call_cursor, eqv_proc, assuming=True)
    # What the call is of has no history of its own.
    assert_equal(called, eqv_proc._raw)
    return made


@sched_op([ForCursorA, PosIntA, ListA(NameA, length=2), EnumA(["cut", "guard", "cut_and_guard"]), BoolA])
def divide_loop(
    proc: Any, loop_cursor: Any, div_const: Any, new_iters: Any, tail: Any = "guard", perfect: Any = False
) -> Procedure:
    """Splits a loop into two nested ones."""
    made = _step("divide_loop", proc, loop_cursor, div_const, new_iters, "perfect" if perfect else tail)
    _narrower.zero_based(loop_cursor)
    return made


def _followed(stmt: Any) -> None:
    if not stmt.next():
        raise InvalidCursorError("cursor is out of range: nothing follows the first statement")


def _statement_before(gap: Any) -> Any:
    stmt = gap.anchor().prev() if gap.type() == PC.GapType.Before else gap.anchor()
    if not stmt or not stmt.next():
        raise ValueError("expected cursor to point to a gap between statements, not at an edge")
    return stmt


@sched_op([GapCursorA, PosIntA, BoolA])
def fission(proc: Any, gap_cursor: Any, n_lifts: Any = 1, unsafe_disable_checks: Any = False) -> Procedure:
    """Splits the loops around a gap."""
    _statement_before(gap_cursor)
    return _step("fission", proc, gap_cursor, n_lifts, assuming=bool(unsafe_disable_checks))


@sched_op([ForOrIfCursorA, ForOrIfCursorA, BoolA])
def fuse(proc: Any, stmt1: Any, stmt2: Any, unsafe_disable_check: Any = False) -> Procedure:
    """Makes one loop, or one ``if``, of two."""
    if isinstance(stmt1, PC.IfCursor) != isinstance(stmt2, PC.IfCursor):
        raise ValueError("expected the two argument cursors to either both point to loops or both point to if-guards")
    _followed(stmt1)
    # That bounds and conditions are the same is asked for in any case.
    return _step("fuse", proc, stmt1, stmt2, assuming=["commute"] if unsafe_disable_check else False)


@sched_op([ForCursorA, BoolA])
def remove_loop(proc: Any, loop_cursor: Any, unsafe_disable_check: Any = False) -> Procedure:
    """Runs the body of a loop once."""
    return _step("remove_loop", proc, loop_cursor, assuming=bool(unsafe_disable_check))


@sched_op([BlockCursorA, NameA, NewExprA("block_cursor"), BoolA, BoolA])
def add_loop(
    proc: Any, block_cursor: Any, iter_name: Any, hi_expr: Any, guard: Any = False, unsafe_disable_check: Any = False
) -> Procedure:
    """Runs a statement several times, which does what it does once."""
    if len(block_cursor) != 1:
        raise NotImplementedError("a loop is added around one statement: TODO: support blocks of size > 1")
    runs_once = str(hi_expr) == "1"
    if (guard or runs_once) and not unsafe_disable_check:
        # Exo asks that the statement may run again of one that runs once, too.
        _step("add_loop", proc, block_cursor, iter_name, 2 if runs_once else hi_expr, False)
    return _step("add_loop", proc, block_cursor, iter_name, hi_expr, guard, assuming=bool(unsafe_disable_check))


@sched_op([BlockCursorA, NewExprA("block_cursor")])
def add_unsafe_guard(proc: Any, block_cursor: Any, var_expr: Any) -> Procedure:
    """Runs a statement under a condition, which is assumed to hold where that is not proved."""
    first = block_cursor[0].as_block()
    return _step("add_unsafe_guard", proc, first, var_expr, assuming=True)
