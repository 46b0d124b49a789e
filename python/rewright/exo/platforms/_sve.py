"""What both forms of SVE have: registers, and the operations on them.

Exo 1.0.0 on PyPI has no SVE. Names follow those of Neon and RVV.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Tuple

from ..core.memory import MemGenError
from . import _registers

#: Of each precision: the type of C, and the bits of a lane.
PRECISIONS: Dict[str, Tuple[str, int]] = {"f16": ("_Float16", 16), "f32": ("float", 32), "f64": ("double", 64)}


class Registers(_registers.Registers):
    """Vector registers with predicates."""

    _processor = "aarch64"

    @classmethod
    def global_(cls) -> str:
        return "#include <arm_sve.h>"


def operations(add: Callable[[str, str, str, str], None], predicate: str, kept: str = "%s") -> None:
    """The instructions of a precision. In names and texts ``$k`` is the kind of a register, ``$w`` the type that intrinsics
    end with, ``$t`` that of the language, ``$v`` a register, ``$m`` as much of memory, and ``$p`` a cast of pointers; a
    predicate says which lanes. ``kept`` makes of a value for these, ``%s``, one that has the others as they are."""

    def sets(name: str, value: str, operands: str, statement: str) -> None:
        add(name, f"{{dst_data}} = {kept % value};", operands, statement)

    sets("vld_${k}", f"svld1_$w({predicate}, $p&{{src_data}})", "dst: $v, src: $m", "dst[i] = src[i]")
    add("vst_${k}", f"svst1_$w({predicate}, $p&{{dst_data}}, {{src_data}});", "dst: $m, src: $v", "dst[i] = src[i]")
    sets("broadcast_${k}", "svdup_n_$w({src_data})", "dst: $v, src: [$t][1] @ DRAM", "dst[i] = src[0]")
    sets("broadcast_${k}_scalar", "svdup_n_$w(*{src})", "dst: $v, src: $t @ DRAM", "dst[i] = src")
    sets("zero_${k}", "svdup_n_$w(0.0f)", "dst: $v", "dst[i] = 0.0")
    for op, sign in (("add", "+"), ("sub", "-"), ("mul", "*"), ("div", "/")):
        sets(
            f"v{op}_${{k}}",
            f"sv{op}_${{w}}_x({predicate}, {{lhs_data}}, {{rhs_data}})",
            "dst: $v, lhs: $v, rhs: $v",
            f"dst[i] = lhs[i] {sign} rhs[i]",
        )
    add(
        "reduce_vadd_${k}",
        f"{{dst_data}} = svadd_${{w}}_m({predicate}, {{dst_data}}, {{src_data}});",
        "dst: $v, src: $v",
        "dst[i] += src[i]",
    )
    add(
        "vfmadd_${k}_${k}",
        f"{{dst_data}} = svmla_${{w}}_m({predicate}, {{dst_data}}, {{lhs_data}}, {{rhs_data}});",
        "dst: $v, lhs: $v, rhs: $v",
        "dst[i] += lhs[i] * rhs[i]",
    )
    for name, operands, product, lane, cell in (
        ("vfmadd_${k}_1x${t}", "lhs: $v, rhs: [$t][1] @ DRAM", "lhs[i] * rhs[0]", "lhs", "rhs"),
        ("vfmadd_1x${t}_${k}", "lhs: [$t][1] @ DRAM, rhs: $v", "lhs[0] * rhs[i]", "rhs", "lhs"),
    ):
        add(
            name,
            f"{{dst_data}} = svmla_n_${{w}}_m({predicate}, {{dst_data}}, {{{lane}_data}}, {{{cell}_data}});",
            f"dst: $v, {operands}",
            f"dst[i] += {product}",
        )
    sets("vneg_${k}", f"svneg_${{w}}_x({predicate}, {{src_data}})", "dst: $v, src: $v", "dst[i] = -src[i]")
    sets("reg_copy_${k}", "{src_data}", "dst: $v, src: $v", "dst[i] = src[i]")
    add(
        "assoc_reduce_add_instr_${k}",
        f"*{{result}} += svaddv_$w({predicate}, {{x_data}});",
        "result: $t @ DRAM, x: $v",
        "result += x[i]",
    )


def pointer(typ: str) -> str:
    """What casts a pointer to cells for intrinsics, where C's type is not theirs."""
    return "(float16_t *)" if typ == "f16" else ""


def sizeless(cls: Any, new_name: str, shape: Tuple[str, ...], srcinfo: Any) -> None:
    """A ``MemGenError`` for more than one register: types without a size make no arrays."""
    if len(shape) != 1:
        raise MemGenError(f"{srcinfo}: {cls.name()} vectors make no arrays: `{new_name}` is one register")
