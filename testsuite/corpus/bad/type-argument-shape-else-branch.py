# expect: type.argument-shape 12:17 extent `n` in dimension 0, not `m`
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, m: size, x: f32[m]):
    if n == m:
        fill(n, x)
    else:
        fill(n, x)
