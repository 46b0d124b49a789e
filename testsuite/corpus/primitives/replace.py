# case: a tile of a row
# expect: accept
@instr("{dst_data} = _mm256_loadu_ps(&{src_data});")
def load(dst: [f32][8] @ AVX2, src: [f32][8] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 8):
        dst[i] = src[i]

@proc
def p(n: size, m: size, x: f32[n, 8 * m], y: f32[n, m, 8]):
    for i in seq(0, n):
        for jo in seq(0, m):
            for ji in seq(0, 8):
                y[i, jo, ji] = x[i, 8 * jo + ji]

p = replace(p, "for ji in _: _", load)

# case: a size is found, and the window's end
# expect: accept
@proc
def scale(n: size, a: f32, x: [f32][n]):
    for i in seq(0, n):
        x[i] = a * x[i]

@proc
def p(n: size, x: f32[n + 4, 3], s: f32[2]):
    for k in seq(0, n):
        x[k + 2, 1] = s[1] * x[2 + k, 1]

p = replace(p, "for k in _: _", scale)

# case: a row or a column, as the accesses say
# expect: accept
@proc
def clear(x: [f32][4]):
    for i in seq(0, 4):
        x[i] = 0.0

@proc
def p(x: f32[4, 4]):
    for j in seq(0, 4):
        for i in seq(0, 4):
            x[i, j] = 0.0

p = replace(p, "for i in _: _", clear)

# case: a diagonal is no window, but two points are
# expect: accept
@proc
def fma(c: f32, a: f32, b: f32):
    c += a * b

@proc
def p(n: size, c: f32[n], a: f32[n, n]):
    for i in seq(0, n):
        c[i] += a[i, i] * a[i, 0]

p = replace(p, "c[_] += _", fma)

# case: whole tensors
# expect: accept
@proc
def outer(n: size, m: size, z: f32[n, m], x: f32[n], y: f32[m]):
    for i in seq(0, n):
        for j in seq(0, m):
            z[i, j] += x[i] * y[j]

@proc
def p(k: size, a: f32[k], z: f32[k, 3]):
    b: f32[3]
    for j in seq(0, 3):
        b[j] = 1.0
    for q in seq(0, k):
        for r in seq(0, 3):
            z[q, r] += a[q] * b[r]

p = replace(p, "for q in _: _", outer)

# case: a matrix multiplication on tiles
# expect: accept
@proc
def tile(K: size, A: [f32][4, K], B: [f32][K, 4], C: [f32][4, 4]):
    for k in seq(0, K):
        for i in seq(0, 4):
            for j in seq(0, 4):
                C[i, j] += A[i, k] * B[k, j]

@proc
def p(N: size, M: size, K: size, A: f32[4 * N, K], B: f32[K, 4 * M], C: f32[4 * N, 4 * M]):
    for io in seq(0, N):
        for jo in seq(0, M):
            for k in seq(0, K):
                for ii in seq(0, 4):
                    for ji in seq(0, 4):
                        C[4 * io + ii, 4 * jo + ji] += A[4 * io + ii, k] * B[k, 4 * jo + ji]

p = replace(p, "for k in _: _", tile)

# case: a masked form, whose number of lanes is what is left
# expect: accept
@instr("store({n}, {dst_data}, {src_data});")
def store(n: index, dst: [f32][n] @ DRAM, src: [f32][8] @ AVX2):
    assert 0 <= n
    assert n <= 8
    assert stride(dst, 0) == 1
    for i in seq(0, n):
        dst[i] = src[i]

@proc
def p(n: size, x: f32[n], v: f32[8]):
    for i in seq(0, n % 8):
        x[n / 8 * 8 + i] = v[i]

p = replace(p, "for i in _: _", store)

# case: a guard in other words
# expect: accept
@proc
def upto(n: index, x: [f32][8]):
    for i in seq(0, 8):
        if i < n:
            x[i] = 1.0

@proc
def p(n: size, x: f32[8 * n], m: size):
    for io in seq(0, n):
        for ii in seq(0, 8):
            if m >= 8 * io + ii + 1:
                x[ii + io * 8] = 1.0

p = replace(p, "for ii in _: _", upto)

# case: statements in another order that commute
# expect: accept
@proc
def both(x: [f32][4], y: [f32][4]):
    for i in seq(0, 4):
        x[i] = 1.0
        y[i] = 2.0

