"""RISC-V vectors under Exo's names: registers of four floats, of which the first ``vl`` lanes run.

The others keep their values, as the bodies say: the C is that of Exo with ``_tu``, tail undisturbed. By Exo's own, a machine
may do with them what it likes. What is in memory has ``vl`` cells, which may be none: so the rest of a loop that is divided
is a call, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Tuple

from .. import DRAM, Memory, instr
from ._registers import Registers
from ._table import Table


class RVV(Registers):
    """Vector registers, as wide as ``vfloat32m1_t`` or a part of one."""

    _processor = "riscv64"
    _vectors = {"float": (4, "vfloat32m1_t")}

    @classmethod
    def global_(cls) -> str:
        return "#include <riscv_vector.h>"

    @classmethod
    def alloc(cls, new_name: str, prim_type: str, shape: Tuple[str, ...], srcinfo: Any) -> str:
        shorter = shape and shape[-1].isdecimal() and int(shape[-1]) < 4
        return super().alloc(new_name, prim_type, (*shape[:-1], "4") if shorter else shape, srcinfo)


_rvv = Table("rvv", {"DRAM": DRAM, "RVV": RVV})
_REGISTER, _CELL = "[f32][4] @ RVV", "[f32][1] @ DRAM"


def _add(name: str, c: str, operands: str, statement: str, unit: str) -> None:
    _rvv.lanes(name, c, f"{operands}, vl: index", statement, 4, unit=unit, asserts=["vl >= 0", "vl <= 4"], upto="vl")


_add(
    "rvv_vld_4xf32",
    "{dst_data} = __riscv_vle32_v_f32m1_tu({dst_data}, &{src_data},{vl});",
    f"dst: {_REGISTER}, src: [f32][vl] @ DRAM",
    "dst[i] = src[i]",
    "src dst",
)
_add(
    "rvv_vst_4xf32",
    "__riscv_vse32_v_f32m1(&{dst_data}, {src_data},{vl});",
    f"dst: [f32][vl] @ DRAM, src: {_REGISTER}",
    "dst[i] = src[i]",
    "src dst",
)
# Exo's C of the scalar passes its address, which no compiler takes.
for _ending, _operand, _value, _read in (
    ("", f"src: {_CELL}", "src[0]", "{src_data}"),
    ("_scalar", "src: f32 @ DRAM", "src", "*{src_data}"),
):
    _add(
        f"rvv_broadcast_4xf32{_ending}",
        f"{{dst_data}} = __riscv_vfmv_v_f_f32m1_tu({{dst_data}}, {_read},{{vl}});",
        f"dst: {_REGISTER}, {_operand}",
        f"dst[i] = {_value}",
        "dst",
    )
_add(
    "rvv_broadcast_4xf32_0",
    "{dst_data} = __riscv_vfmv_v_f_f32m1_tu({dst_data}, 0.0f,{vl});",
    f"dst: {_REGISTER}",
    "dst[i] = 0.0",
    "dst",
)
_add(
    "rvv_vfmacc_4xf32_4xf32",
    "{dst_data} = __riscv_vfmacc_vv_f32m1_tu({dst_data}, {lhs_data}, {rhs_data},{vl});",
    f"dst: {_REGISTER}, lhs: {_REGISTER}, rhs: {_REGISTER}",
    "dst[i] += lhs[i] * rhs[i]",
    "dst lhs rhs",
)
# Exo's C of the two that take a cell lacks a parenthesis, so no compiler takes it. It is the same here but for that.
_add(
    "rvv_vfmacc_4xf32_1xf32",
    "{dst_data} = __riscv_vfmacc_vf_f32m1_tu({dst_data}, {rhs_data}, {lhs_data},{vl});",
    f"dst: {_REGISTER}, lhs: {_REGISTER}, rhs: {_CELL}",
    "dst[i] += lhs[i] * rhs[0]",
    "dst lhs rhs",
)
_add(
    "rvv_vfmacc_1xf32_4xf32",
    "{dst_data} = __riscv_vfmacc_vf_f32m1_tu({dst_data}, {lhs_data}, {rhs_data},{vl});",
    f"dst: {_REGISTER}, lhs: {_CELL}, rhs: {_REGISTER}",
    "dst[i] += lhs[0] * rhs[i]",
    "dst lhs rhs",
)

globals().update(_rvv.items())
__all__ = ["DRAM", "Memory", "RVV", "instr", *_rvv]

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
