# expect: type.argument-shape 9:16 extent `n` in dimension 0, not `4`
# expect: type.argument-shape 9:16 extent `4` in dimension 1, not `n`
@proc
def copy(n: size, dst: f32[n, 4], src: f32[n, 4]):
    pass

@proc
def p(n: size, x: f32[n, 4], y: f32[4, n]):
    copy(n, x, y)
