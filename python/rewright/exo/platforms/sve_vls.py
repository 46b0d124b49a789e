"""Arm SVE with vectors of 512 bits, in the style of Exo's platforms: the length is known to the compiler, which is told
``-msve-vector-bits=512``. Exo 1.0.0 on PyPI has no SVE."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import DRAM, Memory, instr
from ._sve import PRECISIONS, Registers, operations, pointer
from ._table import Table

#: The bits of a register.
VECTOR_BITS = 512


class SVE_VLS(Registers):
    """Registers of 512 bits."""

    _vectors = {c: (VECTOR_BITS // bits, f"svfloat{bits}_vls_t") for c, bits in PRECISIONS.values()}

    @classmethod
    def global_(cls) -> str:
        types = [
            f"typedef svfloat{bits}_t svfloat{bits}_vls_t __attribute__((arm_sve_vector_bits({VECTOR_BITS})));"
            for _, bits in PRECISIONS.values()
        ]
        return "\n".join([super().global_(), *types])


_sve = Table("sve_vls", {"DRAM": DRAM, "SVE_VLS": SVE_VLS})

for _t, (_, _bits) in PRECISIONS.items():
    _n = VECTOR_BITS // _bits
    _words = {"k": f"{_n}x{_t}", "n": _n, "t": _t, "w": _t, "v": f"[{_t}][{_n}] @ SVE_VLS", "m": f"[{_t}][{_n}] @ DRAM"}
    _family = _sve.family({**_words, "p": pointer(_t)})
    operations(lambda name, *more, add=_family: add(f"sve_{name}", *more), f"svptrue_b{_bits}()")

globals().update(_sve.items())
__all__ = ["DRAM", "Memory", "SVE_VLS", "VECTOR_BITS", "instr", *_sve]

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
