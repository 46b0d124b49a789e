# The negation of a conjunction says little about its parts.
# expect: bounds.access 12:11 index 0 of `x` may be out of bounds: `k`
# because: for n = 1, k = -1: the index is -1, the extent 1
# run: p n=1 k=-1


@proc
def p(n: size, k: index, x: f32[n]):
    if k < 0 and k >= n:
        pass
    else:
        x[k] = 0.0
