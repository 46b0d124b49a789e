# A remainder modulo 8 in a buffer of 7.
# expect: bounds.access 10:11 index 0 of `x` may be out of bounds: `i % 8`
# because: for n = 8, i = 7: the index is 7, the extent 7
# run: p n=8


@proc
def p(n: size, x: f32[7]):
    for i in seq(0, n):
        x[i % 8] = 0.0
