# One iteration passes the guard.


@proc
def p(n: size, x: f32[n]):
    for i in par(0, n):
        if i == 3:
            x[0] = 1.0
