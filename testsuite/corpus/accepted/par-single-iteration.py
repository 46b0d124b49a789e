# One iteration meets no other.


@proc
def p(n: size, x: f32[n]):
    for i in par(0, 1):
        x[0] += 1.0
