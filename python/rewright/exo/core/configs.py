"""``exo.core.configs``: named state of the hardware."""

from __future__ import annotations

from typing import Any, List, Tuple
from weakref import WeakValueDictionary

from ..._errors import RewrightError
from ..._names import Config as _Config
from .._absent import absent
from .LoopIR import Type

__all__ = ["Config", "ConfigError", "ctyp"]

__getattr__ = absent(__name__)


_C = {"f16": "_Float16", "f32": "float", "f64": "double", "i8": "int8_t", "i32": "int32_t", "bool": "bool"}


def ctyp(typ: Any) -> str:
    """The word of C for the type of a field."""
    return _C.get(str(typ), "int_fast32_t")


class ConfigError(RewrightError):
    """A configuration is not what is asked for."""


class Config(_Config):
    """A configuration class. Those of one name with the same fields are one state, and equal: of them, cursors give the one that was used last."""

    __slots__ = ("__weakref__",)

    def __init__(self, raw: Any) -> None:
        super().__init__(raw)
        self._use()

    def _use(self) -> None:
        """A program or a schedule speaks of it: of those with one handle, cursors give the one that was used last."""
        _LAST[self._raw] = self

    def fields(self) -> List[Tuple[str, Type]]:  # type: ignore[override]
        """The fields with their types, in order."""
        return [(name, Type(word)) for name, word in self._raw.fields()]

    def has_field(self, fname: str) -> bool:
        """Whether there is a field of this name."""
        return fname in dict(self.fields())

    def is_allow_rw(self) -> bool:
        """Whether C reads and writes the fields, and not only instructions do."""
        return "readwrite=False" not in str(self)

    def c_struct_def(self) -> List[str]:
        """The lines of the struct in C."""
        fields = [f"    {ctyp(typ)} {name};" for name, typ in self.fields()]
        return [f"struct {self.name()} {{", *fields, f"}} {self.name()};"]

    def lookup_type(self, fname: str) -> Type:
        """The type of a field."""
        return dict(self.fields())[fname]


#: The objects of configurations, by their handles, which are equal where names and fields are.
_LAST: WeakValueDictionary[Any, Config] = WeakValueDictionary()


def of_handle(raw: Any) -> Config:
    """The configuration of a handle."""
    known = _LAST.get(raw)
    return Config(raw) if known is None else known
