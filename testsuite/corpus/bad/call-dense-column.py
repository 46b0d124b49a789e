# expect: call.dense 10:9 the argument for `x` of `col` may not be dense, as a tensor is
# because: stride 0 is 8, and 1 in a tensor
# run: p
@proc
def col(x: f32[4]):
    x[0] = 0.0

@proc
def p(x: f32[4, 8]):
    col(x[:, 1])
