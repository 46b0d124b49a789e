# A file without any import: standard memories and extern functions are known by name.
# covers: f32, tensor, alloc, other-memory, reduction, quasi-affine, extern
@proc
def no_imports(n: size, x: f32[n] @ DRAM, y: f32[n]):
    t: f32[4] @ DRAM_STACK
    for l in seq(0, 4):
        t[l] = 0.0
    for i in seq(0, n):
        t[i % 4] += fabsf(x[i])
    for i in seq(0, n):
        y[i] = t[i % 4]
