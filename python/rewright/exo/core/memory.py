"""``exo.core.memory``: memories are classes, whose methods write the C of buffers that live there.

A subclass says how C allocates (``alloc``), frees, finds a cell (``window``), and stores into one (``write``, ``reduce``);
``can_read`` says whether C may read a cell at all, and ``global_`` is what a file has once. Whatever a method cannot do, it
raises as a ``MemGenError``.
"""

from __future__ import annotations

import re
from abc import ABCMeta, abstractmethod
from typing import Any, Dict, List, Optional, Sequence, Tuple, Type, cast

from ... import _rewright
from ..._errors import RewrightError

__all__ = ["DRAM", "MemGenError", "Memory", "StaticMemory", "generate_offset"]


class MemGenError(RewrightError):
    """A memory does not do what was asked of it."""


def generate_offset(indices: Sequence[str], strides: Sequence[str]) -> str:
    """The C of the sum of the indices times the strides."""
    terms = [_times(i, s) for i, s in zip(indices, strides) if i != "0" and s != "0"]
    return " + ".join(terms) or "0"


def _times(index: str, stride: str) -> str:
    if stride == "1":
        return index
    if index == "1":
        return stride
    return f"({index}) * {stride}" if len(stride) == 1 else f"({index}) * ({stride})"


class _Class(ABCMeta):
    """Classes of memories: each has a handle, by which programs know it."""

    _handle: Any = None

    @property
    def _raw(cls) -> Any:
        if "_known" not in cls.__dict__:
            cls._known = _handle_of(cast(Any, cls))
        return cls._known

    def __repr__(cls) -> str:
        # Under Exo's name, which programs put into names of files and of tests.
        return super().__repr__().replace("'rewright.exo.", "'exo.")


class Memory(metaclass=_Class):
    """A memory. Its subclasses are used as they are, no object is made of them."""

    @classmethod
    def name(cls) -> str:
        """What programs call it."""
        return cls.__name__

    @classmethod
    def global_(cls) -> str:
        """What stands once in a file that uses it."""
        return ""

    @classmethod
    @abstractmethod
    def alloc(cls, new_name: str, prim_type: str, shape: Tuple[str, ...], srcinfo: Any) -> str:
        """The C that declares a buffer; ``shape`` is empty for one cell."""
        raise NotImplementedError

    @classmethod
    @abstractmethod
    def free(cls, new_name: str, prim_type: str, shape: Tuple[str, ...], srcinfo: Any) -> str:
        """The C that gives a buffer back."""
        raise NotImplementedError

    @classmethod
    def window(cls, basetyp: Any, baseptr: str, indices: List[str], strides: List[str], srcinfo: Any) -> str:
        """The C of a cell, as an lvalue."""
        base = f"{baseptr}.data" if basetyp.is_win() else baseptr
        return f"{base}[{generate_offset(indices, strides)}]"

    @classmethod
    @abstractmethod
    def can_read(cls) -> bool:
        """Whether C may read cells."""
        raise NotImplementedError

    @classmethod
    def write(cls, s: Any, lhs: str, rhs: str) -> str:
        """The C that stores a value into a cell."""
        raise MemGenError(f"{s.srcinfo}: cannot write to buffer '{s.name}' in memory '{cls.name()}'")

    @classmethod
    def reduce(cls, s: Any, lhs: str, rhs: str) -> str:
        """The C that adds a value to a cell."""
        raise MemGenError(f"{s.srcinfo}: cannot reduce to buffer '{s.name}' in memory '{cls.name()}'")


class DRAM(Memory):
    """The heap."""

    @classmethod
    def global_(cls) -> str:
        return "#include <stdio.h>\n#include <stdlib.h>\n"

    @classmethod
    def alloc(cls, new_name: str, prim_type: str, shape: Tuple[str, ...], srcinfo: Any) -> str:
        if not shape:
            return f"{prim_type} {new_name};"
        cells = " * ".join(shape)
        return f"{prim_type} *{new_name} = ({prim_type}*) malloc({cells} * sizeof(*{new_name}));"

    @classmethod
    def free(cls, new_name: str, prim_type: str, shape: Tuple[str, ...], srcinfo: Any) -> str:
        return f"free({new_name});" if shape else ""

    @classmethod
    def can_read(cls) -> bool:
        return True

    @classmethod
    def write(cls, s: Any, lhs: str, rhs: str) -> str:
        return f"{lhs} = {rhs};"

    @classmethod
    def reduce(cls, s: Any, lhs: str, rhs: str) -> str:
        return f"{lhs} += {rhs};"


class StaticMemory(Memory):
    """Registers that are handed out one by one: ``init_state`` says how many there are."""

    is_chunk_allocated: List[bool] = []

    @classmethod
    def init_state(cls, size: int) -> None:
        """So many, all free."""
        cls.is_chunk_allocated = [False] * size

    @classmethod
    def find_free_chunk(cls) -> int:
        """The first that is free."""
        if False not in cls.is_chunk_allocated:
            raise MemGenError(f"Cannot allocate more than {len(cls.is_chunk_allocated)} chunks at a time.")
        return cls.is_chunk_allocated.index(False)

    @classmethod
    def mark(cls, idx: int) -> None:
        """It is taken."""
        cls.is_chunk_allocated[idx] = True

    @classmethod
    def unmark(cls, idx: int) -> None:
        """It is free."""
        cls.is_chunk_allocated[idx] = False


#: The class of each memory that a program may speak of, by the name that it has there.
_BY_NAME: Dict[str, Type[Memory]] = {}

#: The memories whose C is written in the back end.
_NATIVE = {raw.name(): raw for raw in _rewright.standard_memories()}


def is_native(cls: Type[Memory]) -> bool:
    """Whether the back end writes its C: the heap, the stack and static memory, unless a program has its own of that name."""
    return cls.__name__ in _NATIVE and cls.__module__.startswith(__name__.rsplit(".core.", 1)[0])


def _handle_of(cls: Type[Memory]) -> Any:
    """The handle by which programs know a memory. Another class of the same name gets a name of its own there."""
    if is_native(cls):
        _BY_NAME[cls.__name__] = cls
        return _NATIVE[cls.__name__]
    name, n = str(cls.name()), 1
    while name in _NATIVE or _BY_NAME.get(name, cls) is not cls:
        n += 1
        name = f"{cls.name()}_{n}"
    _BY_NAME[name] = cls
    return _rewright.memory(name)


def of_handle(raw: Any) -> Type[Memory]:
    """The class of a handle."""
    found = of_name(str(raw.name()))
    assert found is not None
    return found


def of_name(name: str) -> Optional[Type[Memory]]:
    """The class of the memory that programs know by a name."""
    if name not in _BY_NAME:
        from ..libs import memories

        return cast(Optional[Type[Memory]], getattr(memories, name, None))
    return _BY_NAME[name]


def shown(program: str) -> str:
    """A program with the names that memories have in Python."""
    renamed = {name: cls.name() for name, cls in _BY_NAME.items() if cls.name() != name}
    if not renamed:
        return program
    return re.sub(r"@ (\w+)", lambda m: f"@ {renamed.get(m[1], m[1])}", program)
