# A name may be bound again inside its own scope: C's variables keep apart what the program keeps apart.


@proc
def loops(n: size, x: f32[n, n]):
    for i in seq(0, n):
        for i in seq(0, i + 1):
            x[i, i] += 1.0
        for j in seq(i, n):
            x[i, j] += 2.0


@proc
def buffers(n: size, x: f32[n]):
    for i in seq(0, n):
        t: f32
        t = x[i]
        if i > 0:
            t: f32[2]
            t[0] = 1.0
            t[1] = t[0]
            x[i] += t[1]
        x[i] += t


@proc
def argument(n: size, x: f32[n]):
    for n in seq(0, n):
        x[n] = 1.0
