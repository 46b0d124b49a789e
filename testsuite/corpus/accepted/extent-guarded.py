# The buffer is made only where it has a cell.


@proc
def p(n: size):
    if n > 1:
        t: f32[n - 1]
        t[n - 2] = 0.0
