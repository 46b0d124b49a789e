# The bound is evaluated once, before the body writes the field: but the second loop sees it.
# expect: bounds.access 19:11 index 0 of `x` may be out of bounds: `i`
# because: for i = 4: the index is 4, the extent 4
# run: p Cfg.n=1


@config
class Cfg:
    n: size


@proc
def p(x: f32[4]):
    Cfg.n = 4
    for i in seq(0, Cfg.n):
        x[i] = 0.0
        Cfg.n = 5
    for i in seq(0, Cfg.n):
        x[i] = 0.0
