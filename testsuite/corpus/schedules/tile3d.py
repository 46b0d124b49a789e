# ASPLOS'25 §3.3: tiling in any number of dimensions is a division of each loop, and interchanges until the outer
# loops are outside. Here three, of a matrix product; in a loop it is `tile_nd` in `testsuite/tests/primitives/schedules.rs`.
@proc
def gemm(M: size, N: size, K: size, A: f32[M, K], B: f32[K, N], C: f32[M, N]):
    assert M % 4 == 0
    assert N % 4 == 0
    assert K % 4 == 0
    for i in seq(0, M):
        for j in seq(0, N):
            for k in seq(0, K):
                C[i, j] += A[i, k] * B[k, j]

g = divide_loop(gemm, "i", 4, ["io", "ii"], perfect=True)
g = divide_loop(g, "j", 4, ["jo", "ji"], perfect=True)
g = divide_loop(g, "k", 4, ["ko", "ki"], perfect=True)
g = lift_scope(g, "jo")
g = lift_scope(g, "ko")
g = lift_scope(g, "ko")
