# expect: syntax.instr 10:23 asserts what the instruction does not
# A call of the second would be one of the first, which may not be called everywhere.
@proc
def half(n: size, x: [f32][n], y: [f32][n]):
    assert n % 2 == 0
    for i in seq(0, n):
        y[i] += x[i]


@instr("f();", rounds=half)
def f(n: size, x: [f32][n], y: [f32][n]):
    for i in seq(0, n):
        y[i] += x[i]
