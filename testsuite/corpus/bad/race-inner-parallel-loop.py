# The outer loop is fine, the inner one is not.
# expect: par.race 11:13 iterations of the parallel loop over `j` may meet in `x`
# because: for n = 1, m = 2, i = 0: iterations j = 0 and j = 1 meet in `x[0]`: both change it
# run: p n=1 m=2


@proc
def p(n: size, m: size, x: f32[n]):
    for i in par(0, n):
        for j in par(0, m):
            x[i] += 1.0
