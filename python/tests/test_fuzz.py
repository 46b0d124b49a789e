"""Wrong arguments through every public name: exceptions of Python, and nothing else."""

from __future__ import annotations

import inspect
import random
from typing import Any, Callable, Iterator, List, Tuple

import numpy as np
import pytest

import rewright
from rewright import Procedure, RewrightInternalError, _rewright, cursors

OTHER = """
@config
class Cfg:
    k: index

@proc
def other(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        t: f32
        t = x[i]
        if i > 2:
            y[i] += t * 2.0
        else:
            Cfg.k = 3
"""


class Strange:
    """An object with everything in the wrong place."""

    _raw = 7

    def __index__(self) -> int:
        raise RuntimeError("no")


def values(p: Procedure, old: Procedure, other: rewright.Module) -> List[Any]:
    """Arguments that are mostly wrong."""
    itself: List[Any] = []
    itself.append(itself)
    q = other.other
    places = [
        *p.find_all("_ += _"),
        p.find_loop("i"),
        p.body(),
        p.find_loop("l").before(),
        p.find("A[_]"),
        p.args()[0],
        old.find_loop("i"),
        q.find_loop("i"),
        q.find("t: _"),
        q.body()[0].body(),
        p.body()[0].parent(),
    ]
    return [
        *(None, True, False, 0, 1, -1, 2, 8, 1 << 40, -(1 << 63), 1 << 63, 1 << 200, 0.5, -0.0, float("nan"), float("inf")),
        *("", "i", "j", "i j", "C", "C[_] += _", "for i in _: _", "x #9", "_", "\0", "\ud800", "é", "n - 1", "a b", "(" * 5000),
        *("f32", "R", "DRAM", "C[0:4, 0]", "n > 0", "for", "guard", "Cfg.k", b"i", "i" * 100_000),
        *([], ["a", "b"], ("a", "b"), ["a", 3], [None], [["a"]], {}, {"n": 8}, {1: 2}, {"n"}, itself, range(3), slice(1)),
        *(object(), Strange(), int, print, rewright, ..., NotImplemented, np.int64(4), np.float32(2), np.zeros(3), 1j),
        *(p, old, q, other, other.Cfg, rewright.DRAM, rewright.ExoType.F64, rewright.externs.sin),
        *places,
        *(p._raw, p.body()._raw),
    ]


def functions(p: Procedure, other: rewright.Module) -> Iterator[Tuple[str, Callable[..., Any]]]:
    """Every public function, and every method of every sort of object."""
    for name in rewright.__all__:
        found = getattr(rewright, name)
        if callable(found) and not (isinstance(found, type) and issubclass(found, Exception)):
            yield name, found
    for name in cursors.__all__:
        yield name, getattr(cursors, name)
    q = other.other
    objects = [p, q, other, other.Cfg, rewright.DRAM, rewright.externs.sin, rewright.ExoType.F32]
    objects += [q.body(), *q.body(), *q.body()[0].body(), q.find("t * 2.0"), q.find("2.0"), q.find("i > 2"), q.args()[0]]
    objects += [q.body().before(), q.body()[0].parent()]
    for of in objects:
        for name in dir(of):
            if name.startswith("_") and name not in ("__getitem__", "__eq__", "__hash__", "__str__", "_repr_html_"):
                continue
            try:
                found = getattr(of, name)
            except Exception as e:
                allowed(e)
                continue
            if callable(found):
                yield f"{type(of).__name__}.{name}", found
    for name, found in vars(_rewright).items():
        if callable(found):
            yield f"_rewright.{name}", found


def allowed(e: BaseException) -> None:
    """An exception of Python, that is no bug of ours."""
    assert isinstance(e, Exception) and not isinstance(e, (RewrightInternalError, AssertionError, SystemError)), repr(e)


@pytest.mark.parametrize("seed", range(3))
def test_wrong_arguments_are_exceptions(
    matmul: Procedure, seed: int, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = random.Random(seed)
    other = rewright.module(OTHER)
    p = rewright.divide_loop(matmul, "i", 4, ["io", "ii"], tail="perfect")
    p = rewright.rename(rewright.reorder_loops(p, "ii j"), "p")
    p = rewright.divide_loop(p, "j", 2, ["i", "jj"], tail="perfect")
    pool = values(p, matmul, other)
    calls = 0
    for name, function in functions(p, other):
        if name.endswith((".compile", ".run", "equiv", "compilers", ".build")) and seed:
            continue
        try:
            params = len(inspect.signature(function).parameters)
        except (ValueError, TypeError):
            params = 3
        for _ in range(25):
            args = [rng.choice(pool) for _ in range(rng.randint(0, params + 1))]
            if args and rng.random() < 0.7:
                args[0] = p
            named = {rng.choice(["tail", "proc", "n", "pattern", "many", "scope"]): rng.choice(pool)} if rng.random() < 0.1 else {}
            calls += 1
            try:
                function(*args, **named)
            except BaseException as e:
                allowed(e)
    assert calls > 2_000


def test_every_primitive_takes_every_argument(matmul: Procedure) -> None:
    rng = random.Random(7)
    other = rewright.module(OTHER)
    p = rewright.divide_loop(matmul, "j", 2, ["jo", "i"], tail="perfect")
    pool = values(p, matmul, other)
    refused = made = 0
    for row in _rewright.registry():
        function = getattr(rewright, row["name"])
        for _ in range(150):
            args = [rng.choice(pool) for _ in row["params"]]
            try:
                function(rng.choice([p, matmul, other.other]), *args)
                made += 1
            except BaseException as e:
                allowed(e)
                refused += 1
    assert made > 20 and refused > 2_000, (made, refused)
