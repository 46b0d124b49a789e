# A field that no iteration writes.


@config
class Cfg:
    at: index


@proc
def p(n: size, m: size, x: f32[n, m]):
    assert 0 <= Cfg.at and Cfg.at < m
    for i in par(0, n):
        x[i, Cfg.at] = 0.0
