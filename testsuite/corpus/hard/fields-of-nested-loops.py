# z3 adds up rows of a tableau for minutes, and gigabytes, none of which it counts as a step.
@config
class C:
    a: index
    b: index
    c: index
    d: bool

@proc
def p(n: size, m: size, x: f32[n, m]):
    for i in seq((2 * n), C.b / 3):
        x[((2 * m) + (8 - i)), (C.b % 9)] = 1.0
        C.c = (C.c + m)
        for j in seq(0, m):
            C.d = ((n % 11) % 3) > ((n + C.b) + (9 * C.c))
            C.a = ((i % 9) / 4)
            C.c = ((C.c + m) + (4 * n))
            x[((m + i) + (n - i)), ((C.a + n) - m)] += 2.0
