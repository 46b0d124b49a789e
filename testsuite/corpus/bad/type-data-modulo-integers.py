# expect: type.data-modulo 4:9 `%` does not apply to data
@proc
def p(x: i32, y: i32):
    x = x % y
