# ruff: noqa
# mypy: ignore-errors
"""Loops into vectors and instructions."""

from __future__ import annotations

from typing import Any

from exo import DRAM
from exo.libs.memories import AVX2
from exo.platforms.neon import *
from exo.platforms.x86 import *
from exo.stdlib.scheduling import *
from exo.stdlib.stdlib import *

from . import kernels as K
from .runs import Cases

X86 = """mm256_loadu_ps mm256_storeu_ps mm256_mul_ps mm256_add_ps mm256_fmadd_ps mm256_setzero_ps mm256_broadcast_ss
    mm256_broadcast_ss_scalar avx2_reduce_add_wide_ps avx2_assoc_reduce_add_ps avx2_reg_copy_ps avx2_select_ps
    avx2_sign_ps mm256_prefix_load_ps mm256_prefix_store_ps mm256_prefix_add_ps mm256_prefix_mul_ps
    mm256_prefix_broadcast_ss"""
X86_64 = """mm256_loadu_pd mm256_storeu_pd mm256_mul_pd mm256_add_pd mm256_fmadd_pd mm256_setzero_pd mm256_broadcast_sd
    mm256_broadcast_sd_scalar avx2_sign_pd avx2_reg_copy_pd"""
NEON = """neon_vld_4xf32 neon_vst_4xf32 neon_vmul_4xf32 neon_vadd_4xf32 neon_vfmadd_4xf32_4xf32 neon_zero_4xf32
    neon_broadcast_4xf32 neon_broadcast_4xf32_scalar neon_reduce_vadd_4xf32 neon_assoc_reduce_add_instr_4xf32
    neon_reg_copy_4xf32"""
X86F32, X86F64, NEON = ([globals()[name] for name in names.split()] for names in (X86, X86_64, NEON))


def _vectorize_axpyw_cut_rc() -> Any:
    p, (l,) = vectorize(
        K.axpy_w, K.axpy_w.find_loop("i"), 8, "f32", AVX2, X86F32, rules=[fma_rule], tail="cut", rc=True
    )
    return [p, l.name()]


def _vectorize_matmul_j() -> Any:
    p = reorder_loops(K.matmul64, "j l")
    return vectorize(p, p.find_loop("j"), 8, "f32", AVX2, X86F32, rules=[fma_rule], tail="perfect")


def _vectorize_matmul_neon() -> Any:
    p = reorder_loops(K.matmul64, "j l")
    return cleanup(vectorize(p, p.find_loop("j"), 4, "f32", Neon, NEON, rules=[fma_rule], tail="perfect"))


def _checked1() -> Any:
    p = divide_loop(K.copy, "i", 8, ["io", "ii"], tail="cut")
    p = stage_compute(p, p.find_loop("ii"), "f32", AVX2)
    p = fission_into_singles(p, p.find_loop("ii"))
    return checked_replace(p, p.find_loop("ii"), mm256_loadu_ps)


def _checked_mem() -> Any:
    p = divide_loop(K.copy, "i", 8, ["io", "ii"], tail="cut")
    return checked_replace(p, p.find_loop("ii"), mm256_loadu_ps)


def _replace_all_stmts() -> Any:
    p = divide_loop(K.copy, "i", 8, ["io", "ii"], tail="cut")
    p = stage_compute(p, p.find_loop("ii"), "f32", AVX2)
    p = fission_into_singles(p, p.find_loop("ii"))
    return replace_all_stmts(p, [mm256_storeu_ps, mm256_loadu_ps])


def _replace_all() -> Any:
    p = divide_loop(K.copy, "i", 8, ["io", "ii"], tail="cut")
    p = stage_mem(p, p.find_loop("ii"), "x[8*io:8*io+8]", "xs")
    p = set_memory(p, "xs", AVX2)
    return replace_all(simplify(p), [mm256_loadu_ps, mm256_storeu_ps])


def _replace_all_mem() -> Any:
    p = divide_loop(K.copy, "i", 8, ["io", "ii"], tail="cut")
    return replace_all(p, mm256_loadu_ps)


def _replace_all_mem_before() -> Any:
    """A call that was there passes a buffer that is elsewhere: then no other is put in."""
    p = divide_loop(K.copy, "i", 8, ["io", "ii"], tail="cut")
    p = stage_mem(p, p.find_loop("ii"), "x[8*io:8*io+8]", "xs")
    p = stage_mem(p, p.find_loop("ii"), "y[8*io:8*io+8]", "ys")
    p = replace(simplify(set_memory(p, "ys", AVX2)), "for i0 in _: _", mm256_loadu_ps)
    return [replace_all(p, [mm256_storeu_ps]), replace_all(set_memory(p, "xs", AVX2), [mm256_storeu_ps])]


def _replace_all_nomem() -> Any:
    p = divide_loop(K.copy, "i", 8, ["io", "ii"], tail="cut")
    return replace_all(p, mm256_loadu_ps, mem_aware=False)


