# command: compile
# expect: backend.parallel 7:9 iterations of the parallel loop over i may meet in a cell of s
@proc
def total(n: size, x: f32[n], s: f32):
    s = 0.0
    for i in par(0, n):
        s += x[i]
