# A flag must be set.
# expect: call.assert 14:5 assertion 1 of `callee` may not hold here: `on`
# because: for n = 1: it reads 4 < 1
# run: p n=1


@proc
def callee(on: bool):
    assert on


@proc
def p(n: size):
    callee(n > 4)
