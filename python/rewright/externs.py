"""The externs: functions of data whose bodies are outside the language. ``from rewright.externs import sin``"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _rewright
from ._names import Extern

_all = {raw.name(): Extern(raw) for raw in _rewright.externs()}
__all__ = sorted(_all)
globals().update(_all)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Extern: ...
