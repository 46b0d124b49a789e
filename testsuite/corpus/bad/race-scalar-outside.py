# A scalar that should be inside of the loop.
# expect: par.race 11:9 iterations of the parallel loop over `i` may meet in `t`
# because: for n = 2: iterations i = 0 and i = 1 meet in `t`: both change it
# run: p n=2


@proc
def p(n: size, x: f32[n]):
    t: f32
    for i in par(0, n):
        t = x[i]
        x[i] = t + 1.0
