# ruff: noqa: F401, F403
# mypy: implicit-reexport
"""Gemmini's instructions. ``gemmini.py`` is what is imported.

Exo's bodies leave unsaid much of what their C does: which registers it sets, and which it works by. Here bodies say it, in
fields of their own, ``GemminiLd0`` and the like, so that no step brings a load under a register that is not its own."""

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
from ._gemmini_registers import (
    ConfigLoad,
    ConfigLoadAcc,
    ConfigLoad_id1,
    ConfigLoad_id2,
    ConfigMatmul,
    ConfigStore,
    GemminiEx,
    GemminiLd0,
    GemminiLd2,
    GemminiSt,
    _BLOCK,
    _CONFIG_MATMUL,
    _DST32,
    _LOADS,
    _MATMUL,
    _MATMUL_ACC,
    _MVOUT,
    _ONE_ROW,
    _ROWS_OF_16,
    _SCRATCH_DST,
    _SRC64,
    _STATIONARY,
    _STORED,
    _STRIDE,
    _UNIT_SRC,
    _VECTOR_MVIN,
    _ZERO_MVIN,
    _ZERO_VECTOR_MVIN,
    _add,
    _asked,
    _asserting,
    _config_ld,
    _copies,
    _gemmini,
    _is_set,
    _known,
    _mvin,
    _replace_writes,
    _restricted,
    _rows_by,
    _setting,
    _stores_by,
    _with_pass,
    _written,
    new_config_ld_acc,
    new_config_matmul,
    new_config_st,
)
from ._table import Later

if _typing.TYPE_CHECKING:
    from typing import Any, Optional, List, Sequence

    from ._gemmini_registers import _Write


def set_prec_mem(p: Any, bufname: str, precision: Any, memory: Any) -> Any:
    """``set_memory`` and ``set_precision`` of a buffer."""
    return set_precision(set_memory(p, bufname, memory), bufname, precision)


# Loads of bytes into the scratchpad, by three units.

for _number in (0, 1, 2):
    _add(
        f"config_ld_i8_id{_number}" if _number else "config_ld_i8",
        _config_ld("{src_stride}", _number),
        f"(src_stride: stride):\n{_written(*_rows_by(_number, 'src_stride'), (_LOADS[_number], 'src_stride', 'src_stride'))}",
    )
