# Buffers that have no cell for some sizes, in the first iteration, or ever; on the heap, on the stack and static.


@proc
def prefixes(n: size, x: f32[n], y: f32[n], s: f32):
    for i in seq(0, n):
        before: f32[i]
        for j in seq(0, i):
            before[j] = x[j] * 2.0
        after: f32[n - 1 - i, i]
        w = after[:, 0:i]
        for k in seq(0, n - 1 - i):
            for j in seq(0, i):
                w[k, j] = before[j] + x[i + 1 + k]
        for j in seq(0, i):
            y[i] += before[j]
        for k in seq(0, n - 1 - i):
            for j in seq(0, i):
                y[k] += after[k, j]
    empty: f32[0]
    small: f32[0] @ DRAM_STACK
    kept: f32[2, 0] @ DRAM_STATIC
    for j in seq(0, 0):
        empty[j] = 1.0
        small[j] = empty[j]
        kept[1, j] = small[j]
        s += kept[1, j]
