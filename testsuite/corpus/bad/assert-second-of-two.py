# The second assertion of the callee fails.
# expect: call.assert 16:5 assertion 2 of `callee` may not hold here: `n <= 8`
# because: for n = 9: it reads 9 <= 8
# run: p n=9


@proc
def callee(n: size):
    assert n >= 2
    assert n <= 8


@proc
def p(n: size):
    assert n > 1
    callee(n)
