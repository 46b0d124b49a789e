# Row and column of a flat index in a grid with one row too few.
# expect: bounds.access 10:11 index 0 of `a` may be out of bounds: `i / 8`
# because: for n = 1, i = 0: the index is 0, the extent 0
# run: p n=1


@proc
def p(n: size, a: f32[n / 8, 8]):
    for i in seq(0, n):
        a[i / 8, i % 8] = 0.0
