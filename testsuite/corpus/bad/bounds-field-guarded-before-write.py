# The guard was about the old value of the field.
# expect: bounds.access 16:11 index 0 of `x` may be out of bounds: `Cfg.at`
# because: for n = 1, Cfg.at = 0: the index is 1, the extent 1
# run: p n=1 Cfg.at=0


@config
class Cfg:
    at: index


@proc
def p(n: size, x: f32[n]):
    if 0 <= Cfg.at and Cfg.at < n:
        Cfg.at = Cfg.at + 1
        x[Cfg.at] = 0.0
