"""Procedures and cursors with Exo's names. The expectations are what Exo 1.0.0 does. Spec:
[rule: python.exo-procedures], [rule: python.exo-operations], [rule: assumptions], [rule: python.exo-otherwise]."""

from __future__ import annotations

import numpy as np
import pytest
import rewright
from rewright.exo import ExoType, ParseFragmentError, Procedure, SchedulingError, proc
from rewright.exo import API_cursors as PC
from rewright.exo.API_cursors import InvalidCursor, InvalidCursorError
from rewright.exo.API_scheduling import *  # noqa: F403
from rewright.exo.API_scheduling import (
    FormattedExprStr,
    PosIntA,
    add_loop,
    bind_expr,
    commute_expr,
    divide_loop,
    expand_dim,
    extract_subproc,
    fission,
    fuse,
    is_atomic_scheduling_op,
    left_reassociate_expr,
    remove_loop,
    rename,
    reorder_loops,
    replace,
    rewrite_expr,
    sched_op,
    specialize,
    stage_mem,
)
from rewright.exo.rewrite.LoopIR_unification import UnificationError


@proc
def gemm(N: size, M: size, K: size, C: f32[N, M], A: f32[N, K], B: f32[K, M]):
    assert N % 4 == 0
    for i in seq(0, N):
        for j in seq(0, M):
            for k in seq(0, K):
                C[i, j] += A[i, k] * B[k, j]


def test_it_prints_as_exo_does() -> None:
    assert str(gemm) == (
        "def gemm(N: size, M: size, K: size, C: f32[N, M] @ DRAM, A: f32[N, K] @ DRAM,\n"
        "         B: f32[K, M] @ DRAM):\n"
        "    assert N % 4 == 0\n"
        "    for i in seq(0, N):\n"
        "        for j in seq(0, M):\n"
        "            for k in seq(0, K):\n"
        "                C[i, j] += A[i, k] * B[k, j]"
    )

    @proc
    def guarded(n: size, b: bool, x: f32[n]):
        if b and n < 4:
            x[0] = 1.0
        else:
            if n < 8:
                x[0] = -x[0] + 3.5
            else:
                x[0] = x[0] * (x[0] + 1.0)

    assert str(guarded) == (
        "def guarded(n: size, b: bool @ DRAM, x: f32[n] @ DRAM):\n"
        "    if b and n < 4:\n"
        "        x[0] = 1.0\n"
        "    else:\n"
        "        if n < 8:\n"
        "            x[0] = -x[0] + 3.5\n"
        "        else:\n"
        "            x[0] = x[0] * (x[0] + 1.0)"
    )


def test_cursors_print_as_exo_prints_them() -> None:
    @proc
    def clear(n: size, x: f32[n]):
        for i in seq(0, n):
            x[i] = 0.0

    head = "def clear(n: size, x: f32[n] @ DRAM):\n"
    loop, write = "    for i in seq(0, n):", "        x[i] = 0.0"
    assert str(clear.find("x[_] = _")) == f"{head}{loop}\n{write}  # <-- NODE"
    assert str(clear.find_loop("i").before()) == f"{head}    [GAP - Before]\n{loop}\n{write}"
    assert str(clear.find_loop("i").after()) == f"{head}{loop}\n{write}\n    [GAP - After]"
    block = f"{head}{loop}\n        # BLOCK START\n{write}\n        # BLOCK END"
    assert str(clear.find_loop("i").body()) == block


