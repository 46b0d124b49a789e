"""Arm Neon under Exo's names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import DRAM, Memory, instr
from ._registers import Registers
from ._table import Table


class Neon(Registers):
    """Registers of 128 bits."""

    _processor = "aarch64"
    _vectors = {"float": (4, "float32x4_t"), "double": (2, "float64x2_t"), "_Float16": (8, "float16x8_t")}

    @classmethod
    def global_(cls) -> str:
        return "#include <arm_neon.h>"


_neon = Table("neon", {"DRAM": DRAM, "Neon": Neon})

#: ``$k`` is the kind of a register, ``$v`` one, ``$m`` as much of memory, ``$w`` the type of C that intrinsics end with.
_KINDS = [
    {"k": f"{n}x{t}", "n": n, "t": t, "w": t, "v": f"[{t}][{n}] @ Neon", "m": f"[{t}][{n}] @ DRAM", "p": p, "a": a}
    for t, n, p, a in (("f32", 4, "", "vmla"), ("f16", 8, "(float16_t *)", "vfma"), ("f64", 2, "", "vmla"))
]
_f32, _f16, _f64 = (_neon.family(words) for words in _KINDS)

# What all three have.
for _add in (_f32, _f16, _f64):
    _add("neon_vld_$k", "{dst_data} = vld1q_$w($p&{src_data});", "dst: $v, src: $m", "dst[i] = src[i]", unit="src dst")
    _add("neon_vst_$k", "vst1q_$w($p&{dst_data}, {src_data});", "dst: $m, src: $v", "dst[i] = src[i]", unit="src dst")
    _add(
        "neon_broadcast_$k",
        "{dst_data} = vld1q_dup_$w($p&{src_data});",
        "dst: $v, src: [$t][1] @ DRAM",
        "dst[i] = src[0]",
    )
    _add("neon_zero_$k", "{dst_data} = vmovq_n_$w(0.0f);", "dst: $v", "dst[i] = 0.0")
    for _op, _sign in (("add", "+"), ("mul", "*")):
        _add(
            f"neon_v{_op}_$k",
            f"{{dst_data}} = v{_op}q_$w({{lhs_data}}, {{rhs_data}});",
            "dst: $v, lhs: $v, rhs: $v",
            f"dst[i] = lhs[i] {_sign} rhs[i]",
        )
    _add(
        "neon_vfmadd_${k}_$k",
        "{dst_data} = ${a}q_$w({dst_data}, {lhs_data}, {rhs_data});",
        "dst: $v, lhs: $v, rhs: $v",
        "dst[i] += lhs[i] * rhs[i]",
    )

# What single and double precision have.
for _add in (_f32, _f64):
    _add(
        "neon_assoc_reduce_add_instr_$k",
        "*{result} += vaddvq_$w({x_data});",
        "result: $t @ DRAM, x: $v",
        "result += x[i]",
        unit="",
    )
    _add(
        "neon_broadcast_${k}_scalar",
        "{dst_data} = vld1q_dup_$w({src_data});",
        "dst: $v, src: $t @ DRAM",
        "dst[i] = src",
    )
    _add(
        "neon_reduce_vadd_$k", "{dst_data} = vaddq_$w({src_data}, {dst_data});", "dst: $v, src: $v", "dst[i] += src[i]"
    )
    _add("neon_reg_copy_$k", "{dst_data} = {src_data};", "dst: $v, src: $v", "dst[i] = src[i]")
    _add("neon_vneg_$k", "{dst_data} = vnegq_$w({src_data});", "dst: $v, src: $v", "dst[i] = -src[i]")

# What single and half precision have: sums of products, of which a factor may be one lane or one cell.
for _add, _lanes in ((_f32, 4), (_f16, 8)):
    _add(
        "neon_vfmla_${k}_$k",
        "{dst_data} = vfmaq_laneq_$w({dst_data}, {lhs_data}, {rhs_data}, {lane});",
        "dst: $v, lhs: $v, rhs: $v, lane: index",
        "dst[i] += lhs[i] * rhs[lane]",
        asserts=["lane >= 0", f"lane < {_lanes}"],
    )
    _add(
        "neon_vfmadd_ex_${k}_$k",
        "{dst_data} = ${a}q_$w({res_data}, {lhs_data}, {rhs_data});",
        "dst: $v, res: $v, lhs: $v, rhs: $v",
        "dst[i] = res[i] + lhs[i] * rhs[i]",
    )
    _add(
        "neon_vfmadd_${k}_1x$t",
        "{dst_data} = ${a}q_n_$w({dst_data}, {lhs_data}, {rhs_data});",
        "dst: $v, lhs: $v, rhs: [$t][1] @ DRAM",
        "dst[i] += lhs[i] * rhs[0]",
    )
    _add(
        "neon_vfmadd_1x${t}_$k",
        "{dst_data} = ${a}q_n_$w({dst_data}, {rhs_data}, {lhs_data});",
        "dst: $v, lhs: [$t][1] @ DRAM, rhs: $v",
        "dst[i] += lhs[0] * rhs[i]",
        unit="dst lhs",
    )

# Exo's C multiplies by what is in `dst`.
_f32(
    "neon_vmul2_$k",
    "{dst_data} = vmulq_f32({lhs_data}, {rhs_data});",
    "dst: $v, lhs: $v, rhs: $v",
    "dst[i] = lhs[i] * rhs[i]",
)
_f32(
    "neon_vfmla2_${k}_$k",
    "{dst_data} = vfmaq_laneq_f32({b_data}, {lhs_data}, {rhs_data}, {lane});",
    "dst: $v, b: $v, lhs: $v, rhs: $v, lane: index",
    "dst[i] = b[i] + lhs[i] * rhs[lane]",
    unit="dst lhs rhs b",
    asserts=["lane >= 0", "lane < 4"],
)

# From single precision to double.
for _half, _from in (("low", "lower"), ("high", "upper")):
    _neon.lanes(
        f"neon_convert_f32_{_from}_to_f64",
        f"{{dst_data}} = vcvt_f64_f32(vget_{_half}_f32({{src_data}}));",
        "dst: [f64][2] @ Neon, src: [f32][4] @ Neon",
        "dst[i] = src[i]" if _half == "low" else "dst[i] = src[2 + i]",
        2,
    )

globals().update(_neon.items())
__all__ = ["DRAM", "Memory", "Neon", "instr", *_neon]

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
