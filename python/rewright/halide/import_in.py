"""Halide's pipelines as texts of the model: the algorithm. Spec: [rule: halide.peer.import]."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Set, Tuple

from . import schedule_in
from .exporting import NotCovered
from .names import Names
from .tree import Expr, Func, Given, Pipeline, Update, reads, stages

Wire = Dict[str, Any]
_CODES = ("int", "uint", "float")
_INFIX = {
    "Add": "+", "Sub": "-", "Mul": "*", "Div": "div", "Mod": "mod", "EQ": "=", "NE": "!=", "LT": "<", "LE": "<=", "GT": ">",
    "GE": ">=", "And": "and", "Or": "or",
}  # fmt: skip
_BITS = {"bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^", "shift_left": "<<", "shift_right": ">>"}
_STRICT = {
    "strict_add": "+", "strict_sub": "-", "strict_mul": "*", "strict_div": "div", "strict_eq": "=", "strict_lt": "<",
    "strict_le": "<=", "strict_fadd": "+", "strict_fsub": "-", "strict_fmul": "*", "strict_fdiv": "div",
}  # fmt: skip
#: Intrinsics of the same name and meaning.
_SAME = {
    "abs", "absd", "count_leading_zeros", "count_trailing_zeros", "popcount", "div_round_to_zero", "mod_round_to_zero",
    "halving_add", "halving_sub", "rounding_halving_add", "widening_add", "widening_sub", "widening_mul", "mul_shift_right",
    "rounding_shift_right", "saturating_add", "saturating_sub", "lerp",
}  # fmt: skip
#: Intrinsics that are their argument.
_PLAIN = {"likely", "likely_if_innermost", "strict_float"}
_MATH = {"sqrt", "exp", "log", "sin", "cos", "tan", "atan", "atan2", "tanh", "floor", "ceil", "round", "trunc", "pow"}
_MATH |= {"is_nan", "is_inf", "is_finite"}


@dataclass
class Imported:
    """A pipeline that was imported."""

    pipeline: Pipeline
    #: What has no counterpart here, and where it stands: it is missing in the pipeline.
    not_covered: List[str] = field(default_factory=list)
    #: What was left out because it changes neither values nor regions.
    left_out: List[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"# not covered: {line}" for line in self.not_covered] + [f"# left out: {line}" for line in self.left_out]
        return "".join(line + "\n" for line in lines) + str(self.pipeline)


def imported(wire: Wire, given: Dict[str, Any], ranges: Dict[str, Tuple[Any, Any]]) -> Imported:
    """A serialized pipeline that was read, with what its parameters hold and may hold, where that is known.

    Raises ``NotCovered`` for what belongs to values.
    """
    return _Importer(wire, given, ranges).imported()


class _Importer:
    def __init__(self, wire: Wire, given: Dict[str, Any], ranges: Dict[str, Tuple[Any, Any]]) -> None:
        self.wire, self.values, self.ranges = wire, given, ranges
        self.names = Names()
        self.out = Imported(Pipeline([]))
        self.funcs: Dict[str, Wire] = {f["name"]: f for f in wire["funcs"]}
        #: Funcs that stand for an input: `Func(image)`.
        self.images: Dict[str, str] = {}
        #: The types of what is read, and where in the pipeline one is.
        self.types: Dict[str, List[str]] = {f["name"]: [type_of(t) for t in f["output_types"]] for f in wire["funcs"]}
        self.place = ""
        self.vars = Names()
        #: The ends of boxes of inputs that are mentioned.
        self.ends: Set[Tuple[str, int, str]] = set()

    def imported(self) -> Imported:
        for f in self.wire["funcs"]:
            self.image(f)
        p = self.out.pipeline
        self.declare()
        p.outputs = [self.names[n] for n in self.wire["output_names"]]
        self.wrappers = self.wrapping()
        made: Dict[str, Func] = {}
        for name, f in self.funcs.items():
            if name not in self.images:
                made[name] = self.func(f)
        # A copy is made by the directive that asks for it.
        hidden = {w for w, _, _, _ in self.wrappers}
        self.made = made
        p.funcs = ordered([f for n, f in made.items() if n not in hidden], p.outputs)
        for r in self.wire["requirements"]:
            self.place = "a requirement"
            p.requires.append(self.expr(r["condition"], {}))
        schedule_in.schedule(self)
        self.boxes()
        return self.out

    # What is given.

    def image(self, f: Wire) -> None:
        """A func that is its input at every point, is computed nowhere and has no wrapper: it is the input."""
        values, d = f["init_def"]["values"] if f["init_def"] else [], f["init_def"]
        if len(values) != 1 or f["updates"] or values[0]["kind"] != "Call" or values[0]["call_type"] != 0:
            return
        at = [a["name"] if a["kind"] == "Variable" else None for a in values[0]["args"]]
        level = f["func_schedule"]["compute_level"]
        if at == f["args"] and not level["var_name"] and not d["stage_schedule"]["touched"]:
            self.images[f["name"]] = values[0]["param_name"] or values[0]["image_name"]

    def declare(self) -> None:
        p = self.out.pipeline
        buffers = {b["name"]: b for b in self.wire["buffers"]}
        declared = {x["name"]: x for x in self.wire["external_parameters"]}
        declared.update({x["name"]: x for x in self.wire["parameters"] if self.read_somewhere(x["name"])})
        for name, x in declared.items():
            t, rank = type_of(x["type"]), x["dimensions"]
            self.types[name] = [t]
            if x["is_buffer"] or t.startswith("float") or t in ("int64", "uint64"):
                p.inputs.append((self.names[name], rank, t))
            else:
                p.params.append((self.names[name], t))
                here = self.names[name]
                low, high = self.ranges.get(name, (None, None))
                p.requires += [] if low is None else [[">=", here, low]]
                p.requires += [] if high is None else [["<=", here, high]]
            if name in self.values:
                p.given[self.names[name]] = self.values[name]
            elif x.get("scalar_data") is not None:
                p.given[self.names[name]] = scalar(t, x["scalar_data"])
        for name, b in buffers.items():
            self.types[name] = [type_of(b["type"])]
            p.inputs.append((self.names[name], b["dimensions"], type_of(b["type"])))
            p.given[self.names[name]] = contents(b)

    def read_somewhere(self, name: str) -> bool:
        """Whether a parameter is one of the pipeline's own: each func has some for its outputs."""
        return any(e.get("param_name") == name for f in self.wire["funcs"] for e in _all(f))

    def boxes(self) -> None:
        """The ends of the boxes of inputs are parameters, as reference cases have them."""
        p = self.out.pipeline
        for name, d, end in sorted(self.ends):
            here = f"{name}_{d}_{end}"
            p.params.append((here, "int32"))
            box = getattr(p.given.get(name), "box", None)
            if box is not None:
                p.given[here] = box[d][end == "len"]

    # Funcs.

    def wrapping(self) -> List[Tuple[str, str, str, bool]]:
        """Wrapper, what it wraps, the consumer or nothing for all, whether it is a clone."""
        out = []
        for f in self.wire["funcs"]:
            for w in f["func_schedule"]["wrappers"]:
                names = self.wire["func_names_in_order"]
                wrapper = self.funcs[names[w["func_index"]]] if 0 <= w["func_index"] < len(names) else None
                if wrapper is None:
                    raise NotCovered(f"a wrapper of `{f['name']}`")
                values = wrapper["init_def"]["values"]
                copies = len(values) == 1 and values[0]["kind"] == "Call" and values[0]["name"] == f["name"]
                out.append((wrapper["name"], f["name"], w["func_name"], not copies or bool(wrapper["updates"])))
        return out

    def func(self, f: Wire) -> Func:
        name = f["name"]
        self.place = f"func `{name}`"
        if f["extern_function_name"] or f["init_def"] is None:
            raise NotCovered(f"an extern stage in {self.place}")
        scope = {x: self.var(x) for x in f["args"]}
        out = Func(self.names[name], [self.var(x) for x in f["args"]], self.value(f["init_def"]["values"], scope))
        for i, u in enumerate(f["updates"]):
            self.place = f"update {i + 1} of func `{name}`"
            out.updates.append(self.update(u, scope))
        return out

    def update(self, u: Wire, scope: Dict[str, str]) -> Update:
        rvars = u["stage_schedule"]["rvars"]
        inner = dict(scope)
        for r in rvars:
            inner[r["var"]] = rvar_name(r["var"], [x["var"] for x in rvars], set(scope.values()))
        rdom = [(inner[r["var"]], self.expr(r["min"], scope), self.expr(r["extent"], scope)) for r in rvars]
        lhs = [self.expr(e, inner) for e in u["args"]]
        where = None if is_true(u["predicate"]) else self.expr(u["predicate"], inner)
        return Update(rdom, lhs, self.value(u["values"], inner), where)

    def var(self, name: str) -> str:
        """Variables have a space of their own, but for the words of the text."""
        return self.vars[name]

    def value(self, values: List[Wire], scope: Dict[str, str]) -> Expr:
        parts = [self.expr(v, scope) for v in values]
        return parts[0] if len(parts) == 1 else ["tuple", *parts]

    # Expressions.

    def expr(self, e: Wire, scope: Dict[str, Any]) -> Expr:
        """An expression whose type is certain: literals but of `int32` are in a cast."""
        kind = e["kind"]
        if kind in ("IntImm", "UIntImm"):
            t = type_of(e["type"])
            return e["value"] if t == "int32" else ["cast", t, e["value"]]
        if kind == "FloatImm":
            return ["lit", type_of(e["type"]), e["value"]]
        if kind == "Variable":
            return self.variable(e, scope)
        if kind == "Cast":
            return ["cast", type_of(e["type"]), self.loose(e["value"], scope)]
        if kind in _INFIX:
            return self.infix(_INFIX[kind], e["a"], e["b"], scope)
        if kind in ("Min", "Max"):
            return [kind.lower(), self.expr(e["a"], scope), self.expr(e["b"], scope)]
        if kind == "Not":
            return ["not", self.expr(e["a"], scope)]
        if kind == "Select":
            return ["select", *(self.expr(e[k], scope) for k in ("condition", "true_value", "false_value"))]
        if kind == "Let":
            # What common subexpressions are called is Halide's affair: they stand for their values.
            return self.expr(e["body"], {**scope, e["name"]: self.expr(e["value"], scope)})
        if kind == "Reinterpret":
            return self.reinterpret(e, scope)
        if kind == "Call":
            return self.call(e, scope)
        raise NotCovered(f"`{kind}` in {self.place}")

    def loose(self, e: Wire, scope: Dict[str, Any]) -> Expr:
        """An expression where a literal may stand without its type: in a cast, beside an operator."""
        plain = e["kind"] in ("IntImm", "UIntImm") and type_of(e["type"]) != "bool"
        return e["value"] if plain else self.expr(e, scope)

    def infix(self, op: str, a: Wire, b: Wire, scope: Dict[str, Any]) -> Expr:
        literal = [x["kind"] in ("IntImm", "UIntImm") for x in (a, b)]
        if literal == [True, True] or op in ("and", "or"):
            return [op, self.expr(a, scope), self.expr(b, scope)]
        return [op, self.loose(a, scope), self.loose(b, scope)]

    def variable(self, e: Wire, scope: Dict[str, Any]) -> Expr:
        name = e["name"]
        if name in scope:
            return scope[name]
        if e["param_name"]:
            of, *rest = name.rsplit(".", 2)
            if len(rest) == 2 and rest[0] in ("min", "extent"):
                here = (self.names[of], int(rest[1]), "min" if rest[0] == "min" else "len")
                self.ends.add(here)
                return f"{here[0]}_{here[1]}_{here[2]}"
            if rest:
                raise NotCovered(f"`{name}` in {self.place}")
            return self.names[e["param_name"]]
        raise NotCovered(f"variable `{name}` in {self.place}")

    def reinterpret(self, e: Wire, scope: Dict[str, Any]) -> Expr:
        to = type_of(e["type"])
        value = e["value"]
        kind = value.get("type")
        if kind is None or to.startswith("float") or type_of(kind).startswith("float") or kind["bits"] != e["type"]["bits"]:
            raise NotCovered(f"`reinterpret` in {self.place}")
        return ["cast", to, self.expr(value, scope)]

    def call(self, e: Wire, scope: Dict[str, Any]) -> Expr:
        name, kind = e["name"], e["call_type"]
        if kind == 4:
            args = [self.expr(a, scope) for a in e["args"]]
            of = self.images.get(name)
            if of is not None:
                return ["call", self.names[of], *args]
            here = ["call", self.names[name], *args]
            return ["elem", e["value_index"], here] if len(self.types[name]) > 1 else here
        if kind == 0:
            of = e["param_name"] or e["image_name"]
            return ["call", self.names[of], *(self.expr(a, scope) for a in e["args"])]
        if kind in (1, 3):
            base = name.rsplit("_f", 1)[0]
            if base in _MATH:
                return [base, *(self.expr(a, scope) for a in e["args"])]
        elif kind in (5, 6):
            return self.intrinsic(e, scope)
        raise NotCovered(f"`{name}` in {self.place}")

    def intrinsic(self, e: Wire, scope: Dict[str, Any]) -> Expr:
        name, args = e["name"], e["args"]
        if name in ("shift_left", "shift_right"):
            return [_BITS[name], self.expr(args[0], scope), self.loose(args[1], scope)]
        if name in _BITS:
            return self.infix(_BITS[name], args[0], args[1], scope)
        if name in _STRICT:
            return self.infix(_STRICT[name], args[0], args[1], scope)
        if name in ("strict_min", "strict_max"):
            return [name[7:], *(self.expr(a, scope) for a in args)]
        if name == "bitwise_not":
            return ["~", self.expr(args[0], scope)]
        if name in _PLAIN:
            return self.expr(args[0], scope)
        if name in ("promise_clamped", "unsafe_promise_clamped"):
            # A clamp says the same, and is no promise.
            return ["max", ["min", self.expr(args[0], scope), self.expr(args[2], scope)], self.expr(args[1], scope)]
        if name == "if_then_else" and len(args) == 3:
            return ["select", *(self.expr(a, scope) for a in args)]
        if name == "saturating_cast":
            return ["saturating_cast", type_of(e["type"]), self.expr(args[0], scope)]
        if name in _SAME:
            return [name, *(self.expr(a, scope) for a in args)]
        raise NotCovered(f"`{name}` in {self.place}")


