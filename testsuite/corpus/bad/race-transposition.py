# Iterations `i` and `j` both swap the same two cells.
# expect: par.race 11:13 iterations of the parallel loop over `i` may meet in `a`
# because: for n = 2: iterations i = 0 and i = 1 meet in `a[0, 1]`: the first changes it, the second reads it
# run: p n=2


@proc
def p(n: size, a: f32[n, n]):
    for i in par(0, n):
        for j in seq(0, n):
            a[i, j] = a[j, i]
