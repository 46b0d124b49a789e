# command: compile
# expect: backend.precision 6:16 this literal is computed in i8, and 0.5 is no integer
@proc
def half(n: size, x: i8[n]):
    for i in seq(0, n):
        x[i] = 0.5 * x[i]
