# A reduction into the cell after the last.
# expect: bounds.access 10:11 index 0 of `s` may be out of bounds: `4`
# because: for n = 1, i = 0: the index is 4, the extent 4
# run: p n=1


@proc
def p(n: size, x: f32[n], s: f32[4]):
    for i in seq(0, n):
        s[4] += x[i]
