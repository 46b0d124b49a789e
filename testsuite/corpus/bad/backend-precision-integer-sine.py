# command: compile
# expect: backend.precision 6:16 sin computes with floating point, not with i32
@proc
def wave(n: size, x: i32[n]):
    for i in seq(0, n):
        x[i] = sin(x[i])
