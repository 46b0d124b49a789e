# A difference of sizes, where it is positive.


@proc
def callee(m: size):
    pass


@proc
def p(n: size, m: size):
    if m < n:
        callee(n - m)
    else:
        callee(m - n + 1)
