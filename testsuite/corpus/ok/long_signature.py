# Many arguments of every kind, a guard that does not fit a line, and a call that does not either.
# covers: f32, scalar, tensor, window, calls, index-arg, bool-arg, stride-arg, if, not, or, reduction, quasi-affine, asserts, stride
from __future__ import annotations
from exo import *


@proc
def long_signature(
    rows: size,
    columns: size,
    first_row: index,
    first_column: index,
    accumulate_into_result: bool,
    row_stride: stride,
    scale: f32,
    source: [f32][rows, columns],
    result: [f32][rows, columns] @ DRAM,
):
    assert stride(source, 0) == row_stride
    for row in seq(0, rows):
        for column in seq(0, columns):
            if (
                accumulate_into_result
                and row >= first_row
                and column >= first_column
                or not accumulate_into_result
                and (row + first_column) % 2 == 0
            ):
                result[row, column] += scale * source[row, column]


@proc
def caller_of_long_signature(
    rows: size, columns: size, s: f32, a: f32[rows, columns], b: f32[rows, columns]
):
    long_signature(
        rows, columns, rows / 2 - 1, columns / 2 - 1, rows == columns, stride(a, 0), s, a, b
    )
