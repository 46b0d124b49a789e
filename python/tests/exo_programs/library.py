# ruff: noqa
# mypy: ignore-errors
"""Schedules as libraries of kernels have them, made of many functions."""

from __future__ import annotations

from typing import Any

from exo import *
from exo.libs.memories import *
from exo.platforms.neon import Neon
from exo.stdlib.scheduling import *
from exo.stdlib.stdlib import *
import exo.stdlib.halide_scheduling_ops as H

from . import kernels as K
from .runs import Cases
from .vectors import NEON, X86F32


@proc
def rot(n: size, x: [f32][n], y: [f32][n], c: f32, s: f32):
    assert stride(x, 0) == 1
    assert stride(y, 0) == 1
    for i in seq(0, n):
        xr: f32
        xr = x[i]
        x[i] = c * xr + s * y[i]
        y[i] = c * y[i] - s * xr


@proc
def sdsdot(n: size, x: [f32][n], y: [f32][n], result: f32):
    assert stride(x, 0) == 1
    assert stride(y, 0) == 1
    d: f32
    d = 0.0
    for i in seq(0, n):
        d += x[i] * y[i]
    result = d


@proc
def gemv_rm(M: size, N: size, alpha: f32, beta: f32, A: [f32][M, N], x: [f32][N], y: [f32][M]):
    assert stride(A, 1) == 1
    assert stride(x, 0) == 1
    for i in seq(0, M):
        result: f32
        result = 0.0
        for j in seq(0, N):
            result += x[j] * A[i, j]
        y[i] = beta * y[i] + alpha * result


@proc
def gemv_t(M: size, N: size, alpha: f32, beta: f32, A: [f32][M, N], x: [f32][M], y: [f32][N]):
    assert stride(A, 1) == 1
    assert stride(y, 0) == 1
    for i in seq(0, N):
        y[i] = beta * y[i]
    for i in seq(0, M):
        alphaXi: f32
        alphaXi = alpha * x[i]
        for j in seq(0, N):
            y[j] += alphaXi * A[i, j]


@proc
def ger_rm(M: size, N: size, alpha: f32, x: [f32][M], y: [f32][N], A: [f32][M, N]):
    assert stride(A, 1) == 1
    assert stride(x, 0) == 1
    assert stride(y, 0) == 1
    for i in seq(0, M):
        for j in seq(0, N):
            A[i, j] += alpha * x[i] * y[j]


@proc
def trmv_rm(N: size, Diag: size, x: [f32][N], A: [f32][N, N], xc: [f32][N]):
    assert stride(A, 1) == 1
    assert stride(x, 0) == 1
    assert stride(xc, 0) == 1
    for i in seq(0, N):
        dot: f32
        dot = 0.0
        for j in seq(0, i):
            dot += A[i, j] * x[j]
        if Diag == 0:
            dot += A[i, i] * x[i]
        else:
            dot += x[i]
        xc[i] = dot


@proc
def syr_rm(N: size, alpha: f32, x: [f32][N], A: [f32][N, N]):
    assert stride(A, 1) == 1
    assert stride(x, 0) == 1
    for i in seq(0, N):
        for j in seq(0, i + 1):
            A[i, j] += alpha * x[i] * x[j]


@proc
def symv_rm(N: size, alpha: f32, A: [f32][N, N], x: [f32][N], y: [f32][N]):
    assert stride(A, 1) == 1
    assert stride(x, 0) == 1
    assert stride(y, 0) == 1
    for i in seq(0, N):
        temp: f32
        temp = alpha * x[i]
        dot: f32
        dot = 0.0
        for j in seq(0, i):
            y[j] += temp * A[i, j]
            dot += A[i, j] * x[j]
        y[i] += temp * A[i, i] + alpha * dot


@proc
def gemm_rm(M: size, N: size, K: size, A: [f32][M, K], B: [f32][K, N], C: [f32][M, N]):
    assert stride(A, 1) == 1
    assert stride(B, 1) == 1
    assert stride(C, 1) == 1
    for k in seq(0, K):
        for i in seq(0, M):
            for j in seq(0, N):
                C[i, j] += A[i, k] * B[k, j]


@proc
def unsharp1(n: size, x: f32[n + 2], out: f32[n]):
    g: f32[n + 2]
    for i in seq(0, n + 2):
        g[i] = 2.0 * x[i]
    b: f32[n]
    for i in seq(0, n):
        b[i] = g[i] + g[i + 1] + g[i + 2]
    for i in seq(0, n):
        out[i] = b[i] - 1.0


