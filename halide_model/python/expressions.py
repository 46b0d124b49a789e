"""Records what Halide computes for typed expressions: corner values, every function at every type, random nested ones, and
what Halide refuses. The table is held against the model by `halide_expressions.rs` of the test suite.

    pip install halide==21.0.0 numpy
    python halide_model/python/expressions.py testsuite/corpus/halide_expressions/table.jsonl

What Halide leaves undefined is not asked: signed overflow at 32 and 64 bits, distances of shifts beyond the width,
numbers of floating point that the integers of a cast do not hold. Nor `lerp` whose ends and weight share a number of
floating point: there the factor is taken out, in whatever mode.
"""

from __future__ import annotations

import json
import math
import os
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import halide as hl
import numpy as np

POINTS = 16
"""How many points each input has."""

BATCH = 40
"""How many expressions are compiled together."""

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
HALIDE = {
    "bool": hl.UInt(1), "float32": hl.Float(32), "float64": hl.Float(64),
    **{t: (hl.UInt if t[0] == "u" else hl.Int)(int(t.lstrip("uint"))) for t in INTEGERS},
}  # fmt: skip
x = hl.Var("x")


@dataclass
class Term:
    """An expression: our text, Halide's own, its type."""

    text: str
    expr: hl.Expr
    type: str


def bits(t: str) -> int:
    return 1 if t == "bool" else int(t.lstrip("uintfloa"))


def limits(t: str) -> tuple[int, int]:
    n = bits(t)
    return (0, 2**n - 1) if t[0] == "u" else (-(2 ** (n - 1)), 2 ** (n - 1) - 1)


