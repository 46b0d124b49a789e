"""The primitives as functions. Spec: [rule: python.primitives], [rule: python.errors]."""

from __future__ import annotations

import inspect
import pydoc
import subprocess
import sys
from pathlib import Path

import pytest

import rewright
from rewright import Procedure, SchedulingError, _rewright, primitives

ROOT = Path(__file__).resolve().parents[2]


def test_what_is_generated_is_up_to_date() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "python" / "generate.py"), "--check"], check=False)
    assert done.returncode == 0, "run `python python/generate.py`"


def test_every_primitive_is_a_function_of_the_registrys_parameters() -> None:
    rows = _rewright.registry()
    assert len(rows) >= 59 and sorted(primitives.__all__) == sorted(row["name"] for row in rows)
    for row in rows:
        function = getattr(rewright, row["name"])
        params = list(inspect.signature(function).parameters.values())
        assert params[0].name == "proc"
        if row["name"] == "partial_eval":
            continue
        assert [p.name for p in params[1:]] == [p["name"] for p in row["params"]]
        for param, told in zip(params[1:], row["params"]):
            default = [] if param.default is param.empty else [param.default]
            assert default == (told["default"] or []), (row["name"], param)
        for condition in row["conditions"]:
            assert f"\n      {condition['id']}: " in "\n    " + pydoc.render_doc(function), row["name"]


def test_help_reads_well() -> None:
    text = pydoc.plain(pydoc.render_doc(rewright.divide_loop))
    for words in (
        "divide_loop(",
        "tail: \"Literal['guard', 'cut', 'cut_and_guard', 'perfect']\" = 'guard'",
        "Splits a loop into two nested ones, the inner one of constant length.",
        "~> guard            for io in seq(0, (I + c - 1) / c):",
        "tail: one of `'guard'`, `'cut'`, `'cut_and_guard'`, `'perfect'`",
        "divides: the length of the loop is a multiple of the factor",
        "would lose one",
        "Source: ASPLOS'25 App. A.1; spec/primitives/divide_loop.md",
    ):
        assert words in text, words


def test_arguments_of_every_kind() -> None:
    m = rewright.module(
        """
@config
class Cfg:
    k: index

@instr("zero({x_data});")
def zero(x: [f32][4]):
    for i in seq(0, 4):
        x[i] = 0.0

@proc
def p(n: size, x: f32[n, 4], y: f32[n, 4]):
    for i in seq(0, n):
        t: f32[4]
        for j in seq(0, 4):
            t[j] = 0.0
        for j in seq(0, 4):
            x[i, j] = t[j] * 2.0 + y[i, j]
"""
    )
    p: Procedure = m.p
    q = rewright.expand_dim(p, "t", "n", "i")
    q = rewright.rearrange_dim(q, q.find("t: _"), [1, 0])
    q = rewright.set_precision(q, "t", rewright.ExoType.F64)
    q = rewright.set_memory(q, "t", rewright.DRAM_STATIC)
    q = rewright.set_precision(rewright.set_memory(q, "t", "DRAM"), "t", "f32")
    assert "t: f32[4, n]\n" in str(q).replace(" @ DRAM\n", "\n")
    q = rewright.write_config(p, p.find_loop("i").before(), m.Cfg, "k", "n - 1")
    assert "Cfg.k = n - 1" in str(q)
    q = rewright.replace(p, p.find_loop("j"), m.zero)
    assert "zero(t[0:4])" in str(q)
    assert str(rewright.replace_all(p, [m.zero])) == str(q)
    fixed = p.partial_eval(8)
    assert str(fixed) == str(p.partial_eval(n=8)) == str(rewright.partial_eval(p, n=8))
    made, extracted = rewright.extract_subproc(p, p.find_loop("j"), "clear")
    assert extracted.name() == "clear" and "clear(" in str(made)
    two = rewright.divide_loop(p, "i", 2, ("a", "b"), tail="guard")
    assert str(rewright.rewrite_expr(two, "2 * a + b", "b + 2 * a")) != str(two)
    assert str(rewright.cut_loop(p, "i", 1)) == str(rewright.cut_loop(p, "i", "1"))


def test_a_refusal_has_its_data(matmul: Procedure) -> None:
    with pytest.raises(SchedulingError) as refused:
        rewright.divide_loop(matmul, "l", 4, ["lo", "li"], tail="perfect")
    e = refused.value
    assert (e.primitive, e.condition, e.rewright_condition) == ("divide_loop", "divides", "divide_loop.divides")
    assert e.found == "refuted" and e.counterexample["k"] % 4 != 0 and e.advice and "cut" in e.advice
    assert "divide_loop" in str(e) and f"k = {e.counterexample['k']}" in str(e)

    p = rewright.module(
        "@proc\ndef p(n: size, x: f32[n + 1]):\n    for i in seq(0, n):\n        x[i] = x[i + 1]\n", "shift.py"
    ).p
    with pytest.raises(SchedulingError) as refused:
        rewright.parallelize_loop(p, "i")
    e = refused.value
    assert e.cell is not None and e.cell[0] == "x" and e.places
    assert e.places[0]["file"] == "shift.py" and e.places[0]["line"] in (3, 4)
    assert "shift.py:" in str(e) and "x[i] = x[i + 1]" in str(e)


def test_wrong_arguments_are_type_errors_and_value_errors(matmul: Procedure) -> None:
    loop = matmul.find_loop("i")
    for wrong in (
        lambda: rewright.divide_loop(matmul, loop, 0, ["a", "b"]),
        lambda: rewright.divide_loop(matmul, loop, 4, ["a"]),
        lambda: rewright.divide_loop(matmul, loop, 4, ["a", "b"], tail="none"),
        lambda: rewright.divide_loop(matmul, loop, "four", ["a", "b"]),  # type: ignore[arg-type]
        lambda: rewright.set_memory(matmul, "C", "NOWHERE"),
        lambda: rewright.divide_loop(matmul, loop, 1 << 70, ["a", "b"]),
    ):
        with pytest.raises(rewright.ArgumentError) as refused:
            wrong()
        assert isinstance(refused.value, TypeError) and isinstance(refused.value, ValueError)
    with pytest.raises(TypeError):
        rewright.divide_loop(matmul)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        rewright.divide_loop("matmul", "i", 4, ["a", "b"])  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        rewright.divide_loop(matmul, object(), 4, ["a", "b"])  # type: ignore[arg-type]
