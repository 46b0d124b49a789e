# z3 compares all equalities that it has found, none of which it counts as a step.
@config
class C:
    a: index
    b: index
    c: index
    d: bool

@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq((5 - C.b), m):
        x[C.b, (C.b + m)] = 1.0
        for j in seq(0, C.a):
            if ((2 * m) + i) > ((j / 3) - (6 * j)):
                C.d = (9 * (9 * C.c)) > ((m + m) - (i - n))
                C.c = ((4 * C.a) % 11)
                x[n, ((3 * n) + (C.b / 12))] = 2.0
    for q in par(0, n):
        x[q, 8] = 0.0
