# expect: type.extern-argument 4:14 `relu` is a function of data, not of a `size`
@proc
def p(n: size, x: f32):
    x = relu(n)
