# command: compile
# expect: backend.memory-alloc 9:5 the last dimension of f32 in AVX2 is 8, not 16
# expect: backend.memory-alloc 10:5 AVX512 holds vectors, not scalars
# expect: backend.memory-alloc 11:5 the number of registers in AVX512 is constant
# expect: backend.memory-alloc 12:5 AVX2 has no registers of f16
# expect: backend.memory-alloc 13:5 the last dimension of f32 in AVX2 is 8, not an extent that is no constant
@proc
def lanes(n: size):
    a: f32[16] @ AVX2
    b: f32 @ AVX512
    c: f32[n, 16] @ AVX512
    d: f16[8] @ AVX2
    e: f32[n] @ AVX2
