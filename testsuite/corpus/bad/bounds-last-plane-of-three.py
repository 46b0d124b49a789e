# Only the last of three indices leaves.
# expect: bounds.access 10:21 index 2 of `a` may be out of bounds: `i + 2`
# because: for n = 2, i = 0: the index is 2, the extent 2
# run: p n=2


@proc
def p(n: size, a: f32[n, n, n]):
    for i in seq(0, n - 1):
        a[i, i + 1, i + 2] = 0.0
