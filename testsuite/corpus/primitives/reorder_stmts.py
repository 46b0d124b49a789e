# case: Two buffers.
# expect: accept
@proc
def p(x: f32, y: f32):
    x = 1.0
    y = 2.0
p = reorder_stmts(p, "x = _ ; y = _")

# case: Reductions into one cell commute.
# expect: accept
@proc
def p(x: f32, y: f32, z: f32):
    x += y
    x += z
p = reorder_stmts(p, "x += y ; x += z")

# case: Both read the same cell.
# expect: accept
@proc
def p(x: f32, y: f32, z: f32):
    x = z
    y = z
p = reorder_stmts(p, "x = _ ; y = _")

# case: Cells that an assertion keeps apart.
# exo-refuses
# expect: accept
@proc
def p(n: size, a: index, b: index, x: f32[n]):
    assert 0 <= a
    assert a < b
    assert b < n
    x[a] = 1.0
    x[b] = 2.0
p = reorder_stmts(p, "x[a] = _ ; x[b] = _")

# case: Windows of one buffer that do not overlap.
# expect: accept
@proc
def put(d: [f32][2], s: f32):
    d[0] = s
    d[1] = s
@proc
def p(x: f32[4], s: f32):
    put(x[0:2], s)
    put(x[2:4], s)
p = reorder_stmts(p, "put(_) ; put(_)")

# case: Even and odd cells.
# expect: accept
@proc
def p(n: size, x: f32[2 * n]):
    for i in seq(0, n):
        x[2 * i] = 1.0
    for i in seq(0, n):
        x[2 * i + 1] = 2.0
p = reorder_stmts(p, "for i in _: _ ; for i in _: _")

# case: Making a window touches no cell.
# expect: accept
@proc
def p(x: f32[4]):
    x[0] = 1.0
    w = x[0:2]
    w[0] += 2.0
p = reorder_stmts(p, "x[_] = _ ; w = _")

# case: A statement that never runs may touch anything.
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32):
    x = 1.0
    if n < 1:
        x = 2.0
p = reorder_stmts(p, "x = 1.0 ; if _: _")

# case: An allocation and what does not use it.
# expect: accept
@proc
def p(x: f32, y: f32):
    y = 1.0
    t: f32
    t = y
    x = t
p = reorder_stmts(p, "y = _ ; t: _")

# case: A field that neither writes.
# expect: accept
@config
class Cfg:
    on: bool
@proc
def p(x: f32, y: f32):
    if Cfg.on:
        x = 1.0
    if Cfg.on:
        y = 1.0
p = reorder_stmts(p, "if _: _ ; if _: _")

# case: The second reads what the first writes.
# expect: refuse commute
# breaks: commute
@proc
def p(x: f32, y: f32):
    x = 1.0
    y = x
p = reorder_stmts(p, "x = _ ; y = _")

# case: The first reads what the second writes.
# expect: refuse commute
# breaks: commute
@proc
def p(x: f32, y: f32):
    y = x
    x = 1.0
p = reorder_stmts(p, "y = _ ; x = _")

# case: Both write.
# expect: refuse commute
# breaks: commute
@proc
def p(x: f32):
    x = 1.0
    x = 2.0
p = reorder_stmts(p, "x = 1.0 ; x = 2.0")

# case: The second reads what the first adds to.
# expect: refuse commute
# breaks: commute
@proc
def p(x: f32, y: f32):
    x += 1.0
    y = x
p = reorder_stmts(p, "x += _ ; y = _")

# case: The first writes what the second adds to.
# expect: refuse commute
# breaks: commute
@proc
def p(x: f32):
    x = 1.0
    x += 1.0
p = reorder_stmts(p, "x = _ ; x += _")

# case: Cells of one buffer that may be the same.
# family: 3
# expect: refuse commute
# breaks: commute
@proc
def p(a: index, b: index, x: f32[4]):
    assert 0 <= a and a < 4
    assert 0 <= b and b < 4
    x[a] = 1.0
    x[b] = 2.0
p = reorder_stmts(p, "x[a] = _ ; x[b] = _")

# case: A window shows the cell.
# family: 8
# expect: refuse commute
# breaks: commute
@proc
def p(x: f32[4], y: f32):
    w = x[1:3]
    w[1] = 1.0
    y = x[2]
p = reorder_stmts(p, "w[_] = _ ; y = _")

# case: A callee writes the cell.
# family: 9
# expect: refuse commute
# breaks: commute
@proc
def put(d: f32):
    d = 3.0
@proc
def p(x: f32[4], y: f32):
    put(x[2])
    y = x[2]
p = reorder_stmts(p, "put(_) ; y = _")

# case: The bound of a loop is read from a field that the first sets.
# family: 2
# expect: refuse commute
# breaks: commute
@config
class Cfg:
    n: index
