# command: compile
# expect: backend.memory-access 6:9 AVX2 is read by instructions only
@proc
def read(y: f32):
    v: f32[8] @ AVX2
    y = v[3]
