# A fully connected layer: product, bias, rectifier, by three calls on one buffer.
# covers: blas2, ml, f32, tensor, window, window-stmt, calls, reduction, extern, omitted-ends
from __future__ import annotations
from exo import *
from exo.libs.externs import relu


@proc
def product(o: size, n: size, W: [f32][o, n], x: [f32][n], y: [f32][o]):
    for i in seq(0, o):
        y[i] = 0.0
        for j in seq(0, n):
            y[i] += W[i, j] * x[j]


@proc
def add_bias(o: size, b: f32[o], y: [f32][o]):
    for i in seq(0, o):
        y[i] += b[i]


@proc
def rectify(o: size, y: [f32][o]):
    for i in seq(0, o):
        y[i] = relu(y[i])


@proc
def dense_layer(
    batch: size, n: size, o: size, W: f32[o, n], b: f32[o], x: f32[batch, n], y: f32[batch, o]
):
    for t in seq(0, batch):
        out = y[t, :]
        product(o, n, W, x[t, :], out)
        add_bias(o, b, out)
        rectify(o, out)
