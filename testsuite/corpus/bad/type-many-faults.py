# expect: type.bool-expected 8:12 an assertion is a truth value
# expect: type.nonaffine 9:21 neither side
# expect: type.data-expected 10:16 a value to store is data
# expect: type.rank 11:5 `x` has 1 dimension
# expect: type.assign-control 12:5 `n` is a `size`
@proc
def p(n: size, x: f32[n]):
    assert n
    for i in seq(0, n * n):
        x[i] = i
    x[0, 0] = 1.0
    n = 1
