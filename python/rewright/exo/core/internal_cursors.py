"""``exo.core.internal_cursors``: what cursors raise, and the sides of a gap."""

from __future__ import annotations

from ..API_cursors import GapType, InvalidCursorError

__all__ = ["GapType", "InvalidCursorError"]
