"""What two outcomes of one pipeline have to say of each other. Spec: [rule: halide.peer.diff]."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Dict, List, Optional

from . import run
from .tree import stages, walk

if TYPE_CHECKING:
    from .tree import Box, Pipeline

#: Functions that no standard asks to be rounded correctly.
INEXACT = {"exp", "log", "sin", "cos", "tan", "atan", "tanh", "pow", "atan2"}
#: Units in the last place that values computed with them may be apart.
ULPS = 16


@dataclass
class Difference:
    """What came of a pipeline in both systems.

    ``verdict`` is one of ``equal``, ``refused by both``, ``only we refuse``, ``only Halide refuses``, ``other values``,
    ``ours is wrong`` (its program and its algorithm do not agree), ``not covered``, ``no answer``, ``crash``.
    """

    verdict: str
    #: Why: the rules that refuse, the first value, what is not covered.
    reason: str = ""
    #: The reason in a few words, which others share.
    kind: str = ""
    #: By func that both store: ``equal``, ``smaller``, ``larger`` or ``otherwise`` than Halide's, and both boxes.
    regions: Dict[str, Any] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether values are at odds."""
        return self.verdict in ("other values", "ours is wrong")

    def __str__(self) -> str:
        out = [self.verdict + (f": {self.reason}" if self.reason else "")]
        for f, (word, a, b) in self.regions.items():
            out.append(f"region of {f}: {word}" + ("" if word == "equal" else f", {box(a)} here, {box(b)} in Halide"))
        return "\n".join(out)


def box(b: Optional[Box]) -> str:
    """A box as texts write it."""
    return "none" if b is None else ", ".join(f"({m}, {n})" for m, n in b) or "()"


def diff(p: Pipeline) -> Difference:
    """Runs a pipeline in both."""
    heads = {e[0] for f in p.funcs for es in stages(f) for top in es for e in walk(top) if isinstance(e, list)}
    ulps = ULPS if heads & INEXACT else 0
    a = run.ours(p)
    out = compared(a, run.theirs(p), ulps)
    if out.verdict == "other values" and p.schedule:
        plain = compared(a, run.theirs(replace(p, schedule=[])), ulps)
        if plain.verdict == "equal":
            out.kind = "Halide's schedule changes its values"
            out.reason += "; without a schedule Halide gives what we give"
    return out


def compared(a: Dict[str, Any], b: Dict[str, Any], ulps: int = 0) -> Difference:
    """Compares what became of a pipeline here and in Halide."""
    if str(a.get("verdict", "")).startswith("different"):
        return Difference("ours is wrong", a["verdict"], "our program is not our algorithm")
    if "not_covered" in b:
        return Difference("not covered", b["not_covered"], b["not_covered"].split(" in `")[0])
    if "unknown" in a:
        return Difference("no answer", a["unknown"], a["unknown"])
    if "refused" in a and "refused" in b:
        kind = f"{a['rule']} / {b['at']}: {b['rule']}"
        return Difference("refused by both", f"{first(a)}\nHalide, {b['at']}: {first(b)}", kind)
    if "refused" in a:
        return Difference("only we refuse", first(a), f"{a['at']}: {a['rule']}")
    if "refused" in b:
        return Difference("only Halide refuses", first(b), f"{b['at']}: {b['rule']}")
    found = _values(a["values"], b["values"], ulps)
    if found is not None:
        found.regions = _regions(a["regions"], b["regions"])
        return found
    return Difference("equal", regions=_regions(a["regions"], b["regions"]))


def first(outcome: Dict[str, Any]) -> str:
    """The first lines of a refusal."""
    return "\n".join(outcome["refused"].splitlines()[:3])


def _values(a: List[Any], b: List[Any], ulps: int) -> Optional[Difference]:
    """The first value that differs."""
    for ours, theirs in zip(a, b):
        if ours["types"] != theirs["types"]:
            types = f"`{ours['func']}` is of {ours['types']} here, of {theirs['types']} in Halide"
            return Difference("other values", types, "types")
        for t, here, there in zip(ours["types"], ours["values"], theirs["values"]):
            if len(here) != len(there):
                return Difference("other values", f"{len(here)} values for {len(there)}", "number")
            for i, (x, y) in enumerate(zip(here, there)):
                if not same(t, x, y, ulps):
                    why = f"value {i} of `{ours['func']}` is {x} here, {y} in Halide"
                    return Difference("other values", why, t)
    return None


def same(t: str, x: str, y: Any, ulps: int = 0) -> bool:
    """Whether two values of a type are the same: not-a-number is itself, and zeros are alike."""
    if not t.startswith("float"):
        return int({"true": 1, "false": 0}.get(x, x)) == int(y)
    v = float(x)
    if math.isnan(v) or math.isnan(y):
        return math.isnan(v) and math.isnan(y)
    return abs(rank(t, v) - rank(t, y)) <= ulps


def rank(t: str, v: float) -> int:
    """The place of a number among all of its type."""
    pair = ("<f", "<i") if t == "float32" else ("<d", "<q")
    bits: int = struct.unpack(pair[1], struct.pack(pair[0], v))[0]
    least = -(1 << (31 if t == "float32" else 63))
    return bits if bits >= 0 else least - bits


def _regions(a: Dict[str, Any], b: Dict[str, Any]) -> Dict[str, Any]:
    out = {}
    for f in sorted(a.keys() & b.keys()):
        here, there = a[f]["allocated"], b[f]["allocated"]
        out[f] = (_word(here, there), here, there)
    return out


def _word(a: Optional[Box], b: Optional[Box]) -> str:
    """How a box lies to another one; empty boxes are alike."""
    if _empty(a) or _empty(b):
        return "equal" if _empty(a) and _empty(b) else "smaller" if _empty(a) else "larger"
    assert a is not None and b is not None
    if [tuple(d) for d in a] == [tuple(d) for d in b]:
        return "equal"
    if _inside(a, b):
        return "smaller"
    return "larger" if _inside(b, a) else "otherwise"


def _empty(a: Optional[Box]) -> bool:
    return a is None or any(n <= 0 for _, n in a)


def _inside(a: Box, b: Box) -> bool:
    return all(k <= m and m + n <= k + j for (m, n), (k, j) in zip(a, b))
