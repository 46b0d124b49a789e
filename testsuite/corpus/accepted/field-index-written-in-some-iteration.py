# Some iteration may write the field: it then holds what that one wrote.


@config
class Cfg:
    at: index


@proc
def p(n: size, k: index, x: f32[n]):
    Cfg.at = 0
    for i in seq(0, n):
        x[Cfg.at] = 0.0
        if i == k:
            Cfg.at = i
    x[Cfg.at] = 0.0
