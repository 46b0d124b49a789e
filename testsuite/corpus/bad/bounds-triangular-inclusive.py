# A triangular loop whose inner bound includes the extent.
# expect: bounds.access 11:18 index 1 of `a` may be out of bounds: `j`
# because: for n = 1, i = 0, j = 1: the index is 1, the extent 1
# run: p n=1


@proc
def p(n: size, a: f32[n, n]):
    for i in seq(0, n):
        for j in seq(0, i + 2):
            a[i, j] = 0.0
