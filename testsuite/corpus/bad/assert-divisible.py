# The callee wants a multiple of 4 and gets one of 2.
# expect: call.assert 14:5 assertion 1 of `callee` may not hold here: `n % 4 == 0`
# because: for n = 1: it reads 2 == 0
# run: p n=1


@proc
def callee(n: size):
    assert n % 4 == 0


@proc
def p(n: size):
    callee(2 * n)
