# expect: type.data-expected 4:9 a value to store is data here, not a `size`
@proc
def p(n: size, x: f32):
    x = n