@proc
def p(x: f32[4], y: f32[4]):
    for i in seq(0, 4):
        y[i] = 2.0
        x[i] = 1.0

p = replace(p, "for i in _: _", both)

# case: two statements that look alike, in another order
# expect: accept
@proc
def pair(x: [f32][4], y: [f32][4]):
    x[0] = y[0]
    x[1] = y[2]

@proc
def p(x: f32[6], y: f32[6]):
    x[2] = y[3]
    x[1] = y[1]

p = replace(p, p.body(), pair)

# case: buffers and windows of the block, and a call in it
# expect: accept
@proc
def clear(x: [f32][4]):
    for i in seq(0, 4):
        x[i] = 0.0

@proc
def work(n: size, x: [f32][n, 4]):
    for i in seq(0, n):
        t: f32[4]
        clear(t)
        w = x[i, 0:4]
        for j in seq(0, 4):
            w[j] += t[j]
        clear(x[i, :])

@proc
def p(n: size, y: f32[n, 4]):
    for k in seq(0, n):
        s: f32[4]
        clear(s[0:4])
        v = y[k, 0:4]
        for l in seq(0, 4):
            v[l] += s[l]
        clear(y[k, :])

p = replace(p, "for k in _: _", work)

# case: an instruction that sets a field, and one that reads it
# expect: accept
@config
class Load:
    pitch: stride

@instr("config_ld({s});")
def config_ld(s: stride):
    Load.pitch = s

@proc
def p(n: size, A: [f32][n, n], y: f32[n]):
    for i in seq(0, n):
        Load.pitch = stride(A, 0)
        y[i] = A[i, 0]

p = replace(p, "Load.pitch = _", config_ld)

# case: a stride that the body asks for is that of what is passed
# expect: accept
@config
class Load:
    pitch: stride

@proc
def ld(x: [f32][4, 4], y: [f32][4]):
    Load.pitch = stride(x, 0)
    for i in seq(0, 4):
        y[i] = x[i, 0]

@proc
def p(n: size, A: [f32][n, 4, 4], y: f32[4]):
    Load.pitch = stride(A, 1)
    for i in seq(0, 4):
        y[i] = A[n - 1, i, 0]

p = replace(p, p.body(), ld)

# case: a truth value and an index
# expect: accept
@proc
def put(on: bool, at: index, x: [f32][8]):
    assert 0 <= at
    assert at < 8
    if on:
        x[at] = 1.0

@proc
def p(n: size, x: f32[8]):
    for i in seq(0, 8):
        if i < n and n < 5:
            x[i] = 1.0

p = replace(p, "if _: _", put)

# case: what is passed twice is only read
# expect: accept
@proc
def dot(d: f32, x: [f32][4], y: [f32][4]):
    for i in seq(0, 4):
        d += x[i] * y[i]

@proc
def p(d: f32, x: f32[8]):
    for i in seq(0, 4):
        d += x[i] * x[i + 2]

p = replace(p, "for i in _: _", dot, quiet=True)

# case: another operator
# expect: refuse match
@proc
def add(x: [f32][4], y: [f32][4]):
    for i in seq(0, 4):
        x[i] = x[i] + y[i]

@proc
def p(x: f32[4], y: f32[4]):
    for i in seq(0, 4):
        x[i] = x[i] * y[i]

p = replace(p, "for i in _: _", add)

# case: a block that is longer than the body
# expect: refuse match
@proc
def one(x: [f32][4]):
    x[0] = 1.0

@proc
def p(x: f32[4]):
    x[0] = 1.0
    x[1] = 1.0

p = replace(p, p.body(), one)

# case: an access that no window makes
# expect: refuse match
@proc
def clear(x: [f32][4]):
    for i in seq(0, 4):
        x[i] = 0.0

@proc
def p(x: f32[4, 4]):
    for i in seq(0, 4):
        x[i, i] = 0.0

p = replace(p, "for i in _: _", clear)

# case: a step of two
# expect: refuse match
@proc
def clear(x: [f32][4]):
    for i in seq(0, 4):
        x[i] = 0.0

@proc
def p(x: f32[8]):
    for i in seq(0, 4):
        x[2 * i] = 0.0

