@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool
    scale: f32

# refuted: E-9: iterations do not meet in the state before the loop
@proc
def p(n: size, x: f32, y: f32[n, n]):
    Cfg.a = 0
    for i in seq(0, n):  # here
        for j in seq(0, n):
            if Cfg.a == 1:
                x += y[i, j]
            if i == 1:
                if j == 0:
                    Cfg.a = 1

# refuted (loop.bounds): E-16: a triangle, though its iterations commute
@proc
def p(n: size, x: f32[n, n]):
    for i in seq(0, n):  # here
        for j in seq(0, i + 1):
            x[i, j] = 0.0

# proved: E-30: the inner bound is the same in every order
@proc
def p(n: size, x: f32[n, 4]):
    Cfg.n = 4
    for i in seq(0, n):  # here
        for j in seq(0, Cfg.n):
            x[i, j] += 1.0
            if j < 0:
                Cfg.n = 2
