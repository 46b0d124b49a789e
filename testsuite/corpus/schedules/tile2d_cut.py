# Sizes that are no multiples, with loops of their own for what is left over: four kinds of tiles.
@proc
def gemv(M: size, N: size, A: f32[M, N], x: f32[N], y: f32[M]):
    for i in seq(0, M):
        for j in seq(0, N):
            y[i] += A[i, j] * x[j]

g = divide_loop(gemv, "j", 4, ["jo", "ji"], tail="cut")
g = fission(g, g.find_loop("jo").after())
g = divide_loop(g, "i #0", 4, ["io", "ii"], tail="cut")
g = lift_scope(g, "jo")
g = divide_loop(g, "i", 4, ["io", "ii"], tail="cut")
g = simplify(g)
