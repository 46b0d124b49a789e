# ASPLOS'25 §3.3: sizes that are no multiples. Two divisions make two guards, so the outer loop is lifted twice.
@proc
def gemv(M: size, N: size, A: f32[M, N], x: f32[N], y: f32[M]):
    for i in seq(0, M):
        for j in seq(0, N):
            y[i] += A[i, j] * x[j]

g = divide_loop(gemv, "i", 8, ["io", "ii"], tail="guard")
g = divide_loop(g, "j", 8, ["jo", "ji"], tail="guard")
g = lift_scope(g, "jo")
g = lift_scope(g, "jo")
