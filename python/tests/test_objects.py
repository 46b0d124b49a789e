"""Procedures and cursors. Spec: [rule: python.objects]."""

from __future__ import annotations

import json

import pytest

import rewright
from rewright import ExoType, Procedure, divide_loop, reorder_loops, simplify
from rewright.cursors import (
    AllocCursor,
    ArgCursor,
    AssignConfigCursor,
    AssignCursor,
    BinaryOpCursor,
    BlockCursor,
    CallCursor,
    Cursor,
    ExprCursor,
    ExternFunctionCursor,
    ForCursor,
    GapCursor,
    IfCursor,
    InvalidCursor,
    LiteralCursor,
    PassCursor,
    ReadConfigCursor,
    ReadCursor,
    ReduceCursor,
    StrideExprCursor,
    UnaryMinusCursor,
    WindowExprCursor,
    WindowStmtCursor,
)

EVERYTHING = """
@config
class Cfg:
    k: index

@proc
def callee(a: [f32][4]):
    for i in seq(0, 4):
        a[i] = 0.0

@proc
def p(n: size, x: f32[n, 8], y: f32[n, 8]):
    assert n > 4
    t: f32[n, 8] @ DRAM_STACK
    Cfg.k = n + 1
    for i in seq(0, n):
        for j in seq(0, 8):
            t[i, j] = -x[i, j] * 2.0
            y[i, j] += sin(t[i, j])
    if Cfg.k < 3:
        pass
    else:
        y[0, 0] = 1.0
    w = x[0:4, 2]
    callee(w)
    callee(x[0:4, 3])
    if stride(w, 0) == 8:
        y[1, 1] = 0.0
"""


@pytest.fixture
def p() -> Procedure:
    found: Procedure = rewright.module(EVERYTHING).p
    return found


def test_every_kind_of_cursor_has_its_class(p: Procedure) -> None:
    alloc, write, loop, branch, window, call, other, last = p.body()
    assert isinstance(alloc, AllocCursor) and alloc.name() == "t" and alloc.mem() == rewright.DRAM_STACK
    assert alloc.is_tensor() and [c.text() for c in alloc.shape()] == ["n", "8"]
    assert alloc.type() is ExoType.F32
    assert isinstance(write, AssignConfigCursor) and (write.config().name(), write.field()) == ("Cfg", "k")
    assert isinstance(write.rhs(), BinaryOpCursor) and write.rhs().op() == "+"
    assert isinstance(loop, ForCursor) and loop.name() == "i" and not loop.is_parallel()
    assert isinstance(loop.lo(), LiteralCursor) and loop.lo().value() == 0
    assert isinstance(loop.hi(), ReadCursor) and loop.hi().name() == "n" and loop.hi().type() is ExoType.Size
    assign, reduction = loop.body()[0].body()
    assert isinstance(assign, AssignCursor) and [i.name() for i in assign.idx()] == ["i", "j"]
    assert isinstance(assign.rhs().lhs(), UnaryMinusCursor) and isinstance(assign.rhs().lhs().arg(), ReadCursor)
    assert assign.rhs().rhs().value() == 2.0
    assert isinstance(reduction, ReduceCursor) and reduction.type() is ExoType.F32
    assert isinstance(reduction.rhs(), ExternFunctionCursor) and reduction.rhs().name() == "sin"
    assert isinstance(branch, IfCursor) and isinstance(branch.body()[0], PassCursor)
    assert isinstance(branch.cond().lhs(), ReadConfigCursor)
    assert isinstance(branch.orelse(), BlockCursor) and len(branch.orelse()) == 1
    assert isinstance(window, WindowStmtCursor) and window.name() == "w"
    (lo, hi), (point, none) = window.coords()
    assert (lo.text(), hi and hi.text(), point.text(), none) == ("0", "4", "2", None)
    assert isinstance(call, CallCursor) and call.name() == "callee" and call.subproc().name() == "callee"
    assert isinstance(other.args()[0], WindowExprCursor) and other.args()[0].name() == "x"
    assert isinstance(last.cond().lhs(), StrideExprCursor) and last.cond().lhs().dim() == 0
    arg = p.args()[1]
    assert isinstance(arg, ArgCursor) and (arg.name(), arg.type(), arg.shape()) == ("x", ExoType.F32, ["n", "8"])
    assert arg.is_tensor() and arg.mem() == rewright.DRAM and p.get_arg("x") == arg
    assert isinstance(loop.before(), GapCursor) and loop.before().anchor() == loop
    assert p.preds() == ["n > 4"]


def test_moves(p: Procedure) -> None:
    loop = p.find_loop("j")
    assert loop.parent() == p.find_loop("i") and loop.parent().is_ancestor_of(loop)
    assert not loop.is_ancestor_of(loop.parent())
    first = loop.body()[0]
    assert first.next().prev() == first and first.next(1) == loop.body()[-1]
    assert first.parent() == loop and first.as_block() == first.expand(0, 0)
    assert first.expand() == loop.body() and len(first.expand(0, 1)) == 2
    assert p.find("t[_] = _") == first and p.find_all("y[_] = _") == p.find("y[_] = _", many=True)
    assert loop.find("y[_] += _").rhs().parent() == loop.find("y[_] += _")
    assert {loop, p.find_loop("j")} == {loop} and loop != first
    assert p.body()[2:4][0] == p.find_loop("i") and bool(loop)
    assert p.find("for i in _: _ ; if _: _") == p.body()[2:4]
    assert [c.place() for c in (loop, first.before())] == ["body[2].body[0]", "before body[2].body[0].body[0]"]
    assert "# <-- NODE" in str(loop) and "`for j in seq(0, 8):`" in repr(loop)


