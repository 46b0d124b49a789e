"""``exo.rewrite.new_eff``: what is raised where a step is not safe."""

from __future__ import annotations

from ..._errors import SchedulingError
from .._absent import absent

__all__ = ["SchedulingError"]

__getattr__ = absent(__name__)
