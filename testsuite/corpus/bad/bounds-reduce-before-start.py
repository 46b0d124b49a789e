# A reduction into a cell at a negative offset.
# expect: bounds.access 10:11 index 0 of `x` may be out of bounds: `i - 2`
# because: for n = 1, i = 0: the index is -2, the extent 1
# run: p n=1


@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i - 2] += 1.0
