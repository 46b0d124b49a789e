"""Quotes: Python in programs, and programs in that Python. Spec: [rule: python.exo-quotes]."""

from __future__ import annotations

import numpy as np
import pytest
from rewright.exo import DRAM, ExoType, config, proc
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


def test_a_quote_means_what_its_names_mean_where_it_is_written() -> None:
    @proc
    def loops(x: f32[4, 4]):
        with python:

            def row(k):
                with exo:
                    for i in seq(0, 4):
                        x[{k}, i] = 1.0

            with exo:
                for i in seq(0, 4):
                    with python:
                        row(~{i})

    assert body(loops) == "    for i in seq(0, 4):\n        for i_1 in seq(0, 4):\n            x[i, i_1] = 1.0"
    assert [loop.name() for loop in (loops.find_loop("i"), loops.find_loop("i #1"))] == ["i", "i"]

    @proc
    def temporaries(x: f32[8], y: f32[8]):
        with python:

            def square(e):
                with exo:
                    t: f32
                    t = {e}
                    y[0] += t * t

            with exo:
                t: f32
                t = x[1]
                with python:
                    square(~{t + 1.0})
                y[1] = t

    x, y = np.array([0, 3, 0, 0, 0, 0, 0, 0], np.float32), np.zeros(8, np.float32)
    left = temporaries.run(x, y)["y"]
    assert (left[0], left[1]) == (16, 3)

    @proc
    def arguments(a: f32, b: f32):
        with python:
            e = ~{a}
            with exo:
                a: f32
                a = 1.0
                b = {e} + a

    assert body(arguments).endswith("b = a + a_1")


def test_statements_for_later_mean_what_their_names_mean_where_they_are_written() -> None:
    @proc
    def p(x: f32[8]):
        t: f32
        t = x[0]
        with python:
            with exo as s:
                x[1] = t
            with exo:
                t: f32
                t = 5.0
                {s}
        x[2] = t

    left = p.run(np.arange(1, 9, dtype=np.float32))["x"]
    assert (left[1], left[2]) == (1, 1)


def test_what_a_piece_of_program_allocates_is_its_own() -> None:
    def make():
        @proc
        def p(x: f32[8]):
            with python:
                with exo:
                    t: f32
                    t = 5.0
            x[1] = t

    with pytest.raises(ParseError, match="no variable `t` is in scope") as refused:
        make()
    # The program with its quotes filled in is shown, and from which line of the file that is.
    line = make.__code__.co_firstlineno + 7
    assert "test_exo_quotes.py, quotes of `p` filled in:5" in str(refused.value) and f"x[1] = t  # line {line}" in str(refused.value)


def test_the_innermost_variable_is_meant_of_python_or_of_the_program() -> None:
    i, scale = 3, 4.0

    @proc
    def p(x: f32[8], scale: f32):
        for i in seq(0, 4):
            with python:
                at = i
                scale = 2.0
                with exo:
                    x[at] = scale
        x[0] = scale

    assert body(p) == "    for i in seq(0, 4):\n        x[i] = 2.0\n    x[0] = scale"


def test_names_of_python_need_no_braces() -> None:
    @config
    class Cfg:
        a: f32

    @proc
    def one(y: f32):
        y = 1.0

    @proc
    def p(n: size, x: f32[n]):
        with python:
            call, of, memory, typ = one, Cfg, DRAM, ExoType.F64

            def put(buffer, k):
                with exo:
                    buffer[k] = of.a
                    call(buffer[k])

            with exo:
                u: typ @ memory
                for i in seq(0, n):
                    with python:
                        put(x, i)

    p = str(p)
    assert "u: f64 @ DRAM" in p and "x[i] = Cfg.a" in p and "one(x[i])" in p


def test_what_python_gives_a_name_is_assigned_if_it_is_a_place() -> None:
    @proc
    def p(x: f32[8]):
        w = x[0:4]
        with python:
            first, part = ~{x[0]}, w
            with exo:
                first = 1.0
                part[1] += 2.0

    assert body(p) == "    w = x[0:4]\n    x[0] = 1.0\n    w[1] += 2.0"

    def number():
        @proc
        def p(a: f32):
            with python:
                b = 1
                with exo:
                    b = a

    with pytest.raises(ParseError, match=r"`1` is assigned, and is no variable"):
        number()


def test_numbers_of_numpy_are_numbers() -> None:
    half, two, yes = np.float32(0.5), np.int64(2), np.bool_(True)

    @proc
    def p(x: f32[4]):
        if {yes}:
            x[{two}] = {half} + {np.float64(1.5)}

    assert body(p) == "    if True:\n        x[2] = 0.5 + 1.5"


def refused(make) -> str:
    with pytest.raises(ParseError) as found:
        make()
    return str(found.value)


def test_what_stands_where_it_means_nothing_is_told_at_its_place() -> None:
    def number_as_statement():
        @proc
        def p(a: f32):
            {3}

    def nothing_as_statement():
        @proc
        def p(a: f32):
            {None}

    text = "a = 3.0"

    def text_as_statement():
        @proc
        def p(a: f32):
            {text}

    def text_as_expression():
        @proc
        def p(a: f32):
            a = {"a + 1.0"}

    def infinite():
        @proc
        def p(a: f32):
            a = {float("inf")}

    far = 2**70

    def large():
        @proc
        def p(a: f32):
            a = far

    def number_as_type():
        @proc
        def p(a: {3}):
            pass

    for make, words in (
        (number_as_statement, ":3: 3 is no statement"),
        (nothing_as_statement, ":3: None is no statement"),
        (text_as_statement, ":3: 'a = 3.0' is no statement"),
        (text_as_expression, ":3: 'a + 1.0' is nothing in a program, but a text"),
        (infinite, ":3: inf is no number of a program"),
        (large, ":1: `far` is 1180591620717411303424, which is no number"),
        (number_as_type, ":2: 3 is no type"),
    ):
        line, of = words.split(": ", 1)
        expected = f"test_exo_quotes.py:{make.__code__.co_firstlineno + int(line[1:])}: {of}"
        assert expected in refused(make), make.__name__


def test_statements_do_not_stand_where_an_expression_is_wanted() -> None:
    def make():
        @proc
        def p(a: f32):
            with python:

                def added():
                    with exo:
                        a += 1.0
                    return 2

                with exo:
                    a += {added()}

    with pytest.raises(TypeError, match="makes statements where an expression is wanted"):
        make()


def test_a_variable_may_have_the_name_of_a_number_that_no_program_has() -> None:
    v = 2**70

    @proc
    def p(x: f32[4], v: f32):
        x[0] = v

    assert body(p) == "    x[0] = v"
