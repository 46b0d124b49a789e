# A box blur over whole tiles of 8 by 16, each with its own rows of the first stage.
# covers: image, tiling, f32, tensor, alloc, alloc-in-loop, other-memory, quasi-affine, data-division, asserts, constants
from __future__ import annotations
from exo import *
from exo.libs.memories import DRAM_STACK

TY = 8
TX = 16


@proc
def blur_tiled(h: size, w: size, inp: f32[h + 2, w + 2], out: f32[h, w]):
    assert h % 8 == 0
    assert w % 16 == 0
    for yo in seq(0, h / TY):
        for xo in seq(0, w / TX):
            rows: f32[TY + 2, TX] @ DRAM_STACK
            for y in seq(0, TY + 2):
                for x in seq(0, TX):
                    rows[y, x] = (
                        inp[TY * yo + y, TX * xo + x]
                        + inp[TY * yo + y, TX * xo + x + 1]
                        + inp[TY * yo + y, TX * xo + x + 2]
                    )
            for y in seq(0, TY):
                for x in seq(0, TX):
                    out[TY * yo + y, TX * xo + x] = (
                        rows[y, x] + rows[y + 1, x] + rows[y + 2, x]
                    ) / 9.0
