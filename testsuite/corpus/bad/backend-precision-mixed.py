# command: compile
# expect: backend.precision 6:16 an expression has one precision, not two
@proc
def scale(n: size, x: f32[n], y: f64[n]):
    for i in seq(0, n):
        y[i] = 2.0 * x[i] + y[i]
