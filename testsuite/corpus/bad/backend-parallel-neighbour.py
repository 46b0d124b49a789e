# command: compile
# expect: backend.parallel 6:9 iterations of the parallel loop over i may meet in a cell of x
@proc
def shift(n: size, x: f32[n + 1]):
    for i in par(0, n):
        x[i] = x[i + 1]
