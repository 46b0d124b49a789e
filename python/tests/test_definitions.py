"""Definitions: functions, classes and texts. Spec: [rule: python.definitions], [rule: python.scope]."""

from __future__ import annotations

import linecache
from typing import Any, Dict

import pytest

import rewright
from rewright import DRAM, Config, Memory, Procedure, config, instr, module, proc
from rewright.externs import sin
from rewright.machines import AVX512, mm512_loadu_ps

N = 16
HALF = 0.5
ON = True
WHERE = DRAM


def test_a_function_is_read_with_the_names_around_it() -> None:
    inner = 3

    def make(step: int) -> Procedure:
        @proc
        def p(n: size, x: f32[n, N] @ WHERE, y: f32[n, N]):
            for i in seq(0, n):
                for j in seq(0, N - step):
                    if ON:
                        x[i, j + inner] = HALF * sin(y[i, j])

        return p

    p = make(inner + 1)
    assert str(p) == (
        "@proc\n"
        "def p(n: size, x: f32[n, 16] @ DRAM, y: f32[n, 16] @ DRAM):\n"
        "    for i in seq(0, n):\n"
        "        for j in seq(0, 16 - 4):\n"
        "            if True:\n"
        "                x[i, j + 3] = 0.5 * sin(y[i, j])\n"
    )


def test_names_of_types_and_names_behind_a_helper_are_found() -> None:
    columns, shift = 5, 2

    @proc
    def p(n: size, x: f32[n, columns], y: f32[n, columns]):
        for i in seq(0, n):
            x[i, 0] = y[i, 0]

    assert "x: f32[n, 5]" in str(p) and "y: f32[n, 5]" in str(p)

    def read(definition: Any) -> Procedure:
        return proc(definition)

    @read
    def q(x: f32[4]):
        x[shift] = 0.0

    assert "x[2] = 0.0" in str(q)


def test_what_a_function_binds_hides_what_is_around_it() -> None:
    n, x, t, i = 7, 8, 9, 10

    @proc
    def p(n: size, x: f32[n]):
        t: f32
        for i in seq(0, n):
            t = x[i]
            x[i] = t + t

    assert "for i in seq(0, n):" in str(p) and "t = x[i]" in str(p)
    assert (n, x, t, i) == (7, 8, 9, 10)


def test_procedures_configurations_and_memories_are_meant_not_named() -> None:
    @config
    class Cfg:
        stride: size
        scale: f32

    State = Cfg

    @instr("set({n});")
    def set_stride(n: size):
        State.stride = n

    other = rewright.rename(set_stride, "something_else")

    @proc
    def p(n: size, x: [f32][n] @ DRAM):
        set_stride(n)
        other(n)
        for i in seq(0, n):
            x[i] = State.scale

    assert isinstance(Cfg, Config) and Cfg.fields() == {"stride": "size", "scale": "f32"}
    assert [c.name() for c in p.body()[:2]] == ["set_stride", "something_else"]
    assert p.body()[1].subproc().get_instr() == "set({n});"

    @proc
    def q(x: f32[16], y: f32[16] @ AVX512):
        mm512_loadu_ps(y, x[0:16])

    assert q.body()[0].subproc() == q.body()[0].subproc() or q.body()[0].name() == "mm512_loadu_ps"
    assert q.find_alloc_or_arg("y").mem() == AVX512


def test_an_instruction_has_a_computed_text() -> None:
    lanes = 8

    @instr(f"fill_{lanes}({{x_data}});", "#include <fill.h>")
    def fill(x: [f32][lanes] @ DRAM):
        for i in seq(0, lanes):
            x[i] = 0.0

    assert fill.is_instr() and fill.get_instr() == "fill_8({x_data});"
    assert '@instr("fill_8({x_data});", "#include <fill.h>")' in str(fill)


def test_errors_show_the_line_of_the_file() -> None:
    with pytest.raises(rewright.ProgramError) as refused:

        @proc
        def p(n: size, x: f32[n]):
            for i in seq(0, n):
                x[i + 1] = 0.0  # HERE

    lines = linecache.getlines(__file__)
    line = next(k for k, text in enumerate(lines, 1) if text.endswith("# HERE\n"))
    [found] = refused.value.findings
    assert found["rule"] == "bounds.access"
    assert (found["place"]["file"], found["place"]["line"]) == (__file__, line)
    assert found["place"]["text"] == "i + 1"
    assert f"{__file__}:{line}:" in str(refused.value)
    assert isinstance(refused.value, TypeError), "as Exo's"


def test_places_are_those_of_the_file_where_a_function_is_indented() -> None:
    with pytest.raises(rewright.ProgramError) as refused:
        if ON:

            @proc
            def p(n: size, x: f32[n]):
                for i in seq(0, n):
                    x[i + 1] = 0.0

    place = refused.value.findings[0]["place"]
    line = linecache.getline(__file__, place["line"]).rstrip("\n")
    assert line[place["column"] - 1 :].startswith("i + 1] = 0.0")
    assert f"{place['line']} | {line}" in str(refused.value)
    assert f"{__file__}:{place['line']}:{place['column']}" in str(refused.value)


def test_what_is_not_understood_is_a_parse_error() -> None:
    with pytest.raises(rewright.ParseError, match="z"):

        @proc
        def p(n: size, x: f32[n]):
            for i in seq(0, n):
                x[i] = z[i]

    with pytest.raises(rewright.ParseError):
        module("@proc\ndef p(:\n")
    with pytest.raises(rewright.ParseError, match="cannot be found"):
        proc(eval("lambda x: x"))
    with pytest.raises(TypeError):
        proc(3)  # type: ignore[arg-type]


def test_a_cell_of_a_notebook_is_read() -> None:
    text = "@proc\ndef p(n: size, x: f32[n]):\n    for i in seq(0, n):\n        x[i] = TWO\n"
    text = "from __future__ import annotations\nTWO = 2.0\n" + text
    name = "<ipython-input-1>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names: Dict[str, Any] = {"proc": proc}
    exec(compile(text, name, "exec"), names)
    assert "x[i] = 2.0" in str(names["p"])


def test_a_text_has_its_definitions_by_name(tmp_path: Any) -> None:
    text = (
        "@config\nclass Cfg:\n    k: index\n\n"
        "class ACC(Memory):\n    @classmethod\n    def alloc(cls, new_name, prim_type, shape, srcinfo):\n"
        '        return f"{prim_type} {new_name}[16];"\n\n'
        "@proc\ndef p(x: f32[16] @ DRAM):\n    t: f32[16] @ ACC\n    for i in seq(0, LANES):\n        t[i] = x[i]\n"
        "q = rename(p, 'q')\n"
    )
    m = module(text, scope={"LANES": 16})
    assert list(m) == ["ACC", "Cfg", "p"]
    assert isinstance(m.p, Procedure) and isinstance(m["Cfg"], Config) and isinstance(m.ACC, Memory)
    moved = rewright.set_memory(m.p, "t", DRAM)
    assert rewright.set_memory(moved, "t", m.ACC).find("t: _").mem() == m.ACC
    path = tmp_path / "m.py"
    path.write_text(text.replace("LANES", "8"))
    assert "seq(0, 8)" in str(rewright.load(path).p)
    with pytest.raises(AttributeError):
        m.nothing
