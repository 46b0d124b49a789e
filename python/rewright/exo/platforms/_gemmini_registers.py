"""Gemmini's configurations, the registers that its C sets, and what its instructions are written with."""

from __future__ import annotations

import typing as _typing

from ... import _rewright
from .. import DRAM, config
from ..API import Procedure
from ..libs.externs import relu, select
from ..libs.memories import GEMM_ACCUM, GEMM_SCRATCH
from ..stdlib.scheduling import replace, write_config
from ._table import Table

if _typing.TYPE_CHECKING:
    from typing import Any, List, Sequence, Tuple

    #: A configuration, one of its fields, and a value.
    _Write = Tuple[Any, str, str]


@config
class ConfigLoad:
    src_stride: stride  # type: ignore[name-defined]  # noqa: F821


@config
class ConfigLoad_id1:
    src_stride: stride  # type: ignore[name-defined]  # noqa: F821


@config
class ConfigLoad_id2:
    src_stride: stride  # type: ignore[name-defined]  # noqa: F821


def new_config_ld_acc() -> Any:
    """The state of loads into the accumulator."""

    @config
    class ConfigLoadAcc:
        stride_set: bool

    return ConfigLoadAcc


def new_config_st() -> Any:
    """The state of stores."""

    @config
    class ConfigStore:
        scale: f32  # type: ignore[name-defined]  # noqa: F821
        dst_stride: stride  # type: ignore[name-defined]  # noqa: F821
        act: bool

    return ConfigStore


def new_config_matmul() -> Any:
    """The state of the array."""

    @config
    class ConfigMatmul:
        done: bool

    return ConfigMatmul


#: What the registers hold, whichever instruction has set them; Exo's configurations are what theirs say. Of a unit that loads:
#: how far rows lie apart, so many bytes for each cell of that; with 0, all rows are one.
@config(readwrite=False)
class GemminiLd0:
    src_stride: stride  # type: ignore[name-defined]  # noqa: F821
    factor: int


@config(readwrite=False)
class GemminiLd1:
    src_stride: stride  # type: ignore[name-defined]  # noqa: F821
    factor: int


#: Of the third unit, besides: whether blocks of a load lie as many rows apart as they have, and not 16.
@config(readwrite=False)
class GemminiLd2:
    src_stride: stride  # type: ignore[name-defined]  # noqa: F821
    factor: int
    by_rows: bool


#: Of stores.
@config(readwrite=False)
class GemminiSt:
    dst_stride: stride  # type: ignore[name-defined]  # noqa: F821
    factor: int
    scale: f32  # type: ignore[name-defined]  # noqa: F821
    act: bool


#: Of the array: it keeps one operand.
@config(readwrite=False)
class GemminiEx:
    weight_stationary: bool


ConfigLoadAcc = new_config_ld_acc()
ConfigStore = new_config_st()
ConfigMatmul = new_config_matmul()

_known = {
    "DRAM": DRAM,
    "GEMM_SCRATCH": GEMM_SCRATCH,
    "GEMM_ACCUM": GEMM_ACCUM,
    "relu": relu,
    "select": select,
    "ConfigLoad": ConfigLoad,
    "ConfigLoad_id1": ConfigLoad_id1,
    "ConfigLoad_id2": ConfigLoad_id2,
    "ConfigLoadAcc": ConfigLoadAcc,
    "ConfigStore": ConfigStore,
    "ConfigMatmul": ConfigMatmul,
    "GemminiLd0": GemminiLd0,
    "GemminiLd1": GemminiLd1,
    "GemminiLd2": GemminiLd2,
    "GemminiSt": GemminiSt,
    "GemminiEx": GemminiEx,
}
_LOADS = (ConfigLoad, ConfigLoad_id1, ConfigLoad_id2)
_UNITS: Tuple[Any, ...] = (GemminiLd0, GemminiLd1, GemminiLd2)
_STATE = [*_LOADS, *_UNITS]
_gemmini = Table("gemmini", _known)


# State.


def _setting(p: Any, *writes: _Write) -> Any:
    """A procedure that first sets fields."""
    for config, field, value in reversed(writes):
        p = write_config(p, p.body().before(), config, field, value)
    return p


def _asserting(p: Any, *conditions: str) -> Any:
    for condition in conditions:
        p = p.add_assertion(condition, configs=_STATE)
    return p


def _restricted(p: Any, *conditions: str) -> Any:
    """The same of a version, for which others may stand still."""
    for condition in conditions:
        p = Procedure(_rewright.apply("add_assertion", p._raw, (condition,), {}, None, True)[0])
    return p


def _rows_by(unit: int, stride: str = "stride(src, 0)", factor: int = 1, by_rows: bool = False) -> List[_Write]:
    """What a unit is set to for rows so far apart, of ``factor`` bytes for each cell of that."""
    blocks = [(GemminiLd2, "by_rows", str(by_rows))] if unit == 2 else []
    return [(_UNITS[unit], "factor", str(factor)), *blocks, (_UNITS[unit], "src_stride", stride)]


