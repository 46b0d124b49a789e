# A window without cells may begin at the end.


@proc
def p(n: size, x: f32[n]):
    w = x[n:n]
