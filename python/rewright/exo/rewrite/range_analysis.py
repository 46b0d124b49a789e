"""``exo.rewrite.range_analysis``: ranges of indices."""

from __future__ import annotations

from .._absent import absent
from ..stdlib.range_analysis import IndexRange

__all__ = ["IndexRange"]

__getattr__ = absent(__name__)