def corners(t: str) -> list[float]:
    """Values at the ends of a type, and some between."""
    if t in FLOATS:
        return [-0.0, 0.0, math.nan, math.inf, -math.inf, -3.5, -2.5, -0.5, 0.5, 1.5, 2.5, 100.75, 1e10, -7.25, 0.3, 3.0]
    lo, hi = limits(t)
    middle = [0, 1, 2, 3, 7, 8, 9, 31, 63, 100, hi // 2]
    return [lo, lo + 1, -1 % 2 ** bits(t) if lo == 0 else -1, hi, hi - 1, *middle]


def small(t: str) -> list[float]:
    """Values of which a product does not leave 32 bits."""
    return [abs(v) if t[0] == "u" else v for v in [-100, -31, -9, -8, -7, -3, -2, -1, 0, 1, 2, 3, 7, 8, 31, 100]]


def inputs() -> dict[str, list[float]]:
    out: dict[str, list[float]] = {}
    for t in INTEGERS + FLOATS:
        values = corners(t)
        out[f"a_{t}"] = values
        # Every corner meets others.
        out[f"b_{t}"] = [values[(5 * i + 3) % POINTS] for i in range(POINTS)]
    for t in INTEGERS:
        values = small(t)
        out[f"s_{t}"] = values
        out[f"t_{t}"] = [values[(7 * i + 2) % POINTS] for i in range(POINTS)]
    return out


INPUTS = inputs()
BUFFERS: dict[str, hl.Buffer] = {}
"""The inputs; those of `uint64`, of which Halide's package has no buffers, by the bits of `int64`."""


def value(name: str) -> hl.Expr:
    """An input at the point."""
    t = name.split("_")[1]
    if name not in BUFFERS:
        numbers = np.array(INPUTS[name], dtype=t)
        BUFFERS[name] = hl.Buffer(numbers.view("int64") if t == "uint64" else numbers)
    return hl.cast(HALIDE[t], BUFFERS[name][x])


def read(name: str) -> Term:
    return Term(f"{name}[x]", value(name), name.split("_")[1])


def name_of(t: hl.Type) -> str:
    return next(n for n, u in HALIDE.items() if u == t)


OPERATORS: dict[str, Callable[..., hl.Expr]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "mod": lambda a, b: a % b, "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b, ">>": lambda a, b: a >> b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b, "=": lambda a, b: a == b, "!=": lambda a, b: a != b,
}  # fmt: skip
RING = ["+", "-", "*"]
COMPARISONS = ["<", "<=", ">", ">=", "=", "!="]
PLAIN = ["min", "max", "absd"]
EXACT = ["saturating_add", "saturating_sub", "halving_add", "halving_sub", "rounding_halving_add"]
WIDENING = ["widening_add", "widening_sub", "widening_mul"]
TO_ZERO = ["div_round_to_zero", "mod_round_to_zero"]
UNARY = ["abs", "floor", "ceil", "round", "trunc", "sqrt"]


def literal(v: float, t: str) -> Term:
    """A literal of the language, which has no type of its own."""
    return Term(str(v), v, t)


def infix(op: str, a: Term, b: Term) -> Term:
    if op == "div":
        whole = "float" not in a.type + b.type
        e = a.expr // b.expr if whole else a.expr / b.expr
    else:
        e = OPERATORS[op](a.expr, b.expr)
    return Term(f"({a.text} {op} {b.text})", e, name_of(e.type()))


def call(name: str, *args: Term) -> Term:
    e = getattr(hl, name)(*[a.expr for a in args])
    return Term(f"{name}({', '.join(a.text for a in args)})", e, name_of(e.type()))


def cast(t: str, a: Term) -> Term:
    return Term(f"{t}({a.text})", hl.cast(HALIDE[t], a.expr), t)


def saturated(t: str, a: Term) -> Term:
    return Term(f"saturating_cast({t}, {a.text})", hl.saturating_cast(HALIDE[t], a.expr), t)


def pair(a: str, b: str, corner: bool) -> tuple[Term, Term]:
    left, right = ("a", "b") if corner else ("s", "t")
    return read(f"{left}_{a}"), read(f"{right}_{b}")


def wraps(*types: str) -> bool:
    """Whether the common type wraps around where it overflows."""
    if any(t in FLOATS for t in types):
        return True
    wide = max(bits(t) for t in types)
    return wide < 32 or all(t[0] == "u" for t in types)


def systematic() -> list[Callable[[], Term]]:
    """Every operator and function at pairs of types."""
    out: list[Callable[[], Term]] = []
    types = INTEGERS + FLOATS
    for i, (s, t) in enumerate((s, t) for s in types for t in types):
        corner = wraps(s, t)
        ring, compare = RING[i % 3], COMPARISONS[i % 6]
        out.append(lambda s=s, t=t, c=corner, o=ring: infix(o, *pair(s, t, c)))
        out.append(lambda s=s, t=t, o=compare: infix(o, *pair(s, t, True)))
        out.append(lambda s=s, t=t, n=PLAIN[i % 2]: call(n, *pair(s, t, True)))
        if s in FLOATS or t in FLOATS:
            continue
        out.append(lambda s=s, t=t, c=corner, o=["div", "mod"][i % 2]: infix(o, *pair(s, t, c)))
        out.append(lambda s=s, t=t, n=(EXACT + ["absd"])[i % 6]: call(n, *pair(s, t, True)))
        # By 0 these are not defined.
        out.append(lambda s=s, t=t, n=TO_ZERO[i % 2]: call(n, pair(s, t, False)[0], infix("|", pair(s, t, False)[1], literal(1, t))))
        if max(bits(s), bits(t)) < 64:
            out.append(lambda s=s, t=t, n=WIDENING[i % 3]: call(n, *pair(s, t, True)))
        if s[0] == t[0]:
            out.append(lambda s=s, t=t, o=["&", "|", "^"][i % 3]: infix(o, *pair(s, t, True)))
        distance = min(bits(s), bits(t)) - 1
        amount = lambda s=s, t=t, d=distance: infix("&", pair(s, t, True)[1], literal(d, t))  # noqa: E731
        out.append(lambda s=s, t=t, o=["<<", ">>"][i % 2], m=amount: infix(o, pair(s, t, True)[0], m()))
        out.append(lambda s=s, t=t, m=amount: call("rounding_shift_right", pair(s, t, True)[0], m()))
        if bits(s) < 64 and t[0] == "u" and bits(t) < 64:
            out.append(lambda s=s, t=t, m=amount: call("mul_shift_right", read(f"a_{s}"), read(f"b_{s}"), m()))
            if s == t or i % 3 == 0:
                out.append(lambda s=s, t=t: call("lerp", read(f"a_{s}"), read(f"b_{s}"), read(f"b_{t}")))
    for s in types:
        for k in (-128, -7, -1, 0, 1, 2, 3, 7, 100, 255):
            for op in ("+", "*", "<", "&", "-"):
                corner = wraps(s)
                out.append(lambda s=s, k=k, o=op, c=corner: infix(o, read(f"{'a' if c else 's'}_{s}"), literal(k, s)))
            for n in ("min", "div_round_to_zero", "mod_round_to_zero", "absd"):
                if s in INTEGERS and (k != 0 or n in PLAIN):
                    out.append(lambda s=s, k=k, n=n: call(n, read(f"s_{s}"), literal(k, "int32")))
        for k in range(-3, 8, 2):
            if s in INTEGERS and bits(s) > 7:
                out.append(lambda s=s, k=k: infix(["<<", ">>"][k % 2], read(f"s_{s}"), literal(k, s)))
        for k in (-1, 0, 1, 2, 3, 5):
            out.append(lambda s=s, k=k: call("pow", read(f"{'a' if wraps(s) else 's'}_{s}"), literal(k, s)))
        for n in UNARY:
            out.append(lambda s=s, n=n: call(n, read(f"a_{s}")))
        for t in types:
            if not (s in FLOATS and t in INTEGERS):
                out.append(lambda s=s, t=t: cast(t, read(f"a_{s}")))
            out.append(lambda s=s, t=t: saturated(t, read(f"a_{s}")))
        if s in FLOATS:
            for t in FLOATS:
                out.append(lambda s=s, t=t: call("lerp", read(f"a_{s}"), read(f"b_{s}"), cast(t, read("s_int16"))))
            for t in ("uint8", "uint16", "uint32"):
                out.append(lambda s=s, t=t: call("lerp", read(f"a_{s}"), read(f"b_{s}"), read(f"b_{t}")))
            out += [lambda s=s: call("is_nan", read(f"a_{s}")), lambda s=s: call("widening_mul", read("a_float32"), read("b_float32"))]
        if s in INTEGERS and bits(s) < 64:
            weight = Term("0.3f", hl.f32(0.3), "float32")
            out.append(lambda s=s, w=weight: call("lerp", read(f"a_{s}"), read(f"b_{s}"), w))
            out.append(lambda s=s: call("lerp", literal(0, s), read(f"a_{s}"), read("b_uint8")))
    return out


class Random:
    """Nested expressions that nothing undefined is part of."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def leaf(self, t: str) -> Term:
        return read(f"{self.rng.choice('ab')}_{t}")

    def term(self, t: str, depth: int) -> Term:
        """An expression of this type."""
        pick = self.rng
        if depth == 0 or pick.random() < 0.15:
            return self.leaf(t)
        same = lambda: self.term(t, depth - 1)  # noqa: E731
        other = pick.choice(INTEGERS)
        if t in FLOATS:
            match pick.randrange(6):
                case 0 | 1:
                    return infix(pick.choice(["+", "-", "*"]), same(), same())
                case 2:
                    return call(pick.choice(["min", "max"]), same(), same())
                case 3:
                    # The absolute value of -0.0 in double precision is -0.0 there.
                    return call(pick.choice(UNARY if t == "float32" else UNARY[1:]), same())
                case 4:
                    return call("select", self.truth(depth - 1), same(), same())
                case _:
                    return cast(t, self.term(other, depth - 1))
        lo, hi = limits(t)
        # Where an overflow is not defined, operands are small.
        held = lambda: same() if wraps(t) else call("clamp", same(), literal(-1000, t), literal(1000, t))  # noqa: E731
        match pick.randrange(14):
            case 0 | 1:
                return infix(pick.choice(RING), held(), held())
            case 2:
                return infix(pick.choice(["div", "mod"]), held(), held())
            case 3:
                return infix(pick.choice(["&", "|", "^"]), same(), same())
            case 4:
                distance = infix("&", same(), literal(bits(t) - 1, t))
                held_left = infix("&", same(), literal(1, t)) if not wraps(t) else same()
                return infix(">>", same(), distance) if pick.random() < 0.5 or not wraps(t) else infix("<<", held_left, distance)
            case 5:
                return call(pick.choice(["min", "max"]), same(), same())
            case 6:
                return call("select", self.truth(depth - 1), same(), same())
            case 7:
                return call(pick.choice(EXACT), same(), same())
            case 8:
                return cast(t, call("absd", same(), same()))
            case 9 if bits(t) < 64:
                return cast(t, call(pick.choice(WIDENING), same(), same()))
            case 10 if bits(t) < 64:
                return call("mul_shift_right", same(), same(), literal(pick.randrange(bits(t)), t))
            case 11:
                return saturated(t, self.term(pick.choice(INTEGERS + FLOATS), depth - 1))
            case 12:
                return infix("+", held(), literal(pick.randrange(0, 100), t))
            case _:
                return cast(t, self.term(other, depth - 1))

    def truth(self, depth: int) -> Term:
        t = self.rng.choice(INTEGERS + FLOATS)
        return infix(self.rng.choice(COMPARISONS), self.term(t, depth), self.term(t, depth))


REFUSED: list[tuple[str, Callable[[], hl.Expr]]] = [
    ("a_float32[x] + 16777217", lambda: value("a_float32") + 16777217),
    ("a_float32[x] < 16777217", lambda: value("a_float32") < 16777217),
    ("clamp(a_float32[x], 2147483647, 100)", lambda: hl.clamp(value("a_float32"), 2147483647, 100)),
    ("a_uint8[x] << 300", lambda: value("a_uint8") << 300),
    ("a_int8[x] >> 256", lambda: value("a_int8") >> 256),
    ("(a_uint8[x] > 3) << 3", lambda: (value("a_uint8") > 3) << 3),
    ("rounding_shift_right(a_uint8[x], 256)", lambda: hl.rounding_shift_right(value("a_uint8"), 256)),
    ("mul_shift_right(a_uint8[x], a_uint8[x], 300)", lambda: hl.mul_shift_right(value("a_uint8"), value("a_uint8"), 300)),
    ("mul_shift_right(a_uint8[x], a_uint8[x], -1)", lambda: hl.mul_shift_right(value("a_uint8"), value("a_uint8"), -1)),
    ("mul_shift_right(a_int8[x], a_int8[x], a_int8[x])", lambda: hl.mul_shift_right(*[value("a_int8")] * 3)),
    ("lerp(a_uint8[x], a_int8[x], a_uint8[x])", lambda: hl.lerp(value("a_uint8"), value("a_int8"), value("a_uint8"))),
    ("lerp(a_uint8[x], a_uint16[x], a_uint8[x])", lambda: hl.lerp(value("a_uint8"), value("a_uint16"), value("a_uint8"))),
    ("lerp(a_uint8[x], a_uint8[x], 1)", lambda: hl.lerp(value("a_uint8"), value("a_uint8"), 1)),
    ("lerp(a_int16[x], a_int16[x], a_int8[x])", lambda: hl.lerp(value("a_int16"), value("a_int16"), value("a_int8"))),
    ("lerp(a_int64[x], a_int64[x], a_uint8[x])", lambda: hl.lerp(value("a_int64"), value("a_int64"), value("a_uint8"))),
    ("mux(x, a_int8[x], a_uint8[x])", lambda: hl.mux(x, [value("a_int8"), value("a_uint8")])),
    ("a_uint8[x] + 256", lambda: value("a_uint8") + 256),
    ("a_uint8[x] + -1", lambda: value("a_uint8") + -1),
    ("a_int8[x] & a_uint8[x]", lambda: value("a_int8") & value("a_uint8")),
    ("a_float32[x] & a_float32[x]", lambda: value("a_float32") & value("a_float32")),
    ("select(a_uint8[x], 1, 2)", lambda: hl.select(value("a_uint8"), 1, 2)),
    ("select(x < 1, a_int8[x], a_uint8[x])", lambda: hl.select(x < 1, value("a_int8"), value("a_uint8"))),
    ("clamp(a_uint8[x], -1, 3)", lambda: hl.clamp(value("a_uint8"), -1, 3)),
]


def number(v: object, t: str) -> object:
    if t in FLOATS:
        f = float(v)  # type: ignore[arg-type]
        return "nan" if math.isnan(f) else ("inf" if f > 0 else "-inf") if math.isinf(f) else f
    return int(v)  # type: ignore[call-overload]


def run(terms: list[Term]) -> list[np.ndarray] | None:
    """All values, computed in a process of its own: Halide ends it where a constant is folded that overflows."""
    ends = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ends[0])
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            target = hl.get_jit_target_from_environment().with_feature(hl.TargetFeature.StrictFloat)
            outputs = []
            for i, t in enumerate(terms):
                f = hl.Func(f"o{i}")
                f[x] = hl.cast(hl.UInt(8), t.expr) if t.type == "bool" else t.expr
                outputs.append(f)
            found = hl.Pipeline(outputs).realize([POINTS], target)
            found = [found] if len(terms) == 1 else found
            rows = [[number(v, t.type) for v in np.array(b)] for b, t in zip(found, terms, strict=True)]
            with os.fdopen(ends[1], "w") as out:
                json.dump(rows, out)
        finally:
            os._exit(0)
    os.close(ends[1])
    with os.fdopen(ends[0]) as back:
        text = back.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else None


def recorded(terms: list[Term]) -> list[tuple[Term, list[object]]]:
    rows = run(terms)
    if rows is not None:
        return list(zip(terms, rows, strict=True))
    if len(terms) == 1:
        return []
    half = len(terms) // 2
    return recorded(terms[:half]) + recorded(terms[half:])


def main() -> None:
    terms: list[Term] = []
    makers = systematic()
    random.Random(7).shuffle(makers)
    for make in makers[:900]:
        try:
            terms.append(make())
        except hl.HalideError:
            continue
    nested = Random(21)
    while len(terms) < 1150:
        try:
            terms.append(nested.term(nested.rng.choice(INTEGERS + FLOATS), 3))
        except hl.HalideError:
            continue
    seen: set[str] = set()
    terms = [t for t in terms if not (t.text in seen or seen.add(t.text))]
    lines = [json.dumps({"inputs": {n: [number(v, n.split("_")[1]) for v in vs] for n, vs in INPUTS.items()}})]
    for k in range(0, len(terms), BATCH):
        for t, values in recorded(terms[k : k + BATCH]):
            lines.append(json.dumps({"expr": t.text, "type": t.type, "values": values}))
        print(f"{k + BATCH} of {len(terms)}", file=sys.stderr)
    for text, make_refused in REFUSED:
        try:
            make_refused()
        except (hl.HalideError, TypeError, ValueError):
            lines.append(json.dumps({"expr": text, "refused": True}))
        else:
            print(f"not refused: {text}", file=sys.stderr)
    Path(sys.argv[1]).write_text("\n".join(lines) + "\n")


main()
