# The iteration that reads a cell may come before or after the one that writes it.
# expect: par.race 10:9 iterations of the parallel loop over `i` may meet in `x`
# because: for n = 2: iterations i = 0 and i = 1 meet in `x[0]`: the first changes it, the second reads it
# run: p n=2


@proc
def p(n: size, x: f32[n]):
    for i in par(0, n):
        x[i] = x[n - 1 - i]
