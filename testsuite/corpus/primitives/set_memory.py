# case: an allocation
# expect: accept
@proc
def p(n: size, x: f32[n]):
    t: f32[n]
    for i in seq(0, n):
        t[i] = x[i]
    for i in seq(0, n):
        x[i] = 2.0 * t[i]

p = set_memory(p, "t", DRAM_STACK)

# case: an argument
# expect: accept
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 0.0

p = set_memory(p, "x", AVX512)

# case: a memory whose name is not all capitals
# expect: accept
@proc
def p(x: f32[4]):
    t: f32[4]
    t[0] = x[0]
    x[1] = t[0]

p = set_memory(p, "t : _", Neon)

# case: a memory that the file declares
# expect: accept
class Scratch(Memory):
    @classmethod
    def can_read(cls):
        return False

@proc
def p(x: f32[4]):
    t: f32[4]
    t[0] = x[0]
    x[1] = t[0]

p = set_memory(p, "t", Scratch)

# case: a buffer that windows show and callees take
# expect: accept
@proc
def clear(x: [f32][4] @ DRAM):
    for i in seq(0, 4):
        x[i] = 0.0

@proc
def p(y: f32[4]):
    t: f32[8]
    w = t[2:6]
    clear(w)
    y[0] = t[3]

p = set_memory(p, "t", DRAM_STATIC)

# case: by a cursor, and of one of two buffers of a name
# expect: accept
@proc
def p(x: f32[4]):
    for i in seq(0, 4):
        t: f32
        t = x[i]
    for i in seq(0, 4):
        t: f32
        t = x[i]
        x[i] = t + 1.0

p = set_memory(p, "t : _ #1", "DRAM_STACK")

# case: a scalar, back to where it was
# expect: accept
@proc
def p(x: f32):
    t: f32 @ DRAM_STACK
    t = x
    x = t

p = set_memory(p, "t", DRAM)

# case: no such buffer
# expect: invalid
@proc
def p(x: f32):
    x = 1.0

p = set_memory(p, "t", DRAM)

# case: no name
# expect: argument
@proc
def p(x: f32):
    x = 1.0

p = set_memory(p, "x", "my memory")

# case: a control argument
# expect: invalid
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0

p = set_memory(p, "n", DRAM)

# case: no memory at all
# expect: argument
@proc
def p(x: f32):
    x = 1.0

p = set_memory(p, "x")

# case: an assignment
# expect: invalid
@proc
def p(x: f32):
    x = 1.0

p = set_memory(p, p.find("x = _"), DRAM)

# case: a window, which lives where its buffer does
# expect: invalid
@proc
def p(x: f32[4]):
    w = x[0:2]
    w[0] = 1.0

p = set_memory(p, "w", DRAM_STACK)

# case: a memory that there is not
# expect: argument
@proc
def p(x: f32):
    x = 1.0

p = set_memory(p, "x", "AVX513")

# case: a memory that there is not, by a method
# expect: argument
@proc
def p(x: f32):
    x = 1.0

p = p.set_memory("x", "DRAM_STACKED")
