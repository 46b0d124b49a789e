# The outer procedure does not pass on what the inner one asks.
# expect: call.assert 15:5 assertion 1 of `inner` may not hold here: `n % 8 == 0`
# because: for n = 4: it reads 4 == 0
# run: outer n=4


@proc
def inner(n: size):
    assert n % 8 == 0


@proc
def outer(n: size):
    assert n % 4 == 0
    inner(n)


@proc
def p(n: size):
    outer(8 * n)
