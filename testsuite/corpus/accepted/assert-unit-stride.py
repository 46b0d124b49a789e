# Rows of a tensor are contiguous, and so are parts of them.


@instr("load4({dst}, {src});")
def load4(dst: [f32][4], src: [f32][4]):
    assert stride(src, 0) == 1
    for i in seq(0, 4):
        dst[i] = src[i]


@proc
def p(n: size, a: f32[n, 8], x: f32[4]):
    for i in seq(0, n):
        row = a[i, 2:8]
        load4(x, row[1:5])
