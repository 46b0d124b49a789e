# expect: type.data-modulo 4:9 `%` does not apply to data
@proc
def p(x: f32, y: f32):
    x = y % 2.0
