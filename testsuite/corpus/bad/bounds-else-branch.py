# What holds in the then branch does not hold in the other.
# expect: bounds.access 13:11 index 0 of `x` may be out of bounds: `k`
# because: for n = 1, k = 1: the index is 1, the extent 1
# run: p n=1 k=1


@proc
def p(n: size, k: index, x: f32[n]):
    assert 0 <= k
    if k < n:
        pass
    else:
        x[k] = 0.0
