# y += a * x for the factors that need no multiplication: 1, -1 and 0.
# covers: blas1, f64, tensor, pass, reduction
from exo import *


@proc
def daxpy_alpha_one(n: size, x: f64[n], y: f64[n]):
    for i in seq(0, n):
        y[i] += x[i]


@proc
def daxpy_alpha_minus_one(n: size, x: f64[n], y: f64[n]):
    for i in seq(0, n):
        y[i] += -x[i]


@proc
def daxpy_alpha_zero(n: size, x: f64[n], y: f64[n]):
    pass
