# A window argument may lie with any stride.
# expect: call.assert 14:5 assertion 1 of `callee` may not hold here: `stride(x, 0) == 1`
# because: for stride(x, 0) = 0: it reads 0 == 1
# run: p n=10 --seed 10


@proc
def callee(n: size, x: [f32][n]):
    assert stride(x, 0) == 1


@proc
def p(n: size, x: [f32][n]):
    callee(n, x)
