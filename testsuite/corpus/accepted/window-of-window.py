# A window of a window, and its last cell.


@proc
def p(x: f32[16]):
    w = x[4:12]
    v = w[2:6]
    v[3] = 0.0
