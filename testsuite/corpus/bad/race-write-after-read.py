# An iteration reads what the next one overwrites.
# expect: par.race 10:9 iterations of the parallel loop over `i` may meet in `x`
# because: for n = 2: iterations i = 0 and i = 1 meet in `x[1]`: the first reads it, the second changes it
# run: p n=2


@proc
def p(n: size, x: f32[n + 1]):
    for i in par(0, n):
        x[i] = x[i + 1]
