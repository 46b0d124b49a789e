# expect: type.data-comparison 4:8 `<` cannot compare data
@proc
def p(x: f32):
    if x < 0.0:
        x = 0.0
