# After the loop the field holds what the last iteration wrote.
# expect: bounds.access 17:7 index 0 of `x` may be out of bounds: `Cfg.at`
# because: for n = 1: the index is 1, the extent 1
# run: p n=1 Cfg.at=0


@config
class Cfg:
    at: index


@proc
def p(n: size, x: f32[n]):
    Cfg.at = 0
    for i in seq(0, n):
        Cfg.at = i + 1
    x[Cfg.at] = 0.0
