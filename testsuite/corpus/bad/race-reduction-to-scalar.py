# All iterations add into one scalar.
# expect: par.race 10:9 iterations of the parallel loop over `i` may meet in `s`
# because: for n = 2: iterations i = 0 and i = 1 meet in `s`: both change it
# run: p n=2


@proc
def p(n: size, x: f32[n], s: f32):
    for i in par(0, n):
        s += x[i]