def test_an_invalid_cursor_is_false(p: Procedure) -> None:
    first = p.body()[0]
    for nowhere in (first.parent(), first.prev(), p.body()[-1].next(), p.body()[-1].orelse()):
        assert isinstance(nowhere, InvalidCursor) and not nowhere and isinstance(nowhere, Cursor)
        assert nowhere == InvalidCursor() and not p.find_loop("i").is_ancestor_of(nowhere)
        for move in ("parent", "next", "body", "find"):
            with pytest.raises(rewright.InvalidCursorError):
                getattr(nowhere, move)()
        with pytest.raises(rewright.InvalidCursorError):
            p.forward(nowhere)
        with pytest.raises(rewright.InvalidCursorError):
            divide_loop(p, nowhere, 4, ["a", "b"])
    with pytest.raises(rewright.InvalidCursorError):
        p.find("z = _")
    with pytest.raises(rewright.InvalidCursorError):
        p.find_loop("k")


def test_cursors_are_forwarded(p: Procedure) -> None:
    write, loop = p.find("y[_] += _"), p.find_loop("i")
    q = divide_loop(p, "j", 4, ["jo", "ji"], tail="perfect")
    moved = q.forward(write)
    assert moved != write and moved.proc() == q and write.proc() == p
    assert moved.parent().name() == "ji" and q.forward(loop).body()[0].name() == "jo"
    # A cursor of an earlier version is an argument, too.
    assert reorder_loops(q, q.find_loop("jo").parent()).find_loop("jo").body()[0].name() == "i"
    with pytest.raises(rewright.InvalidCursorError):
        p.forward(moved)


def test_a_version_knows_how_it_came_about(p: Procedure) -> None:
    q = simplify(divide_loop(p, p.find_loop("j"), 4, ["jo", "ji"], tail="perfect"))
    assert [s.primitive for s in q.history()] == ["divide_loop", "simplify"]
    assert q.history()[0].args["loop_cursor"] == "body[2].body[0]" and q.history()[1].after == q
    assert q.root() == p and p.history() == [] and p.is_eq(q) and q.is_eq(p)
    record = q.derivation("q")
    assert record["chains"][0]["binding"] == "q" and record["definitions"] == EVERYTHING
    assert [s["primitive"] for s in record["chains"][0]["steps"]] == ["divide_loop", "simplify"]
    assert record["chains"][0]["steps"][-1]["after"] == str(q)
    json.dumps(record)
    assert all(row["proved"] for row in q.check()) and q.check()
    assert q == q and q != p and hash(q) == hash(q.history()[1].after) and str(p) in str(p)


def test_equiv_takes_a_list_of_fields(p: Procedure) -> None:
    with pytest.raises(TypeError, match=r"a list of fields: \[\"Cfg.f\"\]"):
        p.equiv(p, modulo="Cfg.f")


def test_equiv_runs_both(p: Procedure, matmul: Procedure) -> None:
    q = divide_loop(p, "j", 4, ["jo", "ji"], tail="perfect")
    told = p.equiv(q, trials=10)
    assert told and told.verdict == "equal" and told.compared == 10
    other = rewright.module(EVERYTHING.replace("* 2.0", "* 3.0")).p
    told = p.equiv(other)
    assert not told and told.verdict == "different" and told.difference and "n=" in str(told.input)
    kept = rewright.module(EVERYTHING.replace("Cfg.k = n + 1", "Cfg.k = n + 2").replace("Cfg.k < 3", "n < 3")).p
    base = rewright.module(EVERYTHING.replace("Cfg.k < 3", "n < 3")).p
    assert not base.equiv(kept) and base.equiv(kept, modulo=["Cfg.k"])
    with pytest.raises(rewright.ArgumentError):
        p.equiv(matmul)


def test_equiv_leaves_fields_unset() -> None:
    m = rewright.module("""
@config
class Cfg:
    a: index

@proc
def p(x: f32[1]):
    x[0] = 1.0

@proc
def q(x: f32[1]):
    if Cfg.a == 0:
        x[0] = 1.0
    else:
        x[0] = 1.0
""")
    told = m.p.equiv(m.q)
    assert told.verdict == "different" and "Cfg.a=_" in str(told.input)
    told = m.q.equiv(m.p, trials=10)
    assert (told.verdict, told.compared, told.unset) == ("equal", 10, 0)


def test_a_notebook_shows_what_the_last_step_changed(p: Procedure) -> None:
    shown = divide_loop(p, "j", 4, ["jo", "ji"], tail="perfect")._repr_html_()
    old, new = "for j in seq(0, 8):", "for jo in seq(0, 2):"
    marked = [row for row in shown.split("<span ") if "background" in row]
    assert any(old in row and "line-through" in row for row in marked)
    assert any(new in row and "line-through" not in row for row in marked)
    assert not any("Cfg.k = n + 1" in row for row in marked) and "Cfg.k &lt; 3" in shown
    assert "background" not in p._repr_html_()


def test_objects_are_made_by_their_makers_only() -> None:
    for made in (Procedure, Cursor, rewright.Config, rewright.Memory, rewright.Extern, ExprCursor):
        with pytest.raises(TypeError):
            made(3)
