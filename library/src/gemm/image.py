# A row of an image under filters: on windows, for the parts of a schedule; and with filters in columns of 64.


@proc
def filtered(
    M: size, N: size, H: size, W: size, K: size, A: [f32][H, M + W - 1, K], B: [f32][H, W, K, N], C: [f32][M, N]
):
    assert stride(A, 2) == 1
    assert stride(B, 3) == 1
    assert stride(C, 1) == 1
    for i in seq(0, M):
        for j in seq(0, N):
            for ky in seq(0, H):
                for kx in seq(0, W):
                    for k in seq(0, K):
                        C[i, j] += A[ky, i + kx, k] * B[ky, kx, k, j]


@proc
def filtered_by_panels(
    M: size, N: size, H: size, W: size, K: size,
    A: [f32][H, M + W - 1, K], P: [f32][N / 64 + 1, H, W, K, 64], C: [f32][M, N]
):
    assert stride(A, 2) == 1
    assert stride(P, 4) == 1
    assert stride(C, 1) == 1
    for i in seq(0, M):
        for jo in seq(0, N / 64):
            for ji in seq(0, 64):
                for ky in seq(0, H):
                    for kx in seq(0, W):
                        for k in seq(0, K):
                            C[i, 64 * jo + ji] += A[ky, i + kx, k] * P[jo, ky, kx, k, ji]
        for ji in seq(0, N % 64):
            for ky in seq(0, H):
                for kx in seq(0, W):
                    for k in seq(0, K):
                        C[i, 64 * (N / 64) + ji] += A[ky, i + kx, k] * P[N / 64, ky, kx, k, ji]
