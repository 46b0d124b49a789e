# ruff: noqa: F401, F403
# mypy: implicit-reexport
"""Halide's directives on Exo's programs: stages are loop nests, one after the other, and each writes a buffer.

Buffers have names of their own; the nests stand in the procedure's own block; a consumer needs a contiguous part of a
producer for each of its iterations; and each loop goes along one dimension.
"""

from __future__ import annotations

from typing import Any, List, Sequence

from ..API_cursors import *
from ..API_cursors import ReadCursor, StrideExprCursor, WindowExprCursor
from .inspection import *
from .inspection import (
    get_enclosing_loop,
    get_enclosing_loop_by_name,
    get_index_in_body,
    get_parents,
    is_literal,
    lrn,
    match_parent,
)
from .range_analysis import bounds_inference
from .scheduling import *
from .scheduling import (
    FormattedExprStr,
    cut_loop,
    delete_buffer,
    divide_loop,
    divide_with_recompute,
    fuse,
    inline_assign,
    parallelize_loop,
    reorder_loops,
    reorder_stmts,
    resize_dim,
    rewrite_expr,
    shift_loop,
    simplify,
    sink_alloc,
)

__all__ = [
    "compute_and_store_at",
    "compute_at",
    "halide_compute_and_store_at",
    "halide_compute_and_store_at_same",
    "halide_compute_at",
    "halide_fully_inline",
    "halide_parallel",
    "halide_split",
    "halide_store_at",
    "halide_tile",
    "split",
    "store_at",
    "tile",
]


def _names_in(expr: Any) -> List[str]:
    reads = (ReadCursor, WindowExprCursor, StrideExprCursor)
    return [node.name() for node in lrn(expr.proc(), expr) if isinstance(node, reads)]


def get_affected_read_dim(buffer_name: str, loop: Any) -> int:
    """The dimension in which reads of a buffer move with a loop; a ``ValueError`` where there are several."""
    name = loop.name()
    dims = {
        dim
        for read in loop.find(f"{buffer_name}", many=True)
        for dim, index in enumerate(read.idx())
        if name in _names_in(index)
    }
    if len(dims) > 1:
        raise ValueError(f"{name} affects multiple indices into {buffer_name}")
    return list(dims)[0]


def _divided_if_it_overlaps(proc: Any, loop: Any, outer_hi: Any, outer_stride: int, new_iters: Sequence[str]) -> Any:
    """``divide_with_recompute``, but where the inner loop would have one iteration nothing."""
    made = simplify(divide_with_recompute(proc, loop, outer_hi, outer_stride, new_iters))
    return proc if is_literal(made, made.forward(loop).body()[0].hi(), 1) else made


def _simplified_by_assertions(proc: Any) -> Any:
    """``simplify``, after what an assertion equates with a number was replaced by it in one place."""
    for assertion in proc.preds():
        lhs, equal, rhs = assertion.rpartition(" == ")
        if equal and rhs.lstrip("-").isdecimal():
            try:
                proc = rewrite_expr(proc, lhs, int(rhs))
            except Exception:  # it does not occur, or not where the assertion is known
                continue
    return simplify(proc)


# Stages.


