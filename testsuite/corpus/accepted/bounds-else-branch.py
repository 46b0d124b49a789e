# The else branch of the opposite condition.


@proc
def p(n: size, k: index, x: f32[n]):
    if k < 0 or k >= n:
        pass
    else:
        x[k] = 0.0
