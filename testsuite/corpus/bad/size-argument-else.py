# In the else branch there is nothing left.
# expect: size.positive 17:16 the size `m` of `callee` may be below 1: `m - n`
# because: for n = 1, m = 1: it is 0
# run: p n=1 m=1


@proc
def callee(m: size):
    pass


@proc
def p(n: size, m: size):
    if m < n:
        callee(n - m)
    else:
        callee(m - n)
