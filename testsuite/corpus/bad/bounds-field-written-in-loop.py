# The second iteration sees what the first one wrote.
# expect: bounds.access 16:11 index 0 of `x` may be out of bounds: `Cfg.at`
# because: for i = 1: the index is 4, the extent 4
# run: p Cfg.at=0


@config
class Cfg:
    at: index


@proc
def p(x: f32[4]):
    Cfg.at = 0
    for i in seq(0, 3):
        x[Cfg.at] = 0.0
        Cfg.at = 4
