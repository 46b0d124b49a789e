# The extent is negative in the first iteration.
# expect: bounds.extent 10:16 extent 0 of `t` may be below 0: `i - 1`
# because: for n = 1, i = 0: it is -1
# run: p n=1


@proc
def p(n: size):
    for i in seq(0, n):
        t: f32[i - 1]
