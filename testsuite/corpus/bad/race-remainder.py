# Iterations 8 apart write one cell.
# expect: par.race 10:9 iterations of the parallel loop over `i` may meet in `ring`
# because: for n = 9: iterations i = 0 and i = 8 meet in `ring[0]`: both change it
# run: p n=9


@proc
def p(n: size, ring: f32[8]):
    for i in par(0, n):
        ring[i % 8] = 0.0
