# For sizes below 4 the quotient is 0, and one less is negative.
# expect: bounds.extent 9:12 extent 0 of `t` may be below 0: `n / 4 - 1`
# because: for n = 1: it is -1
# run: p n=1


@proc
def p(n: size):
    t: f32[n / 4 - 1]
    pass
