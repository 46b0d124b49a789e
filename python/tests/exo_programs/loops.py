# ruff: noqa
# mypy: ignore-errors
"""Loops tiled, interleaved, jammed and cut; dead code."""

from __future__ import annotations

from typing import Any

from exo import DRAM
from exo.libs.memories import DRAM_STACK
from exo.stdlib.scheduling import *
from exo.stdlib.stdlib import *

from . import kernels as K
from .runs import Cases


def _interleave_none() -> Any:
    p = divide_loop(K.axpy, "i", 4, ["io", "ii"], tail="cut")
    return interleave_loop(p, p.find_loop("ii"))


def _hoist1_rc() -> Any:
    p, (a, s, l) = hoist_stmt(K.hoistable, K.hoistable.find("t = _"), rc=True)
    return [p, len(a), a[0].name(), s.name(), l.name()]


def _hoist_alloc() -> Any:
    p, c = hoist_stmt(K.hoistable, K.hoistable.find("t : _"), rc=True)
    return [p, len(c.allocs), c.stmt.name(), c.loop.name()]


def _hoist_loop() -> Any:
    p, (h, l) = hoist_from_loop(K.hoistable, K.hoistable.find_loop("i"), rc=True)
    return [p, len(h), h[0][0].name(), len(h[0][1]), l.name()]


def _hoist_loop_none() -> Any:
    p, (h, l) = hoist_from_loop(K.two_stmts, K.two_stmts.find_loop("i"), rc=True)
    return [p, len(h), l.name()]


def _jam() -> Any:
    p, (l, s) = jam_stmt(K.jam, K.jam.find("t = _"), rc=True)
    return [p, l.name(), s.name()]


def _interleave_outer_loop_with_inner_loop_full() -> Any:
    p = divide_loop(K.gemv64, "i", 4, ["io", "ii"], perfect=True)
    return interleave_outer_loop_with_inner_loop(p, p.find_loop("ii"), p.find_loop("j"), 4)


def _tile1() -> Any:
    p, ls = tile_loops(K.matmul, [(K.matmul.find_loop(v), 8) for v in "ij"])
    return [p] + [l.name() for l in ls]


def _tile2() -> Any:
    p, ls = tile_loops(K.matmul64, [(K.matmul64.find_loop(v), 8) for v in "ijl"])
    return [p] + [l.name() for l in ls]


def _divide_loop_recursive() -> Any:
    p, (o, i, t) = divide_loop_recursive(K.axpy, K.axpy.find_loop("i"), 8, rc=True)
    return [p, len(o), len(i), t.name()]


def _binary_specialize() -> Any:
    p = divide_loop(K.small_tail, "i", 4, ["io", "ii"], tail="cut")
    l = p.find_loop("ii #1")
    p, (s,) = binary_specialize(p, l, l.hi(), [0, 1, 2, 3], rc=True)
    return [p, len(s)]


def _binary_specialize_str() -> Any:
    p = divide_loop(K.small_tail, "i", 3, ["io", "ii"], tail="cut")
    l = p.find_loop("ii #1")
    return binary_specialize(p, l, "n % 3", [0, 1, 2])


def _cut_loop_and_unroll() -> Any:
    p = K.axpy.add_assertion("n > 2")
    p, (l,) = cut_loop_and_unroll(p, p.find_loop("i"), 1, rc=True)
    return [p, l.name()]


def _cut_loop_and_unroll_back() -> Any:
    p = K.axpy.add_assertion("n > 2")
    return cut_loop_and_unroll(p, p.find_loop("i"), 1, front=False)


def _undo_divide_and_guard_loop() -> Any:
    p = divide_loop(K.axpy, "i", 8, ["io", "ii"], tail="guard")
    return undo_divide_and_guard_loop(p, p.find_loop("io"))


