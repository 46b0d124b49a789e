# A guard of which one half suffices.
# expect: bounds.access 10:11 index 0 of `x` may be out of bounds: `k`
# because: for n = 1, k = -1: the index is -1, the extent 1
# run: p n=1 k=-1


@proc
def p(n: size, k: index, x: f32[n]):
    if 0 <= k or k < n:
        x[k] = 0.0
