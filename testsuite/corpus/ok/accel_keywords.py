# An instruction given by keywords, with braces of its own C doubled and a tail length as argument.
# covers: accelerator, f32, tensor, window, calls, instr, c-global, if, quasi-affine, asserts, stride
from __future__ import annotations
from exo import *


@instr(
    c_instr="for (int l = 0; l < {n}; l++) {{ (&{dst_data})[l] = SQUARE((&{src_data})[l]); }}",
    c_global="#define SQUARE(v) ((v) * (v))\n",
)
def square_some(n: size, dst: [f32][n], src: [f32][n]):
    assert n <= 8
    assert stride(dst, 0) == 1
    assert stride(src, 0) == 1
    for l in seq(0, n):
        dst[l] = src[l] * src[l]


@proc
def accel_keywords(n: size, x: f32[n], y: f32[n]):
    for io in seq(0, n / 8):
        square_some(8, y[8 * io : 8 * io + 8], x[8 * io : 8 * io + 8])
    if n % 8 > 0:
        square_some(n % 8, y[n - n % 8 : n], x[n - n % 8 : n])
