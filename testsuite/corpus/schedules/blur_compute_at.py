# ASPLOS'25 Fig. 10: what Halide writes as `blur_x.compute_at(blur_y, x)`. The consumer is tiled; the producer is cut
# into overlapping pieces, once for rows and once for columns, and each piece is fused with the tile that needs it.
@proc
def blur(H: size, W: size, inp: f32[H + 2, W + 4], blur_y: f32[H, W]):
    assert H % 32 == 0
    assert W % 256 == 0
    blur_x: f32[H + 2, W + 2]
    for y in seq(0, H + 2):
        for x in seq(0, W + 2):
            blur_x[y, x] = (inp[y, x] + inp[y, x + 1] + inp[y, x + 2]) / 3.0
    for y in seq(0, H / 32):
        for x in seq(0, W / 256):
            for yi in seq(0, 32):
                for xi in seq(0, 256):
                    blur_y[32 * y + yi, 256 * x + xi] = (blur_x[32 * y + yi, 256 * x + xi] + blur_x[32 * y + yi + 1, 256 * x + xi] + blur_x[32 * y + yi + 2, 256 * x + xi]) / 3.0

# Fuse over the y loops.
p = divide_with_recompute(blur, "y", "H / 32", 32, ["y", "yi"])
p = simplify(p)
p = fuse(p, "y #0", "y #1")
# Fuse over the x loops.
p = reorder_loops(p, "yi x")
p = divide_with_recompute(p, "x", "W / 256", 256, ["x", "xi"])
p = simplify(p)
p = fuse(p, "x #0", "x #1")
# A buffer for each tile, as large as the tile needs (`store_at`).
p = sink_alloc(p, "blur_x")
p = sink_alloc(p, "blur_x")
p = resize_dim(p, "blur_x", 0, 34, "32 * y")
p = resize_dim(p, "blur_x", 1, 258, "256 * x")
p = simplify(p)
