# case: every statement that is the body
# expect: accept
@proc
def clear(x: [f32][4]):
    for i in seq(0, 4):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n, 4], y: f32[4, 4]):
    for k in seq(0, n):
        for i in seq(0, 4):
            x[k, i] = 0.0
    for j in seq(0, 4):
        for i in seq(0, 4):
            y[i, j] = 0.0
    for i in seq(0, 4):
        y[i, 0] = 1.0

p = replace_all(p, clear)

# case: instructions by name, in the order of the list
# expect: accept
@proc
def p(n: size, x: f32[16 * n], y: f32[16 * n]):
    for io in seq(0, n):
        a: f32[16] @ AVX512
        b: f32[16] @ AVX512
        for ii in seq(0, 16):
            a[ii] = x[16 * io + ii]
        for ii in seq(0, 16):
            b[ii] = y[16 * io + ii]
        for ii in seq(0, 16):
            b[ii] = a[ii] + b[ii]
        for ii in seq(0, 16):
            y[16 * io + ii] = b[ii]

p = replace_all(p, [mm512_add_ps, mm512_loadu_ps, mm512_storeu_ps])

# case: outer statements first
# expect: accept
@proc
def rows(n: size, x: [f32][n, 4]):
    for i in seq(0, n):
        for j in seq(0, 4):
            x[i, j] = 0.0

@proc
def row(x: [f32][4]):
    for j in seq(0, 4):
        x[j] = 0.0

@proc
def p(n: size, x: f32[n, 4], y: f32[4]):
    for i in seq(0, n):
        for j in seq(0, 4):
            x[i, j] = 0.0
    for j in seq(0, 4):
        y[j] = 0.0

p = replace_all(p, [rows, row])

# case: two statements at once, twice in a row
# expect: accept
@proc
def two(x: f32, y: f32):
    x = 1.0
    y = 2.0

@proc
def p(x: f32[4]):
    x[0] = 1.0
    x[1] = 2.0
    x[2] = 1.0
    x[3] = 2.0

p = replace_all(p, [two])

# case: what is refused stays
# expect: accept
@proc
def load(dst: [f32][4], src: [f32][4]):
    assert stride(src, 0) == 1
    for i in seq(0, 4):
        dst[i] = src[i]

@proc
def p(x: f32[4, 4], y: f32[4], z: f32[4]):
    for i in seq(0, 4):
        y[i] = x[i, 0]
    for i in seq(0, 4):
        z[i] = x[0, i]

p = replace_all(p, load)

# case: in branches and loops
# expect: accept
@proc
def set(x: f32):
    x = 1.0

@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        if i < 2:
            x[i] = 1.0
        else:
            x[i] = 2.0
            if i < 4:
                x[i] = 1.0

p = replace_all(p, [set])

# case: no list of procedures
# expect: argument
@proc
def p(x: f32):
    x = 1.0

p = replace_all(p, ["set"])

# case: nothing at all
# expect: argument
@proc
def p(x: f32):
    x = 1.0

p = replace_all(p)

# case: a number among the procedures
# expect: argument
@proc
def set(x: f32):
    x = 1.0

@proc
def p(x: f32):
    x = 1.0

p = replace_all(p, [set, 3])

# case: a truth value in the list
# expect: argument
@proc
def p(x: f32):
    x = 1.0

p = replace_all(p, [True])

# case: a memory
# expect: argument
@proc
def p(x: f32):
    x = 1.0

p = replace_all(p, DRAM)

# case: an argument of another name
# expect: argument
@proc
def set(x: f32):
    x = 1.0

@proc
def p(x: f32):
    x = 1.0

p = replace_all(p, instrs=[set])

# case: loads that configure themselves
# exo-refuses
# expect: accept
@config
class Cfg:
    pitch: stride

@proc
def load(dst: [f32][8] @ AVX2, src: [f32][8] @ DRAM):
    Cfg.pitch = stride(src, 0)
    for i in seq(0, 8):
        dst[i] = src[i]

@proc
def p(x: f32[8, 8], y: f32[8, 8]):
    r: f32[2, 8] @ AVX2
    for i in seq(0, 8):
        r[0, i] = x[0, i]
    for i in seq(0, 8):
        r[1, i] = x[i, 0]
    for i in seq(0, 8):
        y[0, i] = r[0, i] + r[1, i]

p = replace_all(p, [load])
