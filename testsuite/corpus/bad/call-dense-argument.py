# expect: call.dense 10:13 the argument for `dst` of `copy` may not be dense, as a tensor is
# because: for stride(x, 0) = 0, stride(x, 1) = 0: stride 0 is 0, and 4 in a tensor
# run: p
@proc
def copy(n: size, dst: f32[n, 4], src: f32[n, 4]):
    pass

@proc
def p(x: [f32][4, 4], y: f32[4, 4]):
    copy(4, x, y)
