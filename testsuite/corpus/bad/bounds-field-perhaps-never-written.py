# No iteration need write the field: then it is as it was.
# expect: bounds.access 18:7 index 0 of `x` may be out of bounds: `Cfg.at`
# because: for n = 1, k = 0, Cfg.at = 1 as far as is known: the index is 1, the extent 1
# run: p n=1 k=1 Cfg.at=0


@config
class Cfg:
    at: index


@proc
def p(n: size, k: index, x: f32[n]):
    Cfg.at = n
    for i in seq(0, n):
        if i == k:
            Cfg.at = i
    x[Cfg.at] = 0.0