@proc
def conv2d(H: size, W: size, I: f32[H + 2, W + 2], K: f32[3, 3], O: f32[H, W]):
    for y in seq(0, H):
        for x in seq(0, W):
            O[y, x] = 0.0
            for ky in seq(0, 3):
                for kx in seq(0, 3):
                    O[y, x] += I[y + ky, x + kx] * K[ky, kx]


def level_1(
    proc: Any, loop: Any, width: int, memory: Any, instructions: Any, factor: int, tail: str, rest: str, precision: str = "f32"
) -> Any:
    """Vectors, what can be hoisted, several vectors at once."""
    loop = proc.forward(loop)
    proc = cse(proc, loop.body(), precision)
    rules = [fma_rule, abs_rule]
    proc, (loop,) = vectorize(proc, loop, width, precision, memory, instructions, rules=rules, tail=tail, rc=True)
    proc, (_, loop) = hoist_from_loop(proc, loop, rc=True)
    proc = interleave_loop(proc, loop, factor, par_reduce=True, memory=memory, tail=rest)
    return replace_all_stmts(cleanup(proc), instructions)


def level_2(
    proc: Any,
    outer: Any,
    rows: int,
    columns: int,
    tail: str = "cut",
    width: int = 8,
    instructions: Any = X86F32,
    precision: str = "f32",
) -> Any:
    """Several rows at once, each as above."""
    outer = proc.forward(outer)
    inner = get_inner_loop(proc, outer)
    if rows > 1:
        proc = unroll_and_jam_parent(proc, inner, rows)
    proc = attempt(parallelize_all_reductions)(unroll_buffers(proc, outer), inner, 1)
    proc = simplify(proc)
    return simplify(level_1(proc, inner, width, AVX2, instructions, columns, tail, "cut", precision))


def _one(p: Any, factor: int, tail: str, rest: str = "cut") -> Any:
    return level_1(p, p.find_loop("i"), 8, AVX2, X86F32, factor, tail, rest)


def _fused() -> Any:
    p = H.halide_compute_and_store_at_same(unsharp1, "b", "out", "i")
    return H.halide_compute_and_store_at_same(p, "g", "b", "i")


def _staged() -> Any:
    return [
        auto_stage_mem(conv2d, conv2d.find_loop(at), buffer, "t")
        for at, buffer in (("ky", "I"), ("x", "I"), ("kx", "K"))
    ]


CASES: Cases = {
    "library_axpy": lambda: _one(K.axpy_w, 2, "cut"),
    "library_axpy_neon": lambda: level_1(K.copy, K.copy.find_loop("i"), 4, Neon, NEON, 2, "cut", "cut"),
    "library_dot": lambda: _one(K.dot, 4, "cut"),
    "library_dot_guard": lambda: _one(K.dot, 2, "cut_and_guard"),
    "library_asum": lambda: _one(K.asum, 2, "cut"),
    "library_rot": lambda: _one(rot, 2, "cut"),
    "library_sum": lambda: _one(sdsdot, 2, "cut"),
    "library_gemv": lambda: level_2(gemv_rm, gemv_rm.find_loop("i"), 2, 2),
    "library_gemv_transposed": lambda: level_2(gemv_t, gemv_t.find_loop("i #1"), 2, 2),
    "library_ger": lambda: level_2(ger_rm, ger_rm.find_loop("i"), 2, 1),
    "library_syr": lambda: level_2(syr_rm, syr_rm.find_loop("i"), 1, 2),
    "library_trmv": lambda: level_2(trmv_rm, trmv_rm.find_loop("i"), 1, 2),
    "library_trmv_jam": lambda: level_2(trmv_rm, trmv_rm.find_loop("i"), 2, 2),
    "library_conv_tile": lambda: cleanup(
        tile_loops(conv2d, [(conv2d.find_loop("y"), 4), (conv2d.find_loop("x"), 8)])[0]
    ),
    "library_conv_sum": lambda: simplify(auto_stage_mem(conv2d, conv2d.find_loop("ky"), "O", "acc")),
    "library_conv_staged": _staged,
    "library_conv_unrolled": lambda: unroll_loops(conv2d, threshold=3),
    "library_stages_fused": _fused,
    "library_triangle_round": lambda: round_loop(syr_rm, syr_rm.find_loop("j"), 8),
    "library_triangle_tile": lambda: tile_loops_bottom_up(syr_rm, syr_rm.find_loop("i"), [4, 8]),
}
