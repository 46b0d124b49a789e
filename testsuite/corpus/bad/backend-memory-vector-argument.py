# command: compile
# expect: backend.memory-window 4:11 v lives in AVX2, where buffers have no address to pass
@proc
def twice(v: [f32][8] @ AVX2):
    pass
