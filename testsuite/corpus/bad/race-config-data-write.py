# Every iteration writes a field of data.
# expect: par.race 15:9 iterations of the parallel loop over `i` may meet in `Cfg.scale`
# because: for n = 2: iterations i = 0 and i = 1 meet in `Cfg.scale`: both change it
# run: p n=2


@config
class Cfg:
    scale: f32


@proc
def p(n: size, x: f32[n]):
    for i in par(0, n):
        Cfg.scale = x[i]
