"""``exo.frontend.syntax``: the words of the language, for editors that look for definitions. Programs are read, not run."""

from __future__ import annotations

from string import ascii_letters
from typing import Any, NoReturn, TypeVar

__all__ = ["f32", "par", "size", "stride"]


def _read_only(what: str) -> NoReturn:
    raise SyntaxError(f"`{what}` is a word of programs, which are read and not run")


class size(int):
    """The type of sizes."""

    def __init__(self, *_: Any) -> None:
        _read_only("size")


class f32(float):
    """The type of data in single precision."""

    def __init__(self, *_: Any) -> None:
        _read_only("f32")


def stride(tensor: Any, dimension: int) -> NoReturn:
    """How far apart neighbours in a dimension are."""
    _read_only("stride")


def par(lo: Any, hi: Any) -> None:
    """The iterations of a parallel loop."""


# Names of buffers and variables: all letters but those that loops have, and A, B, C.
for _letter in ascii_letters:
    if _letter not in "ABCijk":
        globals()[_letter] = TypeVar(_letter, bound=size)
        __all__.append(_letter)
