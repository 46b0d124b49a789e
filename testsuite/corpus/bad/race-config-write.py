# Every iteration writes the field.
# expect: par.race 15:9 iterations of the parallel loop over `i` may meet in `Cfg.at`
# because: for n = 2: iterations i = 0 and i = 1 meet in `Cfg.at`: both change it
# run: p n=2 Cfg.at=0


@config
class Cfg:
    at: index


@proc
def p(n: size):
    for i in par(0, n):
        Cfg.at = i