p = replace(p, "for i in _: _", clear)

# case: an equation without a solution
# expect: refuse match
@proc
def pair(k: index, x: [f32][8]):
    x[k] = 1.0
    x[k + 1] = 2.0

@proc
def p(x: f32[8]):
    x[3] = 1.0
    x[5] = 2.0

p = replace(p, p.body(), pair)

# case: two buffers for one argument
# expect: refuse match
@proc
def twice(x: [f32][4]):
    for i in seq(0, 4):
        x[i] = x[i] + x[i]

@proc
def p(x: f32[4], y: f32[4]):
    for i in seq(0, 4):
        x[i] = x[i] + y[i]

p = replace(p, "for i in _: _", twice)

# case: an argument that is nowhere used
# expect: refuse match
@proc
def clear(x: [f32][4], y: [f32][4]):
    for i in seq(0, 4):
        x[i] = 0.0

@proc
def p(x: f32[4]):
    for i in seq(0, 4):
        x[i] = 0.0

p = replace(p, "for i in _: _", clear)

# case: a parallel loop by a sequential one
# expect: accept
@proc
def clear(x: [f32][4]):
    for i in seq(0, 4):
        x[i] = 0.0

@proc
def p(x: f32[4]):
    for i in par(0, 4):
        x[i] = 0.0

p = replace(p, "for i in _: _", clear)

# case: a sequential loop by a parallel one
# expect: accept
@proc
def clear(x: [f32][4]):
    for i in par(0, 4):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n, 4]):
    for k in par(0, n):
        for i in seq(0, 4):
            x[k, i] = 0.0

p = replace(p, "for i in _: _", clear)

# case: a buffer of its own in another memory
# expect: accept
@proc
def twice(x: [f32][4]):
    for i in seq(0, 4):
        t: f32 @ DRAM_STACK
        t = x[i]
        x[i] = t + t

@proc
def p(x: f32[8]):
    for i in seq(0, 4):
        t: f32
        t = x[i + 4]
        x[i + 4] = t + t

p = replace(p, "for i in _: _", twice)

# case: a value is no place
# expect: refuse match
@proc
def fill(x: [f32][4], a: f32):
    for i in seq(0, 4):
        x[i] = a

@proc
def p(x: f32[4]):
    for i in seq(0, 4):
        x[i] = 2.0

p = replace(p, "for i in _: _", fill)

# case: what would be passed is what the block makes itself
# expect: refuse match
@proc
def put(n: index, x: [f32][8]):
    assert 0 <= n and n < 8
    for i in seq(0, 8):
        x[n] = 1.0

@proc
def p(x: f32[8]):
    for i in seq(0, 8):
        x[i] = 1.0

p = replace(p, "for i in _: _", put)

# case: statements in another order that do not commute
# expect: refuse commute
# breaks: commute
@proc
def shift(x: f32, y: f32):
    y = x
    x = 1.0

@proc
def p(x: f32, y: f32):
    x = 1.0
    y = x

p = replace(p, p.body(), shift)

# case: in a loop, where they meet in other iterations only
# expect: refuse commute
# breaks: commute
@proc
def both(x: [f32][4], y: [f32][4]):
    for i in seq(0, 4):
        x[i] = 3.0
        y[i] = x[i]

@proc
def p(x: f32[4], y: f32[4]):
    for i in seq(0, 4):
        y[i] = x[i]
        x[i] = 3.0

p = replace(p, "for i in _: _", both)

# case: an argument reads a field that the block changes
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    k: index

@proc
def f(k: index, x: f32[4]):
    assert 0 <= k and k < 4
    Cfg.k = 0
    x[k] = 1.0

@proc
def p(x: f32[4]):
    Cfg.k = 3
    Cfg.k = 0
    x[Cfg.k] = 1.0

p = replace(p, p.body()[1:3], f)

# case: and in a loop
# expect: refuse stable
# breaks: stable
@config
class Cfg:
    k: index

@proc
def f(k: index, x: f32[4]):
    for i in seq(0, 4):
        if i < k:
            x[i] = 1.0
        Cfg.k = 0

@proc
def p(x: f32[4]):
    Cfg.k = 4
    for i in seq(0, 4):
        if i < Cfg.k:
            x[i] = 1.0
        Cfg.k = 0

