# A multiple of 12 is one of 4.


@proc
def callee(n: size):
    assert n % 4 == 0


@proc
def p(n: size):
    callee(12 * n)
