# ASPLOS'25 §3.1: a matrix-vector product, tiled by two divisions and an interchange.
@proc
def gemv(M: size, N: size, A: f32[M, N], x: f32[N], y: f32[M]):
    assert M % 8 == 0
    assert N % 8 == 0
    for i in seq(0, M):
        for j in seq(0, N):
            y[i] += A[i, j] * x[j]

g = divide_loop(gemv, "i", 8, ["io", "ii"], perfect=True)
g = divide_loop(g, "j", 8, ["jo", "ji"], perfect=True)
g = lift_scope(g, "jo")
