

# So many lanes of a register more.


@proc
def more_lanes(lo: index, hi: index, dst: [f32][LANES], a: f32, b: [f32][LANES]):
    assert 0 <= lo
    assert lo <= hi
    assert hi <= LANES
    for j in seq(lo, hi):
        dst[j] += a * b[j]


# C += A B on and below the diagonal of C; on and above it.


@proc
def lower(M: size, K: size, A: [f32][M, K], B: [f32][K, M], C: [f32][M, M]):
    assert stride(A, 1) == 1
    assert stride(B, 1) == 1
    assert stride(C, 1) == 1
    for i in seq(0, M):
        for j in seq(0, i + 1):
            for k in seq(0, K):
                C[i, j] += A[i, k] * B[k, j]


@proc
def upper(M: size, K: size, A: [f32][M, K], B: [f32][K, M], C: [f32][M, M]):
    assert stride(A, 1) == 1
    assert stride(B, 1) == 1
    assert stride(C, 1) == 1
    for i in seq(0, M):
        for j in seq(i, M):
            for k in seq(0, K):
                C[i, j] += A[i, k] * B[k, j]


# The same with B in panels of 64 columns.


@proc
def lower_of_panels(M: size, K: size, A: [f32][M, K], P: [f32][M / 64 + 1, K, 64], C: [f32][M, M]):
    assert stride(A, 1) == 1
    assert stride(P, 2) == 1
    assert stride(C, 1) == 1
    for i in seq(0, M):
        for j in seq(0, i + 1):
            for k in seq(0, K):
                C[i, j] += A[i, k] * P[j / 64, k, j % 64]


@proc
def upper_of_panels(M: size, K: size, A: [f32][M, K], P: [f32][M / 64 + 1, K, 64], C: [f32][M, M]):
    assert stride(A, 1) == 1
    assert stride(P, 2) == 1
    assert stride(C, 1) == 1
    for i in seq(0, M):
        for j in seq(i, M):
            for k in seq(0, K):
                C[i, j] += A[i, k] * P[j / 64, k, j % 64]


# C += A B of what A has below its diagonal; above it.


@proc
def by_lower(M: size, N: size, A: [f32][M, M], B: [f32][M, N], C: [f32][M, N]):
    assert stride(A, 1) == 1
    assert stride(B, 1) == 1
    assert stride(C, 1) == 1
    for i in seq(0, M):
        for k in seq(0, i):
            for j in seq(0, N):
                C[i, j] += A[i, k] * B[k, j]


@proc
def by_upper(M: size, N: size, A: [f32][M, M], B: [f32][M, N], C: [f32][M, N]):
    assert stride(A, 1) == 1
    assert stride(B, 1) == 1
    assert stride(C, 1) == 1
    for i in seq(0, M):
        for k in seq(i + 1, M):
            for j in seq(0, N):
                C[i, j] += A[i, k] * B[k, j]


# The same with B in panels of 64 columns; and of all of A.


@proc
def by_lower_of_panels(M: size, N: size, A: [f32][M, M], P: [f32][N / 64, M, 64], C: [f32][M, N]):
    assert N % 64 == 0
    assert stride(A, 1) == 1
    assert stride(P, 2) == 1
    assert stride(C, 1) == 1
    for i in seq(0, M):
        for k in seq(0, i):
            for j in seq(0, N):
                C[i, j] += A[i, k] * P[j / 64, k, j % 64]


@proc
def by_upper_of_panels(M: size, N: size, A: [f32][M, M], P: [f32][N / 64, M, 64], C: [f32][M, N]):
    assert N % 64 == 0
    assert stride(A, 1) == 1
    assert stride(P, 2) == 1
    assert stride(C, 1) == 1
    for i in seq(0, M):
        for k in seq(i + 1, M):
            for j in seq(0, N):
                C[i, j] += A[i, k] * P[j / 64, k, j % 64]


@proc
def by_panels(M: size, N: size, K: size, A: [f32][M, K], P: [f32][N / 64, K, 64], C: [f32][M, N]):
    assert N % 64 == 0
    assert stride(A, 1) == 1
    assert stride(P, 2) == 1
    assert stride(C, 1) == 1
    for i in seq(0, M):
        for j in seq(0, N):
            for k in seq(0, K):
                C[i, j] += A[i, k] * P[j / 64, k, j % 64]


# B = (B + A B) / d of what A has below its diagonal, row by row; the same without a division.


@proc
def solve_lower(M: size, N: size, A: [f32][M, M], d: [f32][M], B: [f32][M, N]):
    assert stride(A, 1) == 1
    assert stride(d, 0) == 1
    assert stride(B, 1) == 1
    for i in seq(0, M):
        for k in seq(0, i):
            for j in seq(0, N):
                B[i, j] += A[i, k] * B[k, j]
        for j in seq(0, N):
            B[i, j] = B[i, j] / d[i]


@proc
def solve_unit_lower(M: size, N: size, A: [f32][M, M], B: [f32][M, N]):
    assert stride(A, 1) == 1
    assert stride(B, 1) == 1
    for i in seq(0, M):
        for k in seq(0, i):
            for j in seq(0, N):
                B[i, j] += A[i, k] * B[k, j]
