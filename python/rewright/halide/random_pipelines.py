"""Random pipelines with types and schedules, of which most are accepted. What Halide leaves undefined is not drawn: overflow of 32
and 64 bits, distances of shifts beyond the width, casts of what the integers do not hold. Spec: [rule: halide.peer.campaign]."""

from __future__ import annotations

import random
from typing import Any, Dict, List, Tuple

from .random_schedules import scheduled
from .tree import BOUNDARIES, Expr, Func, Given, Pipeline, Update, reads, stages

SMALL = ["uint8", "int8", "uint16", "int16"]
INTEGERS = [*SMALL, "int32", "uint32", "int64", "uint64"]
FLOATS = ["float32", "float64"]
#: The box of an input in each dimension, by their number: more than a few stencils ask for.
BOXES = {1: (-20, 60), 2: (-12, 38)}
_PAIRS = ["min", "max"]
_EXACT = ["halving_add", "halving_sub", "rounding_halving_add", "saturating_add", "saturating_sub"]
_WIDENING = ["widening_add", "widening_sub", "widening_mul"]
_MATH = ["sqrt", "floor", "ceil", "round", "trunc"]
_INEXACT = ["exp", "log", "sin", "cos", "tan", "atan", "tanh"]
_CLASSES = ["is_nan", "is_inf", "is_finite"]

Typed = Tuple[Expr, str]


def pipeline(seed: int, number: int) -> Pipeline:
    """The pipeline of that number: the same one whenever it is drawn."""
    return _Generator(random.Random(f"{seed}/{number}")).pipeline()


def is_float(t: str) -> bool:
    """Whether a type is one of floating point."""
    return t.startswith("float")


def bits(t: str) -> int:
    """How many bits a type has."""
    return 1 if t == "bool" else int(t.lstrip("uintfloa"))