def _replace_once() -> Any:
    p = divide_loop(K.copy, "i", 8, ["io", "ii"], tail="cut")
    p = stage_mem(p, p.find_loop("ii"), "x[8*io:8*io+8]", "xs")
    p = set_memory(p, "xs", AVX2)
    return replace_once(simplify(p), [mm256_loadu_ps, mm256_storeu_ps])


def _call_site_mem_aware_replace() -> Any:
    p = divide_loop(K.copy, "i", 8, ["io", "ii"], tail="cut")
    return call_site_mem_aware_replace(p, "for ii in _: _", mm256_loadu_ps)


def _check_call_site() -> Any:
    p = replace(divide_loop(K.copy, "i", 8, ["io", "ii"], tail="cut"), "for ii in _: _", mm256_loadu_ps)
    q = set_memory(stage_mem(p, p.find_loop("io"), "y[0:n]", "ys"), "ys", AVX2)
    calls = [(r, r.find("mm256_loadu_ps(_)")) for r in (p, q)]
    return [str(check(r, call) if check is check_call_site else check(call)) for r, call in calls for check in CHECKS]


CHECKS = (check_call_site, check_call_mem_types)

CASES: Cases = {
    "check_call_site": _check_call_site,
    "vectorize_predicate_tail": lambda: vectorize_predicate_tail(
        K.copy, K.copy.find_loop("i"), 8, "f32", AVX2, [], tail="predicate"
    ),
    "vectorize_axpy_cut": lambda: vectorize(
        K.axpy, K.axpy.find_loop("i"), 8, "f32", AVX2, X86F32, rules=[fma_rule], tail="cut"
    ),
    "vectorize_axpyw_cut_rc": _vectorize_axpyw_cut_rc,
    "vectorize_axpy_pred": lambda: vectorize(
        K.axpy, K.axpy.find_loop("i"), 8, "f32", AVX2, X86F32, rules=[fma_rule], tail="predicate"
    ),
    "vectorize_axpy_cutpred": lambda: vectorize(
        K.axpy, K.axpy.find_loop("i"), 8, "f32", AVX2, X86F32, rules=[fma_rule]
    ),
    "vectorize_axpy_guard": lambda: vectorize(
        K.axpy, K.axpy.find_loop("i"), 8, "f32", AVX2, X86F32, tail="cut_and_guard"
    ),
    "vectorize_axpy_neon": lambda: vectorize(
        K.axpy_w, K.axpy_w.find_loop("i"), 4, "f32", Neon, NEON, rules=[fma_rule], tail="cut"
    ),
    "vectorize_copy": lambda: vectorize(K.copy, K.copy.find_loop("i"), 8, "f32", AVX2, X86F32, tail="cut"),
    "vectorize_scal64": lambda: vectorize(K.scal, K.scal.find_loop("i"), 4, "f64", AVX2, X86F64, tail="cut"),
    "vectorize_neg64": lambda: vectorize(K.neg, K.neg.find_loop("i"), 4, "f64", AVX2, X86F64, tail="cut"),
    "vectorize_swap": lambda: vectorize(K.swap, K.swap.find_loop("i"), 8, "f32", AVX2, X86F32, tail="cut"),
    "vectorize_dot_cut": lambda: vectorize(
        K.dot, K.dot.find_loop("i"), 8, "f32", AVX2, X86F32, rules=[fma_rule], tail="cut"
    ),
    "vectorize_dot_pred": lambda: vectorize(
        K.dot, K.dot.find_loop("i"), 8, "f32", AVX2, X86F32, rules=[fma_rule], tail="predicate"
    ),
    "vectorize_dot_cutpred": lambda: vectorize(K.dot, K.dot.find_loop("i"), 8, "f32", AVX2, X86F32, rules=[fma_rule]),
    "vectorize_asum": lambda: vectorize(
        K.asum, K.asum.find_loop("i"), 8, "f32", AVX2, X86F32, rules=[abs_rule], tail="cut"
    ),
    "vectorize_gemv_j": lambda: vectorize(
        K.gemv64, K.gemv64.find_loop("j"), 8, "f32", AVX2, X86F32, rules=[fma_rule], tail="cut"
    ),
    "vectorize_matmul_j": _vectorize_matmul_j,
    "vectorize_ger": lambda: vectorize(
        K.ger, K.ger.find_loop("j"), 8, "f32", AVX2, X86F32, rules=[fma_rule], tail="cut"
    ),
    "vectorize_matmul_neon": _vectorize_matmul_neon,
    "checked1": _checked1,
    "checked_mem": _checked_mem,
    "replace_all_stmts": _replace_all_stmts,
    "replace_all": _replace_all,
    "replace_all_mem": _replace_all_mem,
    "replace_all_mem_before": _replace_all_mem_before,
    "replace_all_nomem": _replace_all_nomem,
    "replace_once": _replace_once,
    "replace_all_zero": lambda: replace_all(
        divide_loop(K.conv1d, "i", 8, ["io", "ii"], tail="cut"), [mm256_setzero_ps, prefetch]
    ),
    "call_site_mem_aware_replace": _call_site_mem_aware_replace,
}
