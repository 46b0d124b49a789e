# An index argument under a guard on both sides.


@proc
def p(n: size, k: index, x: f32[n]):
    if 0 <= k < n:
        x[k] = 0.0
