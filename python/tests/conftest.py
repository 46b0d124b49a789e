"""What the tests share."""

from __future__ import annotations

from typing import Iterator

import pytest

import rewright
import rewright.exo

MATMUL = """
@proc
def matmul(n: size, m: size, k: size, C: f32[n, m], A: f32[n, k], B: f32[k, m]):
    assert n % 16 == 0
    assert m % 16 == 0
    for i in seq(0, n):
        for j in seq(0, m):
            for l in seq(0, k):
                C[i, j] += A[i, l] * B[l, j]
"""


@pytest.fixture
def matmul() -> rewright.Procedure:
    """A matrix product."""
    found: rewright.Procedure = rewright.module(MATMUL).matmul
    return found


@pytest.fixture(scope="module")
def installed() -> Iterator[None]:
    """``import exo`` is ours, for the tests of a module."""
    rewright.exo.install()
    yield
    rewright.exo.uninstall()
