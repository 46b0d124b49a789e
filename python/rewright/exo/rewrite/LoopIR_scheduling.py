"""``exo.rewrite.LoopIR_scheduling``: what is raised where a step is refused."""

from __future__ import annotations

from ..._errors import SchedulingError

__all__ = ["SchedulingError"]
