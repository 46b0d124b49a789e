# The loop may not run, and then the field is as it was.
# expect: bounds.access 17:7 index 0 of `x` may be out of bounds: `Cfg.at`
# because: for n = 1: the index is 1, the extent 1
# run: p n=1 Cfg.at=0


@config
class Cfg:
    at: index


@proc
def p(n: size, x: f32[n]):
    Cfg.at = n
    for i in seq(1, n):
        Cfg.at = i
    x[Cfg.at] = 0.0
