# A flag that is said to imply nothing.
# expect: bounds.access 10:11 index 0 of `x` may be out of bounds: `k`
# because: for n = 1, k = -1: the index is -1, the extent 1
# run: p n=1 k=-1 ok=True


@proc
def p(n: size, k: index, ok: bool, x: f32[n]):
    if ok:
        x[k] = 0.0
