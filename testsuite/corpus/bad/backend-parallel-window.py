# command: compile
# expect: backend.parallel 13:18 iterations of the parallel loop over i may meet in a cell of A
@proc
def clear(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0


@proc
def overlapping(n: size, A: f32[n + 8]):
    w = A[0 : n + 4]
    for i in par(0, n):
        clear(4, w[i : i + 4])
