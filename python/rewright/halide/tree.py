"""Pipelines as trees: what the text of the Halide model says, before its promotions.

An expression is an ``int``, a name, or a list: its head, then what belongs to it.

==================================  =============================================
``["lit", "float32", 0.5]``         a number of floating point
``["call", "g", i, …]``             what a func or an input holds at a point
``["elem", 0, e]``                  one of several values
``["cast", "uint8", e]``            a cast; ``saturating_cast`` likewise
``["let", "n", e, body]``           a name for an expression
``["boundary", kind, "a", e, box, at]``  a boundary condition, with its value or ``None``
``["neg", e]``, ``["~", e]``, ``["not", e]``, ``["+", a, b]``, ``["min", a, b]``  an operation
==================================  =============================================

Spec: [rule: halide.peer].
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Tuple

Expr = Any
Box = List[Tuple[int, int]]

#: The types of points, with their bits.
TYPES = {
    "bool": 1, "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64, "int8": 8, "int16": 16, "int32": 32, "int64": 64,
    "float32": 32, "float64": 64,
}  # fmt: skip
BOUNDARIES = ("repeat_edge", "repeat_image", "mirror_image", "mirror_interior", "constant_exterior")
#: Operators by how tightly they bind, the loosest first.
LEVELS: List[Tuple[str, ...]] = [
    ("or",), ("and",), ("not",), ("<", "<=", ">", ">=", "=", "!="), ("|",), ("^",), ("&",), ("<<", ">>"), ("+", "-"),
    ("*", "div", "mod"), ("neg", "~"),
]  # fmt: skip
BINARY = {op: level for level, ops in enumerate(LEVELS) for op in ops if op not in ("not", "neg", "~")}

#: What each directive takes: a loop, a func, a stage, a name, an expression, a word; many funcs, expressions, pairs.
DIRECTIVES = {
    "inline": "f", "in": "fnF", "clone-in": "fnF", "split-rdom": "fsnnne", "rfactor": "fsnP", "specialize": "fE",
    "specialize-fail": "f", "split": "lnnew", "fuse": "ln", "swap": "l", "atomic": "fs", "traverse": "lw",
    "vectorize": "l", "unroll": "l", "compute-at": "fl", "store-at": "fl", "hoist-storage": "fl", "compute-with": "fslw",
    "bound": "fnee", "bound-extent": "fne", "align-bounds": "fnee", "fold-storage": "fne", "slide": "fn",
}  # fmt: skip


@dataclass(frozen=True)
class Loop:
    """A loop of a schedule: func, stage, specialization, variable."""

    func: str
    stage: int
    spec: int
    var: str

    def __str__(self) -> str:
        at = "" if (self.stage, self.spec) == (0, 0) else f"{self.stage}, {self.spec}, "
        return f"<{self.func}, {at}{self.var}>"


@dataclass
class Directive:
    """A scheduling directive and its arguments, in the order of ``DIRECTIVES``."""

    name: str
    args: List[Any]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(_argument(a) for a in self.args)})"


@dataclass
class Update:
    """``rdom(r = (m, n), …) in (lhs) <- rhs if where``."""

    rdom: List[Tuple[str, Expr, Expr]]
    lhs: List[Expr]
    rhs: Expr
    where: Optional[Expr] = None


@dataclass
class Func:
    """A func; ``typed`` is what its definition says of its type."""

    name: str
    vars: List[str]
    pure: Expr
    updates: List[Update] = field(default_factory=list)
    typed: Optional[str] = None


@dataclass
class Given:
    """What an input holds: values over a box, the first dimension fastest."""

    box: Box
    values: List[Any]


@dataclass
class Pipeline:
    """A pipeline, its schedule, and what to run it with."""

    outputs: List[str]
    typed: bool = True
    params: List[Tuple[str, Optional[str]]] = field(default_factory=list)
    inputs: List[Tuple[str, int, str]] = field(default_factory=list)
    requires: List[Expr] = field(default_factory=list)
    funcs: List[Func] = field(default_factory=list)
    schedule: List[Directive] = field(default_factory=list)
    window: Optional[Box] = None
    given: Dict[str, Any] = field(default_factory=dict)

    def func(self, name: str) -> Optional[Func]:
        """The func of that name."""
        return next((f for f in self.funcs if f.name == name), None)

    def __str__(self) -> str:
        return text(self)


def children(e: Expr) -> List[Expr]:
    """The expressions right inside of one."""
    if not isinstance(e, list):
        return []
    head = e[0]
    if head == "lit":
        return []
    if head == "boundary":
        _, _, _, value, box, at = e
        return [*([] if value is None else [value]), *(end for pair in box for end in pair), *at]
    return e[{"call": 2, "elem": 2, "cast": 2, "saturating_cast": 2, "let": 2}.get(head, 1) :]


def with_children(e: Expr, new: List[Expr]) -> Expr:
    """The same with other expressions inside."""
    head = e[0]
    if head == "boundary":
        _, kind, of, value, box, _ = e
        new = list(new)
        value = None if value is None else new.pop(0)
        ends = [new.pop(0) for _ in range(2 * len(box))]
        return ["boundary", kind, of, value, [(ends[2 * d], ends[2 * d + 1]) for d in range(len(box))], new]
    return e[: len(e) - len(children(e))] + list(new)


def walk(e: Expr) -> List[Expr]:
    """An expression and all inside of it."""
    out, todo = [], [e]
    while todo:
        here = todo.pop()
        out.append(here)
        todo.extend(children(here))
    return out


def replaced(e: Expr, by: Dict[str, Expr]) -> Expr:
    """The same with expressions for some names."""
    if isinstance(e, str):
        return by.get(e, e)
    if not isinstance(e, list) or e[0] == "lit":
        return e
    return with_children(e, [replaced(c, by) for c in children(e)])


def reads(e: Expr) -> List[str]:
    """The funcs and inputs that an expression reads."""
    out = []
    for here in walk(e):
        if isinstance(here, list) and here[0] in ("call", "boundary"):
            out.append(here[1] if here[0] == "call" else here[2])
    return out


def stages(f: Func) -> List[List[Expr]]:
    """The expressions of each stage of a func."""
    out = [[f.pure]]
    for u in f.updates:
        ends = [end for _, m, n in u.rdom for end in (m, n)]
        out.append([u.rhs, *u.lhs, *ends, *([] if u.where is None else [u.where])])
    return out


def pure_vars(f: Func, stage: int) -> List[str]:
    """The variables of a func that are pure in a stage: they stand alone in their place, and a loop runs over each."""
    if stage == 0:
        return list(f.vars)
    lhs = f.updates[stage - 1].lhs
    return [x for x, e in zip(f.vars, lhs) if e == x]


def loops(f: Func, stage: int) -> List[str]:
    """The loops of a stage as the algorithm makes them, innermost first."""
    rdom = [] if stage == 0 else [r for r, _, _ in f.updates[stage - 1].rdom]
    return rdom + pure_vars(f, stage)


def text(p: Pipeline) -> str:
    """The pipeline as ``rewright halide`` reads it."""
    declared = [n if t is None else f"{n}: {t}" for n, t in p.params]
    for name, rank, t in p.inputs:
        dims = ", ".join(f"_{d}" for d in range(rank))
        declared.append(f"{name}({dims}): {t}" if rank else f"{name}: {t}")
    out = [f"{'typed ' if p.typed else ''}pipeline {', '.join(p.outputs)}({', '.join(declared)}):"]
    out += [f"  require {shown(e)};" for e in p.requires]
    out += [_func(f) for f in p.funcs]
    if p.schedule:
        out += ["schedule:", *(f"  {d};" for d in p.schedule)]
    if p.window is not None:
        out.append(_realize(p))
    return "\n".join(out) + "\n"


def _func(f: Func) -> str:
    head = f"  fun {f.name}({', '.join(f.vars)}){'' if f.typed is None else ': ' + f.typed} = "
    if not f.updates:
        return f"{head}{shown(f.pure)};"
    return head + "{" + ";\n    ".join([shown(f.pure), *(_update(u) for u in f.updates)]) + "};"


def _update(u: Update) -> str:
    dims = ", ".join(f"{r} = ({shown(m)}, {shown(n)})" for r, m, n in u.rdom)
    head = f"rdom({dims}) in " if u.rdom else ""
    where = "" if u.where is None else f" if {shown(u.where)}"
    return f"{head}({', '.join(map(shown, u.lhs))}) <- {shown(u.rhs)}{where}"


def _realize(p: Pipeline) -> str:
    window = ", ".join(f"({m}, {n})" for m, n in p.window or [])
    given = []
    for name, v in p.given.items():
        if isinstance(v, Given) and not v.box:
            given.append(f"{name} = {number(v.values[0])}")
        elif isinstance(v, Given):
            box = ", ".join(f"({m}, {n})" for m, n in v.box)
            given.append(f"{name} = {box} {{{', '.join(map(number, v.values))}}}")
        else:
            given.append(f"{name} = {number(v)}")
    return f"realize({window}{'; ' if given else ''}{', '.join(given)})"


def number(v: Any) -> str:
    """A value as a text gives it."""
    if not isinstance(v, float):
        return str(int(v))
    if v != v:
        return "nan"
    out = repr(v)
    # The texts have digits on both sides of a point, and no sign in front of an exponent that is not negative.
    return out.replace("e+", "e")


def _argument(a: Any) -> str:
    if isinstance(a, tuple):
        return " = ".join(a)
    return str(a) if isinstance(a, Loop) else shown(a)


def shown(e: Expr) -> str:
    """An expression as a text gives it."""
    return _shown(e)[0]


def _float(v: float, suffix: str) -> str:
    """A literal; there are none of infinities, which are quotients then."""
    if v != v or abs(v) == float("inf"):
        return f"({0 if v != v else 1 if v > 0 else -1}.0{suffix} div 0.0{suffix})"
    return number(float(v)) + suffix


def _inside(e: Expr, level: int) -> str:
    out, mine = _shown(e)
    return out if mine >= level else f"({out})"


def _shown(e: Expr) -> Tuple[str, int]:
    tight = len(LEVELS)
    if isinstance(e, int):
        return str(int(e)), tight
    if isinstance(e, str):
        return e, tight
    head, *rest = e
    if head == "lit":
        return _float(rest[1], "f" if rest[0] == "float32" else ""), tight
    if head == "call":
        return f"{rest[0]}[{', '.join(map(shown, rest[1:]))}]", tight
    if head == "elem":
        return f"elem({rest[0]}, {shown(rest[1])})", tight
    if head == "cast":
        return f"{rest[0]}({shown(rest[1])})", tight
    if head == "saturating_cast":
        return f"saturating_cast({rest[0]}, {shown(rest[1])})", tight
    if head == "let":
        return f"let {rest[0]} = {shown(rest[1])} in {shown(rest[2])}", -1
    if head == "boundary":
        kind, of, value, box, at = rest
        args = [of, *([] if value is None else [shown(value)]), *(f"({shown(m)}, {shown(n)})" for m, n in box)]
        return f"{kind}({', '.join(args)})[{', '.join(map(shown, at))}]", tight
    if head == "not":
        return f"not {_inside(rest[0], 3)}", 2
    if head == "neg":
        return f"-{_negated(rest[0])}", 10
    if head == "~":
        return f"~{_inside(rest[0], tight)}", 10
    if head in BINARY:
        level = BINARY[head]
        # Comparisons do not follow each other.
        left = level + 1 if level == 3 else level
        return f"{_inside(rest[0], left)} {head} {_inside(rest[1], level + 1)}", level
    return f"{head}({', '.join(map(shown, rest))})", tight


def _negated(e: Expr) -> str:
    """Behind a sign: a number there would become a literal with that sign."""
    out = _inside(e, len(LEVELS))
    return f"({out})" if isinstance(e, int) or isinstance(e, list) and e[0] == "lit" else out
