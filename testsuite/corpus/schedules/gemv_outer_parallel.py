# Columns outside, so that the inner loop runs along the result: each step adds a multiple of a column.
@proc
def gemv(M: size, N: size, A: f32[M, N], x: f32[N], y: f32[M], alpha: f32):
    assert M % 4 == 0
    for i in seq(0, M):
        acc: f32
        acc = 0.0
        for j in seq(0, N):
            acc += alpha * (A[i, j] * x[j])
        y[i] += acc

g = lift_reduce_constant(gemv, "acc = 0.0 ; for j in _: _")
g = divide_loop(g, "i", 4, ["io", "ii"], perfect=True)
g = autolift_alloc(g, "acc", n_lifts=1, mode="row", size=4, keep_dims=True)
g = fission(g, g.find("acc[_] = 0.0").after())
g = fission(g, g.find_loop("j").after())
g = reorder_loops(g, "ii j")
