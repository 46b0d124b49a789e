# The sizes are equal in the else branch.


@proc
def fill(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 0.0


@proc
def p(n: size, m: size, x: f32[m]):
    if n < m or m < n:
        pass
    else:
        fill(n, x)
