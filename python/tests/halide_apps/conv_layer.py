import halide as hl

x, y, c, n, co, ci, xo, yo, xi = (hl.Var(v) for v in ["x", "y", "c", "n", "co", "ci", "xo", "yo", "xi"])
input = hl.ImageParam(hl.Float(32), 4, "input")
weights = hl.ImageParam(hl.Float(32), 4, "weights")
bias = hl.ImageParam(hl.Float(32), 1, "bias")
conv, relu = hl.Func("conv"), hl.Func("relu")
r = hl.RDom([(0, 4), (0, 3), (0, 3)], "r")
conv[c, x, y, n] = bias[c]
conv[c, x, y, n] += weights[c, r.y, r.z, r.x] * input[r.x, x + r.y, y + r.z, n]
relu[c, x, y, n] = hl.max(hl.f32(0), conv[c, x, y, n])
relu.split(c, co, ci, 8).split(x, xo, xi, 2).reorder(ci, xi, xo, y, n, co).vectorize(ci, 4).unroll(ci).unroll(xi).parallel(y).parallel(n).parallel(co)
conv.compute_at(relu, xo).vectorize(c, 4).unroll(c).unroll(x).unroll(y)
conv.update().reorder(c, x, y, r.x, r.y, r.z, n).vectorize(c, 4).unroll(c).unroll(x).unroll(y).unroll(r.x, 2)
pipeline = hl.Pipeline(relu)
