# Configured loads whose state no C may read or write: only two instructions know it.
# covers: accelerator, f32, tensor, window, calls, instr, c-global, config, config-stride, config-hidden, stride-arg, asserts, stride, constants, omitted-ends
from __future__ import annotations
from exo import *

ENGINE = (
    "static int_fast32_t engine_ld = 1;\n"
    + "static inline void engine_set(int_fast32_t ld) { engine_ld = ld; }\n"
    + "static inline void engine_row(float *d, const float *s, int_fast32_t n) {\n"
    + "  for (int_fast32_t i = 0; i < n; i++) d[i] = s[engine_ld * i];\n"
    + "}\n"
)


@config(readwrite=False)
class Engine:
    ld: stride


@instr("engine_set({s});", ENGINE)
def engine_set(s: stride):
    Engine.ld = s


@instr("engine_row(&{dst_data}, &{src_data}, {n});", ENGINE)
def engine_row(n: size, src: [f32][n], dst: [f32][n]):
    assert Engine.ld == stride(src, 0)
    assert stride(dst, 0) == 1
    for i in seq(0, n):
        dst[i] = src[i]


@proc
def accel_config_hidden(m: size, n: size, A: f32[m, n], B: f32[n, m]):
    engine_set(stride(A, 0))
    for j in seq(0, n):
        engine_row(m, A[:, j], B[j, :])
