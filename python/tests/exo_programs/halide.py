# ruff: noqa
# mypy: ignore-errors
"""Halide's directives."""

from __future__ import annotations

from typing import Any

import exo.stdlib.halide_scheduling_ops as H
from exo.stdlib.scheduling import *

from . import kernels as K
from .runs import Cases


def _halide_blur() -> Any:
    p = H.halide_tile(K.blur, "blur_y", "y", "x", "yi", "xi", 32, 256)
    return H.halide_compute_and_store_at_same(p, "blur_x", "blur_y", "x")


def _halide_blur_full() -> Any:
    p = H.halide_tile(K.blur, "blur_y", "y", "x", "yi", "xi", 32, 256)
    p = H.halide_compute_and_store_at_same(p, "blur_x", "blur_y", "x")
    p = H.halide_parallel(p, "y")
    p = H.halide_split(p, "blur_x", "x", "xo", "xi", 16) if False else p
    return simplify(p)


def _halide_store_at() -> Any:
    p = H.halide_compute_at(K.producer_consumer, "p", "out", "i", with_prologue=False)
    return H.halide_store_at(p, "p", "out", "i")


def _halide_blur_compute_at_y() -> Any:
    p = H.halide_tile(K.blur, "blur_y", "y", "x", "yi", "xi", 32, 256)
    return H.halide_compute_at(p, "blur_x", "blur_y", "y", with_prologue=False)


def _halide_affected() -> Any:
    p = K.blur
    l = [c for c in p.find_loop("y", many=True)][1]
    return [str(H.get_affected_read_dim("blur_x", l))]


CASES: Cases = {
    "halide_apart": lambda: H.halide_compute_at(K.three_stages, "p", "out", "i", with_prologue=False),
    "halide_apart_stored": lambda: H.halide_store_at(
        H.halide_compute_at(K.three_stages, "p", "out", "i", with_prologue=False), "p", "out", "i"
    ),
    "halide_other_order": lambda: H.halide_compute_at(K.stages_2d, "p", "out", "j", with_prologue=False),
    "halide_inner": lambda: H.halide_compute_and_store_at_same(K.stages_2d, "p", "out", "i"),
    "halide_tile": lambda: H.halide_tile(K.blur, "blur_y", "y", "x", "yi", "xi", 32, 256),
    "halide_blur": _halide_blur,
    "halide_blur_full": _halide_blur_full,
    "halide_compute_at": lambda: H.halide_compute_at(K.producer_consumer, "p", "out", "i", with_prologue=False),
    "halide_compute_prologue": lambda: H.halide_compute_at(
        K.producer_consumer.add_assertion("n > 2"), "p", "out", "i", with_prologue=True
    ),
    "halide_store_at": _halide_store_at,
    "halide_same": lambda: H.halide_compute_and_store_at_same(K.producer_consumer, "p", "out", "i"),
    "halide_inline": lambda: H.halide_fully_inline(K.unary, "p", "out"),
    "halide_split": lambda: [
        H.halide_split(K.unary, "out", "i", "io", "ii", 8, tail=t) for t in ("cut", "guard", "cut_and_guard")
    ],
    "halide_par": lambda: H.halide_parallel(K.axpy, "i"),
    "halide_blur_compute_at_y": _halide_blur_compute_at_y,
    "halide_cas": lambda: H.halide_compute_and_store_at(K.blur, "blur_x", "blur_y", "y", "y"),
    "halide_affected": _halide_affected,
}
