# A cell that is passed by reference.
# expect: bounds.access 14:11 index 0 of `x` may be out of bounds: `n`
# because: for n = 1: the index is 1, the extent 1
# run: p n=1


@proc
def put(s: f32):
    s = 1.0


@proc
def p(n: size, x: f32[n]):
    put(x[n])
