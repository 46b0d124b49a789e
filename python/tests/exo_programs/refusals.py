"""Every operation with arguments of every kind, and the class of what is raised.

They run under Exo and under `rewright.exo` alike. `python -m exo_programs.refusals FILE`, in the folder of the tests and with the
Python of a real Exo, writes what is raised there: that is `exo_refusals.txt`.
"""

from __future__ import annotations

import contextlib
import io
import sys
from typing import Any, Callable, Dict, List, Tuple

import exo.API_scheduling as operations
from exo import DRAM, Procedure, SchedulingError, config, proc
from exo.API_cursors import InvalidCursorError
from exo.API_scheduling import rename
from exo.frontend.parse_fragment import ParseFragmentError
from exo.frontend.pattern_match import PatternMatchError
from exo.frontend.pyparser import ParseError
from exo.libs.externs import sin
from exo.libs.memories import AVX2
from exo.rewrite.LoopIR_unification import UnificationError

#: The classes that a program may catch, those below others first.
CLASSES = (
    SchedulingError,
    InvalidCursorError,
    ParseFragmentError,
    ParseError,
    PatternMatchError,
    UnificationError,
    SyntaxError,
    NotImplementedError,
    IndexError,
    KeyError,
    AttributeError,
    NameError,
    AssertionError,
    TypeError,
    ValueError,
)


@config
class Cfg:
    a: f32
    i: index
    b: bool


@proc
def foo(n: size, m: size, a: f32, x: f32[n], y: f32[n, m], z: f32[16, 8], b: bool, w: [f32][n], q: f32[16]):
    assert n >= 4
    assert m >= 2
    t: f32
    t = a
    for i in seq(0, n):
        x[i] = a * x[i] + (t + 1.0)
        x[i] += 2.0 * a
    for i in seq(0, n):
        for j in seq(0, m):
            y[i, j] = x[i] * x[i]
    for o in seq(0, 16):
        for k in seq(0, 8):
            z[o, k] = 0.0
            z[o, k] += sin(a)
    buf: f32[16, 8]
    for o in seq(0, 16):
        for k in seq(0, 8):
            buf[o, k] = z[o, k]
            z[o, k] = buf[o, k] + -a
    if n < 10:
        x[0] = 1.0
    else:
        x[0] = 2.0
    v = w[0:4]
    v[0] = 3.0
    pass
    if b:
        q[0] = 1.0
    if b:
        q[1] = 1.0


