# A remainder, and one more.
# expect: bounds.access 10:14 index 0 of `ring` may be out of bounds: `i % 8 + 1`
# because: for n = 8, i = 7: the index is 8, the extent 8
# run: p n=8


@proc
def p(n: size, ring: f32[8]):
    for i in seq(0, n):
        ring[i % 8 + 1] = 0.0
