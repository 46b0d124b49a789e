import halide as hl

x, y, z, c, xo, yo = (hl.Var(v) for v in ["x", "y", "z", "c", "xo", "yo"])
input = hl.ImageParam(hl.Float(32), 2, "input")
r_sigma, s_sigma = hl.Param(hl.Float(32), "r_sigma"), 4
clamped = hl.BoundaryConditions.repeat_edge(input)
r = hl.RDom([(0, s_sigma), (0, s_sigma)], "r")
histogram, blurx, blury, blurz, interpolated, grid = (hl.Func(f) for f in ["histogram", "blurx", "blury", "blurz", "interpolated", "bilateral_grid"])
val = hl.clamp(clamped[x * s_sigma + r.x - s_sigma // 2, y * s_sigma + r.y - s_sigma // 2], hl.f32(0), hl.f32(1))
zi = hl.i32(val * (hl.f32(1) / r_sigma) + hl.f32(0.5))
histogram[x, y, z, c] = hl.f32(0)
histogram[x, y, zi, c] += hl.select(c == 0, val, hl.f32(1))


def five(at):
    return at(-2) + at(-1) * 4 + at(0) * 6 + at(1) * 4 + at(2)


blurz[x, y, z, c] = five(lambda i: histogram[x, y, z + i, c])
blurx[x, y, z, c] = five(lambda i: blurz[x + i, y, z, c])
blury[x, y, z, c] = five(lambda i: blurx[x, y + i, z, c])
val = hl.clamp(input[x, y], hl.f32(0), hl.f32(1))
zv = val * (hl.f32(1) / r_sigma)
zi = hl.i32(zv)
zf = zv - hl.f32(zi)
xf = hl.f32(x % s_sigma) / s_sigma
yf = hl.f32(y % s_sigma) / s_sigma
xi, yi = x / s_sigma, y / s_sigma


def lerp(a, b, w):
    return a * (hl.f32(1) - w) + b * w


def plane(k):
    return lerp(lerp(blury[xi, yi, zi + k, c], blury[xi + 1, yi, zi + k, c], xf), lerp(blury[xi, yi + 1, zi + k, c], blury[xi + 1, yi + 1, zi + k, c], xf), yf)


interpolated[x, y, c] = lerp(plane(0), plane(1), zf)
grid[x, y] = interpolated[x, y, 0] / interpolated[x, y, 1]
blurz.compute_root().reorder(c, z, x, y).parallel(y).vectorize(x, 4).unroll(c)
histogram.compute_at(blurz, y)
histogram.update().reorder(c, r.x, r.y, x, y).unroll(c)
blurx.compute_root().reorder(c, x, y, z).parallel(z).vectorize(x, 4)
blury.compute_root().reorder(c, x, y, z).parallel(z).vectorize(x, 4)
grid.compute_root().parallel(y).vectorize(x, 4)
pipeline = hl.Pipeline(grid)
