"""``exo.backend.prec_analysis``: the precision of ``R`` in C."""

from __future__ import annotations

from .._absent import absent
from ..core.LoopIR import T, Type

__all__ = ["get_default_prec", "set_default_prec"]

__getattr__ = absent(__name__)

_NAMES = ("f16", "f32", "f64", "i8", "i32")

_default = T.f32


def set_default_prec(name: str) -> None:
    """From now on, what is of type ``R`` is of this one in C."""
    global _default
    if name not in _NAMES:
        raise TypeError(f"Got {name}, but expected one of the following precision types: {','.join(_NAMES)}")
    _default = getattr(T, name)


def get_default_prec() -> Type:
    """What ``R`` is in C."""
    return _default
