# Small sizes have no tile.
# expect: bounds.extent 8:12 extent 0 of `t` may be below 1: `n / 4`
# because: for n = 1: it is 0


@proc
def p(n: size):
    t: f32[n / 4]
    pass
