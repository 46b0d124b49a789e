"""The C that memories and externs of Python write, when a procedure is compiled. Spec: [rule: python.exo-memories]."""

from __future__ import annotations

from typing import List, Optional, Sequence, Type

from .core import extern as _extern
from .core import memory as _memory
from .core.memory import MemGenError, Memory
from .core.prelude import null_srcinfo


class _CType:
    """A type of data, as the methods of memories see it."""

    def __init__(self, ctype: str) -> None:
        self._ctype = ctype

    def ctype(self) -> str:
        """The word of C."""
        return self._ctype

    def basetype(self) -> _CType:
        """The type of a cell."""
        return self

    def is_win(self) -> bool:
        """Whether it is a struct of a pointer and strides: what memories are given is the pointer."""
        return False

    def is_real_scalar(self) -> bool:
        """Whether it is data."""
        return True

    def __str__(self) -> str:
        return self._ctype


class _Stmt:
    """A write, as the methods of memories see it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.srcinfo = null_srcinfo()


class Author:
    """Asks the classes of memories, and externs, by name."""

    def knows(self, name: str) -> bool:
        """Whether the memory of this name is a class whose methods are Python."""
        return name in _memory._BY_NAME and not _memory.is_native(_memory._BY_NAME[name])

    def _class(self, name: str) -> Type[Memory]:
        return _memory._BY_NAME[name]

    def global_(self, name: str) -> str:
        """What a file has once."""
        return _text(self._class(name).global_())

    def cflags(self, name: str) -> List[str]:
        """What a compiler must be told."""
        return str(getattr(self._class(name), "_cflags", "")).split()

    def is_addressable(self, name: str, rank: int) -> bool:
        """Whether the C of a cell depends on all of its indices: else some are inside of a register."""
        if rank == 0:
            return True
        indices = [f"rewright_i{k}" for k in range(rank)]
        strides = [f"rewright_s{k}" for k in range(rank - 1)] + ["1"]
        try:
            cell = self._class(name).window(_CType("float"), "rewright_base", indices, strides, null_srcinfo())
        except Exception:
            return False
        return all(i in cell for i in indices)

    def alloc(self, name: str, new_name: str, prim_type: str, shape: List[str]) -> str:
        """The C that declares a buffer."""
        return _text(self._class(name).alloc(new_name, prim_type, tuple(shape), null_srcinfo()))

    def free(self, name: str, new_name: str, prim_type: str, shape: List[str]) -> str:
        """The C that gives it back."""
        return _text(self._class(name).free(new_name, prim_type, tuple(shape), null_srcinfo()))

    def window(self, name: str, prim_type: str, base: str, indices: List[str], strides: List[str]) -> str:
        """The C of a cell."""
        return str(self._class(name).window(_CType(prim_type), base, indices, strides, null_srcinfo()))

    def read(self, name: str, buffer: str) -> bool:
        """Refuses what C may not read."""
        if not self._class(name).can_read():
            raise MemGenError(f"{null_srcinfo()}: cannot read from buffer '{buffer}' in memory '{name}'")
        return True

    def write(self, name: str, buffer: str, lhs: str, rhs: str) -> str:
        """The C that stores into a cell."""
        return _text(self._class(name).write(_Stmt(buffer), lhs, rhs))

    def reduce(self, name: str, buffer: str, lhs: str, rhs: str) -> str:
        """The C that adds to a cell."""
        return _text(self._class(name).reduce(_Stmt(buffer), lhs, rhs))

    def extern_call(self, number: int, args: Sequence[str], prim_type: str) -> str:
        """The C of a call."""
        return str(_extern.of_number(number).compile(list(args), prim_type))

    def extern_global(self, number: int, prim_type: str) -> str:
        """What a file with a call has once."""
        return _text(_extern.of_number(number).globl(prim_type))


def _text(found: Optional[str]) -> str:
    return "" if found is None else str(found)


AUTHOR = Author()
