"""``exo.core.extern``: functions of data whose bodies are C."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence

from ... import _rewright
from ..._errors import RewrightError
from .LoopIR import Type

__all__ = ["Extern", "Extern_Typecheck_Error"]


class Extern_Typecheck_Error(RewrightError):
    """An extern does not take these arguments."""


_EErr = Extern_Typecheck_Error


#: The externs whose C is Python, by their numbers: two of one name are two.
_BY_NUMBER: Dict[int, Extern] = {}

#: As many arguments are tried to find out how many an extern takes that no program calls yet.
_MOST_ARGUMENTS = 16


class Argument:
    """An argument of a call, as ``typecheck`` sees it."""

    def __init__(self, word: str) -> None:
        self.type = Type(word)


class Extern:
    """A function of data. A subclass says what it takes (``typecheck``), its C (``compile``), and what a file has once
    (``globl``)."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def _raw(self) -> Any:
        """A handle, for texts that call it: with as many arguments as the last that was read."""
        known = self.__dict__.get("_known")
        return next(reversed(known.values())) if known else self.of_arity(self._arity())

    def of_arity(self, arity: int) -> Any:
        """The handle of the calls with so many arguments: no two numbers of arguments are one function to Rewright."""
        known = self.__dict__.setdefault("_known", {})
        if arity not in known:
            known[arity], number = _rewright.extern_(self._name, arity)
            _BY_NUMBER[number] = self
        return known[arity]

    def _arity(self) -> int:
        for arity in range(_MOST_ARGUMENTS + 1):
            try:
                self.typecheck([Argument("R")] * arity)
            except Exception:
                continue
            return arity
        return 1

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


def type_of_call(name: str, words: Sequence[str]) -> Optional[str]:
    """The type of a call by the types of its arguments, in words. Calls are known by name: where a program has an extern that is
    called as one of the standard ones, or as another of its own, and they disagree, nobody knows."""
    types = {_checked(of, words) for of in _called(name)} - {None}
    return types.pop() if len(types) == 1 else None


def _called(name: str) -> List[Extern]:
    from ..libs import externs

    standard = getattr(externs, name, None)
    found = {of for of in _BY_NUMBER.values() if of.name() == name}
    return [*found, *([standard] if isinstance(standard, Extern) else [])]


def _checked(of: Extern, words: Sequence[str]) -> Optional[str]:
    try:
        found = of.typecheck([Argument(word) for word in words])
    except Exception:
        # It was written for what programs have in definitions: a step may have given it other types.
        return None
    return str(found) if isinstance(found, Type) else None