p = replace(p, "for i in _: _", f)

# case: a field that may not be set, in a loop that may not run
# expect: refuse readable
@config
class Cfg:
    k: size

@proc
def f(n: index, x: [f32][4]):
    assert n <= 4
    for i in seq(0, n):
        x[i] = 1.0

@proc
def p(n: index, x: f32[8]):
    assert n <= 4
    for i in seq(0, n):
        x[i + Cfg.k % 4] = 1.0

p = replace(p, "for i in _: _", f)

# case: a field that another thread writes
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    k: index

@proc
def f(on: bool, k: index, x: f32):
    if on:
        if k < 3:
            x = 1.0

@proc
def p(n: size, x: f32[n]):
    Cfg.k = 0
    for i in par(0, n):
        if i > 0:
            if n < 1:
                if Cfg.k < 3:
                    x[i] = 1.0
        else:
            Cfg.k = 1

p = replace(p, "if n < 1: _", f)

# case: a size that may be 0
# expect: refuse sizes
# breaks: sizes
@proc
def clear(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n - 1):
        x[i] = 0.0

p = replace(p, "for i in _: _", clear)

# case: a window that is larger than the buffer
# expect: refuse windows
# breaks: windows
@proc
def clear(n: size, x: [f32][8]):
    assert n <= 8
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n]):
    assert n <= 8
    for i in seq(0, n):
        x[i] = 0.0

p = replace(p, "for i in _: _", clear)

# case: a loop that never runs says nothing of its window
# expect: refuse windows
# breaks: windows
@proc
def clear(n: index, x: [f32][4]):
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: index, x: f32[4]):
    assert n <= 0
    for i in seq(0, n):
        x[i + 4] = 0.0

p = replace(p, "for i in _: _", clear)

# case: a column has no unit stride
# expect: refuse asserts
# breaks: asserts
@proc
def load(dst: [f32][8], src: [f32][8]):
    assert stride(src, 0) == 1
    for i in seq(0, 8):
        dst[i] = src[i]

@proc
def p(x: f32[8, 8], y: f32[8]):
    for i in seq(0, 8):
        y[i] = x[i, 2]

p = replace(p, "for i in _: _", load)

# case: more lanes than there are
# expect: refuse asserts
# breaks: asserts
@proc
def clear(n: size, x: [f32][n]):
    assert n <= 8
    for i in seq(0, n):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 0.0

p = replace(p, "for i in _: _", clear)

# case: an instruction on overlapping parts
# expect: refuse aliasing
@proc
def move(dst: [f32][4], src: [f32][4]):
    for i in seq(0, 4):
        dst[i] = src[i]

@proc
def p(x: f32[8]):
    for i in seq(0, 4):
        x[i] = x[i + 1]

p = replace(p, "for i in _: _", move)

# case: a procedure that leaves what it is given
# expect: refuse bounds
# breaks: bounds
@proc
def f(x: [f32][4]):
    x[4] = 1.0

@proc
def p(x: f32[8]):
    x[5] = 1.0

p = replace(p, "x[_] = _", f)

# case: a cell of a window, chosen by an argument
# expect: accept
@proc
def fma_lane(dst: [f32][4], a: [f32][4], b: [f32][4], l: index):
    assert l >= 0
    assert l < 4
    for i in seq(0, 4):
        dst[i] += a[i] * b[l]

@proc
def p(x: f32[16, 16], a: f32[16], b: f32[20]):
    for jo in seq(0, 4):
        for ji in seq(0, 4):
            for io in seq(0, 4):
                for ii in seq(0, 4):
                    x[4 * jo + ji, 4 * io + ii] += a[4 * io + ii] * b[4 * jo + ji]

p = replace(p, "for ii in _: _", fma_lane)

# case: one that does not, where it is called
# expect: accept
@proc
def f(k: index, x: [f32][4]):
    x[k] = 1.0
    x[k + 1] = 2.0

@proc
def p(x: f32[4]):
    x[1] = 1.0
    x[2] = 2.0

p = replace(p, p.body(), f)

# case: another precision
# expect: refuse well_typed
@proc
def clear(x: [f32][4]):
    for i in seq(0, 4):
        x[i] = 0.0

@proc
def p(x: f64[4]):
    for i in seq(0, 4):
        x[i] = 0.0

