# case: a load
# expect: accept
@proc
def load(dst: [f32][8] @ AVX2, src: [f32][8] @ DRAM):
    assert stride(src, 0) == 1
    for i in seq(0, 8):
        dst[i] = src[i]

p = make_instr(load, "{dst_data} = _mm256_loadu_ps(&{src_data});")

# case: with what stands at the head
# expect: accept
@proc
def sync(x: f32):
    pass

p = make_instr(sync, "fence();", "#include <fence.h>")

# case: control and strides
# expect: accept
@proc
def copy(n: size, x: [f32][n], y: [f32][n]):
    for i in seq(0, n):
        x[i] = y[i]

p = make_instr(copy, c_instr="copy({n}, {x_data}, {x.strides[0]}, &{y_data});")

# case: braces
# expect: accept
@proc
def clear(x: f32):
    x = 0.0

p = make_instr(clear, "{{ *{x} = 0.0f; }}")

# case: an instruction once more
# expect: accept
@instr("a();")
def clear(x: f32):
    x = 0.0

p = make_instr(clear, "b();")

# case: no text
# expect: accept
@proc
def clear(x: f32):
    x = 0.0

p = make_instr(clear, "")

# case: an argument that is not there
# expect: argument
@proc
def clear(x: f32):
    x = 0.0

p = make_instr(clear, "f({y});")

# case: a brace that is not closed
# expect: argument
@proc
def clear(x: f32):
    x = 0.0

p = make_instr(clear, "f({x;")

# case: a stride of a scalar
# expect: argument
@proc
def clear(x: f32):
    x = 0.0

p = make_instr(clear, "f({x.strides[0]});")

# case: no text at all
# expect: argument
@proc
def clear(x: f32):
    x = 0.0

p = make_instr(clear)

# case: a stride along a dimension that is not there
# expect: argument
@proc
def clear(x: [f32][4]):
    x[0] = 0.0

p = make_instr(clear, "f({x_data}, {x.strides[1]});")

# case: the buffer that a size is a part of
# expect: argument
@proc
def clear(n: size, x: f32[n]):
    x[0] = 0.0

p = make_instr(clear, "f({n_int});")
