"""``exo.libs.externs``: functions that programs call."""

from __future__ import annotations

from ..core.extern import Extern
from ...externs import expf, fmaxf, relu, select, sigmoid, sin, sqrt

__all__ = ["Extern", "expf", "fmaxf", "relu", "select", "sigmoid", "sin", "sqrt"]