p = replace(p, "for i in _: _", clear)

# case: no such block
# expect: invalid
@proc
def clear(x: [f32][4]):
    for i in seq(0, 4):
        x[i] = 0.0

@proc
def p(x: f32[4]):
    x[0] = 0.0

p = replace(p, "for i in _: _", clear)

# case: its own name
# expect: argument
@proc
def p(x: f32[4]):
    for i in seq(0, 4):
        x[i] = 0.0

q = divide_loop(p, "i", 2, ["io", "ii"])
q = replace(q, "for io in _: _", p)

# case: a row of a matrix for a tensor
# exo-refuses
# expect: accept
@proc
def clear(x: f32[8]):
    for i in seq(0, 8):
        x[i] = 0.0

@proc
def p(n: size, A: f32[n, 8]):
    for i in seq(0, n):
        for j in seq(0, 8):
            A[i, j] = 0.0

p = replace(p, "for j in _: _", clear)

# case: a column of a matrix for a tensor
# expect: refuse asserts
@proc
def clear(x: f32[8]):
    for i in seq(0, 8):
        x[i] = 0.0

@proc
def p(n: size, A: f32[8, n]):
    for i in seq(0, n):
        for j in seq(0, 8):
            A[j, i] = 0.0

p = replace(p, "for j in _: _", clear)

# case: a column for a window that an extracted procedure asserts to be dense
# expect: refuse asserts
@proc
def copy(x: [f32][4], y: [f32][4]):
    assert stride(x, 0) == 1
    for i in seq(0, 4):
        y[i] = x[i]

@proc
def p(b: f32[8], A: f32[4, 4], y: f32[4]):
    w = b[2:6]
    copy(w, y)
    for i in seq(0, 4):
        y[i] = A[i, 0]

p, part = extract_subproc(p, "copy(_)", "part")
other = inline(rename(part, "other"), "copy(_)")
p = replace(p, "for i in _: _", other)

# case: a procedure over the reals for statements of bytes
# expect: refuse precision
@proc
def sum2(x: R, a: f32, b: f32):
    x = a
    x += b

@proc
def p(x: i8, a: f32, b: f32):
    x = a
    x += b

p = replace(p, "x = a; x += b", sum2)

# case: a procedure over the reals for statements of floats
# expect: accept
@proc
def sum2(x: R, a: f32, b: f32):
    x = a
    x += b

@proc
def p(x: f32, a: f32, b: f32):
    x = a
    x += b

p = replace(p, "x = a; x += b", sum2)

# case: a load that configures itself, for loops
# exo-refuses
# expect: accept
@config
class Cfg:
    pitch: stride
    fast: bool

@proc
def load(dst: [f32][8], src: [f32][8]):
    Cfg.fast = True
    Cfg.pitch = stride(src, 0)
    for i in seq(0, 8):
        dst[i] = src[i]

@proc
def p(n: size, x: f32[n, 8], y: f32[n, 8]):
    for i in seq(0, n):
        for j in seq(0, 8):
            y[i, j] = x[i, j]

p = replace(p, "for j in _: _", load)

# case: the statements write one of the fields themselves
# exo-refuses
# expect: accept
@config
class Cfg:
    pitch: stride
    fast: bool

@proc
def load(dst: [f32][8], src: [f32][8]):
    Cfg.fast = True
    Cfg.pitch = stride(src, 0)
    for i in seq(0, 8):
        dst[i] = src[i]

@proc
def p(x: f32[8, 8], y: f32[8]):
    Cfg.pitch = stride(x, 0)
    for i in seq(0, 8):
        y[i] = x[i, 0]

p = replace(p, p.find("Cfg.pitch = _").expand(0, 1), load)

# case: the field is read afterwards
# expect: refuse unread
# breaks: unread
@config
class Cfg:
    fast: bool

@proc
def load(dst: [f32][8], src: [f32][8]):
    Cfg.fast = True
    for i in seq(0, 8):
        dst[i] = src[i]

@proc
def p(x: f32[8], y: f32[8], z: f32):
    for i in seq(0, 8):
        y[i] = x[i]
    if Cfg.fast:
        z = 1.0

p = replace(p, "for i in _: _", load)

# case: it is read in the next iteration
# expect: refuse unread
# breaks: unread
@config
class Cfg:
    fast: bool

