# A row of an image under filters.


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
