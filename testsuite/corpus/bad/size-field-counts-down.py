# A field that is a size is counted down in a loop.
# expect: size.positive 15:17 the size `Cfg.n` may be below 1: `n - i - 1`
# because: for n = 1, i = 0: it is 0
# run: p n=1 Cfg.n=1


@config
class Cfg:
    n: size


@proc
def p(n: size):
    for i in seq(0, n):
        Cfg.n = n - i - 1
