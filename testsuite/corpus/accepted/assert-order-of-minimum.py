# The guard decides which order holds.


@proc
def callee(a: size, b: size):
    assert a <= b


@proc
def p(n: size, m: size):
    if n <= m:
        callee(n, m)
    else:
        callee(m, n)
