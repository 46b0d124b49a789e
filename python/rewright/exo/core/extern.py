"""``exo.core.extern``: functions of data whose bodies are C."""

from __future__ import annotations

from typing import Any, Sequence

from ..._errors import RewrightError

__all__ = ["Extern", "Extern_Typecheck_Error"]


class Extern_Typecheck_Error(RewrightError):
    """An extern does not take these arguments."""


_EErr = Extern_Typecheck_Error


class Extern:
    """A function of data. A subclass says what it takes (``typecheck``), its C (``compile``), and what a file has once
    (``globl``)."""

    def __init__(self, name: str) -> None:
        self._name = name

    def name(self) -> str:
        """The name."""
        return self._name

    def globl(self, prim_type: str) -> str:
        """What stands once in a file that uses it."""
        raise NotImplementedError

    def typecheck(self, args: Sequence[Any]) -> Any:
        """The type of a call; an ``Extern_Typecheck_Error`` where the arguments are wrong."""
        raise NotImplementedError

    def interpret(self, args: Sequence[Any]) -> Any:
        """The value of a call."""
        raise NotImplementedError

    def compile(self, args: Sequence[str], prim_type: str) -> str:
        """The C of a call."""
        raise NotImplementedError
