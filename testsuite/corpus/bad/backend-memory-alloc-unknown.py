# command: compile
# expect: backend.memory-alloc 5:5 the back end has no memory called GEMM_SCRATCH
@proc
def scratch():
    a: i8[16, 16] @ GEMM_SCRATCH
