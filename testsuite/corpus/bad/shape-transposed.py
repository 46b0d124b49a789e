# The two extents change places.
# expect: call.shape 14:16 the argument for `src` of `copy` may have another extent in dimension 0 than `n`
# because: for n = 1: 1 is expected, 4 given
# run: p n=1
# expect: call.shape 14:16 the argument for `src` of `copy` may have another extent in dimension 1 than `4`
# because: for n = 1: 4 is expected, 1 given
# run: p n=1
@proc
def copy(n: size, dst: f32[n, 4], src: f32[n, 4]):
    pass

@proc
def p(n: size, x: f32[n, 4], y: f32[4, n]):
    copy(n, x, y)