@proc
def p(x: f32[4]):
    Cfg.n = 2
    for i in seq(0, Cfg.n):
        x[i] = 1.0
p = reorder_stmts(p, "Cfg.n = _ ; for i in _: _")

# case: The offset of a window is read from a field that the first sets.
# family: 2
# expect: refuse commute
# breaks: commute
@config
class Cfg:
    n: index
@proc
def p(x: f32[4]):
    assert 0 <= Cfg.n and Cfg.n < 3
    Cfg.n = 2
    w = x[Cfg.n:4]
    w[0] = 1.0
p = reorder_stmts(p, "Cfg.n = _ ; w = _")

# case: An assertion of the callee asks for the field that the first sets.
# family: 2
# expect: refuse commute
# breaks: commute
@config
class Cfg:
    n: index
@proc
def needs(x: f32):
    assert Cfg.n == 2
    x = 1.0
@proc
def p(x: f32):
    Cfg.n = 2
    needs(x)
p = reorder_stmts(p, "Cfg.n = _ ; needs(_)")

# case: A data field is set from a cell, and the cell is written.
# family: 2 3
# expect: refuse commute
# breaks: commute
@config
class Cfg:
    s: f32
@proc
def p(x: f32):
    Cfg.s = x
    x = 2.0
p = reorder_stmts(p, "Cfg.s = _ ; x = _")

# case: A data field is set twice, and the last value stays.
# family: 3
# expect: refuse commute
# breaks: commute
@config
class Cfg:
    s: f32
@proc
def p(x: f32, y: f32):
    Cfg.s = x
    Cfg.s = y
p = reorder_stmts(p, "Cfg.s = _ ; Cfg.s = _")

# case: The allocation cannot come after its use.
# expect: refuse scope
@proc
def p(x: f32):
    t: f32
    t = x
    x = t
p = reorder_stmts(p, "t: _ ; t = _")

# case: Three statements are no pair.
# expect: invalid
@proc
def p(x: f32, y: f32, z: f32):
    x = 1.0
    y = 2.0
    z = 3.0
p = reorder_stmts(p, "x = _ ; y = _ ; z = _")

# case: cells that are apart in one branch, in the copy for the other one
# family: 1
# expect: refuse commute
# breaks: commute
@proc
def p(i: index, j: index, x: f32[8]):
    assert 0 <= i and i < 8 and 0 <= j and j < 8
    x[i] = 1.0
    x[j] = 2.0
p = specialize(p, "x[i] = _ ; x[j] = _", "i < j")
p = reorder_stmts(p, "x[i] = 1.0 ; x[j] = 2.0 #1")

# case: A statement with the next one, by a run that is expanded by name.
# expect: accept
@proc
def p(x: f32, y: f32, z: f32):
    x = 1.0
    y = 2.0
    z = 3.0
p = reorder_stmts(p, p.find("y = _").expand(delta_lo=0, delta_hi=1))

# case: What is not said of an expansion goes as far as the block.
# expect: accept
@proc
def p(x: f32, y: f32, z: f32):
    x = 1.0
    y = 2.0
    z = 3.0
p = reorder_stmts(p, p.find("y = _").expand(delta_hi=0))

# case: Both write one value.
# exo-refuses
# expect: accept
@proc
def p(n: size, i: index, j: index, x: f32[n], y: f32[n]):
    assert i >= 0 and i < n and j >= 0 and j < n
    x[i] = 2.0 * y[i]
    x[j] = 2.0 * y[j]
p = reorder_stmts(p, "x[i] = _ ; x[j] = _")

# case: Loops that write one value to the cells that both write, through a window too.
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32[n + 1], y: f32[n + 1]):
    w = x[1:n + 1]
    for i in seq(0, n):
        x[i] = y[i]
    for i in seq(0, n):
        w[i] = y[i + 1]
p = reorder_stmts(p, "for i in _: _ ; for i in _: _")

# case: One value at different cells.
# expect: refuse commute
# breaks: commute
@proc
def p(x: f32, y: f32[2]):
    x = y[0]
    x = y[1]
p = reorder_stmts(p, "x = _ ; x = _")

# case: The same cell, which the first statement changes.
# expect: refuse commute
@proc
def p(x: f32[2], y: f32[2]):
    for i in seq(0, 2):
        y[0] = 3.0 + y[1]
        x[i] = y[0]
    x[0] = y[0]
p = reorder_stmts(p, p.find("for i in _: _").expand(0, 1))

# case: One of them adds the value.
# expect: refuse commute
# breaks: commute
@proc
def p(x: f32, y: f32):
    x = y
    x += y
p = reorder_stmts(p, "x = _ ; x += _")

# case: One value of a literal in two precisions.
# expect: refuse commute
@proc
def p(x: i8, y: i8, z: f32):
    x = 2.5 * y
    x = 2.5 * z