def compute_at(proc: Any, producer_assign: Any, target_loop: Any, with_prologue: bool = False) -> Any:
    """Computes what a loop's iteration needs of a producer right before it.

    for i: for j: p[…] = …                      for io: for jo:
    for io: for jo: (target)             ~>         for ii: for ji: p[…] = …
        for ii: for ji: c[…] = …                    for ii: for ji: c[…] = …

    What two iterations need is computed in both; with a prologue it is computed in the first, and what the first needs
    before the loop.
    """
    producer_assign = proc.forward(producer_assign)
    target_loop = proc.forward(target_loop)
    producer = producer_assign.name()
    _, outermost = match_parent(producer_assign, target_loop)
    levels = [target_loop, *get_parents(proc, target_loop, up_to=outermost)]
    for level in reversed(levels):
        producer_assign = proc.forward(producer_assign)
        c_loop = proc.forward(level)
        dim = get_affected_read_dim(producer, c_loop)
        bounds = bounds_inference(c_loop, producer, dim, include=["R"])
        length = FormattedExprStr("_", c_loop.hi())
        proc, p_loop, c_loop = _side_by_side(proc, producer_assign, c_loop, dim)
        if not with_prologue:
            names = [c_loop.name(), f"{c_loop.name()}i"]
            proc = _divided_if_it_overlaps(proc, p_loop, length, bounds.get_stride_of(c_loop.name()), names)
            proc = fuse(proc, p_loop, c_loop)
        else:
            proc = cut_loop(proc, p_loop, bounds.get_size() - 1)
            prologue = proc.forward(p_loop)
            rest = prologue.next()
            producer_assign = _same_place(proc.forward(producer_assign), prologue, rest)
            proc = shift_loop(proc, rest, 0)
            proc = fuse(proc, rest, rest.next())
        proc = _simplified_by_assertions(proc)
    return proc


def _side_by_side(proc: Any, producer_assign: Any, c_loop: Any, dim: int) -> Any:
    """Brings the producer's loop over a dimension outside its nest, and right before the consumer's."""
    along = _names_in(producer_assign.idx()[dim])
    p_loop, _ = match_parent(producer_assign, c_loop)
    while p_loop.name() not in along:
        p_loop = p_loop.body()[0]
    while p_loop.parent() != c_loop.parent():
        proc = reorder_loops(proc, p_loop.parent())
        p_loop, c_loop = proc.forward(p_loop), proc.forward(c_loop)
    while p_loop.next() != c_loop:
        proc = reorder_stmts(proc, p_loop.expand(0, 1))
        p_loop, c_loop = proc.forward(p_loop), proc.forward(c_loop)
    return proc, p_loop, c_loop


def _same_place(stmt: Any, inside: Any, of: Any) -> Any:
    """The statement that stands in one loop where another stands in its copy."""
    path = []
    while stmt != inside:
        path.append(get_index_in_body(stmt.proc(), stmt))
        stmt = stmt.parent()
    for index in reversed(path):
        of = of.body()[index]
    return of


def store_at(proc: Any, producer_alloc: Any, target_loop: Any) -> Any:
    """Allocates a producer's buffer inside a loop, with as many cells as one iteration needs."""
    producer_alloc = proc.forward(producer_alloc)
    target_loop = proc.forward(target_loop)
    producer = producer_alloc.name()
    outermost, _ = match_parent(target_loop, producer_alloc)
    around = list(get_parents(proc, target_loop, up_to=outermost))
    for level in [*reversed(around), target_loop]:
        loop = proc.forward(level)
        producer_alloc = proc.forward(producer_alloc)
        dim = get_affected_read_dim(producer, loop)
        bounds = bounds_inference(loop, producer, dim)
        start, size = bounds.get_bounds()[0], bounds.get_size()
        while producer_alloc.next() != loop:
            proc = reorder_stmts(proc, producer_alloc.expand(0, 1))
            producer_alloc, loop = proc.forward(producer_alloc), proc.forward(loop)
        proc = sink_alloc(proc, producer_alloc)
        proc = simplify(resize_dim(proc, producer_alloc, dim, size, start))
    return simplify(proc)


def compute_and_store_at(proc: Any, producer: str, target_loop: Any) -> Any:
    """``compute_at`` and ``store_at`` of the stage that writes a buffer."""
    target_loop = proc.forward(target_loop)
    proc = compute_at(proc, proc.find(f"{producer} = _"), target_loop)
    target_loop = proc.forward(target_loop.body()[0]).parent()
    return store_at(proc, proc.find(f"{producer} : _"), target_loop)


