# A row has the extent of the second dimension.
# expect: bounds.access 12:17 index 0 of `row` may be out of bounds: `j`
# because: for n = 2, m = 1, i = 0, j = 1: the index is 1, the extent 1
# run: p n=2 m=1


@proc
def p(n: size, m: size, a: f32[n, m]):
    for i in seq(0, n):
        row = a[i, :]
        for j in seq(0, n):
            row[j] = 0.0