def _written(*writes: _Write) -> str:
    """The same as text."""
    return "".join(f"    {config.name()}.{field} = {value}\n" for config, field, value in writes)


def _asked(*conditions: str) -> str:
    return "".join(f"    assert {condition}\n" for condition in conditions)


def _is_set(unit: int, factor: int = 1) -> List[str]:
    """What a load asks for that sets nothing itself."""
    register = _UNITS[unit].name()
    return [f"{register}.src_stride == stride(src, 0)", f"{register}.factor == {factor}"]


_ONE_ROW = [(GemminiLd0, "factor", "0")]
_STATIONARY = [(GemminiEx, "weight_stationary", "True")]


def _stores_by(stride: str, factor: int, scale: str = "1.0", act: str = "False") -> List[_Write]:
    """What stores are set to."""
    register = {"factor": str(factor), "scale": scale, "dst_stride": stride, "act": act}
    return [(GemminiSt, field, value) for field, value in register.items()]


# C.


def _config_ld(stride: str, unit: int, shrunk: int = 0) -> str:
    return f"gemmini_extended3_config_ld({stride}, 1.0f, {shrunk}, {unit});\n"


def _mvin(unit: int, src: str = "&{src_data}", dst: str = "((uint64_t) &{dst_data})", cols: str = "{m}") -> str:
    return f"gemmini_extended_mvin{('', '2', '3')[unit]}( {src}, {dst}, {cols}, {{n}} );"


_STRIDE = "{src}.strides[0]*1"
_SRC64, _DST32 = "((uint64_t) &{src_data})", "((uint32_t) &{dst_data})"
_ZERO_MVIN = "gemmini_extended_mvin( 0, ((uint64_t) &{dst_data}),{m}, {n} );"
_ZERO_VECTOR_MVIN = "gemmini_extended_mvin( 0, ((uint64_t) &{dst_data}),16, 1 );"
_VECTOR_MVIN = "gemmini_extended_mvin( &{src_data}, ((uint64_t) &{dst_data}), 16, 1);"
_MVOUT = "gemmini_extended_mvout( ((uint64_t) &{dst_data}), (uint32_t) &{src_data}, {m}, {n} );"
_BLOCK = "16*{m}"


def _product(accumulator: str) -> str:
    return (
        f"gemmini_extended_preload((uint32_t)(&{{B_data}}), {accumulator}, {{M}}, {{K}}, {{M}}, {{N}});\n"
        "gemmini_extended_compute_preloaded((uint32_t)(&{A_data}), ~((uint32_t)0), {K}, {N}, 16, 16);"
    )


_CONFIG_MATMUL = "gemmini_extended_config_ex(WS, 0, 0, 1, 0, 0);\n"
_MATMUL = _product("(uint32_t)(&{C_data})")
_MATMUL_ACC = _product("(uint32_t)(&{C_data}) | 0x40000000")

# Texts.

_ROWS_OF_16 = "    assert stride({x}, 0) == 16\n    assert stride({x}, 1) == 1\n"


def _copies(
    src: str,
    dst: str,
    value: str = "src[i, j]",
    asserts: str = "",
    bounds: str = "n <= 16;m <= 16",
    state: Sequence[_Write] = (),
) -> str:
    """The text of an instruction that fills ``n`` rows of ``m``; without a source, ``value`` is a number."""
    given = f"src: {src}, " if src else ""
    asked = "".join(f"    assert {bound}\n" for bound in bounds.split(";"))
    return (
        f"(n: size, m: size, {given}dst: {dst}):\n{asked}{asserts}{_written(*state)}"
        f"    for i in seq(0, n):\n        for j in seq(0, m):\n            dst[i, j] = {value}"
    )


_UNIT_SRC = "    assert stride(src, 1) == 1\n"
_SCRATCH_DST = _ROWS_OF_16.format(x="dst")
_STORED = "    assert stride(dst, 1) == 1\n" + _ROWS_OF_16.format(x="src")


def _add(name: str, c: str, definition: str) -> Any:
    _gemmini.text(name, c, definition)
    found: Any = _gemmini[name]
    _known[name] = found
    return found


def _with_pass(name: str, c: str, definition: str) -> Any:
    """As Exo defines it first: with a ``pass`` before the loops, which it takes out when what is made of it is made."""
    _gemmini.text(name, c, definition.replace("    for i in", "    pass\n    for i in", 1))
    return _gemmini[name]


def _replace_writes(p: Any, configuration: str) -> Any:
    """Puts an instruction that configures in the place of the writes that a procedure begins with."""
    called = _gemmini[configuration]
    return replace(p, p.body()[: len(called.body())], called)
