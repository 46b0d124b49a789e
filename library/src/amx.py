# Products of matrices that are added to another one, and the parts of them that run on tiles.


@proc
def matmul_i8(n: size, m: size, k: size, A: i8[n, k], B: i8[k, m], C: i32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            for l in seq(0, k):
                x: i32
                y: i32
                x = A[i, l]
                y = B[l, j]
                C[i, j] += x * y


# Of at most 16 columns, and of rows of A in groups of four cells.
@proc
def columns_i8(n: size, m: size, g: size, A: [i8][n, 4 * g], B: [i8][4 * g, m], C: [i32][n, m]):
    assert m <= 16
    assert stride(A, 1) == 1
    assert stride(B, 1) == 1
    assert stride(C, 1) == 1
    assert AmxTiles.palette == 1
    assert AmxTiles.rows == 16
    assert AmxTiles.cols == 16
    assert AmxTiles.depth == 16
    for i in seq(0, n):
        for j in seq(0, m):
            for l in seq(0, g):
                for q in seq(0, 4):
                    x: i32
                    y: i32
                    x = A[i, 4 * l + q]
                    y = B[4 * l + q, j]
                    C[i, j] += x * y


# Of at most 16 rows and columns, and of B with four rows in one.
@proc
def tile_i8(n: size, m: size, g: size, A: [i8][n, 4 * g], B: [i8][g, 4 * m], C: [i32][n, m]):
    assert n <= 16
    assert m <= 16
    assert stride(A, 1) == 1
    assert stride(B, 1) == 1
    assert stride(C, 1) == 1
    assert AmxTiles.palette == 1
    assert AmxTiles.rows == 16
    assert AmxTiles.cols == 16
    assert AmxTiles.depth == 16
    for i in seq(0, n):
        for j in seq(0, m):
            for l in seq(0, g):
                for q in seq(0, 4):
                    x: i32
                    y: i32
                    x = A[i, 4 * l + q]
                    y = B[l, 4 * j + q]
                    C[i, j] += x * y


@proc
def matmul_bf16(n: size, m: size, k: size, A: bf16[n, k], B: bf16[k, m], C: f32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            for l in seq(0, k):
                x: f32
                y: f32
                x = A[i, l]
                y = B[l, j]
                C[i, j] += x * y


# Of at most 16 columns, and of rows of A in pairs.
@proc
def columns_bf16(n: size, m: size, g: size, A: [bf16][n, 2 * g], B: [bf16][2 * g, m], C: [f32][n, m]):
    assert m <= 16
    assert stride(A, 1) == 1
    assert stride(B, 1) == 1
    assert stride(C, 1) == 1
    assert AmxTiles.palette == 1
    assert AmxTiles.rows == 16
    assert AmxTiles.cols == 16
    assert AmxTiles.depth == 16
    for i in seq(0, n):
        for j in seq(0, m):
            for l in seq(0, g):
                for q in seq(0, 2):
                    x: f32
                    y: f32
                    x = A[i, 2 * l + q]
                    y = B[2 * l + q, j]
                    C[i, j] += x * y


# Of at most 16 rows and columns, and of B with two rows in one.
@proc
def tile_bf16(n: size, m: size, g: size, A: [bf16][n, 2 * g], B: [bf16][g, 2 * m], C: [f32][n, m]):
    assert n <= 16
    assert m <= 16
    assert stride(A, 1) == 1
    assert stride(B, 1) == 1
    assert stride(C, 1) == 1
    assert AmxTiles.palette == 1
    assert AmxTiles.rows == 16
    assert AmxTiles.cols == 16
    assert AmxTiles.depth == 16
    for i in seq(0, n):
        for j in seq(0, m):
            for l in seq(0, g):
                for q in seq(0, 2):
                    x: f32
                    y: f32
                    x = A[i, 2 * l + q]
                    y = B[l, 2 * j + q]
                    C[i, j] += x * y
