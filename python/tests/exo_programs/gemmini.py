# ruff: noqa
# mypy: ignore-errors
"""Matrix products and their parts on Gemmini."""

from __future__ import annotations

from typing import Any

from exo import *
from exo.libs.memories import *
from exo.libs.externs import *
from exo.platforms.gemmini import *
from exo.stdlib.scheduling import *

from .runs import Cases

# Instructions that are made of others are made now, not among the steps of a program.
for _made in [_p for _p in globals().values() if isinstance(_p, Procedure)]:
    str(_made)


@proc
def mm(scale: f32, act: bool, A: i8[512, 512], B: i8[512, 512], C: i8[512, 512]):
    for i in seq(0, 512):
        for j in seq(0, 512):
            res: i32 @ DRAM
            res = 0.0
            for k in seq(0, 512):
                a: i8 @ DRAM
                b: i8 @ DRAM
                a = A[i, k]
                b = B[k, j]
                a2: i32
                b2: i32
                a2 = a
                b2 = b
                res += a2 * b2
            src_tmp: i32
            src_tmp = res
            tmp: f32
            acc_scale(src_tmp, tmp, scale)
            tmp2: i8
            clamp(tmp, tmp2)
            if act == True:
                tmp2 = relu(tmp2)
            C[i, j] = tmp2


@proc
def ld(n: size, A: i8[64, 16]):
    assert n <= 4
    s: i8[4, 16, 16] @ GEMM_SCRATCH
    for t in seq(0, 4):
        for i in seq(0, 16):
            for j in seq(0, 16):
                s[t, i, j] = A[16 * t + i, j]


@proc
def zero(C: i32[16, 16]):
    r: i32[16, 16] @ GEMM_ACCUM
    for i in seq(0, 16):
        for j in seq(0, 16):
            r[i, j] = 0.0
    for i in seq(0, 16):
        for j in seq(0, 16):
            C[i, j] = r[i, j]


@proc
def mm16(A: i8[16, 16], B: i8[16, 16], C: i32[16, 16]):
    a: i8[16, 16] @ GEMM_SCRATCH
    b: i8[16, 16] @ GEMM_SCRATCH
    c: i32[16, 16] @ GEMM_ACCUM
    for i in seq(0, 16):
        for j in seq(0, 16):
            a[i, j] = A[i, j]
    for i in seq(0, 16):
        for j in seq(0, 16):
            b[i, j] = B[i, j]
    for i in seq(0, 16):
        for j in seq(0, 16):
            c[i, j] = 0.0
            for k in seq(0, 16):
                x: i32
                y: i32
                x = a[i, k]
                y = b[k, j]
                c[i, j] += x * y
    for i in seq(0, 16):
        for j in seq(0, 16):
            C[i, j] = c[i, j]


@proc
def conv56(
    output: i8[4, 56, 56, 64],
    bias: i32[1, 64],
    inp: i8[4, 58, 58, 64],
    weights: i8[3, 3, 64, 64],
    act: bool,
    scale: f32,
):
    for b in seq(0, 4):
        for orow in seq(0, 56):
            for ocol in seq(0, 56):
                for och in seq(0, 64):
                    res: i32
                    res = bias[0, och]
                    for krow in seq(0, 3):
                        for kcol in seq(0, 3):
                            for kch in seq(0, 64):
                                w_s: i8 @ DRAM
                                i_s: i8 @ DRAM
                                w_s = weights[krow, kcol, kch, och]
                                i_s = inp[b, orow + krow, ocol + kcol, kch]
                                a2: i32
                                b2: i32
                                a2 = i_s
                                b2 = w_s
                                res += a2 * b2
                    src_tmp: i32
                    src_tmp = res
                    tmp: f32
                    acc_scale(src_tmp, tmp, scale)
                    tmp2: i8
                    clamp(tmp, tmp2)
                    if act == True:
                        tmp2 = relu(tmp2)
                    output[b, orow, ocol, och] = tmp2


def _conv(p: Any) -> Any:
    return replace_div_part(split_fission_dim(p))


def _conv_both() -> Any:
    return set_gemm_memories(replace_mod_part(_conv(conv56)))


def _rows() -> Any:
    p = old_lift_alloc(tile_outer_loops(mm), "res : _ #0", n_lifts=1)
    p = old_lift_alloc(p, "res : _", n_lifts=1, size=16)
    return fission_outer_blocks(old_lift_alloc(p, "res : _", n_lifts=1, mode="col"))


def _calls() -> Any:
    p = fission_inner_blocks(_rows())
    for name, memory in (("res", GEMM_ACCUM), ("a", GEMM_SCRATCH), ("b", GEMM_SCRATCH)):
        p = set_memory(p, name, memory)
    return replace_gemmini_calls(p)


def _by_state(p: Any, call: str, equal: Any, windows: Any) -> Any:
    p = inline(call_eqv(p, f"{call}(_)", equal), f"{equal.name()}(_)")
    for window in windows:
        p = inline_window(p, f"{window}[_]")
    return p


def _ld_eqv() -> Any:
    p = _by_state(replace(ld, "for i in _: _", ld_i8_id1), "ld_i8_id1", ld_i8_id1_v2, ["src = A", "dst = s"])
    return lift_config(p, "config_ld_i8_id1(_)")


def _mm16_calls() -> Any:
    return replace_all(mm16, [ld_i8, matmul_i8, st_acc_i32])


def _zero_eqv() -> Any:
    return _by_state(replace(zero, "for i in _: _", zero_acc_i32), "zero_acc_i32", zero_acc_i32_v2, ["dst = r"])


CASES: Cases = {
    "gemmini_split_fission_dim": lambda: split_fission_dim(conv56),
    "gemmini_replace_div_part": lambda: _conv(conv56),
    "gemmini_set_gemm_memories": lambda: set_gemm_memories(_conv(conv56)),
    "gemmini_inline_div_part": lambda: inline_div_part(_conv_both()),
    "gemmini_replace_mod_part": lambda: replace_mod_part(_conv(conv56)),
    "gemmini_inline_mod_part": lambda: inline_mod_part(inline_div_part(_conv_both())),
    "gemmini_tile_outer_loops": lambda: tile_outer_loops(mm),
    "gemmini_fission_outer_blocks": _rows,
    "gemmini_fission_inner_blocks": lambda: fission_inner_blocks(_rows()),
    "gemmini_calls": _calls,
    "gemmini_matmul_tile": lambda: matmul_tile(_calls()),
    "gemmini_inline_lift_config": lambda: inline_lift_config(simplify(_calls())),
    "gemmini_whole": lambda: inline_lift_config(matmul_tile(simplify(_calls()))),
    "gemmini_load": lambda: replace(ld, "for i in _: _", ld_i8),
    "gemmini_load_any": lambda: replace_all(ld, ld_i8_id1),
    "gemmini_load_by_state": _ld_eqv,
    "gemmini_zero": lambda: replace_all(zero, [zero_acc_i32, st_acc_i32]),
    "gemmini_zero_by_state": _zero_eqv,
    "gemmini_product": _mm16_calls,
    "gemmini_product_by_state": lambda: _by_state(
        _mm16_calls(), "matmul_i8", matmul_i8_v2, ["A = a", "B = b", "C = c"]
    ),
    "gemmini_made": lambda: [make_do_ld_i8("f", "g({n});"), make_do_ld_i8_block("h", "g({n});"), del_and_zero(zero_i8)],
}
