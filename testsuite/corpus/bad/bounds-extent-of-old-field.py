# The buffer has the extent that the field had when it was made.
# expect: bounds.access 16:7 index 0 of `t` may be out of bounds: `Cfg.n - 1`
# because: for Cfg.n = 1: the index is 1, the extent 1
# run: p Cfg.n=1


@config
class Cfg:
    n: size


@proc
def p():
    t: f32[Cfg.n]
    Cfg.n = Cfg.n + 1
    t[Cfg.n - 1] = 0.0
