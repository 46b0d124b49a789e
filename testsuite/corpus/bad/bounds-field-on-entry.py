# A field that is used as an index, whatever the caller left in it.
# expect: bounds.access 14:7 index 0 of `x` may be out of bounds: `Cfg.at`
# because: for n = 1, Cfg.at = -1: the index is -1, the extent 1
# run: p n=1 Cfg.at=-1


@config
class Cfg:
    at: index


@proc
def p(n: size, x: f32[n]):
    x[Cfg.at] = 0.0
