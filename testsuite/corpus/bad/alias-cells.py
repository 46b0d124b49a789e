# Two cells that are one in the first iteration.
# expect: call.alias 14:9 the arguments `x` and `y` of `set` may overlap in `z`, and it changes `y`
# because: for n = 1, i = 0: both show `z[0]`


@proc
def set(x: f32, y: f32):
    y = x + 1.0


@proc
def p(n: size, z: f32[n]):
    for i in seq(0, n):
        set(z[0], z[i])