def type_of(t: Wire) -> str:
    """The name of a type."""
    if t["code"] > 2 or t["lanes"] != 1:
        raise NotCovered(f"a type of {t['bits']} bits and {t['lanes']} lanes")
    out = "bool" if (t["code"], t["bits"]) == (1, 1) else f"{_CODES[t['code']]}{t['bits']}"
    if out == "float16":
        raise NotCovered("`float16`")
    return out


def is_true(e: Optional[Wire]) -> bool:
    """Whether a predicate is none."""
    return e is None or e["kind"] == "UndefinedExpr" or e["kind"] == "UIntImm" and e["value"] == 1


def rvar_name(var: str, all_vars: List[str], taken: Set[str]) -> str:
    """`r$x` is `r` where the domain has one dimension, `r_x` otherwise."""
    base, _, dim = var.partition("$")
    alone = [v.partition("$")[0] for v in all_vars].count(base) == 1
    out = Names()
    out.taken |= taken
    return out.fresh(base if alone else f"{base}_{dim.replace('$', '_')}")


def scalar(t: str, bits: int) -> Any:
    """A parameter's value from its bits."""
    data = struct.pack("<Q", bits)
    if t.startswith("float"):
        return struct.unpack_from("<f" if t == "float32" else "<d", data)[0]
    size = 8 if t == "bool" else int(t.lstrip("uint"))
    return int.from_bytes(data[: size // 8], "little", signed=t[0] == "i")


def contents(b: Wire) -> Given:
    """What a buffer of the pipeline holds."""
    import numpy as np

    t, dims = type_of(b["type"]), b["dims"]
    flat = np.frombuffer(b["data"], dtype=t)
    sizes = [d["extent"] for d in dims]
    # They are stored densely, whatever the strides were.
    values = flat[: int(np.prod(sizes))].tolist()
    return Given([(d["min"], d["extent"]) for d in dims], values)


def ordered(funcs: List[Func], outputs: List[str]) -> List[Func]:
    """Each func after those that it reads; the outputs where that leaves them."""
    known = {f.name: f for f in funcs}
    out: List[Func] = []
    done = set()

    def visit(f: Func) -> None:
        if f.name in done:
            return
        done.add(f.name)
        for es in stages(f):
            for e in es:
                for g in reads(e):
                    if g in known:
                        visit(known[g])
        out.append(f)

    for name in outputs:
        visit(known[name])
    # A func that is read through its wrapper alone is there, too.
    for f in funcs:
        visit(f)
    last = known[outputs[0]]
    rest = [f for f in out if f is not last]
    return [*rest, last] if all(last.name not in reads(e) for f in rest for es in stages(f) for e in es) else out


def _all(e: Any) -> List[Wire]:
    """All tables inside of one."""
    out, todo = [], [e]
    while todo:
        here = todo.pop()
        if isinstance(here, dict):
            out.append(here)
            todo.extend(here.values())
        elif isinstance(here, list):
            todo.extend(here)
    return out


