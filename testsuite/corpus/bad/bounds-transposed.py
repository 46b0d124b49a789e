# Indices in the wrong order.
# expect: bounds.access 14:15 index 0 of `a` may be out of bounds: `j`
# because: for n = 1, m = 2, i = 0, j = 1: the index is 1, the extent 1
# run: p n=1 m=2
# expect: bounds.access 14:18 index 1 of `a` may be out of bounds: `i`
# because: for n = 2, m = 1, i = 1, j = 0: the index is 1, the extent 1
# run: p n=2 m=1


@proc
def p(n: size, m: size, a: f32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            a[j, i] = 0.0
