# command: compile
# expect: backend.parallel 16:9 s is static: one object, shared by all iterations of the parallel loop
# expect: backend.parallel 18:9 a buffer of row_sum is static: one object, shared by all iterations of the parallel loop
@proc
def row_sum(n: size, x: [f32][n], y: f32):
    t: f32[1] @ DRAM_STATIC
    t[0] = 0.0
    for i in seq(0, n):
        t[0] += x[i]
    y = t[0]


@proc
def row_sums(n: size, A: f32[n, n], y: f32[n]):
    for i in par(0, n):
        s: f32[4] @ DRAM_STATIC
        s[0] = 0.0
        row_sum(n, A[i, 0:n], y[i])
