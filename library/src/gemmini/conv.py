# Convolutions of bytes: images, and results, by batch, row, column and channel; weights by row, column, channel in and
# channel out. Sums of 32 bits with a bias, without what is negative if `act`, scaled, rounded, and held to -128 … 127. A
# line that ends with `# bias` is there where there is a bias, one that ends with `# no bias` where there is none.


# Of 3 by 3, stride 1, with one row and column of zeros around the image.
@proc
def conv3x3(
    batch: size,
    height: size,
    width: size,
    ic: size,
    oc: size,
    scale: f32,
    act: bool,
    image: i8[batch, height, width, ic],
    weights: i8[3, 3, ic, oc],
    bias: i32[oc],  # bias
    out: i8[batch, height, width, oc],
):
    for b in seq(0, batch):
        for y in seq(0, height):
            for x in seq(0, width):
                for o in seq(0, oc):
                    res: i32
                    res = bias[o]  # bias
                    res = 0.0  # no bias
                    for ky in seq(0, 3):
                        for kx in seq(0, 3):
                            for c in seq(0, ic):
                                v: i8
                                v = 0.0
                                if y + ky >= 1 and y + ky <= height and x + kx >= 1 and x + kx <= width:
                                    v = image[b, y + ky - 1, x + kx - 1, c]
                                a: i32
                                f: i32
                                a = v
                                f = weights[ky, kx, c, o]
                                res += a * f
                    t: i32
                    t = res
                    if act == True:
                        t = relu(t)
                    s: f32
                    s = t
                    s = s * scale
                    out[b, y, x, o] = clamp(s)


# A part of it whose registers are set: rows from `y` and columns from `x` of one image, and some channels out.
@proc
def conv3x3_part(
    h: size,
    n: size,
    m: size,
    height: size,
    width: size,
    ic: size,
    y: index,
    x: index,
    image: [i8][height, width, ic],
    weights: [i8][3, 3, ic, m],
    bias: [i32][m],  # bias
    out: [i8][h, n, m],
):
    assert h <= 8
    assert n <= 16
    assert 0 <= y and y + h <= height
    assert 0 <= x and x + n <= width
    assert stride(image, 2) == 1
    assert stride(weights, 3) == 1
    assert stride(bias, 0) == 1  # bias
    assert stride(out, 2) == 1
    assert GemminiEx.weight_stationary == True
    assert GemminiLd0.src_stride == stride(image, 1)
    assert GemminiLd1.src_stride == stride(weights, 2)
    assert GemminiLd2.src_stride == 0  # bias
    assert GemminiSt.dst_stride == stride(out, 1)
    assert GemminiSt.wide == False
    for r in seq(0, h):
        for p in seq(0, n):
            for o in seq(0, m):
                res: i32
                res = bias[o]  # bias
                res = 0.0  # no bias
                for ky in seq(0, 3):
                    for kx in seq(0, 3):
                        for c in seq(0, ic):
                            v: i8
                            v = 0.0
                            if y + r + ky >= 1 and y + r + ky <= height and x + p + kx >= 1 and x + p + kx <= width:
                                v = image[y + r + ky - 1, x + p + kx - 1, c]
                            a: i32
                            f: i32
                            a = v
                            f = weights[ky, kx, c, o]
                            res += a * f
                t: i32
                t = res
                if GemminiSt.act == True:
                    t = relu(t)
                s: f32
                s = t
                s = s * GemminiSt.scale
                out[r, p, o] = clamp(s)


# Of 1 by 1.
@proc
def conv1x1(
    batch: size,
    height: size,
    width: size,
    ic: size,
    oc: size,
    scale: f32,
    act: bool,
    image: i8[batch, height, width, ic],
    weights: i8[1, 1, ic, oc],
    bias: i32[oc],  # bias
    out: i8[batch, height, width, oc],
):
    for b in seq(0, batch):
        for y in seq(0, height):
            for x in seq(0, width):
                for o in seq(0, oc):
                    res: i32
                    res = bias[o]  # bias
                    res = 0.0  # no bias
                    for c in seq(0, ic):
                        v: i8
                        v = image[b, y, x, c]
                        a: i32
                        f: i32
                        a = v
                        f = weights[0, 0, c, o]
                        res += a * f
                    t: i32
                    t = res
                    if act == True:
                        t = relu(t)
                    s: f32
                    s = t
                    s = s * scale
                    out[b, y, x, o] = clamp(s)


# A part of it whose registers are set: rows and columns of one image, and some channels out.
@proc
def conv1x1_part(
    h: size,
    n: size,
    m: size,
    ic: size,
    image: [i8][h, n, ic],
    weights: [i8][1, 1, ic, m],
    bias: [i32][m],  # bias
    out: [i8][h, n, m],
):
    assert h <= 8
    assert n <= 16
    assert stride(image, 2) == 1
    assert stride(weights, 3) == 1
    assert stride(bias, 0) == 1  # bias
    assert stride(out, 2) == 1
    assert GemminiEx.weight_stationary == True
    assert GemminiLd0.src_stride == stride(image, 1)
    assert GemminiLd1.src_stride == stride(weights, 2)
    assert GemminiLd2.src_stride == 0  # bias
    assert GemminiSt.dst_stride == stride(out, 1)
    assert GemminiSt.wide == False
    for r in seq(0, h):
        for p in seq(0, n):
            for o in seq(0, m):
                res: i32
                res = bias[o]  # bias
                res = 0.0  # no bias
                for c in seq(0, ic):
                    v: i8
                    v = image[r, p, c]
                    a: i32
                    f: i32
                    a = v
                    f = weights[0, 0, c, o]
                    res += a * f
                t: i32
                t = res
                if GemminiSt.act == True:
                    t = relu(t)
                s: f32
                s = t
                s = s * GemminiSt.scale
                out[r, p, o] = clamp(s)
