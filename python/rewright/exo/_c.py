"""The C that memories and externs of Python write, when a procedure is compiled. Spec: [rule: python.exo-memories]."""

from __future__ import annotations

import copy
import linecache
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, cast
from typing import Type as Type_

from . import _templates
from .core import extern as _extern
from .core import memory as _memory
from .core.LoopIR import Type
from .core.memory import MemGenError, Memory, StaticMemory
from .core.prelude import SrcInfo, null_srcinfo


class _Expr:
    """An expression of a program, as the methods of memories see it: its text, and where it is."""

    def __init__(self, text: str, srcinfo: SrcInfo) -> None:
        self._text = text
        self.srcinfo = srcinfo

    def __str__(self) -> str:
        return self._text


class _Buffer(Type):
    """The type of a buffer, as the methods of memories see it."""

    def __init__(self, ctype: str, is_win: bool, shape: Sequence[_Expr]) -> None:
        super().__init__(_WORDS.get(ctype, ctype))
        self._is_win = is_win
        self._shape = list(shape)

    def shape(self) -> List[Any]:
        """The extents."""
        return self._shape

    def __str__(self) -> str:
        return f"{f'[{self._word}]' if self._is_win else self._word}[{', '.join(map(str, self._shape))}]"

    def basetype(self) -> Type:
        """The type of a cell."""
        return Type(self._word)

    def is_win(self) -> bool:
        """Whether the C of the buffer is a struct of a pointer and strides."""
        return self._is_win

    def is_real_scalar(self) -> bool:
        """Whether it is one value of data."""
        return False

    def is_numeric(self) -> bool:
        """Whether it is data."""
        return True

    def is_tensor_or_window(self) -> bool:
        """Whether it has dimensions."""
        return True


#: The words of types by those of C.
_WORDS = {
    "_Float16": "f16",
    "float": "f32",
    "double": "f64",
    "int8_t": "i8",
    "uint8_t": "ui8",
    "uint16_t": "ui16",
    "int32_t": "i32",
}

#: What the C of a window has after its name.
_DATA = ".data"


#: A file, a line, a column of the text that was read, and how far the line is indented there.
_Place = Optional[Tuple[str, int, int, int]]


#: A buffer, the type of its cells in C, the indices of one, what is written there, and where.
_Said = Tuple[str, str, List[str], str, _Place]


def _srcinfo(place: _Place) -> SrcInfo:
    """A place in a file, whose lines may be indented by more than those of the definition that was read."""
    if place is None:
        return null_srcinfo()
    filename, line, column, indent = place
    text = linecache.getline(filename, line)
    there = len(text) - len(text.lstrip()) if text.strip() else indent
    return SrcInfo(filename, line, column + there - indent)


class _Stmt:
    """A write, as the methods of memories see it."""

    def __init__(self, operator: str, name: str, ctype: str, idx: Sequence[str], rhs: str, place: _Place) -> None:
        self.srcinfo = _srcinfo(place)
        self.name = name
        #: The type of the cell.
        self.type = Type(_WORDS.get(ctype, ctype))
        self.idx = [_Expr(e, self.srcinfo) for e in idx]
        self.rhs = _Expr(rhs, self.srcinfo)
        self._operator = operator

    def __str__(self) -> str:
        indices = f"[{', '.join(map(str, self.idx))}]" if self.idx else ""
        return f"{self.name}{indices} {self._operator} {self.rhs}"


