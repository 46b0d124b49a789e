# The callee wants the other order.
# expect: call.assert 15:5 assertion 1 of `callee` may not hold here: `a <= b`
# because: for n = 1, m = 2: it reads 2 <= 1
# run: p n=1 m=2


@proc
def callee(a: size, b: size):
    assert a <= b


@proc
def p(n: size, m: size):
    assert n <= m
    callee(m, n)
