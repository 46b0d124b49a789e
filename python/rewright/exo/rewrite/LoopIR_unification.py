"""``exo.rewrite.LoopIR_unification``: what is raised where statements are not the body of a procedure."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

from ..._errors import RewrightError
from .._absent import absent

__all__ = ["UnificationError"]

__getattr__ = absent(__name__)


class UnificationError(RewrightError):
    """Some statements are not the body of a procedure, whatever its arguments. It is no ``SchedulingError``, though it has
    what one has."""

    primitive: str = ""
    condition: str = ""
    rewright_condition: str = ""
    found: str = ""
    counterexample: Dict[str, Any] = {}
    cell: Optional[Tuple[str, List[int]]] = None
    places: List[Dict[str, Any]] = []
    advice: Optional[str] = None
