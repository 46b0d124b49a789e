"""Masked instructions on windows as long as a register. Spec: [rule: python.exo-prefixes]."""

from __future__ import annotations

import numpy as np
import pytest
from rewright.exo import DRAM, instr, proc
from rewright.exo.platforms.x86 import AVX2, mm256_loadu_ps, mm256_prefix_load_ps, mm256_prefix_store_ps, mm256_storeu_ps
from rewright.exo.stdlib.stdlib import vectorize


@instr("pload({dst_data}, {src_data}, {bound});")
def pload(dst: [f32][8] @ AVX2, src: [f32][8] @ DRAM, bound: size):
    assert stride(src, 0) == 1
    assert bound <= 8
    for i in seq(0, 8):
        if i < bound:
            dst[i] = src[i]


@instr("pstore({dst_data}, {src_data}, {bound});")
def pstore(dst: [f32][8] @ DRAM, src: [f32][8] @ AVX2, bound: size):
    assert stride(dst, 0) == 1
    assert bound <= 8
    for i in seq(0, 8):
        if i < bound:
            dst[i] = src[i]


def test_masked_instructions_take_the_tail_of_a_loop() -> None:
    @proc
    def copy(n: size, x: f32[n], y: f32[n]):
        for i in seq(0, n):
            y[i] = x[i]

    assert "src: [f32][bound] @ DRAM" in str(pload) and "dst: [f32][8] @ AVX2" in str(pload)
    all_ = [pload, pstore, mm256_loadu_ps, mm256_storeu_ps]
    made = vectorize(copy, copy.find_loop("i"), 8, "f32", AVX2, all_, [], tail="cut_and_predicate")
    assert "pload(" in str(made) and "pstore(" in str(made)
    x = np.arange(13, dtype=np.float32)
    for p in (copy, made):
        assert p.run(13, x, np.zeros(13, dtype=np.float32))["y"].tolist() == x.tolist()


def test_a_window_as_long_as_a_register_is_passed_as_far_as_it_is_used() -> None:
    @proc
    def tail(n: size, x: f32[n], y: f32[n]):
        if n % 8 > 0:
            v: f32[8] @ AVX2
            pload(v[0:8], x[8 * (n / 8) : 8 * (n / 8) + 8], n % 8)
            pstore(y[8 * (n / 8) : 8 * (n / 8) + 8], v[0:8], n % 8)
            mm256_prefix_load_ps(v[0:8], x[8 * (n / 8) : 8 * (n / 8) + 8], n % 8)
            mm256_prefix_store_ps(y[8 * (n / 8) : 8 * (n / 8) + 8], v[0:8], n % 8)

    x = np.arange(13, dtype=np.float32)
    assert tail.run(13, x, np.zeros(13, dtype=np.float32))["y"].tolist() == [0.0] * 8 + x[8:].tolist()


def test_windows_of_which_more_is_used_stay_as_they_are() -> None:

    @instr("next({dst_data}, {src_data}, {bound});")
    def next_cells(dst: [f32][8] @ AVX2, src: [f32][8] @ DRAM, bound: size):
        assert bound <= 8
        for i in seq(0, 8):
            if i < bound:
                dst[i] = src[7 - i]

    @instr("both({dst_data}, {src_data}, {bound});")
    def both_branches(dst: [f32][8] @ AVX2, src: [f32][8] @ DRAM, bound: size):
        assert bound <= 8
        for i in seq(0, 8):
            if i < bound:
                dst[i] = src[i]
            else:
                dst[i] = src[i]

    for whole in (next_cells, both_branches):
        assert "src: [f32][8] @ DRAM" in str(whole)
        with pytest.raises(TypeError):

            @proc
            def beyond(n: size, x: f32[n]):
                v: f32[8] @ AVX2
                whole(v[0:8], x[0:8], 1)
