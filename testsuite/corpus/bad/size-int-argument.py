# An `int` is no size.
# expect: size.positive 14:12 the size `m` of `callee` may be below 1: `k`
# because: for k = 0: it is 0
# run: p k=0


@proc
def callee(m: size):
    pass


@proc
def p(k: int):
    callee(k)
