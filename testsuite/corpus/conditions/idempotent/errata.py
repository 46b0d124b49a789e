# refuted: [E-11] two arguments that show one buffer
@proc
def copy(n: size, dst: [f32][n], src: [f32][n]):
    for i in seq(0, n):
        dst[i] = src[i]

@proc
def p(x: f32[8]):
    copy(4, x[0:4], x[2:6])  # here
