# A field that is a size gets a difference.
# expect: size.positive 14:13 the size `Cfg.n` may be below 1: `n - 1`
# because: for n = 1: it is 0
# run: p n=1 Cfg.n=1


@config
class Cfg:
    n: size


@proc
def p(n: size):
    Cfg.n = n - 1
