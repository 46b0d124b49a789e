# After the branch the field may hold either value.
# expect: bounds.access 17:7 index 0 of `x` may be out of bounds: `Cfg.at`
# because: for n = 1, b = True: the index is 1, the extent 1
# run: p n=1 b=True Cfg.at=0


@config
class Cfg:
    at: index


@proc
def p(n: size, b: bool, x: f32[n]):
    Cfg.at = 0
    if b:
        Cfg.at = n
    x[Cfg.at] = 0.0
