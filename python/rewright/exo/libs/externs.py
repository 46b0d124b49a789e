"""``exo.libs.externs``: functions that programs call."""

from __future__ import annotations

from ...externs import expf, fmaxf, relu, select, sigmoid, sin, sqrt

__all__ = ["expf", "fmaxf", "relu", "select", "sigmoid", "sin", "sqrt"]
