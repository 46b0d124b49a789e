# command: compile
# expect: backend.parallel 7:13 iterations of the parallel loop over i may meet in a cell of y
@proc
def columns(n: size, A: f32[n, n], y: f32[n]):
    for i in par(0, n):
        for j in par(0, n):
            y[j] += A[i, j]
