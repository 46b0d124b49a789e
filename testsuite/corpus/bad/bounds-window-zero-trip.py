# A window without cells has no first cell.
# expect: bounds.access 11:7 index 0 of `w` may be out of bounds: `0`
# because: for n = 1, k = 0: the index is 0, the extent 0
# run: p n=1 k=0


@proc
def p(n: size, k: index, x: f32[n]):
    assert 0 <= k and k <= n
    w = x[0:k]
    w[0] = 0.0
