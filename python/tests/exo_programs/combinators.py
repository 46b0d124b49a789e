# ruff: noqa
# mypy: ignore-errors
"""Schedules of schedules, and primitives that give cursors."""

from __future__ import annotations

from typing import Any

from exo.libs.memories import *
from exo.stdlib.higher_order import *
from exo.stdlib.rc_wrappers import *
from exo.stdlib.scheduling import *
from exo.stdlib.stdlib import *

from . import kernels as K
from .runs import Cases


def _lift_rc() -> Any:
    p, c = lift_rc(divide_loop_, "inner_loop")(K.axpy, K.axpy.find_loop("i"), 4)
    return [p, c.name()]


def _wrapper_div() -> Any:
    out = []
    for t in ("guard", "cut", "cut_and_guard"):
        p, (o, i, r) = divide_loop_(K.axpy, K.axpy.find_loop("i"), 4, tail=t, rc=True)
        out += [p, o.name(), i.name(), type(r).__name__]
    p, c = divide_loop_(K.matmul64, K.matmul64.find_loop("l"), 4, tail="perfect", rc=True)
    return out + [p, c.outer_loop.name(), type(c.tail_loop).__name__]


def _wrapper_fis() -> Any:
    p, (a, b) = fission_(K.two_stmts, K.two_stmts.find("x[_] = _").after(), rc=True)
    return [p, a.name(), type(b).__name__]


def _wrapper_fis2() -> Any:
    p, (a, b) = fission_(K.two_stmts, K.two_stmts.find("y[_] = _").before(), rc=True)
    return [p, a.name(), type(b).__name__]


def _wrapper_stage() -> Any:
    p, (a, l, b, s) = stage_mem_(K.staged, K.staged.find_loop("j"), "y[i]", "t", rc=True)
    return [p, a.name(), type(l).__name__, len(b), type(s).__name__]


def _wrapper_cut() -> Any:
    p, (a, b) = cut_loop_(K.matmul64, K.matmul64.find_loop("l"), 5, rc=True)
    return [p, a.name(), b.name()]


def _wrapper_spec() -> Any:
    p, (c,) = specialize_(K.two_stmts, K.two_stmts.find("y[_] = _"), "n > 4", rc=True)
    p2, (c2,) = specialize_(p, c.orelse()[0], "n > 2", rc=True)
    return [p, type(c).__name__, p2, type(c2).__name__, c2.body()[0].name()]


CASES: Cases = {
    "wrapper_alone": lambda: [
        fission_(K.two_stmts, K.two_stmts.find("x[_] = _").after()),
        stage_mem_(K.staged, K.staged.find_loop("j"), "y[i]", "t"),
        stage_mem_(K.staged, K.staged.find_loop("j"), "y[i]", "t", accum=True),
        cut_loop_(K.matmul64, K.matmul64.find_loop("l"), 5),
        specialize_(K.two_stmts, K.two_stmts.find("y[_] = _"), "n > 4"),
        divide_loop_(K.axpy, K.axpy.find_loop("i"), 4),
    ],
    "wrapper_block": lambda: (
        stage_mem_(K.common, K.common.find_loop("i").body(), "x[i]", "t", rc=True)[1].block[0].name()
    ),
    "apply": lambda: apply(unroll_loop)(K.bufs, K.bufs.find_loop("i", many=True)),
    "repeat": lambda: repeat(reorder_loops)(K.matmul, "i j"),
    "repeat_n": lambda: repeat(divide_loop, 2)(
        divide_loop(K.matmul64, "i", 4, ["i", "ii"], perfect=True), "i", 4, ["i", "ii"], perfect=True
    ),
    "repeat_bad": lambda: repeat(divide_loop, 0),
    "seq": lambda: sched_seq(K.axpy, [simplify, (rename, "foo"), [divide_loop, "i", 4, ["io", "ii"]]]),
    "seq_bad": lambda: sched_seq(K.axpy, [3]),
    "seq_empty": lambda: sched_seq(K.axpy, [()]),
    "loop_hack": lambda: loop_hack(unroll_loop, lambda p: p.find_loop("i", many=True))(K.bufs),
    "liftif": lambda: lift_if(K.nested_if, "if _: _"),
    "liftif2": lambda: lift_if(K.nested_if, K.nested_if.find("if _: _"), 2),
    "attempt": lambda: [
        attempt(reorder_loops)(K.axpy, "i j", rs=True)[1],
        attempt(unroll_loop)(K.axpy, "i"),
        attempt(simplify)(K.axpy, rs=True)[1],
    ],
    "attempt_errs": lambda: attempt(unroll_loop, errs=(TypeError,))(K.axpy, "i"),
    "higher_order": lambda: [
        predicate(unroll_loop, lambda p, c: c.name() == "k")(K.conv1d, K.conv1d.find_loop("k")),
        make_pass(attempt(unroll_loop))(K.conv1d),
        repeate(reorder_stmt_forward)(K.bufs, K.bufs.body()[0]),
    ],
    "lift_rc": _lift_rc,
    "wrapper_div": _wrapper_div,
    "wrapper_fis": _wrapper_fis,
    "wrapper_fis2": _wrapper_fis2,
    "wrapper_stage": _wrapper_stage,
    "wrapper_cut": _wrapper_cut,
    "wrapper_spec": _wrapper_spec,
}
