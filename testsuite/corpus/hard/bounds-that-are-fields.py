# z3 compares all equalities that it has found, none of which it counts as a step.
@config
class C:
    a: index
    b: index
    c: index
    d: bool

@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in par((C.c + C.c), n):
        C.c = ((i / 3) - (n / 4))
        C.a = (5 * i)
        for j in seq(0, C.a):
            C.b = ((3 * C.c) % 8)
            x[C.c, (j / 2)] = 2.0
    for q in par(0, n):
        x[q, ((n / 9) - C.c)] = 0.0