def tile(
    proc: Any,
    i_loop: Any,
    j_loop: Any,
    new_i_iters: Sequence[str],
    new_j_iters: Sequence[str],
    i_tile_size: int,
    j_tile_size: int,
    perfect: bool = True,
) -> Any:
    """Tiles a loop and the one right inside it, both of a length that the tile divides."""
    assert j_loop.parent() == i_loop, "the second loop is right inside the first"
    assert perfect, "only perfect tiling is currently supported"
    i_loop, j_loop = proc.forward(i_loop), proc.forward(j_loop)
    proc = divide_loop(proc, i_loop, i_tile_size, new_i_iters, perfect=perfect)
    proc = divide_loop(proc, j_loop, j_tile_size, new_j_iters, perfect=perfect)
    return reorder_loops(proc, proc.forward(i_loop).body()[0])


def split(proc: Any, loop: Any, o_iter: str, i_iter: str, split_factor: int, tail: str) -> Any:
    """``divide_loop`` with any of its tails, or ``"perfect"``."""
    loop = proc.forward(loop)
    if tail == "perfect":
        return divide_loop(proc, loop, split_factor, [o_iter, i_iter], perfect=True)
    return divide_loop(proc, loop, split_factor, [o_iter, i_iter], tail=tail)


# The same by names of stages and loops.


def _loop_of(p: Any, stage: str, name: str) -> Any:
    return get_enclosing_loop_by_name(p, p.find(f"{stage} = _"), name)


def halide_tile(p: Any, buffer: str, y: str, x: str, yi: str, xi: str, yTile: int, xTile: int) -> Any:
    """Halide's ``tile``: the outer loops keep their names."""
    return tile(p, _loop_of(p, buffer, y), _loop_of(p, buffer, x), [y, yi], [x, xi], yTile, xTile, perfect=True)


def halide_split(p: Any, stage: str, x: str, xo: str, xi: str, split_factor: int, tail: str = "perfect") -> Any:
    """Halide's ``split``; the tail is ``"perfect"``, ``"cut"``, ``"guard"`` or ``"cut_and_guard"``."""
    return split(p, _loop_of(p, stage, x), xo, xi, split_factor, tail)


def halide_compute_at(p: Any, producer: str, consumer: str, loop: str, with_prologue: bool = True) -> Any:
    """Halide's ``compute_at``."""
    target = _loop_of(p, consumer, loop)
    return compute_at(p, p.find(f"{producer} = _"), target, with_prologue=with_prologue)


def halide_store_at(p: Any, producer: str, consumer: str, loop: str) -> Any:
    """Halide's ``store_at``."""
    target = _loop_of(p, consumer, loop)
    return store_at(p, p.find(f"{producer} : _"), target)


def halide_compute_and_store_at_same(p: Any, producer: str, consumer: str, loop: str) -> Any:
    """Halide's ``compute_at``, which also stores there."""
    return compute_and_store_at(p, producer, _loop_of(p, consumer, loop))


def halide_compute_and_store_at(p: Any, producer: str, consumer: str, compute_loop: str, store_loop: str) -> Any:
    """Halide's ``store_at`` of one loop and ``compute_at`` of another inside it, with a prologue."""
    p = halide_compute_and_store_at_same(p, producer, consumer, store_loop)
    return halide_compute_at(p, producer, consumer, compute_loop, with_prologue=True)


def halide_fully_inline(p: Any, producer: str, consumer: str) -> Any:
    """Halide's default: a producer is computed where it is used. The consumer reads one value of it in an iteration."""
    p = compute_and_store_at(p, producer, get_enclosing_loop(p, p.find(f"{consumer} = _")))
    p = inline_assign(p, p.find(f"{producer} = _"))
    return delete_buffer(p, p.find(f"{producer}: _"))


def halide_parallel(p: Any, loop: str) -> Any:
    """Halide's ``parallel``."""
    return parallelize_loop(p, p.find_loop(loop))
