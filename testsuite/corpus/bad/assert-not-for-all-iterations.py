# The assertion holds in all iterations but the last.
# expect: call.assert 15:9 assertion 1 of `callee` may not hold here: `i + 1 < n`
# because: for n = 1, i = 0: it reads 1 < 1
# run: p n=1


@proc
def callee(i: index, n: size):
    assert i + 1 < n


@proc
def p(n: size):
    for i in seq(0, n):
        callee(i, n)
