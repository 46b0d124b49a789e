"""``exo.rewrite.new_eff``: what is raised where a step is not safe."""

from __future__ import annotations

from ..._errors import SchedulingError

__all__ = ["SchedulingError"]
