# Expressions that do not fit a line: sums, products in sums, calls of externs in products.
# covers: f32, tensor, quasi-affine, extern
from __future__ import annotations
from exo import *


@proc
def wide_expression(first_factor: f32[8], second_factor: f32[8], some_long_result_name: f32[8]):
    for position in seq(0, 8):
        some_long_result_name[position] = (
            first_factor[position] * second_factor[7 - position]
            + fmaxf(first_factor[(position + 1) % 8], second_factor[(position + 2) % 8]) * 0.5
            - (first_factor[(position + 3) % 8] - (second_factor[(position + 4) % 8] - 1.0))
            + select(
                first_factor[position],
                second_factor[position],
                first_factor[position] + second_factor[position],
                relu(first_factor[position] * (second_factor[position] - first_factor[position])),
            )
        )
