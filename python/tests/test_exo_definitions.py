"""What is raised for a definition that is wrong. The classes are Exo 1.0.0's. Spec: [rule: python.exo-scope]."""

from __future__ import annotations

import linecache
from typing import Any, Type

import pytest
from rewright.exo import DRAM, SchedulingError, compile_procs_to_strings, config, proc
from rewright.exo.frontend.pyparser import ParseError


@config
class Cfg:
    a: f32


@proc
def copied(x: [f32][4], y: [f32][4]):
    for i in seq(0, 4):
        x[i] = y[i]


def defined(head: str, body: str) -> Any:
    """What is defined by a text, as if it stood in a file."""
    text = f"from __future__ import annotations\n@proc\ndef p({head}):\n    {body}\n"
    name = f"<definition {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    scope = {"proc": proc, "Cfg": Cfg, "copied": copied, "DRAM": DRAM, "ten": 10, "__name__": name}
    exec(compile(text, name, "exec"), scope)
    return scope["p"]


HEAD = "n: size, a: f32, b: bool, x: f32[n], z: f32[8]"


@pytest.mark.parametrize(
    ("body", "raised"),
    [
        ("x[i] = 1.0", ParseError),
        ("n = 3", ParseError),
        ("t: [f32][4]", ParseError),
        ("x.y = 1.0", ParseError),
        ("print(x)", ParseError),
        ("Cfg = 1.0", ParseError),
        ("while n > 2: pass", ParseError),
        ("y = 1.0", TypeError),
        ("x[0] = 'a'", TypeError),
        ("x[0] = None", TypeError),
        ("t: f32 @ ten", TypeError),
        ("b = True", TypeError),
        ("x[n] = 1.0", TypeError),
        ("copied(z[0:4], z[0:4], z[0:4])", TypeError),
        ("t: f32 @ FOO", NameError),
        ("nope(n)", NameError),
        ("x[0] = nope(n)", NameError),
        ("Nope.a = 1.0", NameError),
        ("copied(z[0:4], z[2:6])", SchedulingError),
    ],
)
def test_wrong_definitions(body: str, raised: Type[Exception]) -> None:
    with pytest.raises(raised) as found:
        defined(HEAD, body)
    others = {ParseError, TypeError, NameError, SchedulingError} - {raised}
    assert not isinstance(found.value, tuple(others)) and "-->" in str(found.value)


def test_heads_are_printed_as_exo_prints_them() -> None:
    assert str(defined("s: stride, b: bool, n: size", "pass")).startswith("def p(s: stride @ DRAM, b: bool @ DRAM, n: size):")


def test_two_procedures_of_one_name_have_no_c() -> None:
    def writer(value: float) -> Any:
        @proc
        def g(x: f32[4]):
            for i in seq(0, 4):
                x[i] = value

        return g

    one, two = writer(1.0), writer(2.0)

    @proc
    def both(x: f32[4]):
        one(x)
        two(x)

    @proc
    def same(x: f32[4]):
        one(x)
        one(x)

    with pytest.raises(TypeError, match="multiple procs named g"):
        both.c_code_str()
    with pytest.raises(TypeError, match="multiple procs named g"):
        compile_procs_to_strings([one, two], "g.h")
    assert same.c_code_str().count("void g(") >= 1


def test_extents_of_arguments_have_the_names_of_their_classes() -> None:
    p = defined("n: size, x: f32[n, 2 * n, 3]", "pass")
    found = [type(extent).__name__ for extent in p.args()[1].shape()]
    assert found == ["ReadCursor", "BinaryOpCursor", "LiteralCursor"]
