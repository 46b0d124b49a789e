# A negated guard.


@proc
def p(n: size, k: index, x: f32[n]):
    if not (k < 0 or not k < n):
        x[k] = 0.0
