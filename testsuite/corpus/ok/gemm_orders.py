# The matrix product with its three loops in each of the other five orders.
# covers: blas3, f32, window, alloc-scalar, reduction
from __future__ import annotations
from exo import *


@proc
def gemm_ikj(m: size, n: size, p: size, A: [f32][m, p], B: [f32][p, n], C: [f32][m, n]):
    for i in seq(0, m):
        for k in seq(0, p):
            a: f32
            a = A[i, k]
            for j in seq(0, n):
                C[i, j] += a * B[k, j]


@proc
def gemm_jik(m: size, n: size, p: size, A: [f32][m, p], B: [f32][p, n], C: [f32][m, n]):
    for j in seq(0, n):
        for i in seq(0, m):
            acc: f32
            acc = 0.0
            for k in seq(0, p):
                acc += A[i, k] * B[k, j]
            C[i, j] += acc


@proc
def gemm_jki(m: size, n: size, p: size, A: [f32][m, p], B: [f32][p, n], C: [f32][m, n]):
    for j in seq(0, n):
        for k in seq(0, p):
            for i in seq(0, m):
                C[i, j] += A[i, k] * B[k, j]


@proc
def gemm_kij(m: size, n: size, p: size, A: [f32][m, p], B: [f32][p, n], C: [f32][m, n]):
    for k in seq(0, p):
        for i in seq(0, m):
            for j in seq(0, n):
                C[i, j] += A[i, k] * B[k, j]


@proc
def gemm_kji(m: size, n: size, p: size, A: [f32][m, p], B: [f32][p, n], C: [f32][m, n]):
    for k in seq(0, p):
        for j in seq(0, n):
            for i in seq(0, m):
                C[i, j] += A[i, k] * B[k, j]
