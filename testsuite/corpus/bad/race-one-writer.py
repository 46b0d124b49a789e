# One iteration writes what all the others read.
# expect: par.race 12:13 iterations of the parallel loop over `i` may meet in `x`
# because: for n = 2: iterations i = 0 and i = 1 meet in `x[0]`: the first changes it, the second reads it
# run: p n=2


@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in par(0, n):
        y[i] = x[0]
        if i == 0:
            x[0] = 2.0
