# The rest of a division, where there is one.


@proc
def callee(m: size):
    pass


@proc
def p(n: size):
    if not n % 8 == 0:
        callee(n % 8)
    callee(n % 8 + 1)
