"""``exo.API_types``: the types as values."""

from __future__ import annotations

from enum import Enum
from typing import Any

__all__ = ["ExoType", "ProcedureBase", "loopir_type_to_exotype"]


class ProcedureBase:
    """What procedures are instances of."""

    __slots__ = ()


class ExoType(Enum):
    """The types."""

    F16 = "f16"
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

    @staticmethod
    def of_word(word: str) -> ExoType:
        """The type that the language has this word for."""
        return ExoType(word)

    def is_indexable(self) -> bool:
        """Whether values are integers."""
        return self in (ExoType.Index, ExoType.Size, ExoType.Int, ExoType.Stride)

    def is_numeric(self) -> bool:
        """Whether values are data."""
        return not self.is_indexable() and self is not ExoType.Bool

    def is_bool(self) -> bool:
        """Whether values are true or false."""
        return self is ExoType.Bool


def loopir_type_to_exotype(typ: Any) -> ExoType:
    """The type of a type as an extern's ``typecheck`` sees it, ``T.f32``."""
    return ExoType.of_word(str(typ))
