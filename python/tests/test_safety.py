"""What would be another program, or memory that is not the arrays', is refused. Spec: [rule: python.running],
[rule: python.scope], [rule: python.objects]."""

from __future__ import annotations

import os
import signal
import threading
from typing import Any, Callable

import numpy as np
import pytest
import rewright
from numpy.lib.stride_tricks import as_strided
from rewright import ArgumentError, Procedure, config, instr, proc
from rewright.primitives import *  # noqa: F403
from rewright.primitives import call_eqv, fission, replace, replace_all, unroll_loop

N = 4


def classes(same: bool) -> Any:
    @config
    class Cfg:
        a: index  # type: ignore[name-defined]  # noqa: F821

    first = Cfg
    if same:

        @config
        class Cfg:  # type: ignore[no-redef]
            a: index  # type: ignore[name-defined]  # noqa: F821

    else:

        @config
        class Cfg:  # type: ignore[no-redef]
            a: size  # type: ignore[name-defined]  # noqa: F821

    return first, Cfg


@pytest.mark.parametrize("same", [True, False])
def test_two_classes_of_one_name_are_two(same: bool) -> None:
    A, B = classes(same)

    @proc
    def useB(x: f32[1]):  # type: ignore  # noqa
        if B.a >= 1:
            x[0] = 1.0
        else:
            x[0] = 2.0

    def both() -> Procedure:
        @proc
        def top(x: f32[1]):  # type: ignore  # noqa
            A.a = 0
            useB(x)

        return top

    if same:
        # A cell of a notebook that ran twice.
        assert both().run(np.zeros(1, np.float32))["x"] == [2.0]
    else:
        with pytest.raises(ArgumentError, match="two different configuration classes are called `Cfg`"):
            both()


def test_two_memories_of_one_name_are_two() -> None:
    def accumulator(tag: int) -> rewright.Module:
        return rewright.module(f'''
class ACC(Memory):
    @classmethod
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{{prim_type}} {{new_name}}[{{shape[0]}}]; /* {tag} */"

@proc
def f{tag}(x: f32[8]):
    a: f32[8] @ ACC
    x[0] = 1.0
''')

    one, two = accumulator(1), accumulator(2)
    with pytest.raises(ArgumentError, match="two different memories are called `ACC`"):
        set_memory(one.f1, "a", two.ACC)  # noqa: F405
    assert set_memory(one.f1, "a", accumulator(1).ACC)  # noqa: F405


OF_MACHINES = """
@proc
def p(A: f32[2, 3], y: f32[2, 1]):
    ConfigLoad.src_stride = 3
    a: f32[2, 16] @ ACCEL_ACCUM
    for i in seq(0, 2):
        for j in seq(0, 1):
            a[i, j] = A[i, j]
    for i in seq(0, 2):
        for j in seq(0, 1):
            y[i, j] = a[i, j]
"""

OWN_CLASS = "@config\nclass ConfigLoad:\n    src_stride: stride\n"

OWN_MEMORY = '''
class ACCEL_ACCUM(Memory):
    @classmethod
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} {new_name}[{shape[0]}];"
'''


