"""``exo.core.extern``: functions of data whose bodies are C."""

from __future__ import annotations

from typing import Any, Dict, Sequence

from ... import _rewright
from ..._errors import RewrightError

__all__ = ["Extern", "Extern_Typecheck_Error"]


class Extern_Typecheck_Error(RewrightError):
    """An extern does not take these arguments."""


_EErr = Extern_Typecheck_Error


#: The externs whose C is Python, by their numbers: two of one name are two.
_BY_NUMBER: Dict[int, Extern] = {}

#: As many arguments are tried to find out how many an extern takes.
_MOST_ARGUMENTS = 16


class _Type:
    """The type of data, as ``typecheck`` sees it."""

    def is_real_scalar(self) -> bool:
        """Whether it is one value."""
        return True

    def is_numeric(self) -> bool:
        """Whether it is data."""
        return True

    def basetype(self) -> _Type:
        """The type of a cell."""
        return self

    def __str__(self) -> str:
        return "R"


class _Argument:
    """An argument, as ``typecheck`` sees it."""

    type = _Type()


class Extern:
    """A function of data. A subclass says what it takes (``typecheck``), its C (``compile``), and what a file has once
    (``globl``)."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def _raw(self) -> Any:
        if "_known" not in self.__dict__:
            made = _rewright.extern_(self._name, self._arity())
            if made is None:
                raise ValueError(f"`{self._name}` is the name of an extern that there always is")
            self._known, number = made
            _BY_NUMBER[number] = self
        return self._known

    def _arity(self) -> int:
        for arity in range(_MOST_ARGUMENTS + 1):
            try:
                self.typecheck([_Argument()] * arity)
            except Exception:
                continue
            return arity
        raise Extern_Typecheck_Error(f"`{self._name}` takes no number of scalars")

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


def of_number(number: int) -> Extern:
    """The extern of a number."""
    return _BY_NUMBER[number]