@proc
def helper(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0


@proc
def noop(x: [f32][4]):
    pass


@proc
def caller(n: size, x: f32[n], y: f32[16]):
    helper(n, x[0:n])
    helper(16, y[0:16])
    for i in seq(0, n):
        x[i] = 0.0


#: Arguments that are made anew for each call.
MADE: Dict[str, Callable[[Any], Any]] = {
    "loop": lambda p: p.find_loop("i"),
    "inner": lambda p: p.find_loop("j"),
    "write": lambda p: p.find("x[_] = _"),
    "sum": lambda p: p.find("x[_] += _"),
    "product": lambda p: p.find("a * x[_]"),
    "scalar": lambda p: p.find("a * x[_]").lhs(),
    "bound": lambda p: p.find_loop("i").hi(),
    "index": lambda p: p.find("x[_] = _").idx()[0],
    "cell": lambda p: p.find("t: _"),
    "buffer": lambda p: p.find("buf: _"),
    "if": lambda p: p.find("if _: _"),
    "window": lambda p: p.find("v = _"),
    "gap": lambda p: p.find("x[_] += _").before(),
    "gap_end": lambda p: p.find("x[_] += _").after(),
    "gap_top": lambda p: p.body().before(),
    "block": lambda p: p.find_loop("i").body(),
    "two": lambda p: p.body()[0:2],
    "argument": lambda p: p.args()[-1],
    "size": lambda p: p.args()[0],
    "nowhere": lambda p: p.find_loop("i").parent(),
    "elsewhere": lambda p: noop.body()[0],
    "products": lambda p: [p.find("a * x[_]")],
    "loops": lambda p: [p.find_loop("i")],
    "literal": lambda p: p.find("2.0"),
    "empty": lambda p: [],
    "a_b": lambda p: ["a", "b"],
    "a": lambda p: ["a"],
    "0_1": lambda p: [0, 1],
    "1_0": lambda p: [1, 0],
    "conditions": lambda p: ["n < 4"],
    "windows": lambda p: ["x[0:4]"],
}

#: Arguments that are what they are.
VALUES: Dict[str, Any] = {repr(value): value for value in (None, 0, 1, -1, 2, 100, 1.5, True, False)}
TEXTS = "i|nope|i #7|i #1|a b|i j|x|buf|a|t|n|_|1x|for i in _: _|x[_] = _|x[_]|x[_] += _|helper(_)|n - 1|x[0:n]|nope[0:4]|x[0:100]"
VALUES.update((repr(text), text) for text in (TEXTS + "|n +|n < 4|b|a < 1.0|nope + 1|n / m|2|-1|1.0|f32|f99|cut|row").split("|"))
VALUES.update(cfg=Cfg, dram=DRAM, avx2=AVX2, helper=helper, helper2=rename(helper, "helper2"), noop=noop, kind=int)

#: A call of each operation, most of which are right.
RIGHT = """
simplify; rename 'nope'; make_instr 'nope' 'x'; insert_pass gap; delete_pass; reorder_stmts two; parallelize_loop 'i'
commute_expr products; left_reassociate_expr product; rewrite_expr bound 'n'; bind_expr products 'nope'; inline 'helper(_)'
set_precision 't' 'f32'; set_window 'x' True; set_memory 't' dram; bind_config scalar cfg 'a'; delete_config write
write_config gap_top cfg 'a' '1.0'; resize_dim 'buf' 0 100 0 False; expand_dim 't' 'n' 0; rearrange_dim 'buf' 1_0
divide_dim 'buf' 0 2; mult_dim 'buf' 0 1; unroll_buffer 'buf' 1; lift_alloc 't' 1; sink_alloc 'buf'
autolift_alloc 't' 1 'row' None False; delete_buffer 't'; reuse_buffer 't' 'buf'; inline_window window
stage_mem loop 'x[0:n]' 'nope' False; divide_with_recompute 'i' '2' 2 a_b; mult_loops 'i j' 'nope'; join_loops 'i' 'i #1'
cut_loop 'i' 2; shift_loop 'i' 2; reorder_loops 'i j'; merge_writes two; split_write write; fold_into_reduce write
inline_assign write; lift_reduce_constant two; autofission gap 1; unroll_loop 'i'; lift_scope inner; eliminate_dead_code if
specialize loop conditions; insert_noop_call gap_top noop windows; extract_subproc loop 'nope' True; replace loop helper True
call_eqv 'helper(_)' helper2; divide_loop 'i' 2 a_b 'cut' False; fission gap 1 False; fuse 'i' 'i #1' False; remove_loop 'i' False
add_loop write 'nope' 2 False False; add_unsafe_guard write 'n < 4'
"""


def calls() -> Dict[str, Tuple[Procedure, List[str]]]:
    """For each operation, the procedure and what it is given."""
    out = {}
    for call in RIGHT.replace("\n", ";").split(";"):
        words = _words(call)
        if words:
            out[words[0]] = (caller if words[0] in ("inline", "call_eqv") else foo, words[1:])
    return out


def _words(call: str) -> List[str]:
    """The words of a call; those in quotes may have spaces."""
    out: List[str] = []
    for k, part in enumerate(call.split("'")):
        out += [f"'{part}'"] if k % 2 else part.split()
    return out


def _value(word: str, p: Any) -> Any:
    return MADE[word](p) if word in MADE else VALUES[word]


def raised(run: Callable[[], Any]) -> str:
    """The class of what something raises, of those that a program may catch."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            run()
    except CLASSES as e:
        return next(c.__name__ for c in CLASSES if isinstance(e, c))
    except Exception as e:
        return type(e).__name__
    return "-"


def attempts(operation: str) -> Dict[str, str]:
    """The right call of an operation, and each with another argument in one place: what is raised."""
    p, right = calls()[operation]
    call = getattr(operations, operation)

    def run(words: List[str]) -> Callable[[], Any]:
        return lambda: call(p, *[_value(word, p) for word in words])

    out = {"right": raised(run(right)), "few": raised(lambda: call()), "many": raised(run([*right, *["None"] * 7]))}
    for k in range(len(right)):
        for word in [*MADE, *VALUES]:
            try:
                _value(word, p)
            except SchedulingError:
                continue
            out[f"{k}: {word}"] = raised(run([*right[:k], word, *right[k + 1 :]]))
    return out


def written(operation: str) -> str:
    """What is raised, in lines by class."""
    by_class: Dict[str, List[str]] = {}
    for call, what in attempts(operation).items():
        by_class.setdefault(what, []).append(call)
    lines = [f"{what}\t{chr(9).join(found)}\n" for what, found in sorted(by_class.items())]
    return f"== {operation}\n{''.join(lines)}"


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as out_file:
        out_file.write("".join(written(operation) for operation in calls()))
