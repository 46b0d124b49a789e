"""``exo.libs.memories``: memories of machines."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

from ..core.memory import DRAM, MemGenError, Memory, StaticMemory, generate_offset

__all__ = [
    "AMX_TILE",
    "AVX2",
    "AVX512",
    "DRAM",
    "DRAM_STACK",
    "DRAM_STATIC",
    "GEMM_ACCUM",
    "GEMM_SCRATCH",
    "MDRAM",
    "MemGenError",
    "Memory",
    "StaticMemory",
    "generate_offset",
]


def _is_const_size(sz: str, c: int) -> bool:
    return sz.isdecimal() and int(sz) == c


def _constant(shape: Tuple[str, ...]) -> None:
    """For the stack as for static memory, in the words that Exo has for both."""
    for extent in shape:
        if not extent.lstrip("-").isdecimal():
            raise MemGenError(f"DRAM_STATIC requires constant shapes. Saw: {extent}")


def _product(shape: Tuple[str, ...]) -> str:
    return " * ".join(reversed(shape))


class MDRAM(DRAM):
    """A heap of one's own: ``malloc_dram`` and ``free_dram``."""

    @classmethod
    def global_(cls) -> str:
        return '#include "custom_malloc.h"'

    @classmethod
    def alloc(cls, new_name: str, prim_type: str, shape: Tuple[str, ...], srcinfo: Any) -> str:
        if not shape:
            return f"{prim_type} {new_name};"
        return f"{prim_type} *{new_name} = ({prim_type}*) malloc_dram ({_product(shape)} * sizeof({prim_type}));"

    @classmethod
    def free(cls, new_name: str, prim_type: str, shape: Tuple[str, ...], srcinfo: Any) -> str:
        return f"free_dram({new_name});" if shape else ""


class DRAM_STATIC(DRAM):
    """One object for the whole run."""

    @classmethod
    def alloc(cls, new_name: str, prim_type: str, shape: Tuple[str, ...], srcinfo: Any) -> str:
        _constant(shape)
        return f"static {prim_type} {new_name}[{' * '.join(shape)}];"

    @classmethod
    def free(cls, new_name: str, prim_type: str, shape: Tuple[str, ...], srcinfo: Any) -> str:
        return ""


class DRAM_STACK(DRAM):
    """The stack."""

    @classmethod
    def alloc(cls, new_name: str, prim_type: str, shape: Tuple[str, ...], srcinfo: Any) -> str:
        _constant(shape)
        return f"{prim_type} {new_name}[{' * '.join(shape)}];"

    @classmethod
    def free(cls, new_name: str, prim_type: str, shape: Tuple[str, ...], srcinfo: Any) -> str:
        return ""


class _Gemmini(Memory):
    """A local memory of Gemmini: rows of 16, by addresses of 32 bits."""

    _header: str
    _what: str
    _malloc: str
    _free: str
    _word: str

    @classmethod
    def global_(cls) -> str:
        return f'#include <include/gemmini.h>\n#include "{cls._header}"'

    @classmethod
    def alloc(cls, new_name: str, prim_type: str, shape: Tuple[str, ...], srcinfo: Any) -> str:
        if not shape:
            return f"{prim_type} {new_name};"
        if not _is_const_size(shape[-1], 16):
            raise MemGenError(
                f"{srcinfo}: Cannot allocate GEMMINI {cls._what} Memory unless innermost dimension is exactly 16.  "
                f"got {shape[-1]}"
            )
        size = f"{_product(shape)} * sizeof({prim_type})"
        return f"{prim_type} *{new_name} = ({prim_type}*) (({cls._word}){cls._malloc} ({size}));"

    @classmethod
    def can_read(cls) -> bool:
        return False

    @classmethod
    def free(cls, new_name: str, prim_type: str, shape: Tuple[str, ...], srcinfo: Any) -> str:
        return f"{cls._free}(({cls._word})({new_name}));" if shape else ""

    @classmethod
    def window(cls, basetyp: Any, baseptr: str, indices: List[str], strides: List[str], srcinfo: Any) -> str:
        assert len(indices) == len(strides) >= 2, "local memory is windowed by rows of 16"
        prim_type = basetyp.basetype().ctype()
        offset = generate_offset(indices, strides)
        return f"*({prim_type}*)((uint64_t)( ((uint32_t)((uint64_t){baseptr})) + ({offset})/16))"


class GEMM_SCRATCH(_Gemmini):
    """Gemmini's scratchpad."""

    _header, _what, _malloc, _free, _word = "gemm_malloc.h", "Scratchpad", "gemm_malloc", "gemm_free", "uint64_t"


class GEMM_ACCUM(_Gemmini):
    """Gemmini's accumulator."""

    _header, _what, _malloc, _free, _word = (
        "gemm_acc_malloc.h",
        "Accumulator",
        "gemm_acc_malloc",
        "gemm_acc_free",
        "uint32_t",
    )


