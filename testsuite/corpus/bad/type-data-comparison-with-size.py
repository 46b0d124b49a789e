# expect: type.data-comparison 4:8 `>` cannot compare data
@proc
def p(n: size, x: f32[8]):
    if x[0] > n:
        x[0] = 0.0