def test_cursors_are_of_exos_classes() -> None:
    c = gemm.find("C[_] += _")
    assert type(c) is PC.ReduceCursor and c.name() == "C" and not hasattr(c, "type")
    assert [type(i) for i in c.idx()] == [PC.ReadCursor, PC.ReadCursor]
    assert isinstance(c.idx(), PC.ExprListCursor) and isinstance(c, PC.StmtCursorPrototype)
    assert c.rhs().op() == "*" and c.rhs().lhs().name() == "A"
    loop = c.parent()
    assert type(loop) is PC.ForCursor and loop.name() == "k" and loop.lo().value() == 0
    assert loop.parent().parent() == gemm.find_loop("i") == gemm.body()[0]
    assert gemm.find_loop("j").is_ancestor_of(c) and not loop.is_ancestor_of(gemm.find_loop("j"))
    assert c.proc() is gemm and c.as_block()[0] == c and len(c.expand(1, 1)) == 1
    args = gemm.args()
    assert isinstance(args, PC.ArgListCursor) and [a.name() for a in args] == list("NMKCAB")
    assert args[0].type() is ExoType.Size and not args[0].is_tensor() and args[3].is_tensor()
    shape = args[3].shape()
    assert all(isinstance(e, PC.ReadCursor) for e in shape) and [e.name() for e in shape] == ["N", "M"]


def test_extents_of_arguments_are_expressions() -> None:
    @proc
    def p(n: size, x: f32[2 * n + 1, 8]):
        pass

    rows, columns = p.args()[1].shape()
    assert columns.value() == 8 and columns.type() is ExoType.Int
    assert rows.op() == "+" and rows.lhs().rhs().name() == "n" and str(rows) == "2 * n + 1"
    assert p.args()[1].shape() == p.args()[1].shape() and rows != columns


def test_where_a_move_leads_nowhere() -> None:
    top = gemm.find_loop("i")
    for nothing in (top.parent(), top.next(), top.prev(), top.next(3)):
        assert isinstance(nothing, InvalidCursor) and not nothing and nothing == InvalidCursor()
        assert isinstance(nothing.parent(), InvalidCursor)
        with pytest.raises(InvalidCursorError):
            nothing.proc()
    with pytest.raises(InvalidCursorError):
        gemm.forward(top.parent())

    @proc
    def p(n: size):
        if n < 3:
            pass

    assert not p.find("if _: _").orelse()


def test_patterns() -> None:
    @proc
    def p(n: size, x: f32[n]):
        for i in seq(0, n):
            x[i] = 0.0
            x[i] = 1.0
        for i in seq(0, n):
            x[i] += 2.0

    assert [c.rhs().value() for c in p.find("x[_] = _", many=True)] == [0.0, 1.0]
    assert [c.rhs().value() for c in p.find_all("x[_] = _")] == [0.0, 1.0]
    assert p.find("x[_] = _ #1").rhs().value() == 1.0
    assert p.find_loop("i #1") == p.body()[1] and len(p.find_loop("i", many=True)) == 2
    assert p.find_loop("i").find("x[_] = 1.0").prev().rhs().value() == 0.0
    assert isinstance(p.find_alloc_or_arg("x"), PC.ArgCursor)
    for wrong in ("y[_] = _", "for j in _: _", "x[_] = _ #2"):
        with pytest.raises(SchedulingError):
            p.find(wrong)
    with pytest.raises(SchedulingError):
        p.find_all("y[_] = _")
    with pytest.raises(TypeError):
        p.find(3)  # type: ignore[arg-type]


def test_blocks() -> None:
    @proc
    def p(x: f32[4]):
        x[0] = 0.0
        x[1] = 1.0
        x[2] = 2.0

    block = p.body()
    assert len(block) == 3 and [c.rhs().value() for c in block] == [0.0, 1.0, 2.0]
    assert len(block[1:]) == 2 and block[-1] == block[2]
    middle = block[1]
    assert len(middle.expand(1, 0)) == 2 and len(middle.expand()) == 3 and len(middle.expand(0, 0)) == 1
    with pytest.raises(ValueError):
        middle.expand(-1, 0)
    assert middle.before().anchor() == middle and middle.before() == middle.before()
    assert middle.before().type().name == "Before" and middle.after().type().name == "After"


@pytest.mark.parametrize(
    "args",
    [
        ("i", 0, ["a", "b"]),
        ("i", 4, ["a"]),
        ("i", 4, ["a", "b c"]),
        (gemm.find("C[_] += _"), 4, ["a", "b"]),
    ],
)
def test_wrong_arguments_are_type_errors(args: tuple) -> None:
    with pytest.raises(TypeError):
        divide_loop(gemm, *args)


