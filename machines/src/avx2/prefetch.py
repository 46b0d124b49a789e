# Cells that will be read soon are brought to the first cache: as many as a register has lanes, half of what a line of a cache
# holds. In the state of a program nothing changes.


@instr("_mm_prefetch((const char *)&{x_data}, _MM_HINT_T0);", "#include <immintrin.h>")
def mm256_prefetch_near_ps(x: [f32][8] @ DRAM):
    assert stride(x, 0) == 1
    pass


@instr("_mm_prefetch((const char *)&{x_data}, _MM_HINT_T0);", "#include <immintrin.h>")
def mm256_prefetch_near_pd(x: [f64][4] @ DRAM):
    assert stride(x, 0) == 1
    pass


# The last of these cells, which may be in another line than the first.


@instr("_mm_prefetch((const char *)&{x_data} + 31, _MM_HINT_T0);", "#include <immintrin.h>")
def mm256_prefetch_near_end_pd(x: [f64][4] @ DRAM):
    assert stride(x, 0) == 1
    pass
