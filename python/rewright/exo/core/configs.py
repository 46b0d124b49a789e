"""``exo.core.configs``: named state of the hardware."""

from __future__ import annotations

from typing import Any, List
from weakref import WeakValueDictionary

from ..._errors import RewrightError
from ..._names import Config as _Config
from .._absent import absent

__all__ = ["Config", "ConfigError", "ctyp"]

__getattr__ = absent(__name__)


_C = {"f16": "_Float16", "f32": "float", "f64": "double", "i8": "int8_t", "i32": "int32_t", "bool": "bool"}


def ctyp(typ: Any) -> str:
    """The word of C for the type of a field."""
    return _C.get(str(typ), "int_fast32_t")


class ConfigError(RewrightError):
    """A configuration is not what is asked for."""


class Config(_Config):
    """A configuration class."""

    __slots__ = ("__weakref__",)

    def __init__(self, raw: Any) -> None:
        super().__init__(raw)
        _LAST[raw] = self

    def has_field(self, fname: str) -> bool:
        """Whether there is a field of this name."""
        return fname in self.fields()

    def is_allow_rw(self) -> bool:
        """Whether C reads and writes the fields, and not only instructions do."""
        return "readwrite=False" not in str(self)

    def c_struct_def(self) -> List[str]:
        """The lines of the struct in C."""
        fields = [f"    {ctyp(typ)} {name};" for name, typ in self.fields().items()]
        return [f"struct {self.name()} {{", *fields, f"}} {self.name()};"]

    def lookup_type(self, fname: str) -> str:
        """The type of a field, in a word."""
        return self.fields()[fname]


#: The objects of configurations that programs made: cursors give the same.
_LAST: WeakValueDictionary[Any, Config] = WeakValueDictionary()


def of_handle(raw: Any) -> Config:
    """The configuration of a handle."""
    known = _LAST.get(raw)
    return Config(raw) if known is None else known
