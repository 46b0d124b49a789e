"""``exo.rewrite.LoopIR_unification``: what is raised where statements are not the body of a procedure."""

from __future__ import annotations

from ..._errors import SchedulingError

__all__ = ["UnificationError"]


class UnificationError(SchedulingError):
    """Some statements are not the body of a procedure, whatever its arguments."""
