"""Where cursors to statements, runs of statements and gaps go with a step: for each step of `steps`, and more of them on two larger
programs, every such place.

They run under Exo and under `rewright.exo` alike. `python -m exo_programs.forwards FILE`, in the folder of the tests and with the
Python of a real Exo, writes what comes out there: that is `exo_forwards.txt`, with the numbers of the places at which Exo fails on
its own data structures. `python -m exo_programs.forwards - 'conds: fission 3'` shows a step.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import sys
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import exo.API_scheduling as operations
from exo import DRAM, Procedure, config, proc
from exo.API_cursors import InvalidCursor, InvalidCursorError

from . import steps
from .normal import normal_form

#: A step: its name, the program before it, and what does it.
Step = Tuple[str, Procedure, Callable[[], Any]]


@config
class State:
    s: f32
    i: index


@proc
def nothing(n: size, w: [f32][n]):
    pass


@proc
def add_one(n: size, w: [f32][n]):
    for k in seq(0, n):
        w[k] += 1.0


@proc
def conds(n: size, m: size, x: f32[n], y: f32[n], A: f32[n, 8]):
    assert n > 2
    x[0] = 0.0
    if n > 8:
        x[1] = 1.0
        y[1] = 2.0
        x[2] = 3.0
    x[0] = 1.0
    if m > 8:
        y[0] = 1.0
        x[0] = 2.0
    else:
        y[0] = 3.0
        x[0] = 4.0
        y[0] = 5.0
    for i in seq(0, n):
        y[i] = 0.0
        if m > 2:
            if n > 3:
                x[i] = 1.0
            else:
                x[i] = 2.0
        else:
            x[i] = 3.0
    for i in seq(0, n):
        if m > 5:
            for j in seq(0, 8):
                A[i, j] = 0.0
                A[i, j] += x[i]
    for i in seq(0, n):
        if m > 6:
            y[i] += 1.0
            x[i] += 1.0
    for i in seq(0, n):
        for j in seq(0, 8):
            A[i, j] += 2.0
    for i in seq(0, n):
        y[i] += 1.0
    for i in seq(0, n):
        x[i] += 1.0
    if n > 9:
        y[0] += 1.0
    if n > 9:
        y[0] += 2.0
    x[0] = 7.0


@proc
def bufs(n: size, x: f32[n], y: f32[n], z: f32[8]):
    assert n > 9
    y[0] = 0.0
    for i in seq(0, n):
        y[i] = x[i]
        t: f32[8]
        for j in seq(0, 8):
            t[j] = x[i]
        u: f32[8]
        for j in seq(0, 8):
            u[j] = t[j] + 1.0
        for j in seq(0, 8):
            z[j] += u[j]
        y[i] += 2.0
    add_one(n, x[0:n])
    add_one(8, z[0:8])
    w = x[1:9]
    for j in seq(0, 8):
        w[j] = z[j]
    for k in seq(0, 4):
        z[k] += 1.0
    for k in seq(4, 8):
        z[k] += 1.0
    State.i = 3
    y[1] = 2.0
    y[1] += x[1] + x[2]
    for l in seq(0, 8):
        y[l] = 1.0
        x[l] += 1.0
    for q in seq(0, 3):
        y[0] = 1.0
        y[1] = 2.0
    x[0] = y[1]


#: Operations at a statement of any kind, and what they are given after it.
ANYWHERE: List[Tuple[str, List[Any]]] = [("specialize", [["n < 12", "n < 50"]]), ("extract_subproc", ["part"])]

#: The same by kind; for expressions of it, the name of the move comes first.
AT: Dict[str, List[Tuple[str, List[Any]]]] = {
    "ForCursor": [
        ("lift_scope", []),
        ("divide_loop", [4, ["o", "i"], {"tail": "cut"}]),
        ("divide_loop", [4, ["o", "i"], {"tail": "cut_and_guard"}]),
        ("divide_loop", [4, ["o", "i"], {"tail": "guard"}]),
        ("divide_loop", [4, ["o", "i"], {"perfect": True}]),
        ("cut_loop", [2]),
        ("shift_loop", [2]),
        ("unroll_loop", []),
        ("remove_loop", []),
        ("reorder_loops", []),
        ("mult_loops", ["ij"]),
        ("parallelize_loop", []),
        ("replace", [add_one]),
    ],
    "IfCursor": [("lift_scope", []), ("eliminate_dead_code", [])],
    "AllocCursor": [
        ("lift_alloc", []),
        ("sink_alloc", []),
        ("delete_buffer", []),
        ("autolift_alloc", [1, {"keep_dims": True}]),
        ("expand_dim", ["n", "i"]),
        ("divide_dim", [0, 2]),
        ("set_memory", [DRAM]),
        ("set_precision", ["f64"]),
        ("resize_dim", [0, 9, 0]),
    ],
    "CallCursor": [("inline", [])],
    "WindowStmtCursor": [("inline_window", [])],
    "AssignConfigCursor": [("delete_config", [])],
    "AssignCursor": [("split_write", []), ("inline_assign", []), ("rhs bind_expr", ["bound"])],
    "ReduceCursor": [("split_write", []), ("rhs bind_config", [State, "s"])],
}


def _statements(block: Any) -> Iterator[Any]:
    for stmt in block:
        yield stmt
        if type(stmt).__name__ in ("ForCursor", "IfCursor"):
            yield from _statements(stmt.body())
        if type(stmt).__name__ == "IfCursor" and stmt.orelse():
            yield from _statements(stmt.orelse())


def _called(operation: str, p: Procedure, *given: Any) -> Callable[[], Any]:
    named = given[-1] if given and isinstance(given[-1], dict) else {}
    plain = given[:-1] if named else given
    return lambda: getattr(operations, operation)(p, *plain, **named)


def _more_steps(p: Procedure) -> Iterator[Step]:
    for k, stmt in enumerate(_statements(p.body())):

        def step(operation: str, *given: Any, k: int = k, where: str = "") -> Step:
            words = " ".join(repr(g) for g in given if isinstance(g, (str, int, list, dict)))
            return f"{p.name()}: {operation} {where}{k} {words}".rstrip(), p, _called(operation, p, *given)

        yield step("fission", stmt.after())
        yield step("fission", stmt.after(), 2)
        yield step("insert_pass", stmt.before())
        yield step("insert_pass", stmt.after(), where="after ")
        yield step("insert_noop_call", stmt.after(), nothing, ["n", "x[0:n]"])
        yield step("write_config", stmt.before(), State, "s", "1.0")
        yield step("add_loop", stmt, "q", 3, {"guard": True})
        for operation, rest in ANYWHERE + AT.get(type(stmt).__name__, []):
            move, _, name = operation.rpartition(" ")
            yield step(name, getattr(stmt, move)() if move else stmt, *rest)
        for window in ("x[0:n]", "y[0:n]", "z[0:8]", "x[i]", "y[i]"):
            yield step("stage_mem", stmt, window, "staged")
        if stmt.next():
            yield from _of_two(step, stmt)


def _of_two(step: Callable[..., Step], stmt: Any) -> Iterator[Step]:
    both = stmt.expand(0, 1)
    for operation, rest in [("specialize", [["n < 12"]]), ("extract_subproc", ["parts"]), ("stage_mem", ["x[0:n]", "staged"])]:
        yield step(operation, both, *rest, where="two from ")
    yield step("reorder_stmts", both)
    yield step("merge_writes", both)
    yield step("fuse", stmt, stmt.next())
    yield step("join_loops", stmt, stmt.next())


def every() -> Iterator[Step]:
    """Every step."""
    for p in (conds, bufs):
        yield from _more_steps(p)
    for name, p, _, run in steps.every():
        yield name, p, run


def places(p: Procedure) -> Iterator[Any]:
    """Every statement of a procedure, every run of statements, and every gap."""

    def block(stmts: Any) -> Iterator[Any]:
        count = len(stmts)
        for first in range(count):
            for last in range(first, count):
                yield stmts[first : last + 1]
        for stmt in stmts:
            yield stmt
            yield stmt.before()
            yield stmt.after()
            if type(stmt).__name__ in ("ForCursor", "IfCursor"):
                yield from block(stmt.body())
            if type(stmt).__name__ == "IfCursor" and stmt.orelse():
                yield from block(stmt.orelse())

    yield from block(p.body())


def place(cursor: Any) -> str:
    """What a cursor points at, and where: the way to it from the procedure."""
    kind = type(cursor).__name__[:-6]
    if kind == "Gap":
        return f"Gap {cursor.type().name} {place(cursor.anchor())}"
    if kind == "Block":
        return f"Block {len(cursor)} {place(cursor[0])}"
    way = []
    at = cursor
    while not isinstance(at, InvalidCursor):
        back = 0
        while at.prev(back + 1):
            back += 1
        around = at.parent()
        is_else = type(around).__name__ == "IfCursor" and around.body()[0] != at.prev(back) if back else _in_else(around, at)
        way.append(f"{'else' if is_else else 'body'}[{back}]")
        at = around
    return f"{kind} {'.'.join(reversed(way))}"


def _in_else(around: Any, first: Any) -> bool:
    return type(around).__name__ == "IfCursor" and bool(around.orelse()) and around.orelse()[0] == first


def forwarded(p: Procedure, run: Callable[[], Any]) -> Optional[Tuple[str, List[str]]]:
    """The program after the step, and where each place of the one before is in it: `gone`, or `!!` where the forwarding itself
    fails. Nothing for a step that is refused."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            found = run()
    except Exception:
        return None
    after = found[0] if isinstance(found, tuple) else found
    if not isinstance(after, Procedure):
        return None
    return normal_form(str(after), fold=True), [_forward(after, c) for c in places(p)]


