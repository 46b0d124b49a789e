# ruff: noqa
# mypy: ignore-errors
"""Buffers staged, bound, unrolled; reductions and common subexpressions."""

from __future__ import annotations

from typing import Any

from exo import DRAM
from exo.libs.memories import AVX2, DRAM_STACK
from exo.platforms.neon import Neon
from exo.stdlib.scheduling import *
from exo.stdlib.stdlib import *

from . import kernels as K
from .runs import Cases


def _parallelize_red_gemv() -> Any:
    p = divide_loop(K.gemv64, "j", 8, ["jo", "ji"], perfect=True)
    return parallelize_reduction(p, p.find("y[_] += _"), None, AVX2, 2, True)


def _parallelize_red_gemv_half() -> Any:
    p = divide_loop(K.gemv64, "j", 8, ["jo", "ji"], perfect=True)
    return parallelize_reduction(p, p.find("y[_] += _"), None, DRAM_STACK, 2, (True, False))


def _parallelize_all_nested() -> Any:
    p = divide_loop(K.matmul64, "l", 8, ["lo", "li"], perfect=True)
    return parallelize_all_reductions(p, p.find_loop("lo"), None, AVX2, True)


def _auto_stage_mem_2() -> Any:
    p, c = auto_stage_mem(K.conv1d, K.conv1d.find_loop("k"), "w", "wst", rc=True)
    return [p, c.alloc.name(), type(c.load_stage).__name__, len(c.block), type(c.store_stage).__name__]


def _auto_stage_mem_4() -> Any:
    p, _ = tile_loops(K.matmul64, [(K.matmul64.find_loop(v), 8) for v in "ij"])
    return [auto_stage_mem(p, p.find_loop("ii"), b, b + "t") for b in "ABC"]


def _bind1() -> Any:
    p, c = bind_and_set_expr(K.axpy, K.axpy.find("alpha"), "f32", DRAM_STACK, rc=True)
    return [p, c.alloc.name(), str(type(c.bound_expr).__name__)]


def _parallelize_allocs() -> Any:
    p = divide_loop(K.swap, "i", 8, ["io", "ii"], tail="cut")
    return parallelize_allocs(p, p.find_loop("io"))


def _stage_expr_into_memory() -> Any:
    p, e = stage_expr_into_memory(K.cse1, K.cse1.find("x[_] * x[_]"), "f32", AVX2)
    return [p, type(e).__name__]


def _stage_expr_into_memory_same() -> Any:
    p, e = stage_expr_into_memory(K.cse1, K.cse1.find("x[_]"), "f32", DRAM)
    return [p, type(e).__name__]


def _unroll_buffers_mem() -> Any:
    p = set_memory(K.bufs, "a", AVX2)
    return unroll_buffers(p, mem=AVX2)


CASES: Cases = {
    "auto_stage_mem_backwards": lambda: [
        auto_stage_mem(K.backwards, K.backwards.find_loop("i"), "x"),
        auto_stage_mem(K.backwards, K.backwards.find_loop("i #1"), "y"),
    ],
    "parallelize_red_dot": lambda: parallelize_reduction(K.dot, K.dot.find("result += _"), 8),
    "parallelize_red_gemv": _parallelize_red_gemv,
    "parallelize_red_gemv_half": _parallelize_red_gemv_half,
    "parallelize_red_notred": lambda: parallelize_reduction(K.gemv64, K.gemv64.find("y[_] = _")),
    "parallelize_red_wrong": lambda: parallelize_reduction(K.gemv64, K.gemv64.find("y[_] += _"), None, DRAM, 2),
    "parallelize_all": lambda: parallelize_all_reductions(K.dot, K.dot.find_loop("i"), 8, AVX2),
    "parallelize_all_nested": _parallelize_all_nested,
    "auto_stage_mem": lambda: auto_stage_mem(K.conv1d, K.conv1d.find_loop("k"), "x"),
    "auto_stage_mem_2": _auto_stage_mem_2,
    "auto_stage_mem_3": lambda: auto_stage_mem(K.staged, K.staged.find_loop("j"), "y", "acc", accum=True),
    "auto_stage_mem_4": _auto_stage_mem_4,
    "auto_stage_mem_scalar": lambda: auto_stage_mem(K.dot, K.dot.find_loop("i"), "result", "r"),
    "auto_stage_mem_multi": lambda: auto_stage_mem(K.common, K.common.find_loop("i").body()[0].expand(0, 1), "x"),
    "auto_stage_mem_missing": lambda: auto_stage_mem(K.common, K.common.find_loop("i"), "q"),
    "ordered_stage_expr": lambda: ordered_stage_expr(K.gemv, K.gemv.find("x[_]"), "xs", "f32", 2),
    "ordered_stage_expr_2": lambda: ordered_stage_expr(K.ger, [K.ger.find("alpha")], "al", "f32", 1),
    "ordered_stage_expr_bad": lambda: ordered_stage_expr(K.ger, K.ger.find_loop("i"), "al", "f32", 1),
    "bind1": _bind1,
    "bind_many": lambda: bind_and_set_expr(K.cse1, K.cse1.find("x[_]", many=True), "f32", DRAM, "t"),
    "parallelize_and_lift_alloc": lambda: parallelize_and_lift_alloc(K.swap, K.swap.find("tmp : _")),
    "parallelize_allocs": _parallelize_allocs,
    "parallelize_allocs_bad": lambda: parallelize_allocs(K.swap, K.swap.find("tmp : _")),
    "stage_compute": lambda: stage_compute(K.axpy, K.axpy.find_loop("i"), "f32", AVX2, [fma_rule]),
    "stage_compute_2": lambda: stage_compute(K.cse1),
    "stage_compute_bad": lambda: stage_compute(K.cse1, children_ops=()),
    "stage_compute_neon": lambda: stage_compute(K.conv1d, K.conv1d.find_loop("k"), "f32", Neon),
    "stage_expr_into_memory": _stage_expr_into_memory,
    "stage_expr_into_memory_same": _stage_expr_into_memory_same,
    "unfold": lambda: unfold_reduce(K.gemv, K.gemv.find("y[_] += _")),
    "unfold_scalar": lambda: unfold_reduce(K.dot, K.dot.find("result += _")),
    "unfold_bad": lambda: unfold_reduce(K.dot, K.dot.find("result = _")),
    "unroll_buffers": lambda: unroll_buffers(K.bufs),
    "unroll_buffers_mem": _unroll_buffers_mem,
    "cse": lambda: cse(K.cse1, K.cse1.find_loop("i").body(), "f32"),
    "cse_w": lambda: cse(K.common, K.common.find_loop("i").body(), "f32"),
    "dealias1": lambda: dealias(K.alias, K.alias.find("x[_] = _")),
    "dealias_pass": lambda: dealiasing_pass(K.alias),
    "dealias_bad": lambda: dealias(K.alias, K.alias.find_loop("i")),
    "inl_copies": lambda: inline_copies(K.swap),
}
