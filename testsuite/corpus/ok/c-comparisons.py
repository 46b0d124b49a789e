# Comparisons whose outcome the types or the other half of a condition know: compilers ask whether they are meant.
@proc
def halves(n: size, k: index, x: i32[4]):
    for i in seq(0, 4):
        x[i] = 0.0
    if 0 <= k and k < 0:
        x[0] = 1.0
    if k < 5 or k > 2:
        x[1] = 1.0
    if k == 1 and (k == 2 or n < 0):
        x[2] = 1.0
    if n - k < 3 and not (k - n > 7) and k - n < -3:
        x[3] = 1.0


@proc
def ranges(u: ui8[4], w: ui16[4], s: i8[4], m: i32[4]):
    for i in seq(0, 4):
        m[i] = 0.0
        u[i] = select(u[i], 0.0, 1.0, 2.0)
        m[i] += select(0.0, w[i], 1.0, 2.0)
        m[i] += select(w[i], 70000.0, 4.0, 8.0)
        m[i] += select(s[i], -129.0, 16.0, 32.0)
        m[i] += select(-s[i], 129.0, 64.0, 128.0)
        m[i] += select(m[i], 0.0, 256.0, 512.0)
        s[i] = select(127.0, s[i], 3.0, 5.0)
