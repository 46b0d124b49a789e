# The rest of a division may be 0.
# expect: size.positive 14:12 the size `m` of `callee` may be below 1: `n % 8`
# because: for n = 8: it is 0
# run: p n=8


@proc
def callee(m: size):
    pass


@proc
def p(n: size):
    callee(n % 8)
