"""``exo.core.internal_cursors``: what cursors raise, and the sides of a gap."""

from __future__ import annotations

from .._absent import absent
from ..API_cursors import GapType, InvalidCursorError

__all__ = ["GapType", "InvalidCursorError"]

__getattr__ = absent(__name__)