CASES: Cases = {
    "jam_around": lambda: [
        unroll_and_jam(K.around_inner, K.around_inner.find_loop("i"), 2),
        unroll_and_jam_parent(K.around_inner, K.around_inner.find_loop("j"), 2),
    ],
    "jam_around_direct": lambda: interleave_outer_loop_with_inner_loop(
        K.around_inner, K.around_inner.find_loop("i"), K.around_inner.find_loop("j"), 2
    ),
    "jam_around_loops": lambda: [
        unroll_and_jam(K.around_inner, K.around_inner.find_loop("i"), 2, unroll)
        for unroll in ((False, True, True), (True, False, True), (True, True, False))
    ],
    "interleave_none": _interleave_none,
    "interleave_cut": lambda: interleave_loop(K.swap, K.swap.find_loop("i"), 4),
    "interleave_cutguard": lambda: interleave_loop(K.two_stmts, K.two_stmts.find_loop("i"), 4, tail="cut_and_guard"),
    "interleave_one": lambda: interleave_loop(K.two_stmts, K.two_stmts.find_loop("i"), 1),
    "interleave_recursive": lambda: interleave_loop(K.two_stmts, K.two_stmts.find_loop("i"), 8, tail="recursive"),
    "interleave_specialize": lambda: interleave_loop(K.two_stmts, K.two_stmts.find_loop("i"), 4, tail="specialize"),
    "interleave_parreduce": lambda: interleave_loop(K.dot, K.dot.find_loop("i"), 4, par_reduce=True, memory=DRAM_STACK),
    "interleave_badtail": lambda: interleave_loop(K.dot, K.dot.find_loop("i"), 4, tail="x"),
    "interleave_rec_none": lambda: interleave_loop(K.dot, K.dot.find_loop("i"), tail="recursive"),
    "hoist1": lambda: hoist_stmt(K.hoistable, K.hoistable.find("t = _")),
    "hoist1_rc": _hoist1_rc,
    "hoist_alloc": _hoist_alloc,
    "hoist_dep": lambda: hoist_stmt(K.hoistable, K.hoistable.find("x[_] = _")),
    "hoist_reorder": lambda: hoist_stmt(K.hoistable2, K.hoistable2.find("t = _")),
    "hoist_top": lambda: hoist_stmt(K.hoistable2, K.hoistable2.find_loop("i")),
    "hoist_expr": lambda: hoist_stmt(K.hoistable2, K.hoistable2.find("a * 2.0")),
    "hoist_loop": _hoist_loop,
    "hoist_loop_none": _hoist_loop_none,
    "jam": _jam,
    "jam_unsafe": lambda: jam_stmt(K.jam, K.jam.find("t = _"), unsafe_disable_check=True),
    "jam_bad": lambda: jam_stmt(K.jam, K.jam.find("t : _")),
    "unroll_and_jam": lambda: unroll_and_jam(K.gemv, K.gemv.find_loop("i"), 4),
    "unroll_and_jam_64": lambda: unroll_and_jam(K.gemv64, K.gemv64.find_loop("i"), 4, (False, True, False)),
    "unroll_and_jam_parent": lambda: unroll_and_jam_parent(K.gemv64, K.gemv64.find_loop("j"), 4),
    "unroll_and_jam_parent_bad": lambda: unroll_and_jam_parent(K.gemv64, K.gemv64.find_loop("i"), 4),
    "unroll_and_jam_none": lambda: unroll_and_jam(K.axpy, K.axpy.find_loop("i"), 4),
    "interleave_outer_loop_with_inner_loop_full": _interleave_outer_loop_with_inner_loop_full,
    "unroll_and_jam_tri": lambda: unroll_and_jam(K.tri, K.tri.find_loop("i"), 4),
    "fission_into_singles": lambda: fission_into_singles(K.swap, K.swap.find_loop("i")),
    "fission_into_singles2": lambda: fission_into_singles(K.hoistable, K.hoistable.find_loop("i")),
    "fission_into_singles_if": lambda: fission_into_singles(K.nested_if, K.nested_if.find_loop("i")),
    "fission_into_singles_bad": lambda: fission_into_singles(K.swap, K.swap.find("tmp = _")),
    "tile1": _tile1,
    "tile2": _tile2,
    "tile3": lambda: tile_loops(
        K.matmul64, [(K.matmul64.find_loop(v), t) for v, t in zip("ijl", (16, 8, 4))], perfect=True
    )[0],
    "tile_bu": lambda: tile_loops_bottom_up(K.matmul, K.matmul.find_loop("i"), [4, 4, 4]),
    "tile_bu_none": lambda: tile_loops_bottom_up(K.matmul, K.matmul.find_loop("i"), [4, None, 8]),
    "tile_bu_bad": lambda: tile_loops_bottom_up(K.gemv64, K.gemv64.find_loop("i"), [4, 4]),
    "dce1": lambda: dce(K.deadcode),
    "cleanup1": lambda: cleanup(K.deadcode),
    "cleanup2": lambda: cleanup(K.two_stmts),
    "unroll_loops": lambda: unroll_loops(K.conv1d),
    "unroll_loops_2": lambda: unroll_loops(K.conv1d, threshold=3),
    "unroll_loops_3": lambda: unroll_loops(K.staged, K.staged.find_loop("i")),
    "reorder_stmt_forward": lambda: reorder_stmt_forward(K.two_stmts, K.two_stmts.find("x[_] = _")),
    "reorder_stmt_backwards": lambda: reorder_stmt_backwards(K.two_stmts, K.two_stmts.find("y[_] = _")),
    "divide_loop_recursive": _divide_loop_recursive,
    "divide_loop_recursive_guard": lambda: divide_loop_recursive(K.axpy, K.axpy.find_loop("i"), 4, "cut_and_guard"),
    "divide_loop_recursive_bad": lambda: divide_loop_recursive(K.axpy, K.axpy.find_loop("i"), 4, "guard"),
    "binary_specialize": _binary_specialize,
    "binary_specialize_str": _binary_specialize_str,
    "binary_specialize_one": lambda: binary_specialize(K.small_tail, K.small_tail.find_loop("i"), "n", [1]),
    "round_up": lambda: round_loop(K.axpy, K.axpy.find_loop("i"), 8),
    "round_down": lambda: round_loop(K.axpy, K.axpy.find_loop("i"), 8, up=False),
    "cut_loop_and_unroll": _cut_loop_and_unroll,
    "cut_loop_and_unroll_back": _cut_loop_and_unroll_back,
    "bound_loop_by_if": lambda: bound_loop_by_if(K.guarded, K.guarded.find_loop("i")),
    "bound_loop_by_if_bad": lambda: bound_loop_by_if(K.axpy, K.axpy.find_loop("i")),
    "undo_divide_and_guard_loop": _undo_divide_and_guard_loop,
}
