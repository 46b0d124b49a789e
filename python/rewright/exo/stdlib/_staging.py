"""Buffers: expressions put into them, windows staged, reductions and common subexpressions taken apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

from ..._errors import ArgumentError
from ._cursors import Cursors
from .higher_order import apply, attempt, lift_rc, make_pass
from .inspection import (
    DRAM,
    AllocCursor,
    AssignCursor,
    BlockCursor,
    ExprCursor,
    ForCursor,
    IfCursor,
    InvalidCursor,
    ReadCursor,
    ReduceCursor,
    SchedulingError,
    StmtCursor,
    are_exprs_equal,
    expr_to_string,
    get_bounding_block,
    get_children,
    get_declaration,
    get_distance,
    get_enclosing_stmt,
    get_parents,
    get_symbols,
    get_unique_names,
    is_access,
    is_add,
    is_assign,
    is_binop,
    is_literal,
    is_mul,
    is_read,
    is_reduce,
    is_select,
    is_stmt,
    is_sub,
    is_unary_minus,
    lrn,
    lrn_stmts,
    nlr_stmts,
)
from .rc_wrappers import stage_mem_
from .scheduling import (
    bind_expr,
    delete_buffer,
    expand_dim,
    fission,
    fold_into_reduce,
    inline_assign,
    lift_alloc,
    lift_scope,
    merge_writes,
    remove_loop,
    reorder_stmts,
    set_memory,
    set_precision,
    stage_mem,
)


@dataclass
class bind_and_set_expr_cursors(Cursors):
    """The new buffer, the expression where it is computed now, and where it was."""

    alloc: Any
    bound_expr: Any
    expr_reads: Any


def bind_and_set_expr(
    proc: Any, exprs: Any, precision: Any, memory: Any, new_name: Optional[str] = None, rc: bool = False
) -> Any:
    """``bind_expr`` of an expression, or of a list of equal ones, to a new buffer of a precision and in a memory. Without
    a name, the first free one of ``var0``, ``var1``, …"""
    if new_name is None:
        new_name = next(get_unique_names(proc))
    stmt = get_enclosing_stmt(proc, exprs if isinstance(exprs, ExprCursor) else exprs[0])
    proc = bind_expr(proc, exprs, new_name)
    proc = set_precision(proc, new_name, precision)
    proc = set_memory(proc, new_name, memory)
    alloc = get_declaration(proc, stmt, new_name)
    bound = alloc.next().rhs()
    return (proc, bind_and_set_expr_cursors(alloc, bound, exprs)) if rc else proc


def parallelize_and_lift_alloc(proc: Any, alloc_cursor: Any, n_lifts: int = 1) -> Any:
    """Lifts an allocation out of so many statements, and gives it a dimension for each loop among them.

    for i in seq(0, hi):            x: R[hi]
        x: R              ~>        for i in seq(0, hi):
        s                               s[x ↦ x[i]]
    """
    for _ in range(n_lifts):
        alloc = proc.forward(alloc_cursor)
        around = alloc.parent()
        if isinstance(around, ForCursor):
            proc = expand_dim(proc, alloc, expr_to_string(around.hi()), around.name())
        proc = lift_alloc(proc, alloc)
    return proc


def parallelize_allocs(proc: Any, cursor: Any) -> Any:
    """Does so with every allocation inside a loop or a condition, until it is outside."""
    if not isinstance(cursor, (ForCursor, IfCursor)):
        raise SchedulingError(f"Got type {type(cursor)}, expected {ForCursor} or {IfCursor}")
    for stmt in nlr_stmts(proc, cursor):
        if isinstance(stmt, AllocCursor):
            proc = parallelize_and_lift_alloc(proc, stmt, get_distance(proc, stmt, cursor))
    return proc


# Windows.

#: The least and the greatest value of an index, as text; the greatest is one more where a loop decides it.
Range = Tuple[str, str]


def auto_stage_mem(
    proc: Any, block: Any, buff: str, new_buff_name: Optional[str] = None, accum: bool = False, rc: bool = False
) -> Any:
    """``stage_mem`` of as small a window of a buffer as covers what a block does to it.

    Each side of each dimension begins as that of the whole buffer. Where all accesses agree on another, that is taken;
    otherwise each one that ``stage_mem`` accepts, in the order in which they occur. Of a scalar, no cursors are given.
    """
    if new_buff_name is None:
        new_buff_name = next(get_unique_names(proc))
    if not isinstance(block, BlockCursor):
        block = proc.forward(block).as_block()
    declaration = get_declaration(proc, block[0], buff)
    if not declaration.is_tensor():
        return stage_mem(proc, block, buff, new_buff_name, accum)

    whole = [["0", _range(proc, extent, {})[0]] for extent in declaration.shape()]

    def accepts(window: List[List[str]]) -> bool:
        stage = attempt(stage_mem, errs=(SchedulingError, ArgumentError))
        return bool(stage(proc, block, _window_text(buff, window), new_buff_name, accum, rs=True)[1])

    window = _tightened(whole, _accessed(proc, block, buff), accepts)
    return stage_mem_(proc, block, _window_text(buff, window), new_buff_name, accum, rc=rc)


def _tightened(window: List[List[str]], accessed: Sequence[Tuple[Range, ...]], accepts: Any) -> List[List[str]]:
    for dim, sides in enumerate(window):
        for side in (0, 1):
            candidates = list(dict.fromkeys(ranges[dim][side] for ranges in accessed))
            if len(candidates) == 1:
                sides[side] = candidates[0]
                continue
            for candidate in candidates:
                kept, sides[side] = sides[side], candidate
                if not accepts(window):
                    sides[side] = kept
    return window


def _window_text(buff: str, window: Sequence[Sequence[str]]) -> str:
    dims = [lo if lo == hi else f"{lo}:{hi}" for lo, hi in window]
    return f"{buff}[{','.join(dims)}]" if dims else buff


def _accessed(proc: Any, block: Any, buff: str) -> List[Tuple[Range, ...]]:
    """Of each access of a buffer in a block, the ranges of its indices over the loops of the block."""
    nodes = [proc.forward(node) for node in lrn(proc, block) if _is_place(node)]
    loops = [node for node in nodes if isinstance(node, ForCursor)]
    out = []
    for access in nodes:
        if not is_access(proc, access) or access.name() != buff:
            continue
        env: Dict[str, Range] = {}
        for loop in reversed([around for around in get_parents(proc, access) if around in loops]):
            env[loop.name()] = (_range(proc, loop.lo(), env)[0], _range(proc, loop.hi(), env)[1])
        out.append(tuple(_range(proc, index, env) for index in access.idx()))
    return out


def _is_place(node: Any) -> bool:
    return isinstance(node, (StmtCursor, ExprCursor))


def _range(proc: Any, expr: Any, env: Dict[str, Range]) -> Range:
    """The range of an index, where ``env`` has the ranges of variables."""
    if is_read(proc, expr):
        return env.get(expr.name(), (expr.name(), expr.name()))
    if is_literal(proc, expr):
        return (str(expr.value()), str(expr.value()))
    if is_unary_minus(proc, expr):
        lo, hi = _range(proc, expr.arg(), env)
        return (f"-({hi})", f"-({lo})")
    if not is_binop(proc, expr):
        raise AssertionError("an index is an affine expression")
    left, right = _range(proc, expr.lhs(), env), _range(proc, expr.rhs(), env)
    lo, hi = (f"({left[side]}) {expr.op()} ({right[side]})" for side in (0, 1))
    if is_add(proc, expr) or is_sub(proc, expr):
        return (lo, hi)
    for factor in (expr.rhs(), expr.lhs()):
        if is_literal(proc, factor):
            return (hi, lo) if factor.value() < 0 else (lo, hi)
    raise AssertionError("an index is an affine expression")


# Expressions.


def ordered_stage_expr(proc: Any, expr_cursors: Any, new_buff_name: str, precision: Any, n_lifts: int = 1) -> Any:
    """Computes an expression, or a list of equal ones, into a buffer before the loops around it, so many of them: the
    allocation and the loops that fill it come before, in order, and lose the loops that they do not need."""
    exprs = expr_cursors if isinstance(expr_cursors, list) else [expr_cursors]
    if not all(isinstance(cursor, ExprCursor) for cursor in exprs):
        raise SchedulingError("auto_stage_mem expects a read a cursor")
    exprs = [proc.forward(cursor) for cursor in exprs]
    stmt = get_enclosing_stmt(proc, exprs[0])
    proc = bind_expr(proc, exprs, new_buff_name)
    assign = proc.forward(stmt).prev()
    alloc = assign.prev()
    names = set(get_symbols(proc, assign.rhs()))

    for _ in range(n_lifts):
        loop = assign.parent()
        if not isinstance(loop, ForCursor):
            raise SchedulingError("Not implemented yet")
        lift = parallelize_and_lift_alloc if loop.name() in names else lift_alloc
        proc = lift(proc, alloc)
        proc = _split_off_first(proc, assign)
        assign = proc.forward(assign).parent()

    proc = _without_idle_loops(proc, proc.forward(alloc).next())
    alloc = proc.forward(alloc)
    proc = set_precision(proc, alloc, precision)
    return _with_ifs_outside(proc, alloc.next())


def _split_off_first(proc: Any, stmt: Any) -> Any:
    """Brings a statement to the start of its block, and fissions the loop after it."""
    stmt = proc.forward(stmt)
    while stmt.prev():
        proc = reorder_stmts(proc, stmt.expand(1, 0))
        stmt = proc.forward(stmt)
    return fission(proc, stmt.after())


def _without_idle_loops(proc: Any, loop: Any) -> Any:
    inner = loop.body()[0]
    if isinstance(inner, ForCursor):
        proc = _without_idle_loops(proc, inner)
    try:
        return remove_loop(proc, loop)
    except Exception:  # whatever the reason, the loop stays
        return proc


def _with_ifs_outside(proc: Any, scope: Any, depth: int = 0) -> Any:
    if isinstance(scope, IfCursor):
        for _ in range(depth):
            proc = lift_scope(proc, scope)
    inner = scope.body()[0]
    return _with_ifs_outside(proc, inner, depth + 1) if isinstance(inner, (ForCursor, IfCursor)) else proc


def unfold_reduce(proc: Any, reduce: Any) -> Any:
    """Writes ``x[i] += e`` as ``x[i] = x[i] + e``, by way of a buffer."""
    if not isinstance(reduce, ReduceCursor):
        raise SchedulingError("Expected a reduce cursor")
    proc = auto_stage_mem(proc, reduce, reduce.name())
    reduce = proc.forward(reduce)
    alloc = reduce.prev().prev()
    proc = merge_writes(proc, reduce.as_block().expand(delta_lo=1, delta_hi=0))
    proc = inline_assign(proc, proc.forward(alloc).next())
    return delete_buffer(proc, alloc)


def fma_rule(proc: Any, expr: Any) -> Optional[List[Any]]:
    """The three operands of ``a * b + c`` and ``a + b * c``; of anything else nothing."""
    expr = proc.forward(expr)
    if is_add(proc, expr):
        lhs, rhs = expr.lhs(), expr.rhs()
        if is_mul(proc, lhs):
            return [lhs.lhs(), lhs.rhs(), rhs]
        if is_mul(proc, rhs):
            return [lhs, rhs.lhs(), rhs.rhs()]
    return None


def abs_rule(proc: Any, expr: Any) -> Optional[List[List[Any]]]:
    """The operand of ``select(0.0, x, x, -x)``, which is the absolute value, in its three places; of anything else
    nothing."""
    expr = proc.forward(expr)
    if not is_select(proc, expr):
        return None
    zero, tested, kept, negated = list(expr.args())
    if not is_literal(proc, zero, 0.0) or not is_unary_minus(proc, negated):
        return None
    if not are_exprs_equal(proc, tested, kept) or not are_exprs_equal(proc, tested, negated.arg()):
        return None
    return [[tested, kept, negated.arg()]]


def stage_expr_into_memory(proc: Any, exprs: Any, precision: Any, memory: Any) -> Tuple[Any, Any]:
    """Puts an expression, or a list of equal ones, into a buffer of a memory, unless it is read from there or assigned to
    there already. Gives the procedure, and the expression where it is computed."""
    if not isinstance(exprs, list):
        exprs = [exprs]
    expr = proc.forward(exprs[0])

    def held(name: str) -> bool:
        return get_declaration(proc, expr, name).mem() is memory

    parent = expr.parent()
    if isinstance(parent, AssignCursor) and held(parent.name()):
        return proc, expr
    if isinstance(expr, ReadCursor) and held(expr.name()):
        return proc, expr
    found: Tuple[Any, Any] = lift_rc(bind_and_set_expr, "bound_expr")(proc, exprs, precision, memory)
    return found


def _data_children(proc: Any, cursor: Any = InvalidCursor()) -> List[Any]:
    return [part for part in get_children(proc, cursor) if hasattr(part, "type") and part.type().is_numeric()]


def stage_compute(
    proc: Any,
    block: Any = InvalidCursor(),
    precision: Any = "R",
    memory: Any = DRAM,
    children_ops: Sequence[Any] = [],
) -> Any:
    """Takes the right sides of a block's assignments apart, so that every operation reads and writes a memory.

    ``children_ops`` say what the operands of an operation are: the first that gives any decides, such as ``fma_rule`` for
    a sum of a product. Where none does, these are all parts that are data.
    """
    if not isinstance(children_ops, list):
        raise SchedulingError("Expected children_ops to be a list")

    def operands(proc: Any, expr: Any) -> Iterable[Any]:
        for rule in children_ops:
            found: Optional[Iterable[Any]] = rule(proc, expr)
            if found:
                return found
        return _data_children(proc, expr)

    def stage(proc: Any, exprs: Any) -> Any:
        proc, expr = stage_expr_into_memory(proc, exprs, precision, memory)
        return apply(stage)(proc, operands(proc, expr))

    for stmt in nlr_stmts(proc, block):
        if isinstance(stmt, AllocCursor):
            proc = set_memory(proc, stmt, memory)
    proc = make_pass(attempt(unfold_reduce))(proc, block)
    proc = apply(stage)(proc, [stmt.rhs() for stmt in lrn_stmts(proc, block) if isinstance(stmt, AssignCursor)])
    proc = make_pass(attempt(fold_into_reduce))(proc, block)
    return dealiasing_pass(proc, block)


# Accesses that occur twice.


def _data_accesses(proc: Any, cursor: Any) -> Iterator[Any]:
    for node in lrn(proc, cursor):
        if _is_place(node) and is_access(proc, node) and (is_stmt(proc, node) or node.type().is_numeric()):
            yield node


def cse(proc: Any, block: Any, precision: Any) -> Any:
    """Reads each cell that a block accesses more than once only once: into a scalar where it is only read, and otherwise
    staged around the statements that access it."""
    if not isinstance(block, BlockCursor):
        block = proc.forward(block).as_block()
    cells: Dict[str, Dict[str, List[Any]]] = {}
    for access in _data_accesses(proc, block):
        cells.setdefault(access.name(), {}).setdefault(expr_to_string(access.idx()), []).append(access)
    for buff, by_index in cells.items():
        for accesses in by_index.values():
            if len(accesses) == 1:
                continue
            if all(is_read(proc, access) for access in accesses):
                proc = bind_and_set_expr(proc, accesses, precision, DRAM)
            else:
                proc = auto_stage_mem(proc, get_bounding_block(proc, accesses), buff)
    return proc


def dealias(proc: Any, stmt: Any) -> Any:
    """Copies buffers that a write names more than once, so that each occurrence has one of its own."""
    stmt = proc.forward(stmt)
    if not is_assign(proc, stmt) and not is_reduce(proc, stmt):
        raise TypeError("stmt must be an assign or reduce")

    def copy(proc: Any, expr: Any, name: str) -> Any:
        declaration = get_declaration(proc, stmt, name)
        return bind_and_set_expr(proc, expr, declaration.type(), declaration.mem())

    by_name: Dict[str, List[Any]] = {}
    for access in _data_accesses(proc, stmt.rhs()):
        by_name.setdefault(access.name(), []).append(access)
    for name, accesses in by_name.items():
        for access in accesses[:-1]:
            proc = copy(proc, access, name)
    return copy(proc, stmt.rhs(), stmt.name()) if stmt.name() in by_name else proc


#: ``dealiasing_pass(proc, block)``: ``dealias`` of every write.
dealiasing_pass = make_pass(attempt(dealias, errs=(TypeError,)))