@proc
def load(dst: [f32][8], src: [f32][8]):
    Cfg.fast = True
    for i in seq(0, 8):
        dst[i] = src[i]

@proc
def p(n: size, x: f32[8], y: f32[8], z: f32):
    for k in seq(0, n):
        if Cfg.fast:
            z = 1.0
        for i in seq(0, 8):
            y[i] = x[i]

p = replace(p, "for i in _: _", load)

# case: the statements read it
# expect: refuse unread
# breaks: unread
@config
class Cfg:
    k: index

@proc
def load(dst: [f32][8], src: [f32][8]):
    Cfg.k = 3
    for i in seq(0, 8):
        if i < Cfg.k:
            dst[i] = src[i]

@proc
def p(x: f32[8], y: f32[8]):
    Cfg.k = 5
    for i in seq(0, 8):
        if i < Cfg.k:
            y[i] = x[i]

p = replace(p, "for i in _: _", load)

# case: it is read afterwards, and holds the value already
# exo-refuses
# expect: accept
@config
class Cfg:
    fast: bool

@proc
def load(dst: [f32][8], src: [f32][8]):
    Cfg.fast = True
    for i in seq(0, 8):
        dst[i] = src[i]

@proc
def p(x: f32[8], y: f32[8], z: f32):
    Cfg.fast = True
    for i in seq(0, 8):
        y[i] = x[i]
    if Cfg.fast:
        z = 1.0

p = replace(p, "for i in _: _", load)

# case: another thread writes it
# expect: refuse parallel
# breaks: parallel
@config
class Cfg:
    fast: bool

@proc
def load(dst: [f32][8], src: [f32][8]):
    Cfg.fast = True
    for i in seq(0, 8):
        dst[i] = src[i]

@proc
def p(x: f32[4, 8], y: f32[4, 8]):
    for k in par(0, 4):
        for i in seq(0, 8):
            y[k, i] = x[k, i]

p = replace(p, "for i in _: _", load)

# case: what is written reads a field that was never set
# expect: refuse readable
# breaks: readable
@config
class Cfg:
    n: size
    m: size

@proc
def load(dst: [f32][8], src: [f32][8]):
    Cfg.n = Cfg.m
    for i in seq(0, 8):
        dst[i] = src[i]

@proc
def p(x: f32[8], y: f32[8]):
    for i in seq(0, 8):
        y[i] = x[i]

p = replace(p, "for i in _: _", load)

# case: what comes first is no write of a field
# expect: refuse match
@config
class Cfg:
    fast: bool

@proc
def load(dst: [f32][8], src: [f32][8]):
    Cfg.fast = True
    dst[0] = 0.0
    for i in seq(0, 8):
        dst[i] = src[i]

@proc
def p(x: f32[8], y: f32[8]):
    for i in seq(0, 8):
        y[i] = x[i]

p = replace(p, "for i in _: _", load)

# case: the value that it may hold
# expect: refuse unread
# breaks: same
@config
class Cfg:
    fast: bool

@proc
def load(dst: [f32][8], src: [f32][8]):
    Cfg.fast = True
    for i in seq(0, 8):
        dst[i] = src[i]

@proc
def p(n: size, x: f32[8], y: f32[8], z: f32):
    if n > 4:
        Cfg.fast = True
    for i in seq(0, 8):
        y[i] = x[i]
    if Cfg.fast:
        z = 1.0

p = replace(p, "for i in _: _", load)

# case: what is written is an argument that nothing else mentions
# expect: refuse match
@config
class Cfg:
    k: index

@proc
def load(k: index, dst: [f32][8], src: [f32][8]):
    Cfg.k = k
    for i in seq(0, 8):
        dst[i] = src[i]

@proc
def p(x: f32[8], y: f32[8]):
    for i in seq(0, 8):
        y[i] = x[i]

p = replace(p, "for i in _: _", load)

# case: an instruction that asserts, in each iteration, what it does not leave
# expect: refuse unread
# breaks: unread
@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool

@instr("ld({x});")
def ld(x: f32):
    assert Cfg.a == 0
    Cfg.a = 1
    x = 1.0

@proc
def p(x: f32):
    Cfg.a = 0
    for i in seq(0, 2):
        x = 1.0

p = replace(p, "x = _", ld)
