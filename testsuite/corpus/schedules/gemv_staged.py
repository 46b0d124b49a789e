# A tiled matrix-vector product that keeps a tile of the result, and of the vector, in buffers of their own.
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
g = stage_mem(g, "jo", "y[8 * io:8 * io + 8]", "y_tile")
g = stage_mem(g, "ii", "x[8 * jo:8 * jo + 8]", "x_tile")
g = simplify(g)
g = reorder_loops(g, "ii ji")
g = unroll_loop(g, "ii")
