"""Procedures on arrays of numpy. Spec: [rule: python.running]."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Dict

import numpy as np
import pytest

import rewright
from rewright import ArgumentError, LimitError, Procedure

TEXT = """
@config
class Cfg:
    k: index
    on: bool
    s: f32

@proc
def copy(n: size, w: [f32][n, 2], x: f32[n, 2], on: bool, t: f32):
    assert n % 2 == 0
    for i in seq(0, n):
        if on:
            w[i, 0] = x[i, 1] + t
            w[i, 1] = x[i, 0]

@proc
def some(x: f32[4], y: f32[4]):
    t: f32[4]
    t[0] = x[0] / 3.0
    for i in seq(0, 4):
        y[i] = t[i]

@proc
def fields(n: size, x: f32[n]):
    assert n > 1
    for i in seq(0, n):
        if Cfg.on:
            x[i] = Cfg.s
    Cfg.k = Cfg.k + n

@proc
def small(a: i8[4], b: ui8[4], c: i32[4], d: f64[4], e: f16[4], f: ui16[4]):
    for i in seq(0, 4):
        a[i] += 1.0
        b[i] += 1.0
        c[i] += 1.0
        d[i] += 1.0
        e[i] += 1.0
        f[i] += 1.0
"""

SHORT = """\
@config
class Short:
    s: bf16

@proc
def short(n: size, a: bf16, x: bf16[n], y: [bf16][n]):
    for i in seq(0, n):
        y[i] += a * x[i] + Short.s
    Short.s = y[0]
