# A guard on the wrong variable.
# expect: bounds.access 12:19 index 0 of `x` may be out of bounds: `j + 1`
# because: for n = 2, i = 0, j = 1: the index is 2, the extent 2
# run: p n=2


@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        for j in seq(0, n):
            if i < n - 1:
                x[j + 1] = 0.0
