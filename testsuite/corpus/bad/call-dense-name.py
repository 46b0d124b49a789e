# expect: call.dense 11:16 the argument for `src` of `copy` may not be dense, as a tensor is
# because: stride 0 is 8, and 4 in a tensor
# run: p
@proc
def copy(n: size, dst: f32[n, 4], src: f32[n, 4]):
    pass

@proc
def p(x: f32[4, 4], y: f32[4, 8]):
    w = y[0:4, 2:6]
    copy(4, x, w)
