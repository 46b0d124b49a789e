# The absolute horizontal and vertical gradients of an image, added.
# covers: image, f32, tensor, alloc-scalar, reduction, extern, asserts
from __future__ import annotations
from exo import *


@proc
def sobel(h: size, w: size, img: f32[h, w], grad: f32[h - 2, w - 2]):
    assert h >= 3 and w >= 3
    for i in seq(0, h - 2):
        for j in seq(0, w - 2):
            gx: f32
            gx = img[i, j + 2] + 2.0 * img[i + 1, j + 2] + img[i + 2, j + 2]
            gx += -(img[i, j] + 2.0 * img[i + 1, j] + img[i + 2, j])
            gy: f32
            gy = img[i + 2, j] + 2.0 * img[i + 2, j + 1] + img[i + 2, j + 2]
            gy += -(img[i, j] + 2.0 * img[i, j + 1] + img[i, j + 2])
            grad[i, j] = fabsf(gx) + fabsf(gy)
