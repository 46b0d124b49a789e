"""The text of the Halide model as a program for Halide. Spec: [rule: halide.peer.export]."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from . import schedule_out
from .tree import Expr, Func, Given, Pipeline, walk

#: Functions that Halide has under the same name.
FUNCTIONS = {
    "min", "max", "clamp", "select", "mux", "likely", "abs", "absd", "pow", "atan2", "is_nan", "is_inf", "is_finite",
    "saturating_add", "saturating_sub", "halving_add", "halving_sub", "rounding_halving_add", "widening_add",
    "widening_sub", "widening_mul", "mul_shift_right", "rounding_shift_right", "lerp", "popcount",
    "count_leading_zeros", "count_trailing_zeros", "div_round_to_zero", "mod_round_to_zero", "sqrt", "exp", "log", "sin",
    "cos", "tan", "atan", "tanh", "floor", "ceil", "round", "trunc",
}  # fmt: skip
OPERATORS = {"=": "==", "mod": "%", "and": "&", "or": "|"}
#: Names of the programs themselves.
TAKEN = {"hl", "np", "TYPES", "cast", "whole", "is_float", "div", "buffer", "windowed", "buffers", "values"}
TAKEN |= {"expr", "strict", "realize", "requirements", "print", "pipeline", "float", "tuple"}


class NotCovered(Exception):
    """Something that the other side does not have, and where it stands."""


@dataclass
class Program:
    """A program for Halide: lines that define, lines that schedule, what they are called."""

    definition: List[str] = field(default_factory=list)
    schedule: List[str] = field(default_factory=list)
    given: List[str] = field(default_factory=list)
    #: The variable of each func, those that the schedule makes included.
    funcs: Dict[str, str] = field(default_factory=dict)
    outputs: List[Tuple[str, List[Tuple[int, int]]]] = field(default_factory=list)

    def __str__(self) -> str:
        prelude = Path(__file__).with_name("prelude.py").read_text(encoding="utf-8")
        prelude = prelude.split('"""', 2)[2].lstrip("\n")
        outputs = ", ".join(name for name, _ in self.outputs)
        out = ['"""A pipeline of the Halide model, as a program for Halide 21."""\n', prelude, "\n"]
        out += ["# The algorithm.", *self.definition, "", "# The schedule.", *self.schedule, ""]
        out += [f"pipeline = hl.Pipeline([{outputs}])", "", 'if __name__ == "__main__":']
        windows = [w for _, w in self.outputs]
        body = [*self.given, f"for f, found in realize([{outputs}], {windows}, requirements):", "    print(f.name(), found)"]
        return "\n".join(out + ["    " + line for line in body]) + "\n"


def export(p: Pipeline) -> Program:
    """The program of a pipeline.

    Raises ``NotCovered``.
    """
    return _Exporter(p).program()


