"""``exo.core.prelude``: names, and places in sources."""

from __future__ import annotations

import re
import sys
from typing import Any, Callable, Optional

__all__ = ["SrcInfo", "Sym", "extclass", "get_srcinfo", "is_pos_int", "is_valid_name", "null_srcinfo"]

_NAME = re.compile(r"^[a-zA-Z_]\w*$")


def is_pos_int(obj: Any) -> bool:
    """Whether it is an integer of at least 1."""
    return isinstance(obj, int) and obj >= 1


def is_valid_name(obj: Any) -> bool:
    """Whether it may name something: ``_`` may not."""
    return isinstance(obj, str) and obj != "_" and _NAME.match(obj) is not None


class Sym:
    """A name that is like no other, whatever it is called."""

    _made = 0

    def __init__(self, nm: str) -> None:
        if not is_valid_name(nm):
            raise TypeError(f"`{nm}` is no name")
        Sym._made += 1
        self._nm = nm
        self._id = Sym._made

    def name(self) -> str:
        """How it is called."""
        return self._nm

    def copy(self) -> Sym:
        """Another one, called the same."""
        return Sym(self._nm)

    def __str__(self) -> str:
        return self._nm

    def __repr__(self) -> str:
        return f"{self._nm}_{self._id}"

    def __lt__(self, other: Sym) -> bool:
        return (self._nm, self._id) < (other._nm, other._id)


class SrcInfo:
    """A place in a source."""

    def __init__(
        self,
        filename: str,
        lineno: int,
        col_offset: Optional[int] = None,
        end_lineno: Optional[int] = None,
        end_col_offset: Optional[int] = None,
        function: Optional[str] = None,
    ) -> None:
        self.filename = filename
        self.lineno = lineno
        self.col_offset = col_offset
        self.end_lineno = end_lineno
        self.end_col_offset = end_col_offset
        self.function = function

    def __str__(self) -> str:
        column = "" if self.col_offset is None else f":{self.col_offset}"
        return f"{self.filename}:{self.lineno}{column}"


def extclass(cls: type) -> Callable[[Any], Any]:
    """Makes a function a method of a class."""

    def method(f: Any) -> Any:
        setattr(cls, f.__name__, f)
        return f

    return method


def get_srcinfo(depth: int = 1) -> SrcInfo:
    """The place of the program that asks, or of one that called it."""
    frame = sys._getframe(depth)
    return SrcInfo(frame.f_code.co_filename, frame.f_lineno, function=frame.f_code.co_name)


_NOWHERE = SrcInfo("unknown", 0)


def null_srcinfo() -> SrcInfo:
    """The place of what no one wrote."""
    return _NOWHERE
