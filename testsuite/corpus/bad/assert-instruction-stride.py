# An instruction wants rows of 4, contiguous; the window is of columns.
# expect: call.assert 16:5 assertion 1 of `load4` may not hold here: `stride(src, 0) == 1`
# because: it is False
# run: p


@instr("load4({dst}, {src});")
def load4(dst: [f32][4], src: [f32][4]):
    assert stride(src, 0) == 1
    for i in seq(0, 4):
        dst[i] = src[i]


@proc
def p(a: f32[4, 4], x: f32[4]):
    load4(x, a[0:4, 1])
