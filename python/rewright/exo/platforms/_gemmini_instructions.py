# ruff: noqa: F401, F403
# mypy: implicit-reexport
"""Gemmini's configurations and instructions. ``gemmini.py`` is what is imported."""

from __future__ import annotations

import typing as _typing

from .. import DRAM, config, instr, proc
from ..libs.externs import relu, select
from ..libs.memories import GEMM_ACCUM, GEMM_SCRATCH
from ..stdlib.scheduling import (
    bind_config,
    delete_pass,
    insert_pass,
    make_instr,
    rename,
    reorder_stmts,
    replace,
    set_memory,
    set_precision,
    stage_mem,
    write_config,
)
from ._table import Later, Table

if _typing.TYPE_CHECKING:
    from typing import Any, Optional


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
}
_gemmini = Table("gemmini", _known)


def set_prec_mem(p: Any, bufname: str, precision: Any, memory: Any) -> Any:
    """``set_memory`` and ``set_precision`` of a buffer."""
    return set_precision(set_memory(p, bufname, memory), bufname, precision)


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


def _copies(src: str, dst: str, value: str = "src[i, j]", asserts: str = "", bounds: str = "n <= 16;m <= 16") -> str:
    """The text of an instruction that fills ``n`` rows of ``m``; without a source, ``value`` is a number."""
    given = f"src: {src}, " if src else ""
    asked = "".join(f"    assert {bound}\n" for bound in bounds.split(";"))
    return (
        f"(n: size, m: size, {given}dst: {dst}):\n{asked}{asserts}"
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


# Loads of bytes into the scratchpad, by three units.

for _config, _number in ((ConfigLoad, 0), (ConfigLoad_id1, 1), (ConfigLoad_id2, 2)):
    _ending = f"_id{_number}" if _number else ""
    _add(
        f"config_ld_i8{_ending}",
        _config_ld("{src_stride}", _number),
        f"(src_stride: stride):\n    ConfigLoad{_ending}.src_stride = src_stride",
    )
_add(
    "config_ld_i8_s2_id1",
    _config_ld("{src_stride}*2", 1),
    "(src_stride: stride):\n    ConfigLoad_id1.src_stride = src_stride",
)

_LOAD = _copies("[i8][n, m] @ DRAM", "[i8][n, 16] @ GEMM_SCRATCH", asserts=_UNIT_SRC + _SCRATCH_DST)
_gemmini.procedure("ld_i8_prototype", _LOAD)
ld_i8_prototype: Any = _gemmini["ld_i8_prototype"]


def make_do_ld_i8(
    name: str, instr_str: str, assert_str: Optional[str] = None, add_pass: bool = False, p: Any = ld_i8_prototype
) -> Any:
    """A load with this C, that asks for an assertion on the state if one is given; ``add_pass`` begins it with a
    ``pass``."""
    p = make_instr(p, instr_str)
    if assert_str:
        p = p.add_assertion(assert_str, configs=[ConfigLoad, ConfigLoad_id1, ConfigLoad_id2])
    if add_pass:
        p = insert_pass(p, p.find("for i in _: _").before())
    return rename(p, name)


def _do_ld_i8(unit: int) -> Any:
    ending = f"_id{unit}" if unit else ""
    name = f"do_ld_i8{ending}"
    asked = f"stride(src,0) == ConfigLoad{ending}.src_stride"
    return _gemmini.derived(name, lambda: make_do_ld_i8(name, _mvin(unit), asked))


_do_loads = [_do_ld_i8(unit) for unit in (0, 1, 2)]
_LD_I8 = [_config_ld(_STRIDE, unit) + _mvin(unit) for unit in (0, 1, 2)]
# Before its `pass` is taken out, at the end of this file.
_ld_i8_with_pass = Later("ld_i8", lambda: make_do_ld_i8("ld_i8", _LD_I8[0], add_pass=True))


def make_ld_i8(name: str, ld_id: int = 0, p: Any = _ld_i8_with_pass, sval: Optional[str] = None) -> Any:
    """A load by one of the units; with ``sval``, one that writes that stride into the state and then works by it."""
    assert ld_id in (0, 1, 2), "there are three units"
    ending = f"_id{ld_id}" if ld_id else ""
    if sval:
        state = (ConfigLoad, ConfigLoad_id1, ConfigLoad_id2)[ld_id]
        p = write_config(p, p.body().before(), state, "src_stride", sval)
        p = replace(p, "for i in _:_", _do_loads[ld_id])
        p = replace(p, f"ConfigLoad{ending}.src_stride = _", _gemmini[f"config_ld_i8{ending}"])
    p = rename(delete_pass(p), name)
    return make_instr(p, _LD_I8[ld_id])


def _ld_i8(name: str, unit: int, sval: Optional[str] = None) -> Any:
    return _gemmini.derived(name, lambda: make_ld_i8(name, unit, sval=sval))


for _unit in (1, 2):
    _ld_i8(f"ld_i8_id{_unit}", _unit)
    _ld_i8(f"ld_i8_id{_unit}_v2", _unit, "stride(src, 0)")
    _ld_i8(f"ld_i8_id{_unit}_s2_v2", _unit, "stride(src, 0)")
_ld_i8("ld_i8_v2", 0, "stride(src,0)")
_plain_ld_i8 = _ld_i8("ld_i8", 0)

# Loads of up to four blocks side by side.

# Exo asks for the strides of rows of the first two dimensions, which no buffer of three has: they are those of the last
# two. Likewise below, for a row that is loaded or cleared, and for one that is loaded into many.
_BLOCK_LOAD = """(n: size, m: size, {src}dst: [i8][m, n, 16] @ GEMM_SCRATCH):
    assert n <= 16
    assert m <= 4
{asserts}    assert stride(dst, 1) == 16
    assert stride(dst, 2) == 1
    for i in seq(0, n):
        for j in seq(0, m):
            for k in seq(0, 16):
                dst[j, i, k] = {value}"""
ld_i8_block: Any = _add(
    "ld_i8_block",
    _config_ld(_STRIDE, 0) + _mvin(0, cols=_BLOCK),
    _BLOCK_LOAD.format(src="src: [i8][n, 16 * m] @ DRAM, ", asserts=_UNIT_SRC, value="src[i, 16 * j + k]"),
)
_ZERO_BLOCK = "gemmini_extended4_config_ld(0, 1.0f, 0, {n}, 2);\n" + _mvin(2, src="0", cols=_BLOCK)
_add("zero_block_id2", _ZERO_BLOCK, _BLOCK_LOAD.format(src="", asserts="", value="0.0"))


def make_do_ld_i8_block(name: str, instr_str: str, p: Any = ld_i8_block) -> Any:
    """A load of blocks with this C."""
    return make_instr(rename(p, name), instr_str)


def _do_ld_i8_block(unit: int) -> Any:
    name = f"do_ld_i8_block_id{unit}"
    return _gemmini.derived(name, lambda: make_do_ld_i8_block(name, _mvin(unit, cols=_BLOCK)))


_do_block_loads = {unit: _do_ld_i8_block(unit) for unit in (1, 2)}
_BLOCK_LOADS = {
    1: _config_ld(_STRIDE, 1) + _mvin(1, cols=_BLOCK),
    2: f"gemmini_extended4_config_ld({_STRIDE}, 1.0f, 0, {{n}}, 2);\n" + _mvin(2, cols=_BLOCK),
}


def make_ld_i8_block(name: str, ld_id: int, p: Any = ld_i8_block, stride_val: Optional[str] = None) -> Any:
    """A load of blocks by the second or the third unit; with ``stride_val``, one that writes that stride into the state and
    then works by it."""
    assert ld_id in (1, 2), "blocks are loaded by the second unit and the third"
    if stride_val:
        p = write_config(p, p.body().before(), (ConfigLoad_id1, ConfigLoad_id2)[ld_id - 1], "src_stride", stride_val)
        p = replace(p, "for i in _:_", _do_block_loads[ld_id])
        p = replace(p, f"ConfigLoad_id{ld_id}.src_stride = _", _gemmini[f"config_ld_i8_id{ld_id}"])
    return make_instr(rename(p, name), _BLOCK_LOADS[ld_id])


def _ld_i8_block(name: str, unit: int, stride: Optional[str] = None) -> None:
    _gemmini.derived(name, lambda: make_ld_i8_block(name, unit, stride_val=stride))


for _unit in (1, 2):
    _ld_i8_block(f"ld_i8_block_id{_unit}", _unit)
    _ld_i8_block(f"ld_i8_block_id{_unit}_v2", _unit, "stride(src,0)")
    _ld_i8_block(f"ld_i8_block_id{_unit}_s2_v2", _unit, "stride(src,0)")

# Loads of every second row, and of one row.

_STRIDE_2 = "[i8][n * 2 - 1, m] @ DRAM"
for _name, _c, _bounds in (
    ("ld_i8_s2", _config_ld("{src}.strides[0]*2", 1) + _mvin(1), "0 < n and n <= 16;0 < m and m <= 16"),
    ("do_ld_i8_s2_id1", _mvin(1), "n <= 16;m <= 16"),
):
    _add(
        _name,
        _c,
        _copies(_STRIDE_2, "[i8][n, 16] @ GEMM_SCRATCH", "src[i * 2, j]", _UNIT_SRC + _SCRATCH_DST, _bounds),
    )

_VECTOR = """({src}dst: [i8][16] @ GEMM_SCRATCH):
    assert stride(dst, 0) == 1
    for i in seq(0, 16):
        dst[i] = {value}"""
_VECTOR_LOAD = _VECTOR.format(src="src: [i8][16] @ DRAM, ", value="src[i]")
_add("ld_i8_vector", _config_ld("1", 0) + _VECTOR_MVIN, _VECTOR_LOAD)
_add("do_ld_i8_vector", _VECTOR_MVIN, _VECTOR_LOAD)

# Loads into the accumulator. Bytes are widened: the third argument of the configuration says so.


_add(
    "ld_acc_i8",
    _config_ld(_STRIDE, 0, shrunk=1) + _mvin(0, dst=_DST32),
    _copies("[i8][n, m] @ DRAM", "[i32][n, 16] @ GEMM_ACCUM", asserts=_UNIT_SRC + _SCRATCH_DST),
)

_SUM_LOAD = _copies("[i32][n, m] @ DRAM", "[i32][n, 16] @ GEMM_ACCUM", asserts=_UNIT_SRC + _SCRATCH_DST)
_SUM_MVIN = _mvin(0, _SRC64, _DST32)
_add("ld_acc_i32", _config_ld("{src}.strides[0]*4", 0) + _SUM_MVIN, _SUM_LOAD)
_add("do_ld_acc_i32", _SUM_MVIN, _SUM_LOAD)

_ROW_LOAD = """(n: size, src: [i32][1, 16] @ DRAM, dst: [i32][n, 16] @ GEMM_ACCUM):
    assert n <= 16
    assert stride(dst, 0) == 16
    assert stride(dst, 1) == 1
    assert stride(src, 1) == 1
    for i in seq(0, n):
        for j in seq(0, 16):
            dst[i, j] = src[0, j]"""
_ROW_MVIN = _mvin(0, _SRC64, _DST32, cols="16")
_ROWS_MVIN = _config_ld("0", 0) + _ROW_MVIN
config_ld_acc_i32_vector = _add(
    "config_ld_acc_i32_vector", _config_ld("0", 0), "(stride_set: bool):\n    ConfigLoadAcc.stride_set = stride_set"
)
ld_acc_i32_vector: Any = _add("ld_acc_i32_vector", _ROWS_MVIN, _ROW_LOAD)
_add("do_ld_acc_i32_vector", _ROW_MVIN, _ROW_LOAD)


def make_ld_acc_i32_vector(name: str, p: Any = ld_acc_i32_vector) -> Any:
    """A load of one row into many, that writes the state and then works by it."""
    p = rename(p, name)
    p = write_config(p, p.body().before(), ConfigLoadAcc, "stride_set", "True")
    p = replace(p, "for i in _:_", _gemmini["do_ld_acc_i32_vector"])
    p = replace(p, "ConfigLoadAcc.stride_set = _", config_ld_acc_i32_vector)
    return make_instr(p, _ROWS_MVIN)


_gemmini.derived("ld_acc_i32_vector_v2", lambda: make_ld_acc_i32_vector("ld_acc_i32_vector_v2"))

# Stores.

_CONFIG_ST = "gemmini_extended_config_st({dst}.strides[0]*1, 0, 1.0f);\n"
_add("st_i8", _CONFIG_ST + _MVOUT, _copies("[i8][n, 16] @ GEMM_SCRATCH", "[i8][n, m] @ DRAM", asserts=_STORED))
_add(
    "acc_scale",
    "{dst}[0] = ACC_SCALE({src}[0], {scale}[0]);",
    "(src: i32, dst: f32, scale: f32):\n    dst = scale * src",
)
_gemmini.procedure(
    "clamp",
    """(src: f32, dst: i8):
    l: f32
    h: f32
    l = -128.0
    h = 127.0
    tmp: f32
    tmp = select(h, src, h, src)
    tmp = select(src, l, l, tmp)
    dst = tmp""",
)
_known["clamp"] = _gemmini["clamp"]

_SCALED = """(n: size, m: size, {state}src: [i32][n, 16] @ GEMM_ACCUM, dst: [i8][n, m] @ DRAM):
    assert n <= 16
    assert m <= 16
    assert stride(dst, 1) == 1
    assert stride(src, 0) == 16
    assert stride(src, 1) == 1
    for i in seq(0, n):
        for j in seq(0, m):
            src_tmp: i32
            src_tmp = src[i, j]
            tmp: f32
{held}            acc_scale(src_tmp, tmp, {scale})
            tmp2: i8
            clamp(tmp, tmp2)
            if {act} == True:
                tmp2 = relu(tmp2)
            dst[i, j] = tmp2"""
st_acc_i8: Any = _add(
    "st_acc_i8",
    "gemmini_extended_config_st({dst}.strides[0]*1, {act}, {scale}[0]);\n" + _MVOUT,
    _SCALED.format(state="scale: f32, act: bool, ", held="", scale="scale", act="act"),
)
config_st_acc_i8 = _add(
    "config_st_acc_i8",
    "gemmini_extended_config_st({dst_stride}, {act}, {scale}[0]);\n",
    """(scale: f32, dst_stride: stride, act: bool):
    ConfigStore.scale = scale
    ConfigStore.dst_stride = dst_stride
    ConfigStore.act = act""",
)
# A field is no cell, so it is no scalar argument: in Exo it is passed itself.
_HELD = "            held: f32\n            held = ConfigStore.scale\n"
_add("do_st_acc_i8", _MVOUT, _SCALED.format(state="", held=_HELD, scale="held", act="ConfigStore.act"))


def _stored_by_state(p: Any, name: str) -> Any:
    from ._gemmini_schedules import old_fission_after

    def state_before(p: Any, field: str, statements: str) -> Any:
        for statement in statements.split(";"):
            p = reorder_stmts(p, f"{statement} ; ConfigStore.{field} = _")
        return old_fission_after(p, f"ConfigStore.{field} = _", n_lifts=2)

    p = stage_mem(rename(p, name), p.find("acc_scale(_)"), "scale", "held")
    p = bind_config(p, p.find("held = _").rhs(), ConfigStore, "scale")
    p = state_before(p, "scale", "held : _;tmp : _;src_tmp = _;src_tmp : _")
    p = write_config(p, p.find("ConfigStore.scale = _").after(), ConfigStore, "dst_stride", "stride(dst, 0)")
    p = bind_config(p, "act", ConfigStore, "act")
    passed = "clamp(_);tmp2 : _;acc_scale(_);held = _;held : _;tmp : _;src_tmp = _;src_tmp : _"
    p = state_before(p, "act", passed)
    p = replace(p, "for i in _:_", _gemmini["do_st_acc_i8"])
    written = "ConfigStore.scale = _ ;ConfigStore.dst_stride = _ ;ConfigStore.act = _"
    return replace(p, written, config_st_acc_i8)


def make_st_acc_i8_v2(p: Any = st_acc_i8) -> Any:
    """A scaled store that writes the state and then works by it."""
    return _stored_by_state(p, "st_acc_i8_v2")


def make_st_acc_i8_s2_v2(p: Any = st_acc_i8) -> Any:
    """The same under another name."""
    return _stored_by_state(p, "st_acc_i8_s2_v2")


_gemmini.derived("st_acc_i8_v2", make_st_acc_i8_v2)
_gemmini.derived("st_acc_i8_s2_v2", make_st_acc_i8_s2_v2)
_add(
    "st_acc_i32",
    "gemmini_extended_config_st({dst}.strides[0]*4, 0, 1.0f);\n"
    "gemmini_extended_mvout( ((uint64_t) &{dst_data}), ((uint32_t) &{src_data} | 0x20000000), {m}, {n} );",
    _copies("[i32][n, 16] @ GEMM_ACCUM", "[i32][n, m] @ DRAM", asserts=_STORED),
)

# Zeros.

_CLEAR = _config_ld("0", 0)
_ZEROS = _copies("", "[i8][n, 16] @ GEMM_SCRATCH", "0.0", _SCRATCH_DST)
config_zero = _add("config_zero", _CLEAR, "():\n    ConfigLoad.src_stride = 0")
_add("do_zero_i8", _ZERO_MVIN, _ZEROS)
_zero_i8_with_pass = _with_pass("zero_i8", _CLEAR + _ZERO_MVIN, _ZEROS)

_SUM_ZEROS = _copies("", "[i32][n, 16] @ GEMM_ACCUM", "0.0", _SCRATCH_DST)
_do_zero_acc_i32 = _add("do_zero_acc_i32", _ZERO_MVIN, _SUM_ZEROS)
_zero_acc_i32_with_pass = _with_pass("zero_acc_i32", _CLEAR + _ZERO_MVIN, _SUM_ZEROS)


def _zeros_by_state(p: Any, name: str, work: Any) -> Any:
    p = rename(p, name)
    p = write_config(p, p.body().before(), ConfigLoad, "src_stride", "0")
    p = replace(p, "for i in _:_", work)
    return replace(p, "ConfigLoad.src_stride = _", config_zero)


def make_zero_i8_v2(p: Any = _zero_i8_with_pass) -> Any:
    """Zeros in the scratchpad, that write the state and then work by it."""
    return _zeros_by_state(p, "zero_i8_v2", _gemmini["do_zero_i8"])


def make_zero_acc_i32_v2(p: Any = _zero_acc_i32_with_pass) -> Any:
    """Zeros in the accumulator, that write the state and then work by it."""
    return _zeros_by_state(p, "zero_acc_i32_v2", _do_zero_acc_i32)


def del_and_zero(p: Any) -> Any:
    """Zeros without ``pass``, by the C that sets the state and works."""
    return make_instr(delete_pass(p), _CLEAR + _ZERO_MVIN)


_gemmini.derived("zero_i8", lambda: del_and_zero(_zero_i8_with_pass))
_gemmini.derived("zero_i8_v2", lambda: del_and_zero(make_zero_i8_v2()))
_gemmini.derived("zero_acc_i32", lambda: del_and_zero(_zero_acc_i32_with_pass))
_gemmini.derived("zero_acc_i32_v2", lambda: del_and_zero(make_zero_acc_i32_v2()))

_ZERO_VECTOR = _CLEAR + _ZERO_VECTOR_MVIN
_VECTOR_ZEROS = _VECTOR.format(src="", value="0.0")
_zero_i8_vector_with_pass = _with_pass("zero_i8_vector", _ZERO_VECTOR, _VECTOR_ZEROS)
_add("do_zero_i8_vector", _ZERO_VECTOR_MVIN, _VECTOR_ZEROS)


def make_zero_i8_vector_v2(p: Any = _zero_i8_vector_with_pass) -> Any:
    """A row of zeros, that writes the state and then works by it."""
    p = _zeros_by_state(p, "zero_i8_vector_v2", _gemmini["do_zero_i8_vector"])
    return make_instr(delete_pass(p), _ZERO_VECTOR)


_gemmini.derived("zero_i8_vector_v2", make_zero_i8_vector_v2)
_gemmini.derived("zero_i8_vector", lambda: make_instr(delete_pass(_zero_i8_vector_with_pass), _ZERO_VECTOR))

# Products.

_PRODUCT = """(
    N: size,
    M: size,
    K: size,
    A: [i8][N, 16] @ GEMM_SCRATCH,
    B: [i8][K, 16] @ GEMM_SCRATCH,
    C: [i32][N, 16] @ GEMM_ACCUM,
):
    assert N <= 16
    assert M <= 16
    assert K <= 16
    for i in seq(0, N):
        for j in seq(0, M):
{clear}            for k in seq(0, K):
                a: i32
                b: i32
                a = A[i, k]
                b = B[k, j]
                C[i, j] += a * b"""
config_matmul = _add("config_matmul", _CONFIG_MATMUL, "():\n    ConfigMatmul.done = True")


def _products(name: str, c: str, clear: str) -> Any:
    with_pass = _with_pass(name, _CONFIG_MATMUL + c, _PRODUCT.format(clear=clear))
    _add(f"do_{name}", c, _PRODUCT.format(clear=clear))
    _gemmini.derived(name, lambda: make_instr(delete_pass(with_pass), _CONFIG_MATMUL + c))
    return with_pass


_matmul_with_pass = _products("matmul_i8", _MATMUL, "            C[i, j] = 0.0\n")
_matmul_acc_with_pass = _products("matmul_acc_i8", _MATMUL_ACC, "")


def _product_by_state(p: Any, name: str, work: str, c: str) -> Any:
    p = rename(p, name)
    p = write_config(p, p.body().before(), ConfigMatmul, "done", "True")
    p = replace(p, "for i in _:_", _gemmini[work])
    p = replace(p, "ConfigMatmul.done = True", config_matmul)
    return make_instr(delete_pass(p), c)


def make_matmul_i8_v2(p: Any = _matmul_with_pass) -> Any:
    """A product that writes the state and then works by it."""
    return _product_by_state(p, "matmul_i8_v2", "do_matmul_i8", _MATMUL)


def make_matmul_acc_i8_v2(p: Any = _matmul_acc_with_pass) -> Any:
    """A product that is added, that writes the state and then works by it."""
    return _product_by_state(p, "matmul_acc_i8_v2", "do_matmul_acc_i8", _MATMUL_ACC)


_gemmini.derived("matmul_i8_v2", make_matmul_i8_v2)
_gemmini.derived("matmul_acc_i8_v2", make_matmul_acc_i8_v2)

globals().update(_gemmini.items())
__all__ = [
    "ConfigLoad",
    "ConfigLoadAcc",
    "ConfigLoad_id1",
    "ConfigLoad_id2",
    "ConfigMatmul",
    "ConfigStore",
    "DRAM",
    "GEMM_ACCUM",
    "GEMM_SCRATCH",
    "config",
    "del_and_zero",
    "instr",
    "make_do_ld_i8",
    "make_do_ld_i8_block",
    "make_ld_acc_i32_vector",
    "make_ld_i8",
    "make_ld_i8_block",
    "make_matmul_acc_i8_v2",
    "make_matmul_i8_v2",
    "make_st_acc_i8_s2_v2",
    "make_st_acc_i8_v2",
    "make_zero_acc_i32_v2",
    "make_zero_i8_v2",
    "make_zero_i8_vector_v2",
    "new_config_ld_acc",
    "new_config_matmul",
    "new_config_st",
    "proc",
    "relu",
    "select",
    "set_prec_mem",
    *_gemmini,
]

if _typing.TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
