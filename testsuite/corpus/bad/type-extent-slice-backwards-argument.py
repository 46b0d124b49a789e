# expect: type.extent 9:15 ends before it begins
@proc
def fill(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n]):
    fill(n, x[n:n - 1])