"""


@pytest.fixture
def m() -> rewright.Module:
    return rewright.module(TEXT)


def test_a_run_leaves_the_arrays_as_they_are(m: rewright.Module) -> None:
    x = np.arange(8, dtype=np.float32).reshape(4, 2)
    w = np.zeros((4, 2), np.float32)
    left = m.copy.run(4, w, x, True, np.float32(0.5))
    assert left["w"].dtype == np.float32 and np.array_equal(left["w"], x[:, ::-1] + [[0.5, 0.0]])
    assert np.array_equal(w, np.zeros((4, 2))) and np.array_equal(left["x"], x)
    assert np.array_equal(m.copy.run(n=4, w=w, x=x, on=False, t=1)["w"], w)


def test_the_domains(m: rewright.Module) -> None:
    x, y = np.array([1.0, 2.0, 3.0, 4.0], np.float32), np.zeros(4, np.float32)
    machine = m.some.run(x, y)["y"]
    assert machine[0] == np.float32(1.0) / np.float32(3.0) and list(np.ma.getmaskarray(machine)) == [False, True, True, True]
    exact = m.some.run(x, y, domain="exact")["y"]
    assert exact[0] == Fraction(1, 3) and exact[1] is np.ma.masked
    assert m.some.run(x, y, domain="symbolic")["y"][0] == "1/3*x[0]"
    # Inputs may be fractions and masked; they are exact.
    given = np.ma.array([Fraction(1, 8), 0.1, 3, 4], mask=[False, False, False, True], dtype=object)
    assert m.some.run(given, y, domain="exact")["x"][:3].tolist() == [Fraction(1, 8), Fraction(0.1), 3]


def test_what_is_compiled_changes_the_arrays(m: rewright.Module) -> None:
    copy = m.copy.compile()
    x = np.arange(8, dtype=np.float32).reshape(4, 2)
    whole = np.full((8, 6), -1.0, np.float32)
    window = whole[::2, 1:5:3]
    copy(4, window, x, True, np.array(0.5, np.float32))
    assert np.array_equal(window, x[:, ::-1] + [[0.5, 0.0]])
    assert (whole == -1.0).sum() == 48 - 8
    assert np.array_equal(m.copy.run(4, window, x, True, 0.5)["w"], window)
    assert "void copy(" in copy.c_code_str()


def test_every_type_has_its_array(m: rewright.Module) -> None:
    kinds: Dict[str, Any] = {"a": np.int8, "b": np.uint8, "c": np.int32, "d": np.float64, "e": np.float16, "f": np.uint16}
    arrays = {name: np.array([0, 1, 2, 100], kind) for name, kind in kinds.items()}
    left = m.small.run(**arrays)
    try:
        m.small.compile()(**arrays)
    except rewright.CompileError as e:
        pytest.skip(f"half precision: {e}")
    for name, kind in kinds.items():
        assert left[name].dtype == kind and np.array_equal(left[name], arrays[name]), name
        assert arrays[name].tolist() == [1, 2, 3, 101]


def test_bf16_is_its_bits() -> None:
    m = rewright.module(SHORT)
    numbers = np.array([1.0, -2.5, 3.3895314e38, 9.184e-41], np.float32)
    x = (numbers.view(np.uint32) >> 16).astype(np.uint16)
    y = np.array([0x3F81, 0, 7, 0, 0x8000, 0, 0x7F7F, 0], np.uint16)[::2]
    as_numbers = (y.astype(np.uint32) << 16).view(np.float32)
    left = m.short.run(4, 0.5, x, y, fields={"Short.s": 0.1})
    assert left["y"].dtype == np.float32
    # Numbers are taken as such, and rounded.
    assert np.array_equal(left["y"], m.short.run(4, 0.5, numbers, as_numbers, fields={"Short.s": 0.1})["y"])
    state = {"Short.s": 0.1}
    m.short.compile()(4, 0.5, x, y, fields=state)
    assert np.array_equal((y.astype(np.uint32) << 16).view(np.float32), left["y"])
    assert state["Short.s"] == left["y"][0] == 1.609375
    with pytest.raises(rewright.ArgumentError, match="uint16"):
        m.short.compile()(4, 0.5, numbers, y)


def test_bf16_of_ml_dtypes() -> None:
    m = rewright.module(SHORT)
    bfloat16: Any = pytest.importorskip("ml_dtypes").bfloat16
    x, y = np.array([1.0, -2.5, 0.1], bfloat16), np.array([3.0, 0.25, -7.0], bfloat16)
    left = m.short.run(3, 0.5, x, y, fields={"Short.s": 0.0})["y"]
    m.short.compile()(3, 0.5, x, y)
    assert np.array_equal(y.astype(np.float32), left)


def test_fields_go_in_and_out(m: rewright.Module) -> None:
    x = np.zeros(3, np.float32)
    state = {"Cfg.k": 4, "Cfg.on": True, "Cfg.s": 0.5}
    left = m.fields.run(3, x, fields=state)
    assert left["Cfg.k"] == 7 and left["x"].tolist() == [0.5, 0.5, 0.5]
    m.fields.compile()(3, x, fields=state)
    assert state == {"Cfg.k": 7, "Cfg.on": True, "Cfg.s": 0.5} and x.tolist() == [0.5, 0.5, 0.5]
    with pytest.raises(rewright.RunError, match="Cfg"):
        m.fields.run(3, x)


def test_calls_that_are_none_are_refused(m: rewright.Module) -> None:
    copy = m.copy.compile()
    x, w, t = np.zeros((4, 2), np.float32), np.zeros((4, 2), np.float32), np.zeros((), np.float32)
    copy(4, w, x, True, t)
    frozen = np.zeros((4, 2), np.float32)
    frozen.flags.writeable = False
    both = np.zeros((4, 3), np.float32)
    wrong = [
        (4, w, x, True),
        (4, w, x, True, t, t),
        (3, w[:3], x[:3], True, t),
        (0, w[:0], x[:0], True, t),
        (4, w, x[:2], True, t),
        (4, w, np.zeros((2, 4), np.float32).T, True, t),
        (4, w.astype(np.float64), x, True, t),
        (4, w.tolist(), x, True, t),
        (4, frozen, x, True, t),
        (4, x, x, True, t),
        (4, np.zeros((4, 2), np.float32)[::-1], x, True, t),
        (4.0, w, x, True, t),
        ("4", w, x, True, t),
        (4, both[:, 1:], np.ascontiguousarray(both[:, :2]), True, "1"),
        (1 << 70, w, x, True, t),
    ]
    for args in wrong:
        with pytest.raises(ArgumentError):
            copy(*args)
    for args in wrong[:4]:
        with pytest.raises(ArgumentError):
            m.copy.run(*args)
    copy(4, both[:, 1:], x, True, t)
    with pytest.raises(ArgumentError):
        m.copy.run(4, np.full((4, 2), np.inf), x, True, 0)
    with pytest.raises(ArgumentError):
        m.copy.run(4, w, x, True, Fraction(1, 3))
    with pytest.raises(ArgumentError, match="domain"):
        m.copy.run(4, w, x, True, 0, domain="real")
    with pytest.raises(rewright.LimitError):
        m.copy.run(4, w, x, True, 0, steps=3)


def test_sizes_are_those_of_the_arrays(m: rewright.Module) -> None:
    x = np.arange(8, dtype=np.float32).reshape(4, 2)
    w = np.zeros((4, 2), np.float32)
    swapped = m.copy.run(w=w, x=x, on=True, t=0)["w"]
    assert np.array_equal(swapped, x[:, ::-1])
    m.copy.compile()(x=x, w=w, on=True, t=0)
    assert np.array_equal(w, swapped)
    # What is given is not overruled, and arrays must agree with each other.
    with pytest.raises(ArgumentError, match="`x` is given with 4 elements in dimension 0, .* `n`, which is 2"):
        m.copy.run(n=2, w=w[:2], x=x, on=True, t=0)
    with pytest.raises(ArgumentError, match="`x` is given with 2 elements in dimension 0, .* `n`, which is 4"):
        m.copy.run(w=w, x=x[:2], on=True, t=0)
    with pytest.raises(ArgumentError, match="no value for n, w"):
        m.copy.run(x=x[0], on=True, t=0)
    with pytest.raises(ArgumentError, match="no value for on"):
        m.copy.run(w=w, x=x, t=0)
    with pytest.raises(ArgumentError, match="`x` is an array of 2 dimensions, and a list of numbers is given"):
        m.copy.run(n=2, w=w, x=x[0], on=True, t=0)


def test_no_class_of_arrays_says_what_is_there(m: rewright.Module) -> None:
    class Longer(np.ndarray):
        shape = property(lambda self: (4, 2))  # type: ignore[assignment]

    cells = np.zeros((8, 2), np.float32)
    x = np.ones((4, 2), np.float32)
    with pytest.raises(ArgumentError):
        m.copy.compile()(w=cells[:2].view(Longer), x=x, on=True, t=0)
    with pytest.raises(ArgumentError):
        m.copy.compile()(4, cells[:2].view(Longer), x, True, 0)
    assert not cells.any()
    m.copy.compile()(w=cells[:4].view(Longer), x=x, on=True, t=0)
    assert np.array_equal(cells[:4], x)
    for w in ([[1, 2], [3]], [[1, 2], 3]):
        with pytest.raises(ArgumentError, match="`w` is no array"):
            m.copy.run(w=w, x=x, on=True, t=0)


def test_a_schedule_computes_what_its_definition_does(matmul: Procedure) -> None:
    p = rewright.divide_loop(matmul, "i", 4, ["io", "ii"], tail="perfect")
    p = rewright.stage_mem(p, p.find_loop("l"), "C[4 * io + ii, j]", "acc")
    rng = np.random.default_rng(1)
    A, B = rng.random((16, 5), np.float32), rng.random((5, 16), np.float32)
    C = np.zeros((16, 16), np.float32)
    p.compile()(16, 16, 5, C, A, B)
    assert np.allclose(C, A @ B) and np.array_equal(matmul.run(16, 16, 5, C * 0, A, B)["C"], C)


def test_zeros_have_signs() -> None:
    p = rewright.module("@proc\ndef p(y: f32[3], x: f32[1]):\n    y[0] = -0.0\n    y[1] = 1.0 / -0.0\n    y[2] = x[0]\n").p
    given = np.array([-0.0], np.float32)
    run = p.run(y=np.ones(3, np.float32), x=given)["y"]
    made = np.ones(3, np.float32)
    p.compile()(made, given)
    for found in (run, made):
        assert list(np.signbit(found)) == [True, True, True] and np.isneginf(found[1])


def test_numbers_of_too_many_digits_are_a_limit() -> None:
    squares = rewright.module(
        """
@proc
def squares(n: size, x: f32):
    for i in seq(0, n):
        x = x * x
"""
    ).squares
    assert squares.run(5, np.array(3.0, np.float32))["x"] == 3**32
    with pytest.raises(LimitError, match="too many digits"):
        squares.run(13, np.array(3.0, np.float32), domain="exact")
