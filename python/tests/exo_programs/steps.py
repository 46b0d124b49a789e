"""Single operations on small programs: what each makes of each place where it can be tried.

They run under Exo and under `rewright.exo` alike. `python -m exo_programs.steps FILE`, in the folder of the tests and with the
Python of a real Exo, writes what comes out there: that is `exo_steps.txt`, in which a program is the digest of its text.
`python -m exo_programs.steps - 'gemm: unroll_loop For 0'` shows one.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import sys
from typing import Any, Callable, Dict, Iterator, List, Tuple

import exo.API_scheduling as operations
from exo import Procedure, SchedulingError
from exo.API_cursors import InvalidCursorError
from exo.frontend.parse_fragment import ParseFragmentError
from exo.libs.memories import DRAM_STATIC

from .samples import SAMPLES, Cfg, clear, fill, fill_twice

#: A step: its name, and what does it.
Step = Tuple[str, Callable[[], Any]]

#: What may be raised where a step is refused.
REFUSALS = (SchedulingError, InvalidCursorError, ParseFragmentError, TypeError, ValueError, NotImplementedError)


def places(p: Procedure, kind: str) -> List[Any]:
    """Every statement of a kind, in the order of the program."""
    found: List[Any] = []

    def block(stmts: Any) -> None:
        for stmt in stmts:
            name = type(stmt).__name__
            if name == kind:
                found.append(stmt)
            if name in ("ForCursor", "IfCursor"):
                block(stmt.body())
            if name == "IfCursor" and not isinstance(stmt.orelse(), type(None)) and stmt.orelse():
                block(stmt.orelse())

    block(p.body())
    return found


KINDS = ("ForCursor", "IfCursor", "AssignCursor", "ReduceCursor", "AllocCursor", "CallCursor", "WindowStmtCursor", "AssignConfigCursor", "PassCursor")

#: By kind of place, operations and what they are given after the place.
AT: Dict[str, List[Tuple[str, List[Any]]]] = {
    "ForCursor": [
        ("divide_loop", [2, ["o", "i"], {"tail": "cut"}]),
        ("divide_loop", [4, ["o", "i"], {"tail": "guard"}]),
        ("divide_loop", [4, ["o", "i"], {"perfect": True}]),
        ("divide_loop", [3, ["o", "i"], {"tail": "cut_and_guard"}]),
        ("cut_loop", [1]),
        ("cut_loop", ["2"]),
        ("shift_loop", [1]),
        ("unroll_loop", []),
        ("remove_loop", []),
        ("parallelize_loop", []),
        ("eliminate_dead_code", []),
        ("lift_scope", []),
        ("specialize", [["n < 4"]]),
        ("add_unsafe_guard", ["n > 2"]),
        ("extract_subproc", ["part"]),
        ("divide_with_recompute", ["4", 4, ["o", "i"]]),
        ("add_loop", ["again", 2]),
        ("add_loop", ["again", 2, {"guard": True}]),
    ],
    "IfCursor": [("eliminate_dead_code", []), ("lift_scope", []), ("specialize", [["n < 4"]]), ("extract_subproc", ["part"])],
    "AssignCursor": [
        ("inline_assign", []),
        ("split_write", []),
        ("fold_into_reduce", []),
        ("add_loop", ["again", 2]),
        ("add_loop", ["again", 3, {"guard": True}]),
        ("add_unsafe_guard", ["n > 2"]),
        ("specialize", [["n < 4", "n < 8"]]),
        ("delete_config", []),
    ],
    "ReduceCursor": [("split_write", []), ("add_loop", ["again", 2, {"guard": True}]), ("lift_reduce_constant", [])],
    "AllocCursor": [
        ("lift_alloc", [1]),
        ("lift_alloc", [2]),
        ("autolift_alloc", [1, {"keep_dims": True}]),
        ("autolift_alloc", [1, {"mode": "col", "size": 8, "keep_dims": True}]),
        ("sink_alloc", []),
        ("delete_buffer", []),
        ("unroll_buffer", [0]),
        ("divide_dim", [0, 2]),
        ("rearrange_dim", [[1, 0]]),
        ("expand_dim", ["4", "0"]),
        ("expand_dim", ["n", "i"]),
        ("resize_dim", [0, "9", 0]),
        ("resize_dim", [0, 8, "1"]),
        ("resize_dim", [0, 8, 0, {"fold": True}]),
        ("set_precision", ["f64"]),
    ],
    "CallCursor": [("inline", []), ("delete_config", []), ("call_eqv", [fill_twice])],
    "WindowStmtCursor": [("inline_window", [])],
    "AssignConfigCursor": [("delete_config", [])],
    "PassCursor": [("add_unsafe_guard", ["n > 2"])],
}


def _called(operation: str, p: Procedure, place: Any, rest: List[Any]) -> Callable[[], Any]:
    named = rest[-1] if rest and isinstance(rest[-1], dict) else {}
    plain = rest[:-1] if named else rest
    return lambda: getattr(operations, operation)(p, place, *plain, **named)


def steps(p: Procedure) -> Iterator[Step]:
    """Every step that is tried on a program."""
    yield "simplify", lambda: operations.simplify(p)
    yield "delete_pass", lambda: operations.delete_pass(p)
    for kind in KINDS:
        for k, place in enumerate(places(p, kind)):
            for operation, rest in AT[kind]:
                yield f"{operation} {kind[:-6]} {k} {_words(rest)}".rstrip(), _called(operation, p, place, rest)
    yield from _pairs(p)
    yield from _expressions(p)
    yield from _gaps(p)
    # Exo changes the program itself here: nothing may come after it.
    for k, place in enumerate(places(p, "AllocCursor")):
        yield f"mult_dim {k}", lambda a=place: operations.mult_dim(p, a, 0, 1)


def _words(rest: List[Any]) -> str:
    return " ".join(r.name() if isinstance(r, Procedure) else repr(r) for r in rest)


def _pairs(p: Procedure) -> Iterator[Step]:
    """Operations on two places."""
    loops = places(p, "ForCursor")
    for k, outer in enumerate(loops):
        if len(outer.body()) == 1 and type(outer.body()[0]).__name__ == "ForCursor":
            yield f"reorder_loops {k}", lambda o=outer: operations.reorder_loops(p, o)
            yield f"mult_loops {k}", lambda o=outer: operations.mult_loops(p, o, "both")
    every = [s for kind in KINDS for s in places(p, kind)]
    for k, stmt in enumerate(every):
        after = stmt.next()
        if after:
            yield f"reorder_stmts {k}", lambda s=stmt: operations.reorder_stmts(p, s.expand(0, 1))
            yield f"merge_writes {k}", lambda s=stmt: operations.merge_writes(p, s.expand(0, 1))
            yield f"fission {k}", lambda s=stmt: operations.fission(p, s.after())
            yield f"autofission {k}", lambda s=stmt: operations.autofission(p, s.after())
            yield f"fuse {k}", lambda s=stmt, t=after: operations.fuse(p, s, t)
            yield f"join_loops {k}", lambda s=stmt, t=after: operations.join_loops(p, s, t)
            yield f"lift_reduce_constant {k}", lambda s=stmt: operations.lift_reduce_constant(p, s.expand(0, 1))
    allocs = places(p, "AllocCursor")
    for k, one in enumerate(allocs):
        for j, other in enumerate(allocs):
            if k != j:
                yield f"reuse_buffer {k} {j}", lambda a=one, b=other: operations.reuse_buffer(p, a, b)
    for k, stmt in enumerate(loops):
        yield f"replace {k}", lambda s=stmt: operations.replace(p, s, fill)
        yield f"replace clear {k}", lambda s=stmt: operations.replace(p, s, clear)


def _expressions(p: Procedure) -> Iterator[Step]:
    """Operations on right-hand sides."""
    for kind in ("AssignCursor", "ReduceCursor"):
        for k, stmt in enumerate(places(p, kind)):
            rhs = stmt.rhs()
            yield f"bind_expr {kind[:-6]} {k}", lambda e=rhs: operations.bind_expr(p, [e], "bound")
            yield f"bind_config {kind[:-6]} {k}", lambda e=rhs: operations.bind_config(p, e, Cfg, "a")
            if type(rhs).__name__ == "BinaryOpCursor":
                yield f"commute_expr {kind[:-6]} {k}", lambda e=rhs: operations.commute_expr(p, [e])
                yield f"left_reassociate_expr {kind[:-6]} {k}", lambda e=rhs: operations.left_reassociate_expr(p, e)
                yield f"bind_expr lhs {kind[:-6]} {k}", lambda e=rhs: operations.bind_expr(p, [e.lhs()], "bound")
                yield f"bind_expr rhs {kind[:-6]} {k}", lambda e=rhs: operations.bind_expr(p, [e.rhs()], "bound")
            for d, index in enumerate(stmt.idx()):
                yield f"rewrite_expr {kind[:-6]} {k} {d}", lambda e=index: operations.rewrite_expr(p, e, "0")
    for k, loop in enumerate(places(p, "ForCursor")):
        yield f"rewrite_expr {k} 'n'", lambda e=loop.hi(): operations.rewrite_expr(p, e, "n")
        yield f"rewrite_expr {k} '8'", lambda e=loop.hi(): operations.rewrite_expr(p, e, "8")
        for buffer in ("x", "y", "A", "t"):
            if f"{buffer}: " in str(p):
                yield f"stage_mem {k} {buffer}", lambda s=loop, b=buffer: operations.stage_mem(p, s, b, "st")
                for window in ("0:n", "0:8", "0:n, 0:m", "i, 0:m", "i", "0:4, j"):
                    text = f"{buffer}[{window}]"
                    yield f"stage_mem {k} {text}", lambda s=loop, t=text: operations.stage_mem(p, s, t, "st")
                    yield f"stage_mem body {k} {text}", lambda s=loop, t=text: operations.stage_mem(p, s.body(), t, "st")


def _gaps(p: Procedure) -> Iterator[Step]:
    """Operations between statements, and on arguments."""
    for kind in ("ForCursor", "AssignCursor"):
        for k, stmt in enumerate(places(p, kind)):
            yield f"insert_pass {kind[:-6]} {k}", lambda s=stmt: operations.insert_pass(p, s.before())
            yield f"write_config {kind[:-6]} {k}", lambda s=stmt: operations.write_config(p, s.after(), Cfg, "i", "3")
    for k, alloc in enumerate(places(p, "AllocCursor")):
        yield f"set_memory {k}", lambda a=alloc: operations.set_memory(p, a, DRAM_STATIC)
    for k, arg in enumerate(p.args()):
        yield f"set_precision argument {k}", lambda a=arg: operations.set_precision(p, a, "f64")
        yield f"set_window argument {k}", lambda a=arg: operations.set_window(p, a, True)
        for value in (1, 4, 8):
            yield f"partial_eval {k} {value}", lambda a=arg, v=value: p.partial_eval(**{a.name(): v})


def outcome(step: Callable[[], Any]) -> str:
    """The program as it is printed, or the class of the refusal."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            found = step()
    except REFUSALS as e:
        return f"! {next(c.__name__ for c in REFUSALS if isinstance(e, c))}"
    except Exception as e:
        return f"!! {type(e).__name__}"
    found = found[0] if isinstance(found, tuple) else found
    return str(found) if isinstance(found, Procedure) else repr(type(found))


def every() -> Iterator[Tuple[str, Procedure, str, Callable[[], Any]]]:
    """Every step on every program."""
    for name, p in SAMPLES.items():
        for step, run in steps(p):
            yield f"{name}: {step}", p, step, run


def digest(found: str) -> str:
    """What is recorded: a refusal as it is, a program in few letters."""
    return found if found.startswith("!") else hashlib.sha256(found.encode()).hexdigest()[:16]


def written() -> str:
    """What comes out, in lines."""
    return "".join(f"{name}\t{digest(outcome(run))}\n" for name, _, _, run in every())


if __name__ == "__main__":
    if sys.argv[1] == "-":
        print("\n".join(outcome(run) for name, _, _, run in every() if name == sys.argv[2]))
    else:
        with open(sys.argv[1], "w", encoding="utf-8") as out_file:
            out_file.write(written())