def test_other_classes_of_exceptions() -> None:
    with pytest.raises(ValueError):
        divide_loop(gemm, "i", 4, ["a", "b"], tail="nothing")
    with pytest.raises(SchedulingError):
        divide_loop(gemm, "q", 4, ["a", "b"])
    with pytest.raises(SchedulingError):
        divide_loop(gemm, "j", 4, ["a", "b"], perfect=True)
    with pytest.raises(TypeError):
        divide_loop("gemm", "i", 4, ["a", "b"])
    with pytest.raises(TypeError):
        divide_loop(gemm)
    with pytest.raises(ValueError):
        reorder_loops(gemm, gemm.find_loop("k"))
    with pytest.raises(TypeError):
        reorder_loops(gemm, "k")
    with pytest.raises(TypeError):
        rename(gemm, "3x")
    with pytest.raises(ParseFragmentError):
        stage_mem(gemm, "for k in _: _", "C[zz, j]", "t")
    with pytest.raises(ValueError):
        stage_mem(gemm, "for k in _: _", "3", "t")
    p = bind_expr(gemm, "A[_]", "a")
    with pytest.raises(ParseFragmentError):
        expand_dim(p, "a", "M", "zz")
    with pytest.raises(TypeError):
        commute_expr(p, "a = _")
    with pytest.raises(TypeError):
        left_reassociate_expr(p, "a * _")


def test_replace_that_does_not_match() -> None:
    @proc
    def other(x: f32):
        x = 0.0

    with pytest.raises(UnificationError):
        replace(gemm, "for k in _: _", other, quiet=True)

    @proc
    def longer(x: f32):
        x = 0.0
        x = 1.0

    with pytest.raises(SchedulingError, match="Not enough statements to match"):
        replace(gemm, "for k in _: _", longer, quiet=True)


