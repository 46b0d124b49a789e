# The access comes before the guard.
# expect: bounds.access 10:7 index 0 of `x` may be out of bounds: `k`
# because: for n = 1, k = 1: the index is 1, the extent 1
# run: p n=1 k=1


@proc
def p(n: size, k: index, x: f32[n]):
    assert 0 <= k
    x[k] = 1.0
    if k < n:
        x[k] = 0.0
