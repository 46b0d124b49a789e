"""Quotes: Python in programs, and programs in that Python. Spec: [rule: python.exo-quotes]."""

from __future__ import annotations

import pytest
from rewright.exo import DRAM, proc
from rewright.exo.frontend.pyparser import ParseError


def body(p) -> str:
    return str(p).split("\n", 1)[1]


def test_values_of_python_in_a_program() -> None:
    width = 4
    rate = -2.5

    @proc
    def p(x: f32[{width * 2}]):
        for i in seq(0, {width + 4}):
            x[i] = {rate} * x[{width - 4}]

    assert str(p) == (
        "def p(x: f32[8] @ DRAM):\n    for i in seq(0, 8):\n        x[i] = -2.5 * x[0]"
    )


def test_statements_are_chosen() -> None:
    def make(unrolled: bool):
        @proc
        def p(x: f32[4]):
            with python:
                if unrolled:
                    for k in range(2):
                        with exo:
                            x[{k}] = 1.0
                else:
                    with exo:
                        for i in seq(0, 2):
                            x[i] = 1.0

        return p

    assert body(make(True)) == "    x[0] = 1.0\n    x[1] = 1.0"
    assert body(make(False)) == "    for i in seq(0, 2):\n        x[i] = 1.0"


def test_functions_of_python_make_statements_where_they_are_called() -> None:
    @proc
    def p(x: f32[8], y: f32[8]):
        for i in seq(0, 8):
            with python:

                def twice(e):
                    return ~{{e} + {e}}

                with exo:
                    x[i] = {twice(~{y[i]})}

    assert body(p) == "    for i in seq(0, 8):\n        x[i] = y[i] + y[i]"


def test_expressions_are_quoted_and_put_in() -> None:
    @proc
    def p(a: f32, b: f32):
        with python:

            def plus(l, r):
                return ~{{l} + {r}}

            total = plus(a, ~{b * 2.0})
            with exo:
                a = {total}
                b = {plus(total, total)}

    assert body(p) == "    a = a + b * 2.0\n    b = a + b * 2.0 + (a + b * 2.0)"


def test_statements_for_later() -> None:
    @proc
    def p(a: f32, b: f32):
        with python:
            with exo as add:
                a += b
            with exo:
                {add}
                b = 0.0
                {add}

    assert body(p) == "    a += b\n    b = 0.0\n    a += b"


def test_python_in_program_in_python() -> None:
    @proc
    def p(x: f32[4, 4]):
        with python:
            for k in range(2):
                with exo:
                    for i in seq(0, 4):
                        with python:
                            for l in range(2):
                                with exo:
                                    x[i, {2 * k + l}] = {float(l)}

    assert body(p).count("for i in seq(0, 4):") == 2
    assert "x[i, 3] = 1.0" in body(p) and "x[i, 0] = 0.0" in body(p)


def test_indices_and_windows() -> None:
    at = (slice(0, 4), 2)

    @proc
    def q(y: [f32][4]):
        y[0] = 1.0

    @proc
    def p(x: f32[4, 4]):
        q(x[{at}])
        w = x[{slice(1, 3)}, 0]
        w[0] = x[{(1, 2)}]

    assert body(p) == "    q(x[0:4, 2])\n    w = x[1:3, 0]\n    w[0] = x[1, 2]"


def test_each_python_is_a_scope_of_its_own() -> None:
    def make():
        @proc
        def p(a: f32):
            with python:
                inside = 3.0
            with python:
                with exo:
                    a = {inside}

        return p

    with pytest.raises(NameError):
        make()


def test_types_and_memories_are_values() -> None:
    typ, mem = "f64", DRAM

    @proc
    def p(x: {typ}[4] @ {mem}):
        t: {typ} @ {mem}
        t = x[0]
        x[1] = t

    assert "x: f64[4] @ DRAM" in str(p) and "t: f64 @ DRAM" in str(p)


def test_what_is_nothing_in_a_program_is_a_parse_error() -> None:
    def make():
        thing = object()

        @proc
        def p(a: f32):
            a = {thing}

        return p

    with pytest.raises(ParseError, match="object"):
        make()


def place_of(e: SyntaxError) -> str:
    """The text that an error of Python's points at."""
    assert e.filename == __file__ and e.text and e.offset
    return e.text[e.offset - 1 :].strip()


def test_what_python_in_a_program_cannot_do_is_a_syntax_error_at_its_place() -> None:
    def returns():
        @proc
        def p(a: f32):
            with python:
                if True:
                    return 3

    def yields():
        @proc
        def p(a: f32):
            with python:
                yield 3

    def assigns():
        outside = 3

        @proc
        def p(a: f32):
            with python:
                nonlocal outside
                outside = 4

    for make, word, text in (
        (returns, "'return' in `with python:`", "return 3"),
        (yields, "'yield' in `with python:`", "yield 3"),
        (assigns, "'outside' found: `with python:` reads the variables", "nonlocal outside"),
    ):
        with pytest.raises(SyntaxError, match=word) as refused:
            make()
        assert place_of(refused.value) == text


def test_functions_in_python_in_a_program_return_and_assign() -> None:
    @proc
    def p(a: f32):
        with python:
            count = 0

            def counted():
                nonlocal count
                count += 1
                return count

            with exo:
                a = {float(counted())} * {float(counted())}

    assert body(p) == "    a = 1.0 * 2.0"


def test_what_python_in_a_program_raises_is_told_with_the_place_in_the_file() -> None:
    def make():
        @proc
        def p(a: f32):
            with python:
                divided = 1 // 0

    with pytest.raises(ZeroDivisionError) as refused:
        make()
    entry = refused.traceback[-1]
    assert str(entry.path) == __file__ and str(entry.statement).strip() == "divided = 1 // 0"