class Author:
    """Asks the classes of memories, and externs, by name. There is one for each compilation, which asks what is the same
    throughout once."""

    def __init__(self) -> None:
        self._globals: Dict[str, str] = {}
        self._addressable: Dict[Tuple[str, int], bool] = {}
        self._has_failed = False

    def _ask(self, method: Callable[..., Any], *args: Any) -> Any:
        """What a method says; after the first that raises, none is asked."""
        if self._has_failed:
            return ""
        try:
            return method(*args)
        except BaseException:
            self._has_failed = True
            raise

    def _said(self, name: str, method: str, of: Callable[..., Any], *args: Any) -> str:
        """The C that a method of a memory gives."""
        return _text(name, method, self._ask(of, *args))

    def knows(self, name: str) -> bool:
        """Whether the memory of this name is a class whose methods are Python."""
        return name in _memory._BY_NAME and not _memory.is_native(_memory._BY_NAME[name])

    def _class(self, name: str) -> Type_[Memory]:
        return _memory._BY_NAME[name]

    def global_(self, name: str) -> str:
        """What a file has once."""
        if name not in self._globals:
            self._globals[name] = _text(name, "global_", self._ask(self._class(name).global_))
        return self._globals[name]

    def cflags(self, name: str) -> List[str]:
        """What a compiler must be told."""
        return str(getattr(self._class(name), "_cflags", "")).split()

    def elsewhere(self) -> Optional[Tuple[str, str]]:
        """A memory that was asked for and is of another processor than this machine's, and the processor."""
        import platform

        asked = [(name, getattr(self._class(name), "_processor", None)) for name in self._globals]
        mine = {"arm64": "aarch64"}.get(platform.machine(), platform.machine())
        return next(((name, of) for name, of in asked if of not in (None, mine)), None)

    def is_addressable(self, name: str, rank: int) -> bool:
        """Whether the C of a cell depends on all of its indices: else some are inside of a register. A ``window`` of its own
        is asked, on a copy of the class: what the class remembers is of the buffers of the program."""
        own = getattr(self._class(name).window, "__func__", None)
        if rank == 0 or own is getattr(Memory.window, "__func__"):
            return True
        if (name, rank) not in self._addressable:
            self._addressable[name, rank] = self._has_all_indices(name, rank)
        return self._addressable[name, rank]

    def _has_all_indices(self, name: str, rank: int) -> bool:
        indices = [f"rewright_i{k}" for k in range(rank)]
        strides = [f"rewright_s{k}" for k in range(rank - 1)] + ["1"]
        extents = [_Expr(f"rewright_n{k}", null_srcinfo()) for k in range(rank)]
        for ctype in ("float", *_WORDS):
            try:
                copied = _copied(self._class(name))
                cell = copied.window(_Buffer(ctype, False, extents), "rewright_base", indices, strides, null_srcinfo())
                return all(i in cell for i in indices)
            except Exception:
                continue
        # Where there are no windows at all, what asks for one is told so.
        return True

    def serves_as(self, name: str, expected: str) -> bool:
        """Whether the class is derived from another one."""
        wanted = _memory.of_name(expected)
        return wanted is not None and issubclass(self._class(name), wanted)

    def is_handed_out(self, name: str) -> bool:
        """Whether the class hands out its buffers by a list of those that are free."""
        return issubclass(self._class(name), StaticMemory)

    def alloc(self, name: str, new_name: str, prim_type: str, shape: Any, place: _Place) -> str:
        """The C that declares a buffer."""
        return self._said(name, "alloc", self._class(name).alloc, new_name, prim_type, shape, _srcinfo(place))

    def free(self, name: str, new_name: str, prim_type: str, shape: Any, place: _Place) -> str:
        """The C that gives it back."""
        return self._said(name, "free", self._class(name).free, new_name, prim_type, shape, _srcinfo(place))

    def window(
        self,
        name: str,
        prim_type: str,
        base: str,
        indices: List[str],
        strides: List[str],
        shape: List[str],
        place: _Place,
    ) -> str:
        """The C of a cell."""
        is_win, srcinfo = base.endswith(_DATA), _srcinfo(place)
        typ = _Buffer(prim_type, is_win, [_Expr(e, srcinfo) for e in shape])
        buffer = base[: -len(_DATA)] if is_win else base
        return self._said(name, "window", self._class(name).window, typ, buffer, indices, strides, srcinfo)

    def read(self, name: str, buffer: str, place: _Place) -> bool:
        """Refuses what C may not read."""
        memory = self._class(name)
        if not self._ask(memory.can_read):
            self._has_failed = True
            raise MemGenError(f"{_srcinfo(place)}: cannot read from buffer '{buffer}' in memory '{memory.name()}'")
        return True

    def write(self, name: str, said: _Said, lhs: str, rhs: str) -> str:
        """The C that stores into a cell."""
        return self._said(name, "write", self._class(name).write, _Stmt("=", *said), lhs, rhs)

    def reduce(self, name: str, said: _Said, lhs: str, rhs: str) -> str:
        """The C that adds to a cell."""
        return self._said(name, "reduce", self._class(name).reduce, _Stmt("+=", *said), lhs, rhs)

    def extern_call(self, number: int, args: Sequence[str], prim_type: str) -> str:
        """The C of a call."""
        return str(_extern.of_number(number).compile(list(args), prim_type))

    def extern_global(self, number: int, prim_type: str) -> str:
        """What a file with a call has once."""
        found = _extern.of_number(number).globl(prim_type)
        return "" if found is None else str(found)

    def shown(self, value: str, is_cell: bool, how: str) -> str:
        """A value in the C of an instruction, as its placeholder says."""
        return str(self._ask(_templates.shown, value, is_cell, how))


def _copied(cls: Type_[Memory]) -> Type_[Memory]:
    """A class with what another one remembers, which does not remember what this one is asked."""
    state = {}
    for base in reversed(cls.__mro__):
        for name, value in vars(base).items():
            if isinstance(value, (bool, int, float, str, list, dict, set, tuple)) and not name.startswith("__"):
                state[name] = copy.deepcopy(value)
    made: Type_[Memory] = cast(Any, type(cls))(cls.__name__, (cls,), state)
    return made


def _text(memory: str, method: str, found: Any) -> str:
    """What a method gives, which is text; ``None``, where nothing is to be said, but for a cell."""
    if found is None and method != "window":
        return ""
    if not isinstance(found, str):
        raise TypeError(f"`{method}` of memory {memory} returns {found!r}, which is no string")
    return found
