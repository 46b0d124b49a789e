# A window at a field's value, which the loop moves.
# expect: bounds.window 16:15 the interval `Cfg.at:Cfg.at + 4` may leave dimension 0 of `x`
# because: for i = 6: the interval is 5:9, the extent 8
# run: p Cfg.at=0


@config
class Cfg:
    at: index


@proc
def p(x: f32[8]):
    Cfg.at = 0
    for i in seq(0, 8):
        w = x[Cfg.at:Cfg.at + 4]
        Cfg.at = i
