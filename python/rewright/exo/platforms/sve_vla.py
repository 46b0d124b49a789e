"""Arm SVE with vectors of any length, in the style of Exo's platforms: each instruction is told how many lanes run, which
are at most those of a register of 2048 bits, the longest there are. Exo 1.0.0 on PyPI has no SVE.

A register has as many lanes as the machine's, ``svcntw()`` of ``f32``: a program that asks for more lanes than the machine
has stops there, by ``abort``. The lanes from ``vl`` on keep their values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Tuple

from .. import DRAM, Memory, instr
from ..core.memory import MemGenError
from ._sve import PRECISIONS, Registers, operations, pointer, sizeless
from ._table import Table

_BITS = 2048

#: Without it, instructions would work on the lanes that there are.
_CHECKED = """#include <stdint.h>
#include <stdlib.h>
#ifndef SVE_LANES
#define SVE_LANES
// So many lanes, of those that the machine has.
static inline int64_t sve_lanes(int64_t lanes, uint64_t most) {
    if (lanes > (int64_t)most) {
        abort();
    }
    return lanes;
}
#endif"""

#: The function that counts the lanes of so many bits.
_COUNTS = {16: "svcnth", 32: "svcntw", 64: "svcntd"}


class SVE_VLA(Registers):
    """Registers as long as the machine has them."""

    _vectors = {c: (_BITS // bits, f"svfloat{bits}_t") for c, bits in PRECISIONS.values()}

    @classmethod
    def global_(cls) -> str:
        return f"{super().global_()}\n{_CHECKED}"

    @classmethod
    def alloc(cls, new_name: str, prim_type: str, shape: Tuple[str, ...], srcinfo: Any) -> str:
        if prim_type not in cls._vectors:
            raise MemGenError(f"{srcinfo}: {cls.name()} vectors must be f16/f32/f64, got {prim_type}")
        sizeless(cls, new_name, shape, srcinfo)
        return f"{cls._vectors[prim_type][1]} {new_name};"


_sve = Table("sve_vla", {"DRAM": DRAM, "SVE_VLA": SVE_VLA})

for _t, (_, _bits) in PRECISIONS.items():
    _words = {"k": _t, "n": 1, "t": _t, "w": _t, "v": f"[{_t}][vl] @ SVE_VLA", "m": f"[{_t}][vl] @ DRAM"}
    _family = _sve.family({**_words, "p": pointer(_t)})

    def _add(
        name: str, c: str, operands: str, statement: str, *, add: Any = _family, most: int = _BITS // _bits
    ) -> None:
        add(f"sve_{name}_vla", c, f"vl: size, {operands}", statement, asserts=[f"vl <= {most}"], upto="vl")

    _predicate = f"svwhilelt_b{_bits}_s64(0, sve_lanes({{vl}}, {_COUNTS[_bits]}()))"
    operations(_add, _predicate, f"svsel_$w({_predicate}, %s, {{dst_data}})")

globals().update(_sve.items())
__all__ = ["DRAM", "Memory", "SVE_VLA", "instr", *_sve]

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