def _forward(after: Procedure, cursor: Any) -> str:
    try:
        there = after.forward(cursor)
        # A run of nothing is a failure.
        return place(there)
    except InvalidCursorError:
        return "gone"
    except Exception:
        return "!!"


def digest(found: List[str], without: List[int]) -> str:
    """In few letters, without the places at these numbers."""
    left = [row for k, row in enumerate(found) if k not in without]
    return hashlib.sha256("\n".join(left).encode()).hexdigest()[:16]


def written() -> Iterator[str]:
    """What comes out, in lines: the step, the digest of the program, that of the places, and the numbers of the places that are
    left out of it."""
    for name, p, run in every():
        made = forwarded(p, run)
        if made is None:
            continue
        program, found = steps.digest(made[0]), made[1]
        failed = [k for k, row in enumerate(found) if row == "!!"]
        if len(failed) < len(found):
            yield f"{name}\t{program}\t{digest(found, failed)}\t{','.join(map(str, failed))}\n"


if __name__ == "__main__":
    if sys.argv[1] == "-":
        for name, p, run in every():
            if name == sys.argv[2]:
                for there, here in zip(places(p), (forwarded(p, run) or ("", []))[1]):
                    print(f"{place(there):40} {here}")
    else:
        with open(sys.argv[1], "w", encoding="utf-8") as out_file:
            out_file.writelines(written())
