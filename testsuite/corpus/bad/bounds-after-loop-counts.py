# A field that counts up in a loop, used as an index in it.
# expect: bounds.access 16:11 index 0 of `x` may be out of bounds: `Cfg.at`
# because: for n = 2, i = 1, Cfg.at = -1 as far as is known: the index is -1, the extent 2
# run: p n=2 Cfg.at=0


@config
class Cfg:
    at: index


@proc
def p(n: size, x: f32[n]):
    Cfg.at = 1
    for i in seq(0, n):
        x[Cfg.at] = 0.0
        Cfg.at = Cfg.at + 1
