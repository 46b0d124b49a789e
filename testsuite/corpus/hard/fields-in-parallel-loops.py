# z3 compares all equalities that it has found, none of which it counts as a step.
@config
class C:
    a: index
    b: index
    c: index

@proc
def p(n: size, m: size, x: f32[n]):
    for i in par(0, (C.b % 9)):
        x[((2 % 9) + (i % 6))] = 1.0
        for j in par(0, 8):
            if (((8 * j) + (3 / 13)) < ((n % 10) - m) or (8 * (j / 9)) > ((C.a + m) / 9)):
                C.c = j
                C.c = ((5 * C.a) % 2)
                C.a = ((m + C.b) + (n + j))
            x[0] += 1.0
            if (5 + (i + i)) >= (j + (m / 13)):
                x[((i % 12) - (j % 7))] += 1.0
    for j in seq(0, 8):
        for k in par(0, 8):
            C.c = ((8 * m) / 9)
