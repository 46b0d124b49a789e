# A column is not contiguous.
# expect: call.assert 14:5 assertion 1 of `callee` may not hold here: `stride(x, 0) == 1`
# because: for n = 1: it is False
# run: p n=1


@proc
def callee(n: size, x: [f32][n]):
    assert stride(x, 0) == 1


@proc
def p(n: size, a: f32[n, 8]):
    callee(n, a[:, 0])
