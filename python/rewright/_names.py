"""What has a name and no versions: configuration classes, memories, externs, types."""

from __future__ import annotations

from enum import Enum
from typing import Any, Dict

from . import _rewright

__all__ = ["Config", "Extern", "ExoType", "Memory"]


class _Named:
    """A handle, its name, and equality."""

    __slots__ = ("_raw",)
    _raw: Any

    def __init__(self, raw: Any) -> None:
        if not isinstance(raw, (_rewright.Config, _rewright.Memory, _rewright.Extern)):
            raise TypeError(f"{type(self).__name__} objects are not made like this")
        self._raw = raw

    def name(self) -> str:
        """The name."""
        return str(self._raw.name())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Named):
            return NotImplemented
        return bool(self._raw == other._raw)

    def __hash__(self) -> int:
        return hash(self._raw)

    def __repr__(self) -> str:
        return self.name()


class Config(_Named):
    """A configuration class: named state of the hardware. ``@rewright.config`` makes one."""

    __slots__ = ()

    def fields(self) -> Dict[str, str]:
        """The fields with their types, in order."""
        return dict(self._raw.fields())

    def __str__(self) -> str:
        return str(self._raw)


class Memory(_Named):
    """A memory: a standard one, a machine's, or one that a text declares."""

    __slots__ = ()


class Extern(_Named):
    """A function of data whose body is outside the language."""

    __slots__ = ()


class ExoType(Enum):
    """The types, by the words of the language."""

    F16 = "f16"
    BF16 = "bf16"
    F32 = "f32"
    F64 = "f64"
    UI8 = "ui8"
    I8 = "i8"
    UI16 = "ui16"
    I32 = "i32"
    R = "R"
    Index = "index"
    Bool = "bool"
    Size = "size"
    Int = "int"
    Stride = "stride"

    @property
    def _raw(self) -> str:
        return str(self.value)

    def is_indexable(self) -> bool:
        """Whether values are integers that may index."""
        return self in (ExoType.Index, ExoType.Size, ExoType.Int)

    def is_numeric(self) -> bool:
        """Whether values are data."""
        return self not in (ExoType.Index, ExoType.Bool, ExoType.Size, ExoType.Int, ExoType.Stride)

    def is_bool(self) -> bool:
        """Whether values are true or false."""
        return self is ExoType.Bool

    def __str__(self) -> str:
        return str(self.value)


DRAM, DRAM_STACK, DRAM_STATIC = (Memory(raw) for raw in _rewright.standard_memories())