class _Exporter:
    def __init__(self, p: Pipeline) -> None:
        self.p, self.out = p, Program()
        self.taken = set(TAKEN)
        self.vars: Dict[str, str] = {}
        self.names: Dict[str, str] = {}
        self.params: Dict[str, str] = {}
        self.rvars: Dict[Tuple[str, int, str], str] = {}
        self.doubles = {n for n, rank, t in p.inputs if rank == 0 and t == "float64"}
        self.declared = {n for n, _ in p.params} | {n for n, rank, _ in p.inputs if rank == 0}

    def fresh(self, wanted: str) -> str:
        """A name of Python for one of ours."""
        out = re.sub(r"\W", "_", wanted)
        if out[0].isdigit() or out.startswith("__"):
            out = "v" + out
        while out in self.taken or keyword.iskeyword(out):
            out += "_"
        self.taken.add(out)
        return out

    def program(self) -> Program:
        define = self.out.definition.append
        for name, rank, t in self.p.inputs:
            here = self.names[name] = self.fresh(name)
            if rank or t == "float64":
                # Halide's package rounds such parameters to single precision: not so what a buffer holds.
                define(f'{here} = hl.ImageParam(TYPES["{t}"], {rank}, "{name}")')
            else:
                define(f'{here} = hl.Param(TYPES["{t}"], "{name}")')
            self.give(name, here, t)
        for name, kind in self.p.params:
            self.param(name, kind or "int32")
        define(f"requirements = [{', '.join(self.condition(e) for e in self.p.requires)}]")
        for f in self.p.funcs:
            self.func(f)
        self.out.schedule += schedule_out.lines(self)
        self.out.funcs = {n: h for n, h in self.names.items() if all(n != i for i, _, _ in self.p.inputs)}
        self.windows()
        return self.out

    def give(self, name: str, here: str, t: str) -> None:
        """The line that gives an input its values."""
        v = self.p.given.get(name)
        if isinstance(v, Given):
            values = ", ".join(map(literal, v.values))
            self.out.given.append(f'{here}.set(buffer("{t}", {v.box}, [{values}]))')
        elif v is not None and t == "float64":
            self.out.given.append(f'{here}.set(buffer("{t}", [], [{literal(v)}]))')
        elif v is not None:
            self.out.given.append(f"{here}.set({literal(v)})")

    def param(self, name: str, t: str) -> None:
        box = self.end_of_box(name)
        if box is not None:
            self.params[name] = box
            return
        here = self.params[name] = self.fresh(name)
        self.out.definition.append(f'{here} = hl.Param(TYPES["{t}"], "{name}")')
        if name in self.p.given:
            self.out.given.append(f"{here}.set({bool(self.p.given[name]) if t == 'bool' else self.p.given[name]})")

    def end_of_box(self, name: str) -> Optional[str]:
        """`a_0_min` and `a_0_len` stand for an end of the box of the input `a`, where that is what they are given as."""
        m = re.fullmatch(r"(.+)_(\d+)_(min|len)", name)
        if m is None or m.group(1) not in self.names:
            return None
        of, d = m.group(1), int(m.group(2))
        box = getattr(self.p.given.get(of), "box", None)
        if box is None or d >= len(box) or self.p.given.get(name) != box[d][m.group(3) == "len"]:
            return None
        return f"{self.names[of]}.dim({d}).{'min' if m.group(3) == 'min' else 'extent'}()"

    # Funcs.

    def var(self, name: str) -> str:
        """A variable, which the funcs share."""
        if name not in self.vars:
            self.vars[name] = self.fresh(name)
            self.out.definition.append(f'{self.vars[name]} = hl.Var("{name}")')
        return self.vars[name]

    def func(self, f: Func) -> None:
        define = self.out.definition.append
        scope = {x: self.var(x) for x in f.vars}
        here = self.names[f.name] = self.fresh(f.name)
        define(f'{here} = hl.Func("{f.name}")')
        define(f"{here}[{at([scope[x] for x in f.vars])}] = {self.value(f, f.pure, scope)}")
        for i, u in enumerate(f.updates):
            inner, where = dict(scope), u.where
            rdom = u.rdom
            if where is not None and not rdom:
                # Halide's predicates belong to a domain: here one of one point.
                rdom = [("once$", 0, 1)]
            if rdom:
                domain = self.fresh(f"{f.name}_r{i + 1}")
                ends = ", ".join(f"hl.Range({self.expr(m, scope)}, {self.expr(n, scope)})" for _, m, n in rdom)
                define(f'{domain} = hl.RDom([{ends}], "{self.domain_name(rdom)}")')
                for d, (r, _, _) in enumerate(rdom):
                    inner[r] = f"{domain}[{d}]" if len(rdom) > 1 else f"{domain}.x"
                    self.rvars[f.name, i + 1, r] = inner[r]
            if where is not None:
                define(f"{domain}.where({self.expr(where, inner)})")
            lhs = at([self.expr(e, inner) for e in u.lhs])
            rhs = u.rhs
            if rdom and not {r for r, _, _ in rdom} & {x for e in [rhs, *u.lhs] for x in walk(e) if isinstance(x, str)}:
                # Of a domain that the update does not mention Halide knows nothing.
                first = rhs[1] if isinstance(rhs, list) and rhs[0] == "tuple" else rhs
                held = ["select", ["=", rdom[0][0], rdom[0][0]], first, first]
                rhs = ["tuple", held, *rhs[2:]] if first is not rhs else held
            define(f"{here}[{lhs}] = {self.value(f, rhs, inner)}")

    def domain_name(self, rdom: List[Any]) -> str:
        """Halide calls the variables of the domain `r` `r$x`, `r$y`, …"""
        return "_".join(r for r, _, _ in rdom).replace("$", "_")

    def value(self, f: Func, e: Expr, scope: Dict[str, str]) -> str:
        if isinstance(e, list) and e[0] == "tuple":
            return f"({', '.join(self.typed(c, scope) for c in e[1:])})"
        if not self.p.typed and f.typed is not None:
            return f'cast("{f.typed}", {self.expr(e, scope)})'
        return self.typed(e, scope)

    def typed(self, e: Expr, scope: Dict[str, str]) -> str:
        """A literal alone is an `int32`."""
        return f"hl.i32({e})" if isinstance(e, int) else self.expr(e, scope)

    def condition(self, e: Expr) -> str:
        return self.expr(e, {})

    # Expressions.

    def name(self, x: str, scope: Dict[str, str]) -> str:
        if x in scope:
            return scope[x]
        if x in self.params:
            return self.params[x]
        if x in self.names:
            return f"{self.names[x]}[()]" if x in self.doubles else self.names[x]
        raise NotCovered(f"nothing binds `{x}`")

    def expr(self, e: Expr, scope: Dict[str, str]) -> str:
        """An expression of Python. Operators are in brackets."""
        if isinstance(e, int):
            return str(int(e))
        if isinstance(e, str):
            return self.name(e, scope)
        head, *rest = e
        if head == "lit":
            return f"hl.{'f32' if rest[0] == 'float32' else 'f64'}({literal(rest[1])})"
        if head == "call":
            args = [self.expr(c, scope) for c in rest[1:]]
            here = self.name(rest[0], {})
            return self.name(rest[0], {}) if rest[0] in self.declared else f"{here}[{at(args)}]"
        if head == "elem":
            return f"{self.expr(rest[1], scope)}[{rest[0]}]"
        if head == "cast":
            to, e = rest
            if isinstance(e, list) and e[0] == "truncate" and to != "int":
                # What has no point is cast right away: bounds are known of that.
                e = e[1]
            inner = self.expr(e, scope)
            return f"whole({inner})" if to == "int" else f'cast("{to}", {inner})'
        if head == "saturating_cast":
            return f'hl.saturating_cast(TYPES["{rest[0]}"], {self.expr(rest[1], scope)})'
        if head == "let":
            here = self.fresh(rest[0])
            body = self.expr(rest[2], {**scope, rest[0]: here})
            return f"(lambda {here}: {body})({self.expr(rest[1], scope)})"
        if head == "boundary":
            return self.boundary(rest, scope)
        args = [self.expr(c, scope) for c in rest]
        return self.operation(head, rest, args)

    def operation(self, head: str, trees: List[Expr], args: List[str]) -> str:
        if len(args) == 2 and all(isinstance(t, int) for t in trees):
            # Two literals are not adapted to what stands beside them.
            args[0] = f"hl.i32({args[0]})"
        if head == "not":
            return f"hl.logical_not({args[0]})"
        if head in ("neg", "~"):
            return f"({'-' if head == 'neg' else '~'}{args[0]})"
        if head in ("+", "-", "*", "div", "mod"):
            # What is compared over all integers counts as one.
            args = [f"whole({a})" if is_whole_truth(t) else a for t, a in zip(trees, args)]
        if head == "div":
            return f"div({', '.join(args)})"
        if head in ("+", "-", "*", "<", "<=", ">", ">=", "!=", "&", "|", "^", "<<", ">>") or head in OPERATORS:
            return f"({args[0]} {OPERATORS.get(head, head)} {args[1]})"
        if head == "truncate":
            return f'cast("int64", {args[0]})'
        if head in FUNCTIONS:
            if head == "select":
                # What a func holds may be several values: here it is one.
                args = [f"expr({a})" if isinstance(t, list) and t[0] == "call" else a for t, a in zip(trees, args)]
            if head in ("abs", "likely") and isinstance(trees[0], int):
                args[0] = f"hl.i32({args[0]})"
            if head == "mux":
                return f"hl.mux({args[0]}, [{', '.join(f'expr({a})' for a in args[1:])}])"
            return f"hl.{head}({', '.join(args)})"
        raise NotCovered(f"`{head}`, which Halide does not have")

    def boundary(self, rest: List[Any], scope: Dict[str, str]) -> str:
        kind, of, value, box, where = rest
        args = [self.name(of, {})]
        if value is not None:
            args.append(self.typed(value, {}))
        args.append("[" + ", ".join(f"hl.Range({self.expr(m, {})}, {self.expr(n, {})})" for m, n in box) + "]")
        return f"hl.BoundaryConditions.{kind}({', '.join(args)})[{at([self.expr(c, scope) for c in where])}]"

    def windows(self) -> None:
        rest = list(self.p.window or [])
        for name in self.p.outputs:
            f = self.p.func(name)
            if f is None:
                raise NotCovered(f"output `{name}`, which is no func")
            rank = len(f.vars)
            self.out.outputs.append((self.names[name], rest[:rank]))
            rest = rest[rank:]


def is_whole(e: Expr) -> bool:
    """Whether a value is an integer of any size."""
    if not isinstance(e, list):
        return False
    if e[0] == "cast":
        return bool(e[1] == "int")
    return e[0] in ("+", "-", "*", "div", "mod", "min", "max", "neg") and any(map(is_whole, e[1:]))


def is_whole_truth(e: Expr) -> bool:
    """Whether such values are compared."""
    return isinstance(e, list) and e[0] in ("<", "<=", ">", ">=", "=", "!=") and any(map(is_whole, e[1:]))


def literal(v: Any) -> str:
    """A number of Python."""
    if isinstance(v, float):
        return repr(v) if v == v and abs(v) != float("inf") else f'float("{v}")'
    return str(int(v))


def at(args: List[str]) -> str:
    """The point of an access."""
    return ", ".join(args) if args else "()"