class _Generator:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.p = Pipeline([])
        self.types: Dict[str, List[str]] = {}
        self.ranks: Dict[str, int] = {}
        self.boxed: List[str] = []
        #: The variables in scope, and the func that is made.
        self.scope: List[str] = []
        self.now = ""
        #: A product of large numbers would not fit: how many more an expression may have.
        self.products = 0

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def pipeline(self) -> Pipeline:
        rng = self.rng
        rank = rng.choice([1, 1, 2])
        for i in range(rng.choice([0, 1, 1, 2])):
            self.input(f"a{i}", rng.choice([1, 2]) if rank == 2 else 1)
        if self.chance(0.4):
            t = rng.choice(["int32", "uint8", "int16", "uint16"])
            self.p.params.append(("k", t))
            self.p.given["k"] = rng.randint(1, 7)
        if self.chance(0.15):
            t = rng.choice([*FLOATS, "int64", "uint64"])
            self.p.inputs.append(("q", 0, t))
            self.p.given["q"] = rng.choice([0.5, 2.25, 3.0]) if is_float(t) else rng.randint(0, 100)
            self.types["q"], self.ranks["q"] = [t], 0
        count = rng.choice([2, 2, 3, 3, 4])
        for i in range(count):
            self.func(f"g{i}" if i + 1 < count else "f", rank)
        self.p.outputs = ["f"]
        self.p.window = [(rng.randint(-2, 2), rng.choice([1, 3, 4, 7, 8, 9, 12])) for _ in range(rank)]
        if count > 2 and self.chance(0.12):
            other = rng.choice([f.name for f in self.p.funcs[:-1]])
            self.p.outputs.append(other)
            self.p.window += [(rng.randint(-2, 2), rng.choice([2, 5, 8])) for _ in range(self.ranks[other])]
        if self.chance(0.05):
            self.p.requires.append(["<", "k", 50] if self.p.params else [">=", 1, 0])
        self.prune()
        self.p.schedule = scheduled(self.p, rng)
        return self.p

    def prune(self) -> None:
        """What no output needs goes: Halide would not see it."""
        needed, todo = set(), list(self.p.outputs)
        while todo:
            f = self.p.func(todo.pop())
            if f is not None and f.name not in needed:
                needed.add(f.name)
                todo += [g for es in stages(f) for e in es for g in reads(e)]
        self.p.funcs = [f for f in self.p.funcs if f.name in needed]

    def input(self, name: str, rank: int) -> None:
        t = self.rng.choice([*SMALL, *SMALL, "int32", "uint32", "int64", "uint64", "float32", "float64", "bool"])
        self.p.inputs.append((name, rank, t))
        self.types[name], self.ranks[name] = [t], rank
        low, length = BOXES[rank]
        self.p.given[name] = Given([(low, length)] * rank, [self.value(t) for _ in range(length**rank)])
        self.boxed.append(name)

    def value(self, t: str) -> Any:
        if is_float(t):
            return float(self.rng.choice([self.rng.randint(-40, 40) / 8, self.rng.randint(-200, 200)]))
        if t == "bool":
            return self.rng.randint(0, 1)
        low, high = limits(t) if bits(t) <= 16 else (0 if t[0] == "u" else -500, 500)
        return self.rng.choice([self.rng.randint(low, high), self.rng.randint(max(low, -9), 9)])

    # Funcs.

    def func(self, name: str, rank: int) -> None:
        rng = self.rng
        names = ["x", "y"][:rank] if self.chance(0.8) else ["u", "v"][:rank]
        self.scope, self.now = list(names), name
        if self.chance(0.08):
            parts = [self.top(rng.choice([*INTEGERS, *FLOATS])) for _ in range(2)]
            f = Func(name, names, ["tuple", *(e for e, _ in parts)])
            types = [t for _, t in parts]
        else:
            t = rng.choice([*SMALL, *SMALL, "int32", "int32", "uint32", "int64", "uint64", *FLOATS, "bool"])
            e, t = self.top(t)
            f, types = Func(name, names, e), [t]
        if self.boxed and self.chance(0.1):
            f.pure, types = self.boundary(names)
        self.types[name], self.ranks[name] = types, rank
        for _ in range(rng.choice([0, 0, 0, 1, 1, 2]) if len(types) == 1 else rng.choice([0, 0, 1])):
            f.updates.append(self.update(f, types))
        self.p.funcs.append(f)

    def boundary(self, names: List[str]) -> Tuple[Expr, List[str]]:
        of = self.rng.choice(self.boxed)
        kind = self.rng.choice(BOUNDARIES)
        box = [(self.rng.randint(-2, 1), self.rng.randint(2, 6)) for _ in range(self.ranks[of])]
        value = self.literal(self.types[of][0]) if kind == "constant_exterior" else None
        at = [self.index(names, 3) for _ in range(self.ranks[of])]
        return ["boundary", kind, of, value, box, at], list(self.types[of])

    def update(self, f: Func, types: List[str]) -> Update:
        rng, rdom = self.rng, []
        self.scope = list(f.vars)
        if self.chance(0.65):
            for r in ["r", "s"][: rng.choice([1, 1, 2])]:
                length: Expr = rng.randint(1, 5)
                if any(n == "k" for n, _ in self.p.params) and self.chance(0.1):
                    length = ["cast", "int32", "k"] if dict(self.p.params)["k"] != "int32" else "k"
                rdom.append((r, rng.randint(-1, 2), length))
        domain = [r for r, _, _ in rdom]
        lhs: List[Expr] = []
        for x in f.vars:
            kind = rng.random()
            if kind < 0.7 or not rdom and kind < 0.9:
                lhs.append(x)
            elif rdom:
                lhs.append(rng.choice([domain[0], ["clamp", self.index(domain, 2), -1, 6]]))
            else:
                lhs.append(rng.randint(-1, 4))
        # Where another point than `x` is written, there is no `x`.
        self.scope = [x for x, e in zip(f.vars, lhs) if e == x] + domain
        where = None
        if self.chance(0.2):
            self.products = 1
            where = self.control()
        return Update(rdom, lhs, self.updated(f, lhs, types), where)

    def updated(self, f: Func, lhs: List[Expr], types: List[str]) -> Expr:
        here = ["call", f.name, *lhs]
        parts = []
        for k, t in enumerate(types):
            old = ["elem", k, here] if len(types) > 1 else here
            self.products = 1
            e = self.expr(t, 2)
            if t == "bool":
                parts.append([self.rng.choice(["and", "or"]), old, e])
            elif bits(t) >= 32 and not is_float(t):
                # What is added again and again stays within the type.
                parts.append([self.rng.choice(["+", "+", "min", "max"]), old, ["mod", e, 97]])
            else:
                parts.append([self.rng.choice(["+", "+", "-", "min", "max"]), old, e])
        return ["tuple", *parts] if len(types) > 1 else parts[0]

    def control(self) -> Expr:
        """A condition over coordinates."""
        a = self.index(self.scope, 2)
        op = self.rng.choice(["<", "<=", ">", ">=", "=", "!="])
        e = [op, ["mod", a, 3] if self.chance(0.3) else a, self.rng.randint(-1, 4)]
        return e if self.chance(0.8) else [self.rng.choice(["and", "or"]), e, ["not", ["<", self.index(self.scope, 1), 2]]]

    # Expressions.

    def top(self, t: str) -> Typed:
        self.products = 2
        e = self.expr(t, 3)
        if isinstance(e, int):
            e = ["cast", t, e]
        if bits(t) >= 32 and not is_float(t):
            e = ["mod", e, self.rng.choice([97, 251])]
        return e, t

    def index(self, names: List[str], most: int) -> Expr:
        """A coordinate."""
        rng = self.rng
        e: Expr = rng.choice(names) if names else 0
        for _ in range(rng.choice([0, 0, 1, 1, 2])):
            kind = rng.random()
            if kind < 0.65:
                e = [rng.choice("+-"), e, rng.randint(1, most)]
            elif kind < 0.75:
                e = ["div", e, 2]
            elif kind < 0.82:
                e = ["mod", e, rng.choice([2, 4])]
            elif kind < 0.9:
                e = [rng.choice(["min", "max"]), e, rng.randint(-1, 6)]
            else:
                e = ["+", e, rng.choice(names)] if names else e
        return e

    def literal(self, t: str) -> Expr:
        if is_float(t):
            return ["lit", t, self.rng.randint(-20, 20) / 4]
        if t == "bool":
            return ["cast", "bool", self.rng.randint(0, 1)]
        return ["cast", t, self.rng.randint(0 if t[0] == "u" else -9, 9)]

    def leaf(self, t: str) -> Expr:
        """Something that holds a value of a type, or is cast to it."""
        rng = self.rng
        read = [n for n in self.types if n != self.now]
        kind = rng.random()
        if kind < 0.65 and read:
            name = rng.choice(read)
            at = [self.index(self.scope, 3) for _ in range(self.ranks[name])]
            e: Expr = name if self.ranks[name] == 0 and any(n == name for n, _, _ in self.p.inputs) else ["call", name, *at]
            k = rng.randrange(len(self.types[name]))
            if len(self.types[name]) > 1:
                e = ["elem", k, e]
            return self.fitted(e, self.types[name][k], t)
        if kind < 0.85 and self.scope:
            return self.fitted(self.index(self.scope, 3), "int32", t)
        if kind < 0.9 and self.p.params:
            return self.fitted("k", dict(self.p.params)["k"] or "int32", t)
        return self.literal(t)

    def fitted(self, e: Expr, of: str, to: str) -> Expr:
        """A value as one of another type: what it does not hold is not cast."""
        if of == to:
            return e
        if to == "bool":
            return ["!=", e, ["lit", of, 0.0] if is_float(of) else 0] if of != "bool" else e
        if is_float(of) and not is_float(to):
            return ["saturating_cast", to, e] if bits(to) < 32 else ["cast", to, ["clamp", e, 0, 100]]
        if self.chance(0.15) and of != "bool":
            return ["saturating_cast", to, e]
        return ["cast", to, e]

    def expr(self, t: str, depth: int) -> Expr:
        rng = self.rng
        if depth == 0 or self.chance(0.15):
            return self.leaf(t)
        if t == "bool":
            return self.truth(depth)
        kind = rng.random()

        def a() -> Expr:
            return self.expr(t, depth - 1)

        if kind < 0.08:
            return ["select", self.truth(depth - 1), a(), a()]
        if kind < 0.12:
            return ["let", "n", a(), ["+", "n", ["min", "n", self.literal(t)]]]
        if kind < 0.15:
            return ["mux", self.index(self.scope, 2), a(), a(), a()]
        if kind < 0.18:
            return ["likely", a()]
        return self.floating(t, depth) if is_float(t) else self.whole(t, depth)

    def truth(self, depth: int) -> Expr:
        rng = self.rng
        kind = rng.random()
        if depth <= 0 or kind < 0.6:
            t = rng.choice([*SMALL, "int32", *FLOATS])
            return [rng.choice(["<", "<=", ">", ">=", "=", "!="]), self.leaf(t), self.leaf(t)]
        if kind < 0.64:
            return [rng.choice(_CLASSES), ["div", self.leaf("float32"), ["abs", self.leaf("float32")]]]
        if kind < 0.9:
            return [rng.choice(["and", "or"]), self.truth(depth - 1), self.truth(depth - 1)]
        return ["not", self.truth(depth - 1)]

    def floating(self, t: str, depth: int) -> Expr:
        rng = self.rng

        def a() -> Expr:
            return self.expr(t, depth - 1)

        kind = rng.random()
        if kind < 0.55:
            return [rng.choice("+-*"), a(), a()]
        if kind < 0.65:
            return ["div", a(), ["lit", t, rng.choice([0.5, 3.0, -7.0])]]
        if kind < 0.8:
            return [rng.choice(_PAIRS), a(), a()]
        if kind < 0.9:
            return [rng.choice(_MATH), ["abs", a()]]
        if kind < 0.95:
            return ["clamp", a(), -3, 50]
        if kind < 0.97 and self.now == "f" and depth == 3:
            # No value is made of what may be rounded otherwise.
            small = ["clamp", a(), ["lit", t, 0.25], ["lit", t, 4.0]]
            if self.chance(0.3):
                return [rng.choice(["pow", "atan2"]), small, ["clamp", self.leaf(t), ["lit", t, 0.5], ["lit", t, 2.0]]]
            return [rng.choice(_INEXACT), small]
        return ["absd", a(), a()]

    def whole(self, t: str, depth: int) -> Expr:
        rng = self.rng

        def a() -> Expr:
            return self.expr(t, depth - 1)

        kind, wide = rng.random(), bits(t) >= 32
        if kind < 0.2:
            return ["+", a(), a()]
        if kind < 0.35 and t[0] != "u" or kind < 0.35 and not wide:
            return ["-", a(), a()]
        if kind < 0.45 and (not wide or self.products > 0):
            self.products -= wide
            return ["*", self.leaf(t), rng.randint(0, 5)] if wide else ["*", a(), a()]
        if kind < 0.52:
            return [rng.choice(["div", "mod"]), a(), rng.choice([1, 2, 3, 7]) if self.chance(0.8) else a()]
        if kind < 0.62:
            return [rng.choice(_PAIRS), a(), a()]
        if kind < 0.68:
            return ["clamp", a(), rng.randint(0, 5), rng.randint(6, 100)]
        if kind < 0.74:
            return [rng.choice(["&", "|", "^"]), a(), a()]
        if kind < 0.78:
            return [">>", a(), rng.randint(0, 3)] if wide or self.chance(0.5) else ["<<", a(), rng.randint(0, 3)]
        if kind < 0.80:
            return ["~", a()] if not wide else ["min", a(), a()]
        if kind < 0.88 and not wide:
            return [rng.choice(_EXACT), a(), a()]
        return self.other(t, depth)

    def other(self, t: str, depth: int) -> Expr:
        """Functions whose value is of another type, and of small types alone."""
        rng = self.rng
        if bits(t) == 16:
            small = t.replace("16", "8")
            name = rng.choice(_WIDENING)
            if name == "widening_sub":
                small, back = rng.choice(["uint8", "int8"]), t
                return self.fitted([name, self.leaf(small), self.leaf(small)], "int16", back)
            return [name, self.leaf(small), self.leaf(small)]
        if bits(t) == 8:
            u = "u" + t if t[0] == "i" else t
            s = rng.choice([t, rng.choice(SMALL)])
            choice = rng.random()
            if choice < 0.3:
                return self.fitted(["absd", self.leaf(t), self.leaf(t)], u, t)
            if choice < 0.5 and t[0] == "i":
                return self.fitted(["abs", self.leaf(t)], u, t)
            if choice < 0.58 and t[0] == "u":
                return ["rounding_shift_right", self.leaf(t), ["cast", t, rng.randint(0, 3)]]
            if choice < 0.62:
                return ["mul_shift_right", self.leaf(t), self.leaf(t), ["cast", u, rng.randint(0, 7)]]
            if choice < 0.7:
                return ["lerp", self.leaf(t), self.leaf(t), self.leaf("uint8")]
            if choice < 0.85:
                return self.fitted([rng.choice(["popcount", "count_leading_zeros", "count_trailing_zeros"]), self.leaf(s)], s, t)
            return [rng.choice(["div_round_to_zero", "mod_round_to_zero"]), self.leaf(t), ["cast", t, rng.randint(1, 5)]]
        return ["max", self.expr(t, depth - 1), self.leaf(t)]


def limits(t: str) -> Tuple[int, int]:
    """The least and the greatest value of an integer type."""
    n = bits(t)
    return (0, 2**n - 1) if t[0] == "u" else (-(2 ** (n - 1)), 2 ** (n - 1) - 1)
