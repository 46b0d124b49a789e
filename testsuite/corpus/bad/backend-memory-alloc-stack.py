# command: compile
# expect: backend.memory-alloc 6:5 buffers in DRAM_STACK have constant extents
# expect: backend.memory-alloc 7:5 buffers in DRAM_STATIC have constant extents
@proc
def stack(n: size):
    a: f32[4, n] @ DRAM_STACK
    b: f32[n] @ DRAM_STATIC
