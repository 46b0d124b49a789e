# C += A B on square matrices of whole tiles, for the accelerator of PLDI'22 §2.


@proc
def gemm(n: size, A: f32[n, n], B: f32[n, n], C: f32[n, n]):
    assert n % 16 == 0
    for i in seq(0, n):
        for j in seq(0, n):
            for k in seq(0, n):
                C[i, j] += A[i, k] * B[k, j]
