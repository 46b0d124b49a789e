# A loop variable starts at 0.
# expect: size.positive 15:16 the size `m` of `callee` may be below 1: `i`
# because: for n = 1, i = 0: it is 0
# run: p n=1


@proc
def callee(m: size):
    pass


@proc
def p(n: size):
    for i in seq(0, n):
        callee(i)
