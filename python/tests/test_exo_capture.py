"""What ``@proc``, ``@instr`` and ``@config`` read: the scopes of Exo. The expectations are what Exo 1.0.0 does. Spec:
[rule: python.exo-scope]."""

from __future__ import annotations

import pytest
from rewright import exo
from rewright.exo import DRAM, Memory, config, instr, proc
from rewright.exo.core.configs import Config
from rewright.exo.frontend.pyparser import ParseError
from rewright.exo.libs import memories
from rewright.exo.libs.memories import AVX512

WIDTH = 4


def test_locals_of_the_caller_come_before_globals() -> None:
    def make(width: int):
        WIDTH = width

        @proc
        def clear(x: f32[WIDTH]):
            for i in seq(0, WIDTH):
                x[i] = 0.0

        return clear

    assert str(make(8)) == (
        "def clear(x: f32[8] @ DRAM):\n    for i in seq(0, 8):\n        x[i] = 0.0"
    )

    @proc
    def clear(x: f32[WIDTH]):
        x[3] = 0.0

    assert "f32[4]" in str(clear)


def test_a_function_may_be_given_as_it_is() -> None:
    value = 2.5

    def fill(x: f32[4]):
        for i in seq(0, 4):
            x[i] = value

    assert "x[i] = 2.5" in str(proc(fill))
    with pytest.raises(TypeError):
        proc(3)  # type: ignore[arg-type]


def test_memories_are_expressions() -> None:
    table = {"regs": AVX512}

    @proc
    def p(x: f32[16] @ memories.DRAM_STACK):
        t: f32[16] @ table["regs"]
        u: f32[16] @ memories.MDRAM
        x[0] = 0.0

    assert p.find("t: _").mem() is AVX512
    assert [p.find(f"{n}: _").mem().name() for n in "tu"] == ["AVX512", "MDRAM"]
    assert p.args()[0].mem() is memories.DRAM_STACK
    assert "x: f32[16] @ DRAM_STACK" in str(p) and "t: f32[16] @ AVX512" in str(p)


def test_two_memories_of_one_name_are_two() -> None:
    def make(word: str):
        class Mine(DRAM):
            @classmethod
            def alloc(cls, new_name, prim_type, shape, srcinfo):
                return f"{prim_type} *{new_name} = {word}({shape[0]});"

        return Mine

    one, two = make("first"), make("second")

    @proc
    def p(x: f32[4]):
        t: f32[4] @ one
        u: f32[4] @ two
        t[0] = 1.0
        u[0] = t[0]
        x[0] = u[0]

    assert p.find("t: _").mem() is one and p.find("u: _").mem() is two
    assert str(p).count("@ Mine") == 2
    code = p.c_code_str()
    assert "t = first(4);" in code and "u = second(4);" in code


def test_instructions_are_made_by_functions() -> None:
    def load(width: int, word: str):
        @instr(f"{word}{width}({{dst_data}}, {{src_data}}, {{dst_int}});", f"#include <{word}.h>")
        def mine(dst: [f32][width] @ AVX512, src: [f32][width]):
            for i in seq(0, width):
                dst[i] = src[i]

        return mine

    ld = load(16, "ld")
    assert ld.is_instr() and ld.get_instr() == "ld16({dst_data}, {src_data}, {dst_int});"
    assert str(ld).split("\n")[1] == "    # @instr ld16({dst_data}, {src_data}, {dst_int});"

    @proc
    def p(x: f32[16]):
        t: f32[16] @ AVX512
        ld(t[0:16], x[0:16])

    code = p.c_code_str()
    assert "ld16(t, x[0], t);" in code and "#include <ld.h>" in code


def test_what_braces_stand_for_is_asked_at_a_call() -> None:
    @instr("f({dst_data}, {nothing});")
    def odd(dst: [f32][4]):
        for i in seq(0, 4):
            dst[i] = 0.0

    @proc
    def p(x: f32[4]):
        odd(x[0:4])

    with pytest.raises(Exception, match="nothing"):
        p.c_code_str()
    with pytest.raises(TypeError):
        instr(3)  # type: ignore[arg-type]


def test_configurations_are_made_by_functions() -> None:
    def make():
        @config
        class Cfg:
            scale: f32
            n: index

        return Cfg

    one, two = make(), make()
    assert isinstance(one, Config) and isinstance(one, exo.Config)
    assert one.has_field("scale") and not one.has_field("nothing")

    @proc
    def p(x: f32[4]):
        one.scale = 2.0
        for i in seq(0, 4):
            x[i] = x[i] * one.scale

    found = p.find("Cfg.scale = _")
    assert found.config() == one and found.field() == "scale"

    def both():
        @proc
        def p(x: f32):
            one.scale = 1.0
            two.scale = 2.0
            x = one.scale

    # Exo says so when it makes C, and takes the two statements for exchangeable until then.
    with pytest.raises(TypeError, match="multiple configs named Cfg: `one` and `two` are two"):
        both()


@pytest.mark.parametrize("number", [0, 1, 2])
def test_what_is_not_understood_is_a_parse_error(number: int) -> None:
    def undefined():
        @proc
        def p(x: f32[4]):
            x[0] = nowhere + 1.0

    def untyped():
        @proc
        def p(x):
            pass

    def result():
        @proc
        def p(x: f32[4]) -> int:
            pass

    with pytest.raises(ParseError):
        [undefined, untyped, result][number]()


def test_what_exo_refuses_is_a_type_error() -> None:
    def outside():
        @proc
        def p(x: f32[4]):
            x[5] = 1.0

    # Rewright's own front end takes these two: such loops do not run, and no state satisfies these assertions.
    def backwards():
        @proc
        def p(n: size):
            for i in seq(0, n - 3):
                pass

    def contradictory():
        @proc
        def p(n: size, x: f32[n]):
            assert n > 3
            assert n < 2
            x[0] = 0.0

    for refused in (outside, backwards, contradictory):
        with pytest.raises(TypeError):
            refused()


def test_a_configuration_stays_equal_to_that_of_a_cursor() -> None:
    def made() -> Config:
        @config
        class Cfg:
            k: index

        return Cfg

    def setting(of: Config) -> exo.Procedure:
        @proc
        def p(x: f32):
            of.k = 3

        return p

    one = made()
    p = setting(one)
    assert p.body()[0].config() is one
    # Another of the same name and fields is the same state.
    other = made()
    setting(other)
    assert p.body()[0].config() == one == other


def test_memories_are_not_values() -> None:
    assert issubclass(AVX512, Memory) and AVX512.name() == "AVX512" and str(AVX512) == "<class 'exo.libs.memories.AVX512'>"


def test_findings_are_at_the_places_of_the_file() -> None:
    with pytest.raises(TypeError) as refused:

        @proc
        def p(x: f32[4]):
            x[5] = 1.0

    place = refused.value.findings[0]["place"]
    line = open(__file__).read().split("\n")[place["line"] - 1]
    assert line[place["column"] - 1 :].startswith(place["text"]) and place["text"] == "5"
    assert f"{place['line']} | {line}" in str(refused.value)
