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


def test_whole_buffers_and_windows_are_passed_as_far_as_they_are_used() -> None:
    @proc
    def buffers(n: size, x: f32[8], w: [f32][8], long: f32[20]):
        assert n <= 8
        assert stride(w, 0) == 1
        v: f32[8] @ AVX2
        pload(v, x, n)
        pload(v, w, n)
        part = long[3:11]
        pload(v[0:8], part, n)
        mm256_prefix_load_ps(v, x, n)

    @proc
    def helper(n: size, dst: [f32][8] @ AVX2, src: [f32][8] @ DRAM):
        assert n <= 8
        assert stride(src, 0) == 1
        pload(dst, src, n)

    assert [line.strip() for line in str(buffers).splitlines() if "load" in line] == [
        "pload(v, x[0:n], n)",
        "pload(v, w[0:n], n)",
        "pload(v[0:8], part[0:n], n)",
        "mm256_prefix_load_ps(v, x[0:n], n)",
    ]
    assert "pload(dst, src[0:n], n)" in str(helper)


def test_the_tightest_of_two_bounds() -> None:
    @instr("few({dst_data}, {src_data}, {bound});")
    def few(dst: [f32][8] @ DRAM, src: [f32][8] @ DRAM, bound: size):
        assert bound <= 4
        assert bound <= 8
        for i in seq(0, 8):
            if i < bound:
                dst[i] = src[i]

    @proc
    def copies(k: size, x: f32[100], y: f32[100]):
        assert k <= 4
        few(x[0:8], y[0:8], k)

    assert "few(x[0:k], y[0:k], k)" in str(copies)


def test_what_is_used_without_a_guard_is_passed_as_it_is_written() -> None:
    @instr("fill({dst_data}, {bound});")
    def fill(bound: size, dst: [f32][bound] @ DRAM):
        for i in seq(0, 8):
            if i < bound:
                pass
        for j in seq(0, bound):
            dst[j] = 1.0

    with pytest.raises(TypeError):

        @proc
        def more(x: f32[100]):
            fill(20, x[0:8])


def test_a_window_of_another_length_stays_as_it_is_written() -> None:
    with pytest.raises(TypeError):

        @proc
        def shorter(n: size, m: size, x: f32[100]):
            assert n <= 8
            assert m <= 3
            v: f32[8] @ AVX2
            pload(v, x[0:m], n)

    with pytest.raises(TypeError):

        @proc
        def longer(n: size, x: f32[100]):
            assert n <= 8
            v: f32[8] @ AVX2
            pload(v, x[0:9], n)
