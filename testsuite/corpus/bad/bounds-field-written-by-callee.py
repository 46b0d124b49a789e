# A callee moves the field.
# expect: bounds.access 21:11 index 0 of `x` may be out of bounds: `Cfg.at`
# because: for n = 1, i = 0: the index is 1, the extent 1
# run: p n=1 Cfg.at=0


@config
class Cfg:
    at: index


@proc
def advance(k: index):
    Cfg.at = k + 1


@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        advance(i)
        x[Cfg.at] = 0.0
