"""``exo.API_types``: the types as values."""

from __future__ import annotations

from .._names import ExoType

__all__ = ["ExoType", "ProcedureBase"]


class ProcedureBase:
    """What procedures are instances of."""

    __slots__ = ()
