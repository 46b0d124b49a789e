# The first index is fine, the second is that of the other dimension.
# expect: bounds.access 11:18 index 1 of `a` may be out of bounds: `i`
# because: for n = 2, m = 1, i = 1, j = 0: the index is 1, the extent 1
# run: p n=2 m=1


@proc
def p(n: size, m: size, a: f32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            a[i, i] = 0.0
