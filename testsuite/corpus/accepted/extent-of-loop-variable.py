# Every iteration has a cell.


@proc
def p(n: size):
    for i in seq(0, n):
        t: f32[i + 1]
        t[i] = 0.0
