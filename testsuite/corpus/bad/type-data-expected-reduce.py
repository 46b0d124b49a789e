# expect: type.data-expected 5:14 not an `index`
@proc
def p(x: f32):
    for i in seq(0, 8):
        x += i
