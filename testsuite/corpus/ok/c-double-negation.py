# Negations of negations and of negative literals keep apart: `-(-x)`, never `--x`.


@proc
def negations(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = -(-x[i])
        y[i] += -(-(-x[i])) - -x[i]
        y[i] = y[i] - -2.0 - -(-1.0)


@proc
def index_negations(n: size, x: f32[n], y: f32[n]):
    for i in seq(-n, 0):
        y[-(-(-i)) - 1] = x[n - -i]


@proc
def integer_negations(n: size, x: i32[n], y: i8[n]):
    for i in seq(0, n):
        x[i] = -(-x[i])
        y[i] = -(-y[i]) - -3.0
