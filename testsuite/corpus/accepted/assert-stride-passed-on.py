# The caller asserts of its window what the callee asks.


@proc
def callee(n: size, x: [f32][n]):
    assert stride(x, 0) == 1


@proc
def p(n: size, x: [f32][n, n]):
    assert stride(x, 1) == 1
    for i in seq(0, n):
        callee(n, x[i, :])
