"""Vector registers of machines whose C has no arrays of a variable number of them."""

from __future__ import annotations

from typing import Any, Tuple

from ..core.memory import MemGenError
from ..libs.memories import _Registers


class Registers(_Registers):
    """Vector registers: the innermost dimension is one, and the others are numbers."""

    @classmethod
    def alloc(cls, new_name: str, prim_type: str, shape: Tuple[str, ...], srcinfo: Any) -> str:
        declared = super().alloc(new_name, prim_type, shape, srcinfo)
        if not all(extent.isdecimal() and int(extent) > 0 for extent in shape[:-1]):
            raise MemGenError(f"{srcinfo}: Cannot allocate variable numbers of {cls.name()} vectors")
        return declared