_add(
    "config_ld_i8_s2_id1",
    _config_ld("{src_stride}*2", 1),
    f"(src_stride: stride):\n{_written(*_rows_by(1, 'src_stride', 2), (ConfigLoad_id1, 'src_stride', 'src_stride'))}",
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
        p = _asserting(p, assert_str)
    if add_pass:
        p = insert_pass(p, p.find("for i in _: _").before())
    return rename(p, name)


def _do_ld_i8(unit: int) -> Any:
    ending = f"_id{unit}" if unit else ""
    name = f"do_ld_i8{ending}"
    exos = f"stride(src,0) == ConfigLoad{ending}.src_stride"
    return _gemmini.derived(name, lambda: _asserting(make_do_ld_i8(name, _mvin(unit), exos), *_is_set(unit)))


_do_loads = [_do_ld_i8(unit) for unit in (0, 1, 2)]
_LD_I8 = [_config_ld(_STRIDE, unit) + _mvin(unit) for unit in (0, 1, 2)]
_ld_i8_with_pass = Later("ld_i8", lambda: make_do_ld_i8("ld_i8", _LD_I8[0], add_pass=True))


def make_ld_i8(name: str, ld_id: int = 0, p: Any = _ld_i8_with_pass, sval: Optional[str] = None) -> Any:
    """A load by one of the units; with ``sval``, one that writes that stride into the state and then works by it."""
    assert ld_id in (0, 1, 2), "there are three units"
    p = _setting(rename(delete_pass(p), name), *_loads_by(ld_id, sval))
    if sval:
        p = replace(p, "for i in _:_", _do_loads[ld_id])
        p = _replace_writes(p, f"config_ld_i8_id{ld_id}" if ld_id else "config_ld_i8")
    return make_instr(p, _LD_I8[ld_id])


def _loads_by(unit: int, sval: Optional[str], by_rows: bool = False) -> List[_Write]:
    """What a load sets that configures itself: with ``sval``, what the instruction does that configures."""
    exos = [(_LOADS[unit], "src_stride", sval)] if sval else []
    return [*_rows_by(unit, sval or "stride(src, 0)", by_rows=by_rows), *exos]


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
# two. Likewise below, for a row that is loaded or cleared, and for one that is loaded into many. Blocks of the first two units
# lie 16 rows apart; those of the third as many as it is set to.
_BLOCK_LOAD = """(n: size, m: size, {src}dst: [i8][m, n, 16] @ GEMM_SCRATCH):
    assert n <= 16
    assert m <= 4
{asserts}    assert stride(dst, 1) == 16
    assert stride(dst, 2) == 1
{state}    for i in seq(0, n):
        for j in seq(0, m):
            for k in seq(0, 16):
                dst[j, i, k] = {value}"""
_BLOCK_SRC = "src: [i8][n, 16 * m] @ DRAM, "
_APART = "m == 1 or stride(dst, 0) == 256"
# `stride(dst, 0) == 16 * n`: a stride is compared with strides and numbers alone.
_APART_BY_ROWS = " or ".join(["m == 1", *(f"n == {n} and stride(dst, 0) == {16 * n}" for n in range(1, 17))])
_gemmini.procedure(
    "ld_i8_block", _BLOCK_LOAD.format(src=_BLOCK_SRC, asserts=_UNIT_SRC, state="", value="src[i, 16 * j + k]")
)
_block_prototype: Any = _gemmini["ld_i8_block"]
_BY_ROWS = "gemmini_extended4_config_ld({stride}, 1.0f, 0, {{n}}, 2);\n"
_ZERO_BLOCK = _BY_ROWS.format(stride="0") + _mvin(2, src="0", cols=_BLOCK)
_zero_blocks = [(GemminiLd2, "factor", "0"), (GemminiLd2, "by_rows", "True")]
_add(
    "zero_block_id2",
    _ZERO_BLOCK,
    _BLOCK_LOAD.format(src="", asserts=_asked(_APART_BY_ROWS), state=_written(*_zero_blocks), value="0.0"),
)


def make_do_ld_i8_block(name: str, instr_str: str, p: Any = _block_prototype) -> Any:
    """A load of blocks with this C."""
    return make_instr(rename(p, name), instr_str)


def _do_ld_i8_block(unit: int) -> Any:
    name = f"do_ld_i8_block_id{unit}"
    asked = [_APART, *_is_set(unit), *(["GemminiLd2.by_rows == False"] if unit == 2 else [])]
    return _gemmini.derived(name, lambda: _asserting(make_do_ld_i8_block(name, _mvin(unit, cols=_BLOCK)), *asked))


_do_block_loads = {unit: _do_ld_i8_block(unit) for unit in (1, 2)}
_BLOCK_LOADS = [
    _config_ld(_STRIDE, 0) + _mvin(0, cols=_BLOCK),
    _config_ld(_STRIDE, 1) + _mvin(1, cols=_BLOCK),
    _BY_ROWS.format(stride=_STRIDE) + _mvin(2, cols=_BLOCK),
]


def make_ld_i8_block(name: str, ld_id: int, p: Any = _block_prototype, stride_val: Optional[str] = None) -> Any:
    """A load of blocks by the second or the third unit; with ``stride_val``, one that writes that stride into the state and
    then works by it."""
    assert ld_id in (1, 2), "blocks are loaded by the second unit and the third"
    return _block_load(name, ld_id, p, stride_val)


def _block_load(name: str, unit: int, p: Any, stride_val: Optional[str]) -> Any:
    p = rename(p, name)
    by_rows = unit == 2 and stride_val is None
    # The third unit is set to blocks 16 rows apart, and by the C that does both at once to as many as there are.
    apart = [_APART_BY_ROWS] if by_rows else [_APART, *(["n == 16"] if unit == 2 else [])]
    p = _setting(_restricted(p, *apart), *_loads_by(unit, stride_val, by_rows))
    if stride_val:
        p = replace(p, "for i in _:_", _do_block_loads[unit])
        p = _replace_writes(p, f"config_ld_i8_id{unit}")
    return make_instr(p, _BLOCK_LOADS[unit])


def _ld_i8_block(name: str, unit: int, stride: Optional[str] = None) -> Any:
    return _gemmini.derived(name, lambda: _block_load(name, unit, _block_prototype, stride))


ld_i8_block: Any = _ld_i8_block("ld_i8_block", 0)
for _unit in (1, 2):
    _ld_i8_block(f"ld_i8_block_id{_unit}", _unit)
    _ld_i8_block(f"ld_i8_block_id{_unit}_v2", _unit, "stride(src,0)")
    _ld_i8_block(f"ld_i8_block_id{_unit}_s2_v2", _unit, "stride(src,0)")

# Loads of every second row, and of one row.

_STRIDE_2 = "[i8][n * 2 - 1, m] @ DRAM"
_S2 = _config_ld("{src}.strides[0]*2", 1) + _mvin(1)
_add(
    "ld_i8_s2",
    _S2,
    _copies(
        _STRIDE_2,
        "[i8][n, 16] @ GEMM_SCRATCH",
        "src[i * 2, j]",
        _UNIT_SRC + _SCRATCH_DST,
        "0 < n and n <= 16;0 < m and m <= 16",
        _rows_by(1, factor=2),
    ),
)
_S2_IS_SET = _UNIT_SRC + _SCRATCH_DST + _asked(*_is_set(1, 2))
_add(
    "do_ld_i8_s2_id1", _mvin(1), _copies(_STRIDE_2, "[i8][n, 16] @ GEMM_SCRATCH", "src[i * 2, j]", _S2_IS_SET)
)

_VECTOR = """({src}dst: [i8][16] @ GEMM_SCRATCH):
    assert stride(dst, 0) == 1
{state}    for i in seq(0, 16):
        dst[i] = {value}"""


def _vector_load(state: str) -> str:
    return _VECTOR.format(src="src: [i8][16] @ DRAM, ", state=state, value="src[i]")


_add("ld_i8_vector", _config_ld("1", 0) + _VECTOR_MVIN, _vector_load(_written(*_rows_by(0, "1"))))
_add("do_ld_i8_vector", _VECTOR_MVIN, _vector_load(""))

# Loads into the accumulator. Bytes are widened: the third argument of the configuration says so.


_add(
    "ld_acc_i8",
    _config_ld(_STRIDE, 0, shrunk=1) + _mvin(0, dst=_DST32),
    _copies(
        "[i8][n, m] @ DRAM", "[i32][n, 16] @ GEMM_ACCUM", asserts=_UNIT_SRC + _SCRATCH_DST, state=_rows_by(0)
    ),
)


def _sum_load(asserts: Sequence[str], state: Sequence[_Write]) -> str:
    asked = _UNIT_SRC + _SCRATCH_DST + _asked(*asserts)
    return _copies("[i32][n, m] @ DRAM", "[i32][n, 16] @ GEMM_ACCUM", asserts=asked, state=state)


_SUM_MVIN = _mvin(0, _SRC64, _DST32)
_add("ld_acc_i32", _config_ld("{src}.strides[0]*4", 0) + _SUM_MVIN, _sum_load([], _rows_by(0, factor=4)))
_add("do_ld_acc_i32", _SUM_MVIN, _sum_load(_is_set(0, 4), []))

_ROW_LOAD = """(n: size, src: [i32][1, 16] @ DRAM, dst: [i32][n, 16] @ GEMM_ACCUM):
    assert n <= 16
    assert stride(dst, 0) == 16
    assert stride(dst, 1) == 1
    assert stride(src, 1) == 1
{state}    for i in seq(0, n):
        for j in seq(0, 16):
            dst[i, j] = src[0, j]"""
_ROW_MVIN = _mvin(0, _SRC64, _DST32, cols="16")
_ROWS_MVIN = _config_ld("0", 0) + _ROW_MVIN
config_ld_acc_i32_vector = _add(
    "config_ld_acc_i32_vector",
    _config_ld("0", 0),
    f"(stride_set: bool):\n{_written(*_ONE_ROW, (ConfigLoadAcc, 'stride_set', 'stride_set'))}",
)
ld_acc_i32_vector: Any = _add("ld_acc_i32_vector", _ROWS_MVIN, _ROW_LOAD.format(state=_written(*_ONE_ROW)))
_add("do_ld_acc_i32_vector", _ROW_MVIN, _ROW_LOAD.format(state=_asked("GemminiLd0.factor == 0")))


def make_ld_acc_i32_vector(name: str, p: Any = ld_acc_i32_vector) -> Any:
    """A load of one row into many, that writes the state and then works by it."""
    p = rename(p, name)
    p = write_config(p, p.find("for i in _:_").before(), ConfigLoadAcc, "stride_set", "True")
    p = replace(p, "for i in _:_", _gemmini["do_ld_acc_i32_vector"])
    p = _replace_writes(p, "config_ld_acc_i32_vector")
    return make_instr(p, _ROWS_MVIN)


_gemmini.derived("ld_acc_i32_vector_v2", lambda: make_ld_acc_i32_vector("ld_acc_i32_vector_v2"))

# Stores.

_CONFIG_ST = "gemmini_extended_config_st({dst}.strides[0]*1, 0, 1.0f);\n"
_add(
    "st_i8",
    _CONFIG_ST + _MVOUT,
    _copies("[i8][n, 16] @ GEMM_SCRATCH", "[i8][n, m] @ DRAM", asserts=_STORED, state=_stores_by("stride(dst, 0)", 1)),
)
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
{asserts}    for i in seq(0, n):
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
_ST_ACC = "gemmini_extended_config_st({dst}.strides[0]*1, {act}, {scale}[0]);\n" + _MVOUT
_gemmini.procedure(
    "st_acc_i8", _SCALED.format(state="scale: f32, act: bool, ", asserts="", held="", scale="scale", act="act")
)
_scaled_store: Any = _gemmini["st_acc_i8"]
_gemmini.derived("st_acc_i8", lambda: make_instr(_setting(_scaled_store, *_stores_by("stride(dst, 0)", 1, "scale", "act")), _ST_ACC))
config_st_acc_i8 = _add(
    "config_st_acc_i8",
    "gemmini_extended_config_st({dst_stride}, {act}, {scale}[0]);\n",
    "(scale: f32, dst_stride: stride, act: bool):\n"
    + _written(
        *_stores_by("dst_stride", 1, "scale", "act"),
        (ConfigStore, "scale", "scale"),
        (ConfigStore, "dst_stride", "dst_stride"),
        (ConfigStore, "act", "act"),
    ),
)
# A field is no cell, so it is no scalar argument: in Exo it is passed itself.
_HELD = "            held: f32\n            held = GemminiSt.scale\n"
_ST_IS_SET = _asked("GemminiSt.dst_stride == stride(dst, 0)", "GemminiSt.factor == 1")
_add(
    "do_st_acc_i8",
    _MVOUT,
    _SCALED.format(state="", asserts=_ST_IS_SET, held=_HELD, scale="held", act="GemminiSt.act"),
)


def _stored_by_state(p: Any, name: str) -> Any:
    from ._gemmini_schedules import old_fission_after

    def state_before(p: Any, field: str, statements: str) -> Any:
        for statement in statements.split(";"):
            p = reorder_stmts(p, f"{statement} ; GemminiSt.{field} = _")
        return old_fission_after(p, f"GemminiSt.{field} = _", n_lifts=2)

    p = stage_mem(rename(p, name), p.find("acc_scale(_)"), "scale", "held")
    p = bind_config(p, p.find("held = _").rhs(), GemminiSt, "scale")
    p = state_before(p, "scale", "held : _;tmp : _;src_tmp = _;src_tmp : _")
    p = write_config(p, p.find("GemminiSt.scale = _").after(), GemminiSt, "dst_stride", "stride(dst, 0)")
    p = bind_config(p, "act", GemminiSt, "act")
    passed = "clamp(_);tmp2 : _;acc_scale(_);held = _;held : _;tmp : _;src_tmp = _;src_tmp : _"
    p = _setting(state_before(p, "act", passed), (GemminiSt, "factor", "1"))
    for field, value in (("act", "act"), ("dst_stride", "stride(dst, 0)"), ("scale", "scale")):
        p = write_config(p, p.find("GemminiSt.act = _").after(), ConfigStore, field, value)
    p = replace(p, "for i in _:_", _gemmini["do_st_acc_i8"])
    # Exo has no C for the whole: in the parts alone, windows of the accumulator are no addresses.
    return make_instr(_replace_writes(p, "config_st_acc_i8"), _ST_ACC)


def make_st_acc_i8_v2(p: Any = _scaled_store) -> Any:
    """A scaled store that writes the state and then works by it."""
    return _stored_by_state(p, "st_acc_i8_v2")


def make_st_acc_i8_s2_v2(p: Any = _scaled_store) -> Any:
    """The same under another name."""
    return _stored_by_state(p, "st_acc_i8_s2_v2")


_gemmini.derived("st_acc_i8_v2", make_st_acc_i8_v2)
_gemmini.derived("st_acc_i8_s2_v2", make_st_acc_i8_s2_v2)
_add(
    "st_acc_i32",
    "gemmini_extended_config_st({dst}.strides[0]*4, 0, 1.0f);\n"
    "gemmini_extended_mvout( ((uint64_t) &{dst_data}), ((uint32_t) &{src_data} | 0x20000000), {m}, {n} );",
    _copies("[i32][n, 16] @ GEMM_ACCUM", "[i32][n, m] @ DRAM", asserts=_STORED, state=_stores_by("stride(dst, 0)", 4)),
)

# Zeros.

_CLEAR = _config_ld("0", 0)
_ZERO_STRIDE = (ConfigLoad, "src_stride", "0")
_ZEROS = _copies("", "[i8][n, 16] @ GEMM_SCRATCH", "0.0", _SCRATCH_DST)
_add("config_zero", _CLEAR, f"():\n{_written(*_ONE_ROW, _ZERO_STRIDE)}")
_add("do_zero_i8", _ZERO_MVIN, _ZEROS)
_zero_i8_with_pass = _with_pass("zero_i8", _CLEAR + _ZERO_MVIN, _ZEROS)

_SUM_ZEROS = _copies("", "[i32][n, 16] @ GEMM_ACCUM", "0.0", _SCRATCH_DST)
_do_zero_acc_i32 = _add("do_zero_acc_i32", _ZERO_MVIN, _SUM_ZEROS)
_zero_acc_i32_with_pass = _with_pass("zero_acc_i32", _CLEAR + _ZERO_MVIN, _SUM_ZEROS)


def _zeros_by_state(p: Any, name: str, work: Any) -> Any:
    p = _setting(rename(delete_pass(p), name), *_ONE_ROW, _ZERO_STRIDE)
    p = replace(p, "for i in _:_", work)
    return _replace_writes(p, "config_zero")


def make_zero_i8_v2(p: Any = _zero_i8_with_pass) -> Any:
    """Zeros in the scratchpad, that write the state and then work by it."""
    return _zeros_by_state(p, "zero_i8_v2", _gemmini["do_zero_i8"])


def make_zero_acc_i32_v2(p: Any = _zero_acc_i32_with_pass) -> Any:
    """Zeros in the accumulator, that write the state and then work by it."""
    return _zeros_by_state(p, "zero_acc_i32_v2", _do_zero_acc_i32)


def del_and_zero(p: Any) -> Any:
    """Zeros without ``pass``, by the C that sets the state and works."""
    return make_instr(delete_pass(p), _CLEAR + _ZERO_MVIN)


def _zeros(p: Any) -> Any:
    return make_instr(_setting(delete_pass(p), *_ONE_ROW), _CLEAR + _ZERO_MVIN)


_gemmini.derived("zero_i8", lambda: _zeros(_zero_i8_with_pass))
_gemmini.derived("zero_i8_v2", lambda: del_and_zero(make_zero_i8_v2()))
_gemmini.derived("zero_acc_i32", lambda: _zeros(_zero_acc_i32_with_pass))
_gemmini.derived("zero_acc_i32_v2", lambda: del_and_zero(make_zero_acc_i32_v2()))

_ZERO_VECTOR = _CLEAR + _ZERO_VECTOR_MVIN
_VECTOR_ZEROS = _VECTOR.format(src="", state="", value="0.0")
_zero_i8_vector_with_pass = _with_pass("zero_i8_vector", _ZERO_VECTOR, _VECTOR_ZEROS)
_add("do_zero_i8_vector", _ZERO_VECTOR_MVIN, _VECTOR_ZEROS)


def make_zero_i8_vector_v2(p: Any = _zero_i8_vector_with_pass) -> Any:
    """A row of zeros, that writes the state and then works by it."""
    return make_instr(_zeros_by_state(p, "zero_i8_vector_v2", _gemmini["do_zero_i8_vector"]), _ZERO_VECTOR)


_gemmini.derived("zero_i8_vector_v2", make_zero_i8_vector_v2)
_gemmini.derived(
    "zero_i8_vector",
    lambda: make_instr(_setting(delete_pass(_zero_i8_vector_with_pass), *_ONE_ROW), _ZERO_VECTOR),
)

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
{asserts}    for i in seq(0, N):
        for j in seq(0, M):
{clear}            for k in seq(0, K):
                a: i32
                b: i32
                a = A[i, k]
                b = B[k, j]
                C[i, j] += a * b"""
_DONE = (ConfigMatmul, "done", "True")
_add("config_matmul", _CONFIG_MATMUL, f"():\n{_written(*_STATIONARY, _DONE)}")
# The array takes rows that lie one after the other, which Exo does not ask for.
_OPERANDS = "".join(_ROWS_OF_16.format(x=x) for x in "ABC")


def _products(name: str, c: str, clear: str) -> Any:
    with_pass = _with_pass(name, _CONFIG_MATMUL + c, _PRODUCT.format(asserts=_OPERANDS, clear=clear))
    is_done = _OPERANDS + _asked("GemminiEx.weight_stationary == True")
    _add(f"do_{name}", c, _PRODUCT.format(asserts=is_done, clear=clear))
    _gemmini.derived(name, lambda: make_instr(_setting(delete_pass(with_pass), *_STATIONARY), _CONFIG_MATMUL + c))
    return with_pass


_matmul_with_pass = _products("matmul_i8", _MATMUL, "            C[i, j] = 0.0\n")
_matmul_acc_with_pass = _products("matmul_acc_i8", _MATMUL_ACC, "")


def _product_by_state(p: Any, name: str, work: str, c: str) -> Any:
    p = _setting(rename(delete_pass(p), name), *_STATIONARY, _DONE)
    p = replace(p, "for i in _:_", _gemmini[work])
    return make_instr(_replace_writes(p, "config_matmul"), c)


def make_matmul_i8_v2(p: Any = _matmul_with_pass) -> Any:
    """A product that writes the state and then works by it."""
    return _product_by_state(p, "matmul_i8_v2", "do_matmul_i8", _CONFIG_MATMUL + _MATMUL)


def make_matmul_acc_i8_v2(p: Any = _matmul_acc_with_pass) -> Any:
    """A product that is added, that writes the state and then works by it."""
    return _product_by_state(p, "matmul_acc_i8_v2", "do_matmul_acc_i8", _CONFIG_MATMUL + _MATMUL_ACC)


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