@pytest.mark.parametrize("own, what", [(OWN_CLASS, "configuration class `ConfigLoad`"), (OWN_MEMORY, "memory `ACCEL_ACCUM`")])
def test_what_is_called_as_at_a_machine_stays_away_from_its_instructions(own: str, what: str) -> None:
    """State and cells go by name: the instruction would set and read others."""
    from rewright.machines import accel_mvin_acc

    p = rewright.module(own + OF_MACHINES).p
    with pytest.raises(ArgumentError, match=f"a machine that is used has a {what}, too"):
        replace(p, "for i in _: _", accel_mvin_acc)  # noqa: F405
    # In the surroundings of a definition.
    made = rewright.module(own)
    called = OF_MACHINES.replace("    for i", "    accel_mvin_acc(2, 1, A[0:2, 0:1], a)\n    for i", 1)
    with pytest.raises(ArgumentError, match=what):
        rewright.module(called, scope=dict(made))
    # In a procedure that is called, without an instruction.
    body = "ConfigLoad.src_stride = 4" if own is OWN_CLASS else "t: f32[2, 16] @ ACCEL_ACCUM\n    pass"
    theirs = rewright.module(f"@proc\ndef theirs():\n    {body}\n").theirs
    with pytest.raises(ArgumentError, match=what):
        rewright.module(OF_MACHINES + "    theirs()\n", scope={**made, "theirs": theirs})
    with pytest.raises(ArgumentError, match=what):
        rewright.module(own + OF_MACHINES + "    theirs()\n", scope={"theirs": theirs})
    assert rewright.module(OF_MACHINES + "    theirs()\n", scope={"theirs": theirs}).p
    # What is one's own under a name of the surroundings is one's own.
    assert rewright.module(OF_MACHINES, scope=dict(made)).p
    # The machine's own are what the instruction speaks of.
    theirs = rewright.module(called).p
    assert "accel_mvin_acc" in str(replace(rewright.module(OF_MACHINES).p, "for i in _: _", accel_mvin_acc))  # noqa: F405
    with pytest.raises(ArgumentError, match="ConfigLoad|ACCEL_ACCUM"):
        rewright.compile_procs_to_strings([rename(p, "q"), theirs], "k.h")  # noqa: F405


def test_two_procedures_of_one_name_are_not_compiled_together() -> None:
    m = rewright.module("@proc\ndef f(x: f32[4]):\n    for i in seq(0, 4):\n        x[i] = 1.0\n")
    with pytest.raises(ArgumentError, match="two procedures are called `f`"):
        rewright.compile_procs_to_strings([m.f, unroll_loop(m.f, "i")], "k.h")
    assert rewright.compile_procs_to_strings([m.f, m.f], "k.h")[0].count("void f(") == 1


FIELDS = """
@config
class Cfg:
    n: size
    k: index
    on: bool

@proc
def sized(x: f32[8]):
    assert Cfg.n <= 8
    x[Cfg.n - 1] = 1.0

@proc
def indexed(x: f32[8]):
    assert Cfg.k >= 2
    assert Cfg.k <= 8
    x[Cfg.k - 2] = 1.0

@proc
def guarded(x: f32[8], k: index):
    assert Cfg.on or k < 8
    assert k >= 0
    if Cfg.on:
        x[0] = 1.0
    else:
        x[k] = 1.0

@proc
def unread(x: f32[8], k: index):
    assert k >= 0
    assert k < Cfg.k
    assert Cfg.k <= 8
    x[k] = 1.0
"""


@pytest.mark.parametrize(
    "name, args, fields, right",
    [
        ("sized", (), {}, {"Cfg.n": 8}),
        ("sized", (), {"Cfg.n": -3}, {"Cfg.n": 1}),
        ("indexed", (), {}, {"Cfg.k": 2}),
        ("indexed", (), {"Cfg.typo": 3, "Cfg.k": 2}, {"Cfg.k": 8}),
        ("guarded", (20,), {"Cfg.on": False}, {"Cfg.on": True}),
        ("unread", (20,), {}, {"Cfg.k": 8}),
        ("unread", (7,), {"Cfg.k": 2**64}, {"Cfg.k": 8}),
    ],
)
def test_fields_are_what_is_asserted(name: str, args: Any, fields: Any, right: Any) -> None:
    compiled = rewright.module(FIELDS)[name].compile()
    memory = np.zeros(24, np.float32)
    with pytest.raises(ArgumentError):
        compiled(memory[8:16], *args, fields=dict(fields))
    assert not memory.any()
    compiled(memory[8:16], *(7 for _ in args), fields=dict(right))
    assert memory[8:16].sum() == 1.0 and memory.sum() == 1.0


