# Cells that will be read soon are brought to the second cache, or to the first: as many as a register has lanes, which is what
# a line of a cache holds. In the state of a program nothing changes.


@instr("_mm_prefetch((const char *)&{x_data}, _MM_HINT_T1);", "#include <immintrin.h>")
def mm512_prefetch_ps(x: [f32][16] @ DRAM):
    assert stride(x, 0) == 1
    pass


@instr("_mm_prefetch((const char *)&{x_data}, _MM_HINT_T1);", "#include <immintrin.h>")
def mm512_prefetch_pd(x: [f64][8] @ DRAM):
    assert stride(x, 0) == 1
    pass


@instr("_mm_prefetch((const char *)&{x_data}, _MM_HINT_T0);", "#include <immintrin.h>")
def mm512_prefetch_near_ps(x: [f32][16] @ DRAM):
    assert stride(x, 0) == 1
    pass


@instr("_mm_prefetch((const char *)&{x_data}, _MM_HINT_T0);", "#include <immintrin.h>")
def mm512_prefetch_near_pd(x: [f64][8] @ DRAM):
    assert stride(x, 0) == 1
    pass
