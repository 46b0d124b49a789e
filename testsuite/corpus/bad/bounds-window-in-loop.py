# The windows of the last iterations are shorter than the loop over them.
# expect: bounds.access 12:15 index 0 of `w` may be out of bounds: `j`
# because: for n = 1, i = 0, j = 1: the index is 1, the extent 1
# run: p n=1


@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        w = x[i:n]
        for j in seq(0, 2):
            w[j] = 0.0
