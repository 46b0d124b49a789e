# A multiple of 4 is its tiles.


@proc
def fill(n: size, x: [f32][4 * (n / 4)]):
    for i in seq(0, 4 * (n / 4)):
        x[i] = 0.0


@proc
def p(n: size, x: f32[n]):
    assert n % 4 == 0
    fill(n, x)
