# C += A B: on windows, for the parts of a schedule; with B in columns of 64; and on whole matrices.


@proc
def gemm(M: size, N: size, K: size, A: [f32][M, K], B: [f32][K, N], C: [f32][M, N]):
    assert stride(A, 1) == 1
    assert stride(B, 1) == 1
    assert stride(C, 1) == 1
    for i in seq(0, M):
        for j in seq(0, N):
            for k in seq(0, K):
                C[i, j] += A[i, k] * B[k, j]


@proc
def gemm_packed(M: size, N: size, K: size, A: [f32][M, K], P: [f32][N / 64 + 1, K, 64], C: [f32][M, N]):
    assert stride(A, 1) == 1
    assert stride(P, 2) == 1
    assert stride(C, 1) == 1
    for i in seq(0, M):
        for jo in seq(0, N / 64):
            for ji in seq(0, 64):
                for k in seq(0, K):
                    C[i, 64 * jo + ji] += A[i, k] * P[jo, k, ji]
        for ji in seq(0, N % 64):
            for k in seq(0, K):
                C[i, 64 * (N / 64) + ji] += A[i, k] * P[N / 64, k, ji]


# The same, column by column.


@proc
def gemm_of_panels(M: size, N: size, K: size, A: [f32][M, K], P: [f32][N / 64 + 1, K, 64], C: [f32][M, N]):
    assert stride(A, 1) == 1
    assert stride(P, 2) == 1
    assert stride(C, 1) == 1
    for i in seq(0, M):
        for j in seq(0, N):
            for k in seq(0, K):
                C[i, j] += A[i, k] * P[j / 64, k, j % 64]


# The same, of the first rows: B is copied to panels, of which there is one, or any number;
# and of one panel, which another one follows.


@proc
def gemm_first(M: size, N: size, K: size, A: [f32][M, K], B: [f32][K, N], P: [f32][K, 64], C: [f32][M, N]):
    assert N <= 64
    assert stride(A, 1) == 1
    assert stride(B, 1) == 1
    assert stride(P, 1) == 1
    assert stride(C, 1) == 1
    for k in seq(0, K):
        for j in seq(0, N):
            P[k, j] = B[k, j]
    for i in seq(0, M):
        for j in seq(0, N):
            for k in seq(0, K):
                C[i, j] += A[i, k] * P[k, j]


@proc
def gemm_first_of_two(M: size, K: size, A: [f32][M, K], B: [f32][K, 2 * 64], P: [f32][K, 64], C: [f32][M, 64]):
    assert stride(A, 1) == 1
    assert stride(B, 1) == 1
    assert stride(P, 1) == 1
    assert stride(C, 1) == 1
    for k in seq(0, K):
        for j in seq(0, 64):
            P[k, j] = B[k, j]
    for i in seq(0, M):
        for j in seq(0, 64):
            for k in seq(0, K):
                C[i, j] += A[i, k] * P[k, j]


@proc
def gemm_packing(
    M: size, N: size, K: size, A: [f32][M, K], B: [f32][K, N], P: [f32][N / 64 + 1, K, 64], C: [f32][M, N]
):
    assert N >= 64
    assert stride(A, 1) == 1
    assert stride(B, 1) == 1
    assert stride(P, 2) == 1
    assert stride(C, 1) == 1
    for k in seq(0, K):
        for jo in seq(0, N / 64):
            for ji in seq(0, 64):
                P[jo, k, ji] = B[k, 64 * jo + ji]
        for ji in seq(0, N % 64):
            P[N / 64, k, ji] = B[k, 64 * (N / 64) + ji]
    for i in seq(0, M):
        for jo in seq(0, N / 64):
            for ji in seq(0, 64):
                for k in seq(0, K):
                    C[i, 64 * jo + ji] += A[i, k] * P[jo, k, ji]
        for ji in seq(0, N % 64):
            for k in seq(0, K):
                C[i, 64 * (N / 64) + ji] += A[i, k] * P[N / 64, k, ji]


@proc
def sgemm(M: size, N: size, K: size, A: f32[M, K], B: f32[K, N], C: f32[M, N]):
    for i in seq(0, M):
        for j in seq(0, N):
            for k in seq(0, K):
                C[i, j] += A[i, k] * B[k, j]