def test_numbers_beyond_what_is_promised_are_refused() -> None:
    m = rewright.module("""
@proc
def ov(k: index, x: f32[8]):
    assert k >= 0
    assert 4 * k < 32
    x[k] = 1.0

@proc
def ex(n: size, x: f32[4 * n]):
    for i in seq(0, 4 * n):
        x[i] = 1.0

@proc
def guard(k: index, x: f32[8]):
    assert k >= 0
    if 4 * k < 32:
        x[k] = 1.0
""")
    x = np.zeros(8, np.float32)
    for k in (2**40, 2**61, 2**62, 2**63 - 1, 2**63, 2**70):
        for name in ("ov", "ex", "guard"):
            with pytest.raises(ArgumentError):
                m[name].compile()(k, x)
    m.guard.compile()(2**40 - 1, x)
    assert not x.any()


def test_elements_that_share_memory_are_no_window() -> None:
    p = rewright.module("""
@proc
def s(n: size, m: size, x: [f32][n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            x[i, j] = x[i, j] + 1.0
        for j in seq(0, m):
            x[i, j] = 2.0 * x[i, j]
""").s
    compiled = fission(p, p.find_loop("j").after()).compile()
    a = np.arange(8, dtype=np.float32)
    for strides in ((4, 4), (8, 4), (0, 4), (4, 0)):
        with pytest.raises(ArgumentError, match="windows"):
            compiled(3, 3, as_strided(a, (3, 3), strides))
    compiled(2, 4, as_strided(a, (2, 4), (16, 4)))
    b = np.arange(8, dtype=np.float32)
    compiled(4, 2, as_strided(b, (4, 2), (4, 16)))
    assert np.array_equal(a, 2 * np.arange(8) + 2) and np.array_equal(b, a)


def test_arrays_that_are_only_read() -> None:
    m = rewright.module("@proc\ndef f(x: f32[4], y: f32[4], a: f32, z: f32[4]):\n    for i in seq(0, 4):\n        z[i] = a * x[i] + y[i]\n")
    x = np.ones(4, np.float32)
    x.flags.writeable = False
    z = np.zeros(4, np.float32)
    compiled = m.f.compile()
    compiled(x, x, 2.0, z)
    assert z.tolist() == [3.0] * 4
    with pytest.raises(ArgumentError, match="overlap"):
        compiled(z, x, 2.0, z)
    with pytest.raises(ArgumentError, match="read-only"):
        compiled(z, z, 2.0, x)
    with pytest.raises(ArgumentError, match="masked"):
        compiled(x, x, 2.0, np.ma.array(z, mask=[0, 0, 1, 1]))


# Scopes.


def test_annotations_see_the_functions_around() -> None:
    def outer() -> Procedure:
        N = 8

        def inner() -> Procedure:
            @proc
            def f(x: f32[N]):  # type: ignore  # noqa
                x[0] = 1.0

            return f

        return inner()

    assert "x: f32[8]" in str(outer())


def test_a_name_that_is_not_bound_yet_is_no_global() -> None:
    def late() -> Procedure:
        @proc
        def f(x: f32[8]):  # type: ignore  # noqa
            for i in seq(0, N):  # noqa: F821, F823
                x[i] = 1.0

        N = 8  # noqa: F841
        return f

    with pytest.raises(rewright.RewrightError, match="`N`"):
        late()


def test_a_helper_has_names_of_its_own() -> None:
    def reader(f: Callable[..., Any]) -> Procedure:
        N = 8  # noqa: F841
        return proc(f)

    @reader
    def g(x: f32[N]):  # type: ignore  # noqa
        x[0] = 1.0

    assert "x: f32[4]" in str(g)


def test_what_is_bound_is_not_around() -> None:
    i = 5  # noqa: F841
    with pytest.raises(rewright.RewrightError, match="`i`"):

        @proc
        def f(y: f32[8]):  # type: ignore  # noqa
            for i in seq(0, 3):
                y[i] = 1.0
            y[i] = 2.0


