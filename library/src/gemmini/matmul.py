# Products of bytes: sums of 32 bits, without what is negative if `act`, scaled, rounded, and held to -128 … 127.


@proc
def matmul(n: size, m: size, k: size, scale: f32, act: bool, A: i8[n, k], B: i8[k, m], C: i8[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            res: i32
            res = 0.0
            for l in seq(0, k):
                a: i32
                b: i32
                a = A[i, l]
                b = B[l, j]
                res += a * b
            t: i32
            t = res
            if act == True:
                t = relu(t)
            s: f32
            s = t
            s = s * scale
            C[i, j] = clamp(s)


# A part of it.
@proc
def part(n: size, m: size, k: size, scale: f32, act: bool, A: [i8][n, k], B: [i8][k, m], C: [i8][n, m]):
    assert stride(A, 1) == 1
    assert stride(B, 1) == 1
    assert stride(C, 1) == 1
    for i in seq(0, n):
        for j in seq(0, m):
            res: i32
            res = 0.0
            for l in seq(0, k):
                a: i32
                b: i32
                a = A[i, l]
                b = B[l, j]
                res += a * b
            t: i32
            t = res
            if act == True:
                t = relu(t)
            s: f32
            s = t
            s = s * scale
            C[i, j] = clamp(s)


# A part whose registers are set.
@proc
def product(n: size, m: size, k: size, A: [i8][n, k], B: [i8][k, m], C: [i8][n, m]):
    assert stride(A, 1) == 1
    assert stride(B, 1) == 1
    assert stride(C, 1) == 1
    assert GemminiEx.weight_stationary == True
    assert GemminiLd0.src_stride == stride(A, 0)
    assert GemminiLd1.src_stride == stride(B, 0)
    assert GemminiSt.dst_stride == stride(C, 0)
    assert GemminiSt.wide == False
    for i in seq(0, n):
        for j in seq(0, m):
            res: i32
            res = 0.0
            for l in seq(0, k):
                a: i32
                b: i32
                a = A[i, l]
                b = B[l, j]
                res += a * b
            t: i32
            t = res
            if GemminiSt.act == True:
                t = relu(t)
            s: f32
            s = t
            s = s * GemminiSt.scale
            C[i, j] = clamp(s)