def test_text_with_holes() -> None:
    p = divide_loop(gemm, "i", 4, ["io", "ii"], perfect=True)
    c = p.find("4 * io + ii")
    assert "C[4 * io + ii + 0, j]" in str(rewrite_expr(p, c, FormattedExprStr("_ + 0", c)))
    with pytest.raises(SchedulingError):
        rewrite_expr(p, c, FormattedExprStr("_ + 1", c))
    with pytest.raises(TypeError):
        FormattedExprStr(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        FormattedExprStr("_", 3)


def test_fixed_arguments() -> None:
    assert gemm.partial_eval() is gemm
    assert "C: f32[8, 4]" in str(gemm.partial_eval(8, 4)) and "assert 8 % 4 == 0" in str(gemm.partial_eval(8, 4))
    assert "f32[N, 4]" in str(gemm.partial_eval(M=4))
    with pytest.raises(ValueError):
        gemm.partial_eval(8, M=4)
    with pytest.raises(KeyError):
        gemm.partial_eval(Q=4)
    with pytest.raises(TypeError):
        gemm.partial_eval(1, 2, 3, 4, 5, 6, 7)


def test_what_is_fixed_against_an_assertion_is_not_refused_in_words_of_exo() -> None:
    bounded = gemm.add_assertion("K > 3")
    with pytest.raises(SchedulingError, match="the precondition `2 > 3` fails") as refused:
        bounded.partial_eval(K=2)
    assert "Exo says" not in str(refused.value)
    with pytest.raises(SchedulingError, match=r"cannot partially evaluate numeric \(non-index, non-bool\) arguments$"):
        bounded.partial_eval(A=3)


def test_assertions() -> None:
    assert "assert K > 3" in str(gemm.add_assertion("K > 3"))
    with pytest.raises(TypeError):
        gemm.add_assertion(3)  # type: ignore[arg-type]
    with pytest.raises(ParseFragmentError):
        gemm.add_assertion("Q > 3")


def test_configurations_of_assertions_are_given() -> None:
    def make():
        @rewright.exo.config
        class Mine:
            step: stride

        return Mine

    mine = make()

    @proc
    def p(n: size, x: [f32][n]):
        for i in seq(0, n):
            x[i] = 0.0

    assert "assert stride(x, 0) == Mine.step" in str(p.add_assertion("stride(x, 0) == Mine.step", configs=[mine]))


def test_transposed_arguments() -> None:
    p = gemm.transpose(gemm.args()[4])
    assert "A: f32[K, N]" in str(p) and "A[k, i] * B[k, j]" in str(p)
    with pytest.raises(TypeError):
        gemm.transpose(gemm.args()[0])

    @proc
    def strided(A: [f32][4, 8], B: f32[4, 8]):
        assert stride(B, 1) == 1
        assert stride(A, 1) == 1
        for i in seq(0, 4):
            for j in seq(0, 8):
                A[i, j] = B[i, j]

    q = strided.transpose(strided.args()[0])
    assert "A: [f32][8, 4]" in str(q) and "assert stride(B, 1) == 1\n    assert stride(A, 0) == 1\n" in str(q)
    assert "assert stride(A, 1) == 1\n" in str(strided.transpose(strided.args()[1]))


def test_equality() -> None:
    assert gemm == gemm and gemm != rename(gemm, "other") and gemm != 3
    assert gemm == rename(rename(gemm, "other"), "gemm")
    assert gemm.is_eq(rename(gemm, "other")) and not gemm.is_eq(gemm.partial_eval(8))
    assert isinstance(gemm, Procedure)


def test_procedures_that_are_said_to_be_equal() -> None:
    @proc
    def one(x: f32[4]):
        for i in seq(0, 4):
            x[i] = 0.0

    @proc
    def two(x: f32[4]):
        for i in seq(0, 2):
            x[i] = 0.0
            x[i + 2] = 0.0

    assert not one.is_eq(two)
    assert one.unsafe_assert_eq(two) is one
    with pytest.warns(rewright.RewrightWarning, match="unsafe_assert_eq"):
        assert one.is_eq(two) and two.is_eq(rename(one, "other"))
    with pytest.raises(TypeError):
        one.unsafe_assert_eq(3)


def test_what_is_said_of_versions_is_not_said_of_others() -> None:
    @proc
    def foo(n: size, x: f32[n]):
        for i in seq(0, n):
            x[i] = 1.0

    @proc
    def goo(n: size, x: f32[n]):
        for i in seq(0, n):
            x[i] = 2.0

    f8, g8 = foo.partial_eval(8), goo.partial_eval(8)
    f8.unsafe_assert_eq(g8)
    assert not foo.is_eq(goo) and not foo.is_eq(g8) and not foo.partial_eval(3).is_eq(goo.partial_eval(3))
    assert f8.is_eq(g8) and unroll_loop(g8, "i").is_eq(rename(f8, "f"))  # noqa: F405


def test_of_several_expressions_those_like_the_first_are_bound() -> None:
    @proc
    def a(x: f32[8], y: f32[8]):
        for i in seq(0, 8):
            y[i] = x[i] + x[7 - i] * x[i]

    bound = bind_expr(a, a.find("x[_]", many=True), "t")
    assert str(bound).split("\n")[-2:] == ["        t = x[i]", "        y[i] = t + x[7 - i] * t"]


@proc
def sums(n: size, x: f32[n], s: f32):
    for i in seq(0, n):
        s += x[i]
        x[i] = s


def test_checks_that_are_disabled_are_assumptions() -> None:
    gap = sums.find("s += _").after()
    with pytest.raises(SchedulingError):
        fission(sums, gap)
    p = fission(sums, gap, unsafe_disable_checks=True)
    assert len(p.body()) == 2
    assert p.assumptions() == ["fission.commute in step 1"] and sums.assumptions() == []
    with pytest.warns(rewright.RewrightWarning, match="fission.commute"):
        assert p.is_eq(sums)
    assert "// sums: fission.commute in step 1\n" in p.c_code_str()
    assert "Assumed" not in sums.c_code_str()
    assert "omitted" in str(p.derivation()) and "omitted" not in str(sums.derivation())
    # Of what is called, too, whatever was made of the caller; what is not called is not in the C.
    other = rename(fission(sums, gap, unsafe_disable_checks=True), "other")

    @proc
    def top(n: size, x: f32[n], s: f32):
        for k in seq(0, 2):
            p(n, x, s)

    for caller in (top, unroll_loop(top, "k")):
        assert "// sums: fission.commute in step 1\n" in caller.c_code_str()
        assert "// other" not in caller.c_code_str() and caller.assumptions() == []
    assert other.assumptions()
    # The next step proves everything again.
    with pytest.raises(SchedulingError):
        fuse(p, "i", "i #1")
    back = fuse(p, "i", "i #1", unsafe_disable_check=True)
    assert len(back.assumptions()) == 2


def test_loops_with_checks_disabled() -> None:
    @proc
    def counted(n: size, s: f32):
        for i in seq(0, n):
            s += 1.0

    with pytest.raises(SchedulingError):
        remove_loop(counted, "i")
    p = remove_loop(counted, "i", unsafe_disable_check=True)
    assert p.assumptions() == ["remove_loop.idempotent in step 1"]
    with pytest.raises(SchedulingError):
        add_loop(sums, "s += _", "j", "4")
    p = add_loop(sums, "s += _", "j", "4", unsafe_disable_check=True)
    assert p.assumptions() == ["add_loop.idempotent in step 1"]


def test_operations_of_ones_own() -> None:
    @sched_op([PosIntA])
    def halve(proc, n=2):
        """Divides the loop over i."""
        return divide_loop(proc, "i", n, ["io", "ii"])

    assert is_atomic_scheduling_op(halve) and halve.__name__ == "halve" and halve.__doc__
    assert halve(gemm).find_loop("io") and halve(gemm, n=4).find_loop("ii").hi().value() == 4
    with pytest.raises(TypeError, match="argument 1, 'n' to halve"):
        halve(gemm, 0)


def test_cursors_in_lists_are_forwarded_in_place() -> None:
    p = rename(gemm, "other")
    found = [gemm.find("A[_] * _")]
    commute_expr(p, found)
    assert found[0].proc() is p


def test_what_a_literal_comes_first_in_has_no_precision() -> None:
    @proc
    def p(x: f32[4]):
        for i in seq(0, 4):
            x[i] = 2.0 * x[i] + x[i] * 3.0

    assert p.find("2.0 * _").type() is ExoType.R and p.find("_ * 3.0").type() is ExoType.F32
    assert "t: R @ DRAM" in str(bind_expr(p, "2.0", "t")) and "t: R @ DRAM" in str(bind_expr(p, "2.0 * _", "t"))
    assert "t: f32 @ DRAM" in str(bind_expr(p, "_ * 3.0", "t"))


def test_subprocedures() -> None:
    p, sub = extract_subproc(gemm, "for k in _: _", "inner")
    assert isinstance(sub, Procedure) and p.find("inner(_)").subproc().name() == "inner"
    assert len(specialize(gemm, "for i in _: _", ["N < 4", "N < 8"]).body()) == 1


def test_deviations_are_conditions_on_the_meaning() -> None:
    known = {(p["name"], c["id"]): c for p in rewright._rewright.registry() for c in p["conditions"]}
    found = rewright.deviations()
    assert len(found) >= 40 and all(known[d.primitive, d.condition]["guards"] == "Meaning" for d in found)
    assert all(known[d.primitive, d.condition]["sentence"] == d.sentence for d in found)
    with pytest.raises(SchedulingError, match="Exo 1.0.0 accepts") as refused:
        fission(sums, sums.find("s += _").after())
    assert refused.value.rewright_condition == "fission.commute" and refused.value.counterexample


def test_refusals_have_exos_words() -> None:
    known = {(p["name"], c["id"]) for p in rewright._rewright.registry() for c in p["conditions"]}
    from rewright.exo._words import _WORDS

    assert {key for key in _WORDS if key not in known} == {("autofission", "scope")}
    with pytest.raises(SchedulingError, match="Cannot fission loop"):
        fission(sums, sums.find("s += _").after())
    with pytest.raises(SchedulingError, match="cannot perfectly split"):
        divide_loop(gemm, "j", 4, ["a", "b"], perfect=True)


def test_guards_that_are_assumed_to_hold() -> None:
    from rewright.exo.API_scheduling import add_unsafe_guard

    p = add_unsafe_guard(sums, "s += _", "i < 3")
    assert "        if i < 3:\n            s += x[i]" in str(p)
    assert p.assumptions() == ["add_unsafe_guard.holds in step 1"]
    # What is proved is not assumed.
    assert add_unsafe_guard(sums, "s += _", "i < n").assumptions() == []
    with pytest.raises(ParseFragmentError):
        add_unsafe_guard(sums, "s += _", "q < 3")


def test_what_else_exos_classes_have() -> None:
    @rewright.exo.config(readwrite=False)
    class Cfg:
        scale: f32
        n: index

    assert not Cfg.is_allow_rw() and gemm.INTERNAL_proc() == gemm and not gemm.has_dup()
    assert Cfg.c_struct_def() == ["struct Cfg {", "    float scale;", "    int_fast32_t n;", "} Cfg;"]


def test_nothing_is_left_of_a_loop_that_is_unrolled() -> None:
    from rewright.exo.API_scheduling import unroll_loop

    @proc
    def p(x: f32[2]):
        for i in seq(0, 2):
            x[i] = 0.0
        x[0] = 1.0

    loop, inside, after = p.find_loop("i"), p.find("x[_] = 0.0"), p.find("x[_] = 1.0")
    q = rename(unroll_loop(p, "i"), "q")
    assert q.forward(after).rhs().value() == 1.0
    for gone in (loop, inside, inside.rhs()):
        with pytest.raises(InvalidCursorError):
            q.forward(gone)
    for wrong in ("i", 3, None):
        with pytest.raises(TypeError):
            loop.is_ancestor_of(wrong)
    assert len(inside.expand(2**70, 2**70)) == 1 and not after.next(2**70)
    with pytest.raises(TypeError):
        p.add_assertion("1 < 2", configs=["Cfg"])


def test_what_is_assumed_of_a_callee_is_assumed_of_its_caller() -> None:
    @proc
    def f(x: i8[4], y: i8[4], z: i32[4]):
        for i in seq(0, 4):
            z[i] = x[i] * y[i]

    g = rename(bind_expr(f, "x[_] * y[_]", "t"), "g")
    assert g.assumptions()

    @proc
    def caller(x: i8[4], y: i8[4], z: i32[4]):
        f(x, y, z)

    q = call_eqv(caller, "f(_)", g)  # noqa: F405
    for p in (q, inline(q, "g(_)")):  # noqa: F405
        assert p.assumptions() == ["call_eqv.equivalent in step 1"]
        with pytest.warns(rewright.RewrightWarning):
            p.is_eq(caller)
        assert "call_eqv.equivalent" in p.c_code_str()
    assert not rewright.audit(q)


def test_calls_of_what_is_said_to_be_equal() -> None:
    @proc
    def once(n: size, x: [f32][n]):
        for i in seq(0, n):
            x[i] = 0.0

    @proc
    def twice(n: size, x: [f32][n]):
        for i in seq(0, n):
            x[i] = 0.0
        for i in seq(0, n):
            x[i] = 0.0

    @proc
    def caller(n: size, x: f32[n]):
        once(n, x[0:n])

    with pytest.raises(SchedulingError):
        call_eqv(caller, "once(_)", twice)  # noqa: F405
    assert once.unsafe_assert_eq(twice) is once
    calls = call_eqv(caller, "once(_)", rename(twice, "again"))  # noqa: F405
    assert "again(n, x[0:n])" in str(calls) and calls.assumptions() == ["call_eqv.equivalent in step 1"]
    back = call_eqv(calls, "again(_)", once)  # noqa: F405
    assert "once(n, x[0:n])" in str(back) and len(back.assumptions()) == 2
    assert call_eqv(calls, "again(_)", twice).assumptions() == ["call_eqv.equivalent in step 1"]  # noqa: F405


def test_patterns_look_where_exos_do() -> None:
    @proc
    def p(n: size, m: size, x: f32[n]):
        u: f32[n, 2 * m]
        for i in par(0, n):
            x[i] = 0.0
        for i in seq(0, n):
            for j in seq(0, 2 * m):
                u[i, j] = 1.0

    # The extents of an allocation are not looked at; nor is whether iterations are side by side; a comment is none of it.
    assert p.find("n").parent() == p.body()[1] and len(p.find("n", many=True)) == 2
    assert p.find("n #1").parent() == p.body()[2] and p.find("2 * m").parent() == p.find_loop("j")
    with pytest.raises(SchedulingError):
        p.find("n #2")
    assert len(p.find("for i in par(_, _): _", many=True)) == len(p.find("for i in seq(_, _): _", many=True)) == 2
    assert p.find("for i in seq(0, n): _ # the loop").parent() == InvalidCursor() and p.find("x[_] = _ # 1").name() == "x"


def test_what_simplify_was_asked_is_audited() -> None:
    @proc
    def shifted(n: size, x: f32[n + 8]):
        for i in seq(0, n):
            x[i + 3] = x[3 + i + 0]

    made = simplify(divide_loop(shifted, "i", 4, ["io", "ii"], tail="guard"))  # noqa: F405
    assert "x[3 + ii + 4 * io]" in str(made) and rewright.audit(made)


def test_what_has_a_name_twice_is_audited() -> None:
    @proc
    def nested(x: f32[8], y: f32[8]):
        for i in seq(0, 8):
            for i in seq(0, 4):
                if i < 2:
                    x[i] = 1.0
                if i < 2:
                    y[i] = 1.0

    inner = nested.body()[0].body()[0].body()
    assert rewright.audit(fuse(nested, inner[0], inner[1]))  # noqa: F405
    assert rewright.audit(extract_subproc(nested, inner, "part")[0])  # noqa: F405


def test_what_is_extracted_under_a_name_that_is_there_twice_is_audited() -> None:
    @proc
    def nested(n: size, x: f32[n], y: f32[n]):
        for i in seq(0, n):
            for i in seq(0, n):
                x[i] = 1.0
            y[i] = x[i]

    caller, part = extract_subproc(nested, nested.body()[0].body()[0], "part")  # noqa: F405
    assert rewright.audit(caller) and rewright.audit(part)
    assert rewright.audit(divide_loop(part, "i", 4, ["io", "ii"], tail="cut"))  # noqa: F405


def test_a_refusal_says_one_thing_of_exo() -> None:
    @proc
    def twice_written(x: f32[8], y: f32[8]):
        x[0] = y[0]
        x[1] = x[0]

    @proc
    def seen(x: f32[8], y: f32[8]):
        x[0] = y[0]
        y[1] = x[0]

    with pytest.raises(SchedulingError) as written:
        inline_assign(twice_written, "x[0] = _")  # noqa: F405
    assert "the buffer is written afterwards" in str(written.value) and "accepts" not in str(written.value)
    with pytest.raises(SchedulingError) as argument:
        inline_assign(seen, "x[0] = _")  # noqa: F405
    assert "Exo 1.0.0 accepts" in str(argument.value) and "written afterwards" not in str(argument.value)

    @proc
    def ordered(x: f32[8]):
        x[0] = 1.0
        x[0] = 2.0

    with pytest.raises(SchedulingError) as swapped:
        reorder_stmts(ordered, ordered.body())  # noqa: F405
    assert "where Exo refuses such a step, it says: Statements at" in str(swapped.value)


def test_simplify_knows_nothing_of_assertions() -> None:
    @proc
    def tails(n: size, x: f32[n]):
        assert n % 8 == 0
        for i in seq(0, n):
            x[i] = 1.0

    made = simplify(divide_loop(tails, "i", 4, ["io", "ii"], tail="cut"))  # noqa: F405
    assert "for ii in seq(0, n % 4):" in str(made)
    recomputed = divide_with_recompute(tails, "i", "n / 8", 8, ["io", "ii"])  # noqa: F405
    assert "for ii in seq(0, 8 + (n - (n - n % 8))):" in str(recomputed)
    assert "for ii in seq(0, 8):" in str(simplify(rewrite_expr(recomputed, "n % 8", 0)))  # noqa: F405


def test_a_cell_that_each_iteration_loads_and_stores_is_loaded_and_stored_once() -> None:
    @proc
    def gemm(K: size, A: f32[K, 8], B: f32[K, 12], C: f32[12, 8]):
        for k in seq(0, K):
            for j in seq(0, 12):
                for io in seq(0, 2):
                    for ii in seq(0, 4):
                        C[j, 4 * io + ii] += A[k, 4 * io + ii] * B[k, j]

    p = stage_mem(gemm, "C[_] += _", "C[j, 4 * io + ii]", "r")  # noqa: F405
    for size, index in ((4, "ii"), (2, "io"), (12, "j")):
        p = expand_dim(p, "r", size, index)  # noqa: F405
    p = lift_alloc(p, "r", n_lifts=4)  # noqa: F405
    p = autofission(p, p.find("r[_] = _").after(), n_lifts=4)  # noqa: F405
    p = autofission(p, p.find("C[_] = _").before(), n_lifts=4)  # noqa: F405
    assert [type(s).__name__ for s in p.body()] == ["AllocCursor", "ForCursor", "ForCursor", "ForCursor"]
    assert [s.name() for s in p.body()] == ["r", "j", "k", "j"] and rewright.audit(p)
    A, B, C = (np.arange(n * m, dtype=np.float32).reshape(n, m) for n, m in ((3, 8), (3, 12), (12, 8)))
    expected = C + B.T @ A
    p.compile()(3, A, B, C)
    assert (C == expected).all()


def test_a_buffer_in_the_place_of_itself_is_refused() -> None:
    @proc
    def staged(x: f32[8]):
        t: f32[8]
        for i in seq(0, 8):
            t[i] = x[i]

    with pytest.raises(SchedulingError):
        reuse_buffer(staged, "t", "t")  # noqa: F405


def test_a_number_in_a_pattern_is_every_number_of_that_value() -> None:
    @proc
    def numbers(n: size, x: f32[n + 4]):
        assert n > 3
        for i in seq(2, n):
            x[i + 2] = 2.0 * x[0] + 0.5

    # As in Exo: the bound of the loop, the index, the factor.
    found = numbers.find("2.0", many=True)
    assert [type(c.parent()).__name__ for c in found] == ["ForCursor", "BinaryOpCursor", "BinaryOpCursor"]
    assert [c.value() for c in numbers.find("0.", many=True)] == [0]
    assert numbers.find("x[_ + 2.0] = _") == numbers.body()[0].body()[0]
    assert len(numbers.find("0.5", many=True)) == 1


def test_a_variable_of_a_buffers_name_is_not_the_buffer() -> None:
    """`stage_mem` loads what the block reads of the buffer, and not for a loop whose variable is called so, too."""

    @proc
    def hidden(y: f32[8]):
        x: f32[8]
        for i in seq(0, 8):
            x[i] = 1.0
            for x in seq(0, 2):
                y[x] = 2.0
        for i in seq(0, 8):
            y[i] = x[i]

    p = stage_mem(hidden, hidden.body()[1], "x[0:8]", "kept")  # noqa: F405
    assert "kept[i0] = x" not in str(p) and "x[i0 + 0] = kept[i0]" in str(p)
    q = stage_mem(hidden, hidden.body()[2], "x[0:8]", "kept")  # noqa: F405
    assert "kept[i0] = x[i0 + 0]" in str(q)
