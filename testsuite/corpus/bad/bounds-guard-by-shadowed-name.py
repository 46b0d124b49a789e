# The guard is about the outer `i`.
# expect: bounds.access 12:15 index 0 of `x` may be out of bounds: `i`
# because: for n = 1, i = 0, i = 1: the index is 1, the extent 1
# run: p n=1 i=0


@proc
def p(n: size, i: index, x: f32[n]):
    assert 0 <= i
    if i < n:
        for i in seq(0, n + 1):
            x[i] = 0.0
