"""Which variable a name means where programs and Python are quoted in each other. Spec: [rule: python.exo-quotes]."""

from __future__ import annotations

import sys
import types

import pytest
from rewright.exo import DRAM, config, instr, proc
from rewright.exo.frontend.pyparser import ParseError
from rewright.exo.stdlib.scheduling import inline

# ruff: noqa


def body(p) -> str:
    return str(p).split("\n", 1)[1]


def test_an_argument_is_assigned_after_another_variable_of_its_name() -> None:
    @proc
    def p(x: f32[8], a: f32):
        with python:

            def tmp(v):
                with exo:
                    a: f32
                    a = {v}
                    x[0] += a

            tmp(1.0)
        a = x[0]

    assert body(p).splitlines()[-1] == "    a = x[0]" and "x[0] += a_1" in body(p)


def test_definitions_of_one_name_are_two() -> None:
    def made(n):
        @instr("f%d({x_data});" % n)
        def load(x: [f32][4]):
            x[0] = {float(n)}

        return load

    loads = {4: made(1), 8: made(2)}

    @proc
    def p(x: f32[8]):
        with python:
            for n, load in loads.items():
                with exo:
                    load(x[{n - 4} : {n}])

    with pytest.raises(TypeError, match="multiple procs named load"):
        p.c_code_str()
    inlined = str(inline(inline(p, "load(_)"), "load(_)"))
    assert "x_1 = x[0:4]\n    x_1[0] = 1.0" in inlined and "x_2 = x[4:8]\n    x_2[0] = 2.0" in inlined

    def configured():
        @config
        class C:
            a: f32

        return C

    configs = [configured(), configured()]

    def both():
        @proc
        def p(x: f32[2]):
            {configs[0]}.a = x[0]
            x[1] = {configs[1]}.a

    with pytest.raises(TypeError, match="multiple configs named C"):
        both()


def test_docstrings_do_not_stand_in_the_way() -> None:
    @proc
    def p(x: f32[8]):
        """Two
        lines."""
        x[0] = {1.0}
        with python:
            with exo:
                """Another,
                of two."""
                x[1] = 2.0
        x[2] = {3.0}

    assert body(p) == "    x[0] = 1.0\n    x[1] = 2.0\n    x[2] = 3.0"


def test_functions_know_what_was_declared_where_they_were_made() -> None:
    @proc
    def p(x: f32[8]):
        with python:
            saved = []
            with exo:
                t: f32
                t = 0.0
                with python:

                    def added():
                        with exo:
                            t += 1.0

                    saved.extend([added, lambda: ~{t + 2.0}])
                x[0] = t
                t: f32
                t = 5.0
                with python:
                    saved[0]()
                x[1] = {saved[1]()}

    assert "    t += 1.0\n    x[1] = t + 2.0" in body(p)


def test_variables_of_lambdas_comprehensions_and_patterns_are_pythons() -> None:
    @proc
    def p(a: f32, k: size, w: f32, x: f32[8]):
        assert k < 8
        a = {(lambda a: ~{a * 2.0})(~{x[0]})}
        a = {[~{x[k]} for k in range(3)][1]}
        with python:
            ws = [w for w in range(2)]
            with exo:
                w = x[k]
            q = (lambda k: ~{{k}})(3)
            with exo:
                x[q] = w

    assert body(p).endswith("    a = x[0] * 2.0\n    a = x[1]\n    w = x[k]\n    x[3] = w")