def test_numbers_of_numpy_are_numbers() -> None:
    C, D, E = np.int64(3), np.float64(0.5), np.float32(0.25)

    @proc
    def f(x: f32[8]):  # type: ignore  # noqa
        x[C] = D + E

    assert "x[3] = 0.5 + 0.25" in str(f)
    assert "x[3] = 0.75" in str(rewrite_expr(f, "0.5 + 0.25", np.float64(0.75)))  # noqa: F405
    for wrong in (float("nan"), float("inf"), 2**63, np.float32("nan")):
        with pytest.raises(ArgumentError, match="`W` is .*, which is no number of a program"):
            read_with(wrong)
    assert "x: f32[8]" in str(set_window(f, "x", np.bool_(False)))  # noqa: F405


def read_with(W: object) -> Procedure:
    @proc
    def f(x: f32[8]):  # type: ignore  # noqa
        x[0] = W

    return f


# Derivations.


def ones() -> Procedure:
    @proc
    def ones(n: size, x: [f32][n]):  # type: ignore  # noqa
        for i in seq(0, n):
            x[i] = 1.0

    return ones


def test_what_steps_name_is_in_the_derivation() -> None:
    @proc
    def w(x: f32[8]):  # type: ignore  # noqa
        for i in seq(0, 8):
            x[i] = 1.0

    of = ones()
    assert rewright.audit(replace(w, w.body(), of))
    assert rewright.audit(replace_all(w, [of]))
    assert rewright.audit(replace(w, w.body(), rename(of, "others")))  # noqa: F405
    assert rewright.audit(replace(w, w.body(), add_assertion(of, "n > 2")))  # noqa: F405


def test_an_instruction_brings_what_it_rounds_like() -> None:
    @proc
    def model(x: [f32][4], y: [f32][4]):  # type: ignore  # noqa
        for i in seq(0, 4):
            x[i] = y[i] * y[i]

    @instr("square({x_data}, {y_data});", rounds=model)
    def square(x: [f32][4], y: [f32][4]):  # type: ignore  # noqa
        for i in seq(0, 4):
            x[i] = y[i] * y[i]

    @proc
    def top(x: f32[4], y: f32[4]):  # type: ignore  # noqa
        for i in seq(0, 1):
            square(x[0:4], y[0:4])

    assert rewright.audit(unroll_loop(top, "i"))


def test_two_definitions_of_one_name_make_no_derivation() -> None:
    f = ones()
    g = divide_loop(f, "i", 4, ["io", "ii"], tail="guard")  # noqa: F405

    @proc
    def top(x: f32[8]):  # type: ignore  # noqa
        g(8, x[0:8])

    with pytest.raises(ArgumentError, match="two definitions of `ones`"):
        call_eqv(top, "ones(_)", f).derivation()


def test_a_text_with_a_scope_is_no_whole_text() -> None:
    m = rewright.module("@proc\ndef p(x: f32[K]):\n    for i in seq(0, K):\n        x[i] = 1.0\n", scope={"K": 4})
    assert rewright.audit(unroll_loop(m.p, "i"))


# Ctrl-C.


@pytest.mark.parametrize("what", ["run", "equiv"])
def test_ctrl_c_is_heard_while_the_interpreter_works(what: str) -> None:
    p = rewright.module("""
@proc
def p(n: size, x: f32[1]):
    for i in seq(0, n):
        for j in seq(0, n):
            for k in seq(0, n):
                x[0] += 1.0
""").p
    # A shell starts what works in the background with Ctrl-C ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            if what == "run":
                p.run(100_000, np.zeros(1, np.float32))
            else:
                p.equiv(p, trials=10**9)
    finally:
        signal.signal(signal.SIGINT, before)


def test_equiv_is_symmetric() -> None:
    m = rewright.module("""
@config
class Cfg:
    b: index

@proc
def p(x: f32[1]):
    Cfg.b = 3
    x[0] = 1.0
""")
    q = delete_config(m.p, "Cfg.b = _")  # noqa: F405
    assert m.p.equiv(q) and q.equiv(m.p)


def test_machines_are_imported_by_star() -> None:
    names: dict[str, Any] = {}
    exec("from rewright.machines import *", names)
    assert "mm512_loadu_ps" in names and "AVX512" in names
