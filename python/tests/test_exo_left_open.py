"""What calls are given, and races, are looked at when C is made, and not before: verdicts of steps and of C are Exo 1.0.0's. Spec: [rule: left-open]."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Callable, Dict, Optional

import numpy as np
import pytest
import rewright


#: ``import exo`` is ours.
pytestmark = pytest.mark.usefixtures("installed")


@pytest.fixture(scope="module")
def ops() -> Any:
    """The operations."""
    import exo.stdlib.scheduling as found

    return found


@pytest.fixture(scope="module")
def progs() -> Dict[str, Any]:
    """Procedures by name."""
    from exo import instr, proc
    from exo.libs.memories import AVX2

    @proc
    def callee(n: size, x: f32[n], y: f32[n]):
        for i in seq(0, n):
            y[i] = x[i]

    @proc
    def windowed(n: size, x: [f32][n], y: [f32][n]):
        for i in seq(0, n):
            y[i] = x[i]

    @instr("copy({x_data}, {y_data});")
    def wide(n: size, x: [f64][n] @ DRAM, y: [f64][n] @ DRAM):
        for i in seq(0, n):
            y[i] = x[i]

    @proc
    def caller(a: f32[8], b: f32[8]):
        t: f32[8]
        callee(8, a, t)
        windowed(8, t[0:8], b[0:8])

    @proc
    def loops(a: f32[8], b: f32[8]):
        for i in seq(0, 8):
            b[i] = a[i]

    return {"callee": callee, "windowed": windowed, "wide": wide, "caller": caller, "loops": loops, "AVX2": AVX2}


#: What is done, and what Exo says of the C: nothing where there is some.
CASES: Dict[str, Any] = {
    "an allocation": (lambda o, p: o.set_precision(p["caller"], "t", "f64"), "expected precision f32, but got f64"),
    "an argument": (lambda o, p: o.set_precision(p["caller"], "a", "f64"), "expected precision f32, but got f64"),
    "R is float": (lambda o, p: o.set_precision(p["caller"], "a", "R"), None),
    "and back": (lambda o, p: o.set_precision(o.set_precision(p["caller"], "t", "f64"), "t", "f32"), None),
    "the callee alone": (
        lambda o, p: o.call_eqv(p["caller"], "callee(_)", o.set_precision(p["callee"], "y", "f64")),
        "expected precision f64, but got f32",
    ),
    "the callees too": (
        lambda o, p: o.call_eqv(
            o.call_eqv(o.set_precision(p["caller"], "t", "f64"), "callee(_)", o.set_precision(p["callee"], "y", "f64")),
            "windowed(_)",
            o.set_precision(p["windowed"], "x", "f64"),
        ),
        None,
    ),
    "one call inlined": (lambda o, p: o.inline(o.set_precision(p["caller"], "t", "f64"), "callee(_)"), "expected precision f32"),
    "both inlined": (
        lambda o, p: o.inline(o.inline(o.set_precision(p["caller"], "t", "f64"), "callee(_)"), "windowed(_)"),
        None,
    ),
    "other steps": (lambda o, p: o.simplify(o.set_precision(p["caller"], "t", "f64")), "expected precision f32, but got f64"),
    "an instruction": (lambda o, p: o.replace(p["loops"], "for i in _:_", p["wide"]), "expected precision f64, but got f32"),
    "an instruction, then its types": (
        lambda o, p: o.set_precision(o.set_precision(o.replace(p["loops"], "for i in _:_", p["wide"]), "a", "f64"), "b", "f64"),
        None,
    ),
    "a memory": (lambda o, p: o.set_memory(p["caller"], "a", p["AVX2"]), "expected argument in DRAM but got an argument in AVX2"),
    "a window for a window": (lambda o, p: o.set_window(p["caller"], "b", True), None),
    "a window, and the callee": (
        lambda o, p: o.call_eqv(o.set_window(p["caller"], "a", True), "callee(_)", o.set_window(p["callee"], "x", True)),
        None,
    ),
    "a window, inlined": (lambda o, p: o.inline(o.set_window(p["caller"], "a", True), "callee(_)"), None),
    # Exo passes the window as if it were a pointer.
    "a window for a tensor": (lambda o, p: o.set_window(p["caller"], "a", True), "expected a non-window tensor"),
}


@pytest.mark.parametrize("name", CASES)
def test_c_is_refused_and_not_the_step(name: str, ops: Any, progs: Dict[str, Any]) -> None:
    step: Callable[[Any, Any], Any]
    said: Optional[str]
    step, said = CASES[name]
    made = step(ops, progs)
    if said is None:
        assert made.c_code_str()
        return
    with pytest.raises(TypeError) as refused:
        made.c_code_str()
    assert said in str(refused.value) and f"{__file__.rsplit('/', 1)[-1]}:" in str(refused.value)


def test_nothing_is_made_of_open_calls(ops: Any, progs: Dict[str, Any]) -> None:
    from exo import proc

    cells = np.zeros(8, np.float32)
    for opened in (ops.set_precision(progs["caller"], "t", "f64"), ops.set_window(progs["caller"], "a", True)):

        @proc
        def top(a: f32[8], b: f32[8]):
            opened(a, b)

        for made in (opened, top):
            with pytest.raises(rewright.RunError):
                made.run(cells, cells)
            with pytest.raises(rewright.RunError):
                made.equiv(progs["caller"] if made is opened else top)
            with pytest.raises(rewright.CodegenError):
                made.compile()
            with pytest.raises(TypeError):
                made.c_code_str()
        assert 'data-language="c"' not in rewright.ledger(opened, None)
        # The operations of `rewright` are strict, and take no such version.
        with pytest.raises(rewright.SchedulingError) as refused:
            rewright.insert_pass(opened, opened.body().before())
        assert refused.value.rewright_condition == "insert_pass.well_typed"
    assert not opened.is_eq(progs["caller"])


def test_a_schedule_is_audited_once_its_calls_are_right(ops: Any, progs: Dict[str, Any]) -> None:
    p = ops.set_precision(progs["caller"], "t", "f64")
    p = ops.insert_pass(p, p.body()[1].before())
    audit = rewright.audit(p)
    assert not audit and "not right yet" in str(audit.finding)
    for callee in ("callee", "windowed"):
        p = ops.inline(p, f"{callee}(_)")
    assert rewright.audit(p) and rewright.audit(p).compared > 50
    steps = p.derivation()["chains"][0]["steps"]
    assert {"postponed": "argument `y` of `callee` must have elements of type `f32`, not `f64`"} in [c["because"] for c in steps[0]["conditions"]]
    # Each step is one in exact arithmetic, since the machine has no meaning for what it is from or to.
    assert [step["relation"] for step in steps] == ["rounded"] * 4
    assert p.equiv(progs["caller"])


def test_strides_of_a_tensor_are_not_those_of_a_window(ops: Any) -> None:
    from exo import proc

    @proc
    def asks(x: f32[8]):
        if stride(x, 0) == 1:
            x[0] = 1.0
        else:
            x[0] = 2.0

    @proc
    def passes(x: f32[8]):
        asks(x)

    with pytest.raises(rewright.SchedulingError) as refused:
        ops.set_window(passes, "x", True)
    assert refused.value.rewright_condition == "set_window.well_typed"


def test_definitions_may_have_open_calls(progs: Dict[str, Any], ops: Any) -> None:
    from exo import proc

    callee = progs["callee"]

    @proc
    def other(a: f64[8], b: f32[8]):
        callee(8, a, b)

    @proc
    def column(a: f32[8, 4], b: f32[8]):
        callee(8, a[:, 1], b)

    for made, said in ((other, "expected precision f32, but got f64"), (column, "expected a non-window tensor")):
        with pytest.raises(TypeError, match=said):
            made.c_code_str()
        right = ops.inline(made, "callee(_)")
        assert right.c_code_str()
    with pytest.raises(TypeError, match="may have another extent|extent"):

        @proc
        def short(a: f32[7], b: f32[8]):
            callee(8, a, b)


def test_integers_in_the_place_of_floats_are_no_matter_of_rounding(progs: Dict[str, Any], ops: Any) -> None:
    from exo import proc

    @proc
    def halves(x: f32[8], y: f32[8]):
        for i in seq(0, 8):
            y[i] = x[i] / 2.0
            y[i] = y[i] + y[i]

    @proc
    def low(x: f32[8], y: i8[8]):
        for i in seq(0, 8):
            y[i] = x[i] / 2.0
            y[i] = y[i] + y[i]

    # Called, staged and inlined, a half would be added to itself before it is cut off.
    for step in (
        lambda: ops.replace(low, "for i in _: _", halves),
        lambda: ops.set_precision(progs["caller"], "a", "i8"),
    ):
        with pytest.raises(rewright.SchedulingError):
            step()
    with pytest.raises(TypeError, match="i8"):

        @proc
        def half(x: f32[8], y: i8[8]):
            halves(x, y)


def test_what_was_made_of_a_tensor_is_not_called_with_a_window(ops: Any) -> None:
    from exo import proc

    @proc
    def copy(x: f32[8], y: f32[8]):
        for i in seq(0, 8):
            y[i] = x[i]

    dense = ops.specialize(copy, "for i in _: _", "stride(x, 0) == 1")
    dense = ops.eliminate_dead_code(dense, dense.body()[0].orelse()[0])
    windowed = ops.set_window(dense, "x", True)

    @proc
    def column(a: f32[8, 4], b: f32[8]):
        copy(a[:, 1], b)

    @proc
    def passes(a: f32[8], b: f32[8]):
        copy(a, b)

    for caller in (column, ops.set_window(passes, "a", True)):
        with pytest.raises(rewright.SchedulingError, match="strides of tensors"):
            ops.call_eqv(caller, "copy(_)", windowed)
    # Of a version that asks for none, the call is put right.
    assert ops.call_eqv(column, "copy(_)", ops.set_window(copy, "x", True)).c_code_str()


def test_callers_of_open_calls_are_looked_at(progs: Dict[str, Any], ops: Any) -> None:
    from exo import proc

    callee = progs["callee"]

    @proc
    def other(a: f64[8], b: f32[8]):
        callee(8, a, b)

    with pytest.raises(rewright.ProgramError, match="bound"):

        @rewright.proc
        def top(a: f64[8], b: f32[8]):
            other(a, b)
            b[100] = 1.0

    # The operations of `rewright` take no open version, and none is equal to what it becomes.
    with pytest.raises(rewright.SchedulingError):
        rewright.simplify(other)
    made = rewright.inline(other, "callee(_)")
    assert made.derivation()["chains"][0]["steps"][0]["relation"] == "rounded"
    assert not made.is_eq(other)


def test_schedules_of_open_definitions_are_audited(progs: Dict[str, Any], ops: Any) -> None:
    from exo import proc

    callee = progs["callee"]

    @proc
    def other(a: f64[8], b: f32[8]):
        callee(8, a, b)

    @proc
    def column(a: f32[8, 4], b: f32[8]):
        callee(8, a[:, 1], b)

    @proc
    def top(a: f32[8, 4], b: f32[8]):
        column(a, b)
        for i in seq(0, 8):
            b[i] += 1.0

    divided = ops.divide_loop(callee, "i", 4, ["io", "ii"])
    through = ops.call_eqv(column, "callee(_)", divided)
    right = ops.inline(column, "callee(_)")
    above = ops.divide_loop(top, "i", 4, ["io", "ii"], perfect=True)
    schedules = {
        "a precision": ops.inline(other, "callee(_)"),
        "a window": right,
        "versions that take tensors": ops.call_eqv(through, "callee(_)", ops.set_window(divided, "x", True)),
        "a call of what is open": ops.call_eqv(above, "column(_)", right),
        "inlined twice": ops.inline(ops.inline(above, "column(_)"), "callee(_)"),
    }
    for name, p in schedules.items():
        audit = rewright.audit(p)
        assert audit and audit.compared > 15, (name, audit)
        assert p.c_code_str(), name
    # Where the end is open, by itself or by what it calls, nothing was put right.
    for p in (through, ops.simplify(other), above, ops.inline(above, "column(_)")):
        audit = rewright.audit(p)
        assert not audit and "what is not right yet" in str(audit.finding), audit


def changed(record: Dict[str, Any], old: str, new: str) -> Dict[str, Any]:
    """A record with other definitions, and the digest of these."""
    assert old in record["definitions"]
    record["definitions"] = record["definitions"].replace(old, new)
    text = json.dumps([record["definitions"], record.get("versions", []), record["chains"]], separators=(",", ":"), ensure_ascii=False)
    digest = 0xCBF29CE484222325
    for byte in text.encode():
        digest = (digest ^ byte) * 0x100000001B3 % 2**64
    return {**record, "digest": f"{digest:016x}"}


def test_an_audit_takes_no_more_than_steps_leave_open(progs: Dict[str, Any], ops: Any) -> None:
    from exo import proc

    callee = progs["callee"]

    @proc
    def column(a: f32[8, 4], b: f32[8]):
        callee(8, a[:, 1], b)

    @proc
    def other(a: f64[8], b: f32[8]):
        callee(8, a, b)

    def of(p: Any) -> Dict[str, Any]:
        return ops.inline(p, "callee(_)").derivation()

    loop = "for i in seq(0, n):"
    for record, old, new, said in (
        # A tensor's strides are known, and the window's are others.
        (of(column), loop, f"if stride(x, 0) == 1:\n        y[0] = 1.0\n    {loop}", "call.dense"),
        (of(other), "a: f64", "a: i32", "argument-precision"),
        (of(column), "seq(0, n)", "seq(0, n + 1)", "bounds.access"),
        (of(column), "a[0:8, 1]", "a[0:7, 1]", "extent"),
    ):
        audit = rewright.audit(changed(record, old, new))
        assert not audit and said in str(audit.finding), audit


def test_scripts_have_no_open_definitions(progs: Dict[str, Any], ops: Any) -> None:
    from exo import proc

    callee = progs["callee"]

    @proc
    def column(a: f32[8, 4], b: f32[8]):
        callee(8, a[:, 1], b)

    record = ops.inline(column, "callee(_)").derivation()
    assert rewright.audit(record)
    # A line that binds a procedure makes a script of the definitions, which nothing else is asked of here.
    record["definitions"] += "\np = insert_pass(callee, 'for i in _: _')\n"
    audit = rewright.audit(changed(record, "insert_pass", "insert_pass"))
    assert not audit and "call.dense" in str(audit.finding), audit


def test_what_is_extracted_may_be_open(progs: Dict[str, Any], ops: Any) -> None:
    from exo import proc

    callee = progs["callee"]

    @proc
    def lent(a: [f32][8], b: f32[8]):
        callee(8, a, b)

    @proc
    def top(a: f32[8, 4], b: f32[8]):
        lent(a[:, 1], b)

    p = ops.inline(top, "lent(_)")
    p, sub = ops.extract_subproc(p, p.find("callee(_)"), "sub")
    assert "sub(" in str(p)
    with pytest.raises(TypeError, match="expected a non-window tensor"):
        p.c_code_str()
    right = ops.inline(ops.inline(p, "sub(_)"), "callee(_)")
    assert right.c_code_str() and rewright.audit(right)
    assert ops.call_eqv(p, "sub(_)", ops.inline(sub, "callee(_)")).c_code_str()

    @proc
    def asks(x: f32[8]):
        if stride(x, 0) == 1:
            x[0] = 1.0
        else:
            x[0] = 2.0

    @proc
    def rows(a: f32[8, 8]):
        for i in seq(0, 8):
            row = a[i, :]
            asks(row)

    # What asks for strides is called with a tensor's, or not at all: here they are known, and asserted.
    _, sub = ops.extract_subproc(rows, rows.find("asks(_)"), "sub", include_asserts=True)
    assert "assert stride(row, 0) == 1" in str(sub)
    with pytest.raises(rewright.SchedulingError, match="dense"):
        rewright.extract_subproc(rows, "asks(_)", "sub", include_asserts=False)
    with pytest.raises(rewright.SchedulingError, match="dense"):
        ops.extract_subproc(rows, rows.find("asks(_)"), "sub", include_asserts=False)


def test_versions_that_ask_for_strides_are_not_called_with_windows(ops: Any) -> None:
    from exo import proc

    @proc
    def copy(x: [f32][8], y: f32[8]):
        for i in seq(0, 8):
            y[i] = x[i]

    @proc
    def column(a: f32[8, 4], b: f32[8]):
        copy(a[:, 1], b)

    tensor = ops.set_window(copy, "x", False)
    asks = ops.specialize(tensor, "for i in _: _", "stride(x, 0) == 1")
    one = ops.eliminate_dead_code(asks, asks.find("if _: _"))
    assert "stride" not in str(one)
    # The call is right before, and would be open.
    assert ops.call_eqv(column, "copy(_)", tensor).find("copy(_)")
    for version in (asks, one):
        with pytest.raises(rewright.SchedulingError):
            ops.call_eqv(column, "copy(_)", version)
    with pytest.raises(rewright.SchedulingError):
        rewright.call_eqv(column, "copy(_)", tensor)


def test_versions_on_the_way_may_take_tensors(ops: Any) -> None:
    from exo import proc

    @proc
    def copy(x: [f32][8], y: [f32][8]):
        for i in seq(0, 8):
            y[i] = x[i]

    @proc
    def columns(a: f32[8, 4], b: f32[8, 4]):
        copy(a[:, 1], b[:, 2])

    tensors = ops.set_window(ops.set_window(copy, "x", False), "y", False)
    open_call = ops.call_eqv(columns, "copy(_)", tensors)
    windows = ops.set_window(ops.set_window(ops.divide_loop(tensors, "i", 4, ["io", "ii"], perfect=True), "x", True), "y", True)
    # From what is open, and from what is not.
    for caller in (open_call, columns):
        made = ops.insert_pass(ops.call_eqv(caller, "copy(_)", windows), caller.body()[0].before())
        assert made.c_code_str()
        assert rewright.audit(made), rewright.audit(made)
        # Nothing is open in what was called last, and what is made of that is equal to it.
        relations = [step["relation"] for step in made.derivation()["chains"][0]["steps"]]
        assert relations == (["rounded", "rounded", "equivalent"] if caller is open_call else ["equivalent"] * 2)


def test_c_does_not_look_into_instructions(progs: Dict[str, Any], ops: Any) -> None:
    from exo import instr, proc

    callee = progs["callee"]

    @instr("take({a_data}, {b_data});")
    def take(a: f32[8, 4], b: f32[8]):
        callee(8, a[:, 1], b)

    @proc
    def top(a: f32[8, 4], b: f32[8]):
        take(a, b)

    assert "take(" in top.c_code_str()
    cells = np.zeros((8, 4), np.float32)
    with pytest.raises(rewright.RunError):
        top.run(cells, cells[0])
    inside = ops.inline(top, "take(_)")
    with pytest.raises(TypeError, match="expected a non-window tensor"):
        inside.c_code_str()


def test_guards_of_exos_are_audited(ops: Any) -> None:
    from exo import proc

    @proc
    def sums(n: size, x: f32[n], s: f32):
        for i in seq(0, n):
            s += x[i]

    proved = ops.add_unsafe_guard(sums, sums.find("s += _"), "i < n")
    audit = rewright.audit(proved)
    assert audit and audit.steps == 1
    assert "the condition holds whenever the statements run" in rewright.ledger(proved, None)
    assumed = ops.add_unsafe_guard(sums, sums.find("s += _"), "i < 3")
    audit = rewright.audit(assumed)
    assert not audit and "add_unsafe_guard" in str(audit.finding), audit


@pytest.fixture(scope="module")
def racing() -> Dict[str, Any]:
    """Procedures with loops of which iterations meet, or may come to."""
    from exo import config, proc

    @config
    class State:
        v: f32

    @proc
    def copies(a: f32[8], b: f32[8]):
        t: f32
        for i in seq(0, 8):
            t = a[i]
            b[i] = t

    @proc
    def sums(a: f32[8], b: f32[8]):
        for i in par(0, 8):
            b[0] += a[i]

    @proc
    def own(a: f32[8], b: f32[8]):
        for i in par(0, 8):
            c: f32
            c = a[i]
            b[i] = c

    @proc
    def again(a: f32[8], b: f32[8]):
        u: f32
        u = a[0]
        b[0] = u
        for i in par(0, 8):
            c: f32
            c = a[i]
            b[i] = c

    @proc
    def nested(a: f32[8], b: f32[8]):
        for i in seq(0, 8):
            for j in par(0, 4):
                b[i] += a[i]

    @proc
    def two(a: f32[8], b: f32[8]):
        t: f32
        for i in par(0, 8):
            b[i] = a[i]
        for i in seq(0, 8):
            t = b[i]
            b[i] = t * t

    @proc
    def shifted(a: f32[9], b: f32[9]):
        for i in par(0, 8):
            b[i + 1] = 1.0
        for i in par(0, 8):
            a[i] = b[i]

    return {k: v for k, v in locals().items() if k not in ("config", "proc")}


#: Steps that leave a race, and one that puts it right.
RACES: Dict[str, Any] = {
    "a loop made parallel": (
        lambda o, p: o.parallelize_loop(p["copies"], "i"),
        lambda o, p: o.unroll_loop(p, "i"),
    ),
    "a definition": (
        lambda o, p: o.rename(p["sums"], "other"),
        lambda o, p: o.unroll_loop(p, "i"),
    ),
    "an allocation that was each iteration's": (
        lambda o, p: o.lift_alloc(p["own"], "c"),
        lambda o, p: o.sink_alloc(p, "c"),
    ),
    "a buffer that is all iterations'": (
        lambda o, p: o.reuse_buffer(p["again"], "u: _", "c: _"),
        lambda o, p: o.unroll_loop(p, "i"),
    ),
    "more than an iteration's cells": (
        lambda o, p: o.stage_mem(p["own"], p["own"].find_loop("i").body(), "b[0:8]", "bb"),
        lambda o, p: o.unroll_loop(p, "i"),
    ),
    "an expression of a cell that iterations write": (
        lambda o, p: o.bind_expr(o.parallelize_loop(p["two"], "i #1"), [p["two"].find("t * _").lhs()], "v"),
        lambda o, p: o.unroll_loop(p, "i #1"),
    ),
    "a field": (
        lambda o, p: o.write_config(p["own"], p["own"].find("c = _").after(), p["State"], "v", "c"),
        lambda o, p: o.delete_config(p, "State.v = _"),
    ),
    "a loop that goes out": (
        lambda o, p: o.reorder_loops(p["nested"], "i j"),
        lambda o, p: o.unroll_loop(p, "j"),
    ),
    "iterations that come to run at once": (
        lambda o, p: o.fuse(p["shifted"], "i", "i #1"),
        lambda o, p: o.fission(p, p.find("a[_] = _").before()),
    ),
    "loops that become one": (
        lambda o, p: o.fuse(p["two"], "i", "i #1"),
        lambda o, p: o.sink_alloc(p, "t"),
    ),
}


@pytest.mark.parametrize("name", RACES)
def test_races_are_looked_for_when_c_is_made(name: str, ops: Any, racing: Dict[str, Any]) -> None:
    leaves, rights = RACES[name]
    racy = leaves(ops, racing)
    with pytest.raises(TypeError, match="potential data races") as refused:
        racy.c_code_str()
    assert f"{__file__.rsplit('/', 1)[-1]}:" in str(refused.value)
    with pytest.raises(rewright.RunError):
        racy.run(*(np.zeros(9 if racy.name() == "shifted" else 8, np.float32) for _ in racy.args()))
    audit = rewright.audit(racy)
    assert not audit and "may meet in" in str(audit.finding)
    # A step that has nothing to do with it does not hide it.
    on = ops.insert_pass(racy, racy.body().before())
    with pytest.raises(TypeError, match="potential data races"):
        on.c_code_str()
    with pytest.raises(rewright.SchedulingError) as strict:
        rewright.insert_pass(racy, racy.body().before())
    assert strict.value.rewright_condition == "insert_pass.well_typed"
    right = rights(ops, on)
    assert right.c_code_str()
    audit = rewright.audit(right)
    assert audit and audit.compared > 15, audit
    # A race is no matter of rounding.
    assert "rounded" not in [step["relation"] for step in right.derivation()["chains"][0]["steps"]]


def test_races_of_what_is_called(ops: Any, racing: Dict[str, Any]) -> None:
    from exo import proc

    sums, right = racing["sums"], ops.unroll_loop(racing["sums"], "i")

    @proc
    def calls(a: f32[8], b: f32[8]):
        sums(a, b)

    @proc
    def written(a: f32[8], b: f32[8]):
        for i in seq(0, 8):
            b[0] += a[i]

    replaced = ops.replace(ops.parallelize_loop(written, "i"), "for i in _: _", sums)
    for racy in (calls, ops.insert_pass(calls, calls.body().before()), replaced):
        with pytest.raises(TypeError, match="potential data races"):
            racy.c_code_str()
        for mended in (ops.call_eqv(racy, "sums(_)", right), ops.unroll_loop(ops.inline(racy, "sums(_)"), "i")):
            assert mended.c_code_str()
            assert rewright.audit(mended), rewright.audit(mended)
    # What is proved of a version of `rewright` is proved of all that it calls.
    with pytest.raises(rewright.SchedulingError, match="no two iterations over `i` meet in `b`"):
        rewright.call_eqv(ops.call_eqv(calls, "sums(_)", right), "sums(_)", sums)


def test_what_an_iteration_leaves_for_the_next(ops: Any) -> None:
    """A buffer of a loop that races is not that of an iteration, until it is known that iterations are apart."""
    from exo import proc

    @proc
    def carries(a: f32[8], b: f32[8]):
        c: f32
        for i in par(0, 8):
            if i == 0:
                c = a[i]
            b[i] = c

    @proc
    def sums(a: f32[8], b: f32[8]):
        c: f32
        for i in seq(0, 8):
            if i == 0:
                c = a[0]
            c += a[i]
            b[i] = c

    for racy in (carries, ops.parallelize_loop(sums, "i")):
        with pytest.raises(rewright.SchedulingError) as refused:
            ops.sink_alloc(racy, "c: _")
        assert refused.value.rewright_condition == "sink_alloc.no_carry"


def test_operations_of_several_steps_leave_races_in_all_of_them(ops: Any) -> None:
    from exo import proc

    @proc
    def one(n: size, a: f32[8], b: f32[8]):
        for i in par(0, n):
            a[0] = 1.0
            b[0] = a[0]

    @proc
    def two(n: size, a: f32[8], b: f32[8]):
        for j in seq(0, n):
            for i in par(0, 8):
                a[0] = 1.0
                b[i] = a[0]

    gone = ops.autofission(one, one.find("a[0] = _").after())
    assert "for" not in str(gone) and gone.c_code_str()
    split = ops.fission(two, two.find("a[0] = _").after(), n_lifts=2)
    assert str(split).count("for j in seq") == 2
    assert rewright.audit(gone), rewright.audit(gone)


def test_a_step_takes_par_for_seq(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each sample with all its loops parallel, racy or not, a step makes what it makes of the sample, or is refused."""
    from exo_programs import samples
    from exo_programs.steps import outcome, steps

    text = Path(samples.__file__).read_text(encoding="utf-8").replace("in seq(", "in par(")
    (tmp_path / "parallel_samples.py").write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("parallel_samples", tmp_path / "parallel_samples.py")
    assert spec is not None and spec.loader is not None
    parallel = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "parallel_samples", parallel)
    spec.loader.exec_module(parallel)
    count = Counter[str]()
    refused = []
    for name, p in samples.SAMPLES.items():
        of_par = dict(steps(parallel.SAMPLES[name]))
        for step, run in steps(p):
            seq, par = outcome(run), outcome(of_par.pop(step))
            if par.startswith("!"):
                count["refused"] += 1
                refused += [] if seq.startswith("!") else [f"{name}: {step}"]
            else:
                count["taken"] += 1
                assert par.replace(" par(", " seq(") == seq.replace(" par(", " seq("), f"{name}: {step}"
        assert not of_par
    print(dict(count))
    assert count["taken"] > 1800
    # What `replace` and `call_eqv` are given here has `seq`.
    assert [step for step in refused if not re.search(": (replace|call_eqv) ", step)] == []