@pytest.mark.skipif(sys.version_info < (3, 10), reason="`match` is Python 3.10's")
def test_names_in_patterns_are_pythons(tmp_path) -> None:
    import importlib.util

    text = '''
from __future__ import annotations
from rewright.exo import proc

@proc
def p(k: size, x: f32[8]):
    assert k < 8
    with python:
        match (1, 2):
            case (k, l):
                with exo:
                    x[k] = 1.0
                    x[l] = 2.0
'''
    (tmp_path / "patterns.py").write_text(text)
    spec = importlib.util.spec_from_file_location("patterns", tmp_path / "patterns.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert body(module.p).endswith("    x[1] = 1.0\n    x[2] = 2.0")


def test_what_a_block_allocates_is_not_assigned_after_it() -> None:
    def make():
        @proc
        def p(x: f32[8]):
            with python:
                with exo:
                    t: f32
                    t = 5.0
            t = x[0]

    with pytest.raises((ParseError, TypeError), match="`t`"):
        make()


def test_windows_in_statements_that_are_put_in_twice() -> None:
    @proc
    def unrolled(x: f32[8]):
        with python:
            for k in range(2):
                with exo:
                    w = x[{4 * k} : {4 * k + 4}]
                    w[0] = 1.0

    assert body(unrolled) == "    w = x[0:4]\n    w[0] = 1.0\n    w_1 = x[4:8]\n    w_1[0] = 1.0"

    @proc
    def twice(x: f32[8]):
        with python:
            with exo as q:
                w = x[0:4]
                w[0] += 1.0
            with exo:
                {q}
                {q}

    assert body(twice) == "    w = x[0:4]\n    w[0] += 1.0\n    w_1 = x[0:4]\n    w_1[0] += 1.0"

    @proc
    def of_a_cell(x: f32[4, 4]):
        y: [f32] = x[0, {1}]
        y = {1.0}

    assert body(of_a_cell) == "    y: [f32] = x[0, 1]\n    y = 1.0"


def test_memories_are_computed_beside_quotes() -> None:
    memories = [DRAM]

    @proc
    def p(x: f32 @ memories[0]):
        t: f32[4] @ memories[0]
        t[0] = {1.0}
        x = t[0]

    assert "t: f32[4] @ DRAM" in body(p)


def test_names_of_python_are_not_taken_for_the_programs() -> None:
    seed, pair = 2**64, (1, 2)
    one = types.SimpleNamespace(inner=types.SimpleNamespace(k=2))

    @proc
    def p(x: f32[4, 4, 4]):
        with python:
            best = float("inf")
            o = one
        x[{seed % 4}, 0, 0] = 1.0
        w = x[{pair}, 0:4]
        with python:
            o = one
            with exo:
                w[o.inner.k] = 2.0

    assert body(p) == "    x[0, 0, 0] = 1.0\n    w = x[1, 2, 0:4]\n    w[2] = 2.0"


def test_names_with_a_mark_stay_as_they_are_without_quotes() -> None:
    @proc
    def p(x·3: f32[4], x: f32):
        x·3[0] = x

    assert [a.name() for a in p.args()] == ["x·3", "x"]


def test_messages_have_the_names_that_were_written() -> None:
    def make():
        @proc
        def p(x: f32[4]):
            for i in seq(0, 4):
                with python:
                    k = ~{i}
                    with exo:
                        for i in seq(0, 4):
                            x[{k} + i] = 1.0

    with pytest.raises(TypeError, match="out of bounds") as refused:
        make()
    assert "·" not in str(refused.value) and "x[i + i] = 1.0  # line" in str(refused.value)


def told(make) -> str:
    with pytest.raises((ParseError, SyntaxError)) as found:
        make()
    return str(found.value)


def test_what_cannot_be_is_told() -> None:
    def orelse():
        @proc
        def p(x: f32[8]):
            for i in seq(0, 4):
                x[i] = {1.0}
            else:
                x[0] = {2.0}

    def step():
        @proc
        def p(x: f32[8]):
            w = x[{slice(0, 4, 2)}]

    def assigned():
        @proc
        def p(x: f32[8]):
            with python:
                global G
                G = 5

    def starred():
        @proc
        def p(x: f32[8]):
            x[{*(1, 2)}] = 1.0

    def several():
        @proc
        def p(x: f32[8]):
            with python:
                q = ~{x[0], x[1]}

    def nowhere():
        @proc
        def p(x: f32[8]):
            with python:

                def f():
                    with python:
                        pass

    keep = []

    def elsewhere():
        @proc
        def one(x: f32):
            with python:
                with exo as q:
                    x = 1.0
                keep.append(q)

        @proc
        def two(x: f32):
            {keep[0]}

    def deep():
        @proc
        def p(x: f32):
            with python:
                total = x
                for _ in range(2000):
                    total = ~{{total} + 1.0}
                with exo:
                    x = total

    for make, words in (
        (orelse, "`else`"),
        (step, "slice(0, 4, 2) has a step"),
        (assigned, "'G' is global"),
        (starred, "braces in a program hold one expression"),
        (several, "quotes one expression"),
        (nowhere, "stands in a program, and this is Python"),
        (elsewhere, "is a quote of another definition"),
        (deep, "nested too deeply"),
    ):
        assert words in told(make), make.__name__
