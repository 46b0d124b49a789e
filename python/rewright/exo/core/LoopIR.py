"""``exo.core.LoopIR``: the types, as the ``typecheck`` of an extern and the methods of a memory see them."""

from __future__ import annotations

from typing import Any, List

from .._absent import absent

__all__ = ["T", "Type"]

__getattr__ = absent(__name__)

_C = {
    "f16": "_Float16",
    "f32": "float",
    "f64": "double",
    "i8": "int8_t",
    "ui8": "uint8_t",
    "ui16": "uint16_t",
    "i32": "int32_t",
    "R": "float",
    "bool": "bool",
}
_CONTROL = ("index", "size", "int", "stride")


class Type:
    """A type of one value; types of one word are equal."""

    def __init__(self, word: str) -> None:
        self._word = word

    def ctype(self) -> str:
        """The word of C."""
        return _C.get(self._word, "int_fast32_t")

    def basetype(self) -> Type:
        """The type of a cell."""
        return self

    def shape(self) -> List[Any]:
        """The extents, of which there are none."""
        return []

    def is_real_scalar(self) -> bool:
        """Whether it is one value of data."""
        return self._word not in _CONTROL and self._word != "bool"

    def is_numeric(self) -> bool:
        """Whether it is data."""
        return self.is_real_scalar()

    def is_indexable(self) -> bool:
        """Whether values are integers."""
        return self._word in ("index", "size", "int")

    def is_stridable(self) -> bool:
        """Whether a stride may be one."""
        return self._word in ("int", "stride")

    def is_sizeable(self) -> bool:
        """Whether it is a size."""
        return self._word == "size"

    def is_bool(self) -> bool:
        """Whether values are true or false."""
        return self._word == "bool"

    def is_tensor_or_window(self) -> bool:
        """Whether it has dimensions."""
        return False

    def is_win(self) -> bool:
        """Whether it is a struct of a pointer and strides."""
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Type) and type(other) is type(self) and self._word == other._word

    def __hash__(self) -> int:
        return hash(self._word)

    def __str__(self) -> str:
        return self._word

    def __repr__(self) -> str:
        return f"T.{self._word}"


class T:
    """The types by their names."""

    f16 = Type("f16")
    f32 = Type("f32")
    f64 = Type("f64")
    int8 = i8 = Type("i8")
    uint8 = ui8 = Type("ui8")
    uint16 = ui16 = Type("ui16")
    int32 = i32 = Type("i32")
    R = Type("R")
    bool = Type("bool")
    index = Type("index")
    size = Type("size")
    int = Type("int")
    stride = Type("stride")
