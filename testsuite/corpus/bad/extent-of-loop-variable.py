# The first iteration has no cell.
# expect: bounds.extent 9:16 extent 0 of `t` may be below 1: `i`
# because: for n = 1, i = 0: it is 0


@proc
def p(n: size):
    for i in seq(0, n):
        t: f32[i]