class _Registers(Memory):
    """Vector registers: the innermost dimension is one of them."""

    _cflags = ""
    #: For each type of C: lanes, and the type of a register.
    _vectors: Dict[str, Tuple[int, str]]

    @classmethod
    def global_(cls) -> str:
        return "#include <immintrin.h>"

    @classmethod
    def can_read(cls) -> bool:
        return False

    @classmethod
    def alloc(cls, new_name: str, prim_type: str, shape: Tuple[str, ...], srcinfo: Any) -> str:
        if not shape:
            raise MemGenError(f"{srcinfo}: {cls.name()} vectors are not scalar values")
        if prim_type not in cls._vectors:
            known = "/".join(_WORDS[t] for t in cls._vectors)
            raise MemGenError(f"{srcinfo}: {cls.name()} vectors must be {known} (for now), got {prim_type}")
        lanes, register = cls._vectors[prim_type]
        if not _is_const_size(shape[-1], lanes):
            raise MemGenError(f"{srcinfo}: {cls._of_another_width(prim_type, lanes)}, got {shape}")
        around = "".join(f"[{extent}]" for extent in shape[:-1])
        return f"{register} {new_name}{around};"

    @classmethod
    def _of_another_width(cls, prim_type: str, lanes: int) -> str:
        return f"{cls.name()} vectors of type {prim_type} must be {lanes}-wide"

    @classmethod
    def free(cls, new_name: str, prim_type: str, shape: Tuple[str, ...], srcinfo: Any) -> str:
        return ""

    @classmethod
    def window(cls, basetyp: Any, baseptr: str, indices: List[str], strides: List[str], srcinfo: Any) -> str:
        assert strides[-1] == "1", "lanes are side by side"
        if indices[-1] != "0":
            raise MemGenError(
                f"{srcinfo}: a window of {cls.name()} begins with the first lane of a register, and this one with lane {indices[-1]}"
            )
        return baseptr + "".join(f"[{i}]" for i in indices[:-1])


_WORDS = {"_Float16": "f16", "float": "f32", "double": "f64", "uint16_t": "ui16"}


class AVX2(_Registers):
    """Registers of 256 bits."""

    _cflags = "-mavx2 -mfma"
    _vectors = {"float": (8, "__m256"), "double": (4, "__m256d"), "uint16_t": (16, "__m256i")}


class AVX512(_Registers):
    """Registers of 512 bits."""

    _cflags = "-mavx512f"
    _vectors = {"float": (16, "__m512")}

    @classmethod
    def _of_another_width(cls, prim_type: str, lanes: int) -> str:
        # There is one type of them.
        return f"{cls.name()} vectors must be {lanes}-wide"


_BYTES = {"float": 4, "double": 8, "int8_t": 1, "int32_t": 4, "int_fast32_t": 4}


class AMX_TILE(StaticMemory):
    """The tiles of AMX, which have numbers."""

    NUM_AMX_TILES = 8
    is_chunk_allocated = [False] * NUM_AMX_TILES
    tile_dict: Dict[str, int] = {}

    @classmethod
    def reset_allocations(cls) -> None:
        """All are free, whatever a compilation that failed has taken."""
        cls.init_state(cls.NUM_AMX_TILES)
        cls.tile_dict = {}

    @classmethod
    def global_(cls) -> str:
        return "#include <immintrin.h>"

    @classmethod
    def can_read(cls) -> bool:
        return False

    @classmethod
    def alloc(cls, new_name: str, prim_type: str, shape: Tuple[str, ...], srcinfo: Any) -> str:
        if not shape or not (shape[0].isdecimal() and int(shape[0]) <= 16):
            raise MemGenError("Number of tile rows must be a constant and <= 16.")
        cls._check_row(prim_type, shape[1:])
        tile = cls.find_free_chunk()
        cls.mark(tile)
        cls.tile_dict[new_name] = tile
        return f"#define {new_name} {tile}"

    @classmethod
    def _check_row(cls, prim_type: str, extents: Tuple[str, ...]) -> None:
        asked = "Number of bytes per row must be a constant and <= 64"
        if not extents:
            raise MemGenError(f"{asked}, and a tile has rows and columns.")
        if prim_type not in _BYTES:
            raise MemGenError(f"{asked}, and tiles hold {', '.join(_BYTES)}, not {prim_type}.")
        if not extents[0].isdecimal():
            raise MemGenError(f"{asked}, got {extents[0]} of {prim_type}.")
        size = int(extents[0]) * _BYTES[prim_type]
        if size > 64:
            raise MemGenError(f"{asked}, currently trying to allocate {size} bytes per row.")

    @classmethod
    def free(cls, new_name: str, prim_type: str, shape: Tuple[str, ...], srcinfo: Any) -> str:
        cls.unmark(cls.tile_dict.pop(new_name))
        return f"#undef {new_name}"
