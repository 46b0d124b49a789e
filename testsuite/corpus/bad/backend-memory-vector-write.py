# command: compile
# expect: backend.memory-access 7:5 AVX512 is written by instructions only
# expect: backend.memory-access 8:5 AVX512 is reduced into by instructions only
@proc
def write():
    v: f32[2, 16] @ AVX512
    v[0, 1] = 2.0
    v[1, 1] += 2.0
