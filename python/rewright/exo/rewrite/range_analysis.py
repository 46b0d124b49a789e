"""``exo.rewrite.range_analysis``: ranges of indices."""

from __future__ import annotations

from ..stdlib.range_analysis import IndexRange

__all__ = ["IndexRange"]