p = reorder_stmts(p, "x = _ ; x = _")

# case: The value is read in between.
# expect: refuse commute
# breaks: commute
@proc
def p(x: f32, y: f32, n: size):
    for i in seq(0, n):
        y = x
        x = 1.0
    x = 1.0
p = reorder_stmts(p, p.find("for i in _: _").expand(0, 1))

# case: One value in each iteration of two loops, the second of which counts a field.
# family: 4
# expect: refuse commute
# breaks: commute
@config
class Cfg:
    k: index
@proc
def p(x: f32[8], y: f32[8]):
    Cfg.k = 0
    x[1] = y[0]
    for i in seq(0, 2):
        x[1] = y[Cfg.k]
        Cfg.k = 1
p = reorder_stmts(p, "x[1] = _ ; for i in _: _")

# case: Both write a cell, one of them by way of a scalar that rounds the value.
# expect: refuse commute
@proc
def p(b: bool, x: i32[1], t: i32[1]):
    if b:
        s: i8
        s = x[0]
        t[0] = s
    if b:
        t[0] = x[0]
p = reorder_stmts(p, "if _: _ ; if _: _")

# case: Both write a cell, one value, by way of scalars of one type.
# expect: accept
@proc
def p(b: bool, x: f32[1], t: f32[1]):
    if b:
        s: f32
        s = x[0]
        t[0] = s
    if not b:
        s: f32
        s = x[0]
        t[0] = s
p = reorder_stmts(p, "if _: _ ; if _: _")

# case: Loads that configure themselves.
# exo-refuses
# expect: accept
@config(readwrite=False)
class Ld:
    pitch: stride
    scale: f32
@instr("load({dst_data}, {src_data});")
def load(dst: [f32][4, 4], src: [f32][4, 4]):
    Ld.pitch = stride(src, 0)
    Ld.scale = 1.0
    for i in seq(0, 4):
        for j in seq(0, 4):
            dst[i, j] = src[i, j]
@proc
def p(x: f32[4, 8], y: f32[4, 4], z: f32[4, 4], w: f32[4, 4]):
    load(z[0:4, 0:4], x[0:4, 0:4])
    load(w[0:4, 0:4], y[0:4, 0:4])
p = reorder_stmts(p, "load(_) ; load(_)")

# case: A load that relies on the register comes afterwards.
# expect: refuse unread
# breaks: unread
@config(readwrite=False)
class Ld:
    pitch: stride
@instr("load({dst_data}, {src_data});")
def load(dst: [f32][4, 4], src: [f32][4, 4]):
    Ld.pitch = stride(src, 0)
    for i in seq(0, 4):
        for j in seq(0, 4):
            dst[i, j] = src[i, j]
@instr("mvin({dst_data}, {src_data});")
def mvin(dst: [f32][4, 4], src: [f32][4, 4]):
    assert Ld.pitch == stride(src, 0)
    for i in seq(0, 4):
        for j in seq(0, 4):
            dst[i, j] = src[i, j]
@proc
def p(x: f32[4, 8], y: f32[4, 4], z: f32[4, 4], w: f32[4, 4], v: f32[4, 4]):
    load(z[0:4, 0:4], x[0:4, 0:4])
    load(w[0:4, 0:4], y[0:4, 0:4])
    mvin(v[0:4, 0:4], y[0:4, 0:4])
p = reorder_stmts(p, "load(_) ; load(_)")

# case: One of the two reads what the other has set.
# expect: refuse commute
# breaks: commute
@config(readwrite=False)
class Ld:
    pitch: stride
    at: index
@instr("first({dst_data});")
def first(dst: [f32][4]):
    Ld.at = 2
    dst[0] = 1.0
@instr("second({dst_data});")
def second(dst: [f32][4]):
    if Ld.at == 2:
        dst[1] = 1.0
    Ld.at = 3
@proc
def p(x: f32[4], y: f32[4]):
    first(x[0:4])
    second(y[0:4])
p = reorder_stmts(p, "first(_) ; second(_)")

# case: Both write a field that anyone may write.
# expect: refuse commute
# breaks: commute
@config
class Ld:
    pitch: stride
@instr("load({dst_data}, {src_data});")
def load(dst: [f32][4, 4], src: [f32][4, 4]):
    Ld.pitch = stride(src, 0)
    for i in seq(0, 4):
        for j in seq(0, 4):
            dst[i, j] = src[i, j]
@proc
def p(x: f32[4, 8], y: f32[4, 4], z: f32[4, 4], w: f32[4, 4]):
    load(z[0:4, 0:4], x[0:4, 0:4])
    load(w[0:4, 0:4], y[0:4, 0:4])
p = reorder_stmts(p, "load(_) ; load(_)")
