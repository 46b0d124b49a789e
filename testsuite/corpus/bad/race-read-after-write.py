# An iteration reads what the one before it wrote.
# expect: par.race 10:9 iterations of the parallel loop over `i` may meet in `x`
# because: for n = 3: iterations i = 1 and i = 2 meet in `x[1]`: the first changes it, the second reads it
# run: p n=3


@proc
def p(n: size, x: f32[n]):
    for i in par(1, n):
        x[i] = x[i - 1]
