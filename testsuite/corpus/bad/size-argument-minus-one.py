# `n - 1` is no size when `n` is 1.
# expect: size.positive 14:12 the size `m` of `callee` may be below 1: `n - 1`
# because: for n = 1: it is 0
# run: p n=1


@proc
def callee(m: size):
    pass


@proc
def p(n: size):
    callee(n - 1)
