import math
import halide as hl

x, y, c, yo, yi = (hl.Var(v) for v in ["x", "y", "c", "yo", "yi"])
image = hl.ImageParam(hl.Float(32), 3, "image")
sigma = 1.5
weights = [math.exp(-i * i / (2 * sigma * sigma)) / (math.sqrt(2 * math.pi) * sigma) for i in range(4)]
gray, blur_y, blur_x, sharpen, ratio, unsharp = (hl.Func(f) for f in ["gray", "blur_y", "blur_x", "sharpen", "ratio", "unsharp"])
padded = hl.BoundaryConditions.repeat_edge(image)


def seven(at):
    first, *rest = [hl.f32(w) for w in weights]
    total = first * at(0)
    for i, weight in enumerate(rest, 1):
        total = total + weight * (at(-i) + at(i))
    return total


gray[x, y] = hl.f32(0.299) * padded[x, y, 0] + hl.f32(0.587) * padded[x, y, 1] + hl.f32(0.114) * padded[x, y, 2]
blur_y[x, y] = seven(lambda i: gray[x, y + i])
blur_x[x, y] = seven(lambda i: blur_y[x + i, y])
sharpen[x, y] = 2 * gray[x, y] - blur_x[x, y]
ratio[x, y] = sharpen[x, y] / gray[x, y]
unsharp[x, y, c] = ratio[x, y] * image[x, y, c]
unsharp.split(y, yo, yi, 4).vectorize(x, 4).parallel(yo).reorder(x, c, yi, yo)
gray.compute_at(unsharp, yo).vectorize(x, 4)
blur_y.compute_at(unsharp, yo).vectorize(x, 4)
ratio.compute_at(unsharp, yo).vectorize(x, 4)
pipeline = hl.Pipeline(unsharp)
