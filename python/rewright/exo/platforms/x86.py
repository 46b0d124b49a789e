"""AVX2 and AVX-512 under Exo's names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import DRAM, instr
from ..libs.externs import relu, select
from ..libs.memories import AVX2, AVX512
from ._table import Table

_x86 = Table("x86", {"DRAM": DRAM, "AVX2": AVX2, "AVX512": AVX512, "relu": relu, "select": select})

_x86.text(
    "prefetch",
    "_mm_prefetch(&{A_data}, {locality_hint});",
    """(A: [R][1] @ DRAM, locality_hint: size):
    assert 0 <= locality_hint
    assert locality_hint < 8
    pass""",
)

#: Of single and of double precision: ``$s`` is the ending, ``$t`` the type, ``$n`` the lanes; ``$v`` is a register, ``$m``
#: as much of memory.
_PRECISIONS = [
    {"s": s, "t": t, "n": n, "v": f"[{t}][{n}] @ AVX2", "m": f"[{t}][{n}] @ DRAM", "b": b, "c": c}
    for s, t, n, b, c in (("ps", "f32", 8, "ss", "__m256"), ("pd", "f64", 4, "sd", "__m256d"))
]

_ARITHMETIC = {"add": "+", "sub": "-", "mul": "*", "div": "/"}

for _words in _PRECISIONS:
    _add = _x86.family(_words)
    _add("mm256_setzero_$s", "{dst_data} = _mm256_setzero_$s();", "dst: $v", "dst[i] = 0.0")
    _add("mm256_loadu_$s", "{dst_data} = _mm256_loadu_$s(&{src_data});", "dst: $v, src: $m", "dst[i] = src[i]", unit="src dst")
    _add("mm256_storeu_$s", "_mm256_storeu_$s(&{dst_data}, {src_data});", "dst: $m, src: $v", "dst[i] = src[i]", unit="src dst")
    _add(
        "mm256_fmadd_$s",
        "{dst_data} = _mm256_fmadd_$s({src1_data}, {src2_data}, {dst_data});",
        "dst: $v, src1: $v, src2: $v",
        "dst[i] += src1[i] * src2[i]",
        unit="src1 src2 dst",
    )
    _add(
        "mm256_broadcast_$b",
        "{out_data} = _mm256_broadcast_$b(&{val_data});",
        "out: $v, val: [$t][1]",
        "out[i] = val[0]",
    )
    _add(
        "mm256_broadcast_${b}_scalar",
        "{out_data} = _mm256_broadcast_$b({val_data});",
        "out: $v, val: $t",
        "out[i] = val",
    )
    for _op, _sign in _ARITHMETIC.items():
        _add(
            f"mm256_{_op}_$s",
            f"{{out_data}} = _mm256_{_op}_$s({{x_data}}, {{y_data}});",
            "out: $v, x: $v, y: $v",
            f"out[i] = x[i] {_sign} y[i]",
        )
    _add(
        "avx2_sign_$s",
        "{dst_data} = _mm256_mul_$s({src_data}, _mm256_set1_$s(-1.0f));",
        "dst: $v, src: $v",
        "dst[i] = -src[i]",
    )
    _add(
        "avx2_reduce_add_wide_$s",
        "{dst_data} = _mm256_add_$s({src_data}, {dst_data});",
        "dst: $v, src: $v",
        "dst[i] += src[i]",
    )
    _add("avx2_reg_copy_$s", "{dst_data} = {src_data};", "dst: $v, src: $v", "dst[i] = src[i]")

_single = _x86.family(_PRECISIONS[0])
_double = _x86.family(_PRECISIONS[1])

# Exo's C passes the cell as a vector, which no compiler takes, and multiplies by the sum.
_single(
    "mm256_fmadd_ps_broadcast",
    "{dst_data} = _mm256_fmadd_ps({lhs_data}, _mm256_set1_ps({rhs_data}), {dst_data});",
    "dst: $v, lhs: $v, rhs: [$t][1] @ DRAM",
    "dst[i] += lhs[i] * rhs[0]",
)
_single("avx2_set0_ps", "{out_data} = _mm256_xor_ps({out_data}, {out_data});", "out: $v", "out[i] = 0.0")
_single(
    "avx2_fmadd_memu_ps",
    """
{{
  __m256 ones = {{ 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f }};
  __m256 dst = _mm256_loadu_ps(&{dst_data});
  _mm256_storeu_ps(&{dst_data}, _mm256_fmadd_ps(ones, dst, {val_data}));
}}
""",
    "dst: $m, val: $v",
    "dst[i] += val[i]",
)

# The comparison is made in the precision of the lanes; the extern's C compares doubles.
_SELECTED = "out: $v, x: $v, v: $v, y: $v, z: $v"
_single(
    "avx2_select_ps",
    "\n{out_data} = _mm256_blendv_ps ({z_data}, {y_data}, \n_mm256_cmp_ps ({x_data}, {v_data}, _CMP_LT_OQ));\n",
    _SELECTED,
    "out[i] = select(x[i], v[i], y[i], z[i])",
)
_double(
    "avx2_select_pd",
    "\n{out_data} = _mm256_blendv_pd ({z_data}, {y_data},\n_mm256_cmp_pd ({x_data}, {v_data}, _CMP_LT_OQ));\n",
    _SELECTED,
    "out[i] = select(x[i], v[i], y[i], z[i])",
)

# Lanes are added in another order than the loop adds them.
_single(
    "avx2_assoc_reduce_add_ps",
    """
    {{
        __m256 tmp = _mm256_hadd_ps({x_data}, {x_data});
        tmp = _mm256_hadd_ps(tmp, tmp);
        __m256 upper_bits = _mm256_castps128_ps256(_mm256_extractf128_ps(tmp, 1));
        tmp = _mm256_add_ps(tmp, upper_bits);
        *{result} += _mm256_cvtss_f32(tmp);
    }}
    """,
    "x: $v, result: $t",
    "result += x[i]",
)
_double(
    "avx2_assoc_reduce_add_pd",
    """
    {{
        __m256d tmp = _mm256_hadd_pd({x_data}, {x_data});
        __m256d upper_bits = _mm256_castpd128_pd256(_mm256_extractf128_pd (tmp, 1));
        tmp = _mm256_add_pd(tmp, upper_bits);
        *{result} += _mm256_cvtsd_f64(tmp);
    }}
    """,
    "x: $v, result: $t",
    "result += x[i]",
)

# Instructions on the first lanes, of which `bound` says how many there are; more than there are lanes is all of them. What they
# touch of memory is these, so that a window of it ends with the buffer; Exo declares all lanes, and lets it go past.
_PREFIX = """
{{
__m256i indices = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
__m256i prefix = _mm256_set1_epi32(({bound}) < 8 ? ({bound}) : 8);
__m256i cmp = _mm256_cmpgt_epi32(prefix, indices);
%s
}}
"""


# Exo's C stores nothing where N is below 8: its mask has no sign bits.
_single(
    "avx2_mask_storeu_ps",
    (_PREFIX % "_mm256_maskstore_ps(&{dst_data}, cmp, {src_data});").replace("{bound}", "{N}"),
    "N: size, dst: [$t][N] @ DRAM, src: $v",
    "dst[i] = src[i]",
    asserts=["N <= 8"],
    below="N",
)


def _prefixed(name: str, c: str, operands: str, statement: str) -> None:
    _single(name, _PREFIX % c, f"{operands}, bound: size", statement, below="bound")


_prefixed(
    "mm256_prefix_load_ps",
    "{dst_data} = _mm256_blendv_ps({dst_data}, _mm256_maskload_ps(&{src_data}, cmp), _mm256_castsi256_ps(cmp));",
    "dst: $v, src: [$t][bound] @ DRAM",
    "dst[i] = src[i]",
)
_prefixed(
    "mm256_prefix_store_ps",
    "_mm256_maskstore_ps(&{dst_data}, cmp, {src_data});",
    "dst: [$t][bound] @ DRAM, src: $v",
    "dst[i] = src[i]",
)
for _op, _sign in _ARITHMETIC.items():
    _prefixed(
        f"mm256_prefix_{_op}_ps",
        f"__m256 {_op} = _mm256_{_op}_ps({{x_data}}, {{y_data}});\n"
        f"{{out_data}} = _mm256_blendv_ps ({{out_data}}, {_op}, _mm256_castsi256_ps(cmp));",
        "out: $v, x: $v, y: $v",
        f"out[i] = x[i] {_sign} y[i]",
    )
_prefixed(
    "mm256_prefix_broadcast_ss",
    "__m256 bc = _mm256_broadcast_ss(&{val_data});\n"
    "{out_data} = _mm256_blendv_ps ({out_data}, bc, _mm256_castsi256_ps(cmp));",
    "out: $v, val: [$t][1]",
    "out[i] = val[0]",
)

# From single precision to double.
for _half, _from in ((0, "lower"), (1, "upper")):
    _x86.lanes(
        f"avx2_convert_f32_{_from}_to_f64",
        f"{{dst_data}} = _mm256_cvtps_pd(_mm256_extractf128_ps({{src_data}}, {_half}));",
        "dst: [f64][4] @ AVX2, src: [f32][8] @ AVX2",
        "dst[i] = src[4 + i]" if _half else "dst[i] = src[i]",
        4,
    )

# Integers of 16 bits. They wrap around; Exo's sum saturates.
_words16 = _x86.family({"n": 16, "v": "[ui16][16] @ AVX2", "m": "[ui16][16] @ DRAM"})
_words16(
    "mm256_loadu_si256",
    "{dst_data} = _mm256_loadu_si256((const __m256i *) &{src_data});",
    "dst: $v, src: $m",
    "dst[i] = src[i]",
    unit="src dst",
)
_words16(
    "mm256_storeu_si256",
    "_mm256_storeu_si256((__m256i *) &{dst_data}, {src_data});",
    "dst: $m, src: $v",
    "dst[i] = src[i]",
    unit="src dst",
)
_words16(
    "mm256_add_epi16",
    "{out_data} = _mm256_add_epi16({x_data}, {y_data});",
    "out: $v, x: $v, y: $v",
    "out[i] = x[i] + y[i]",
)
_words16(
    "avx2_ui16_divide_by_3",
    """
    {{
        {out_data} = _mm256_mulhi_epu16({x_data}, _mm256_set1_epi16(43691));
        {out_data} = _mm256_srli_epi16({out_data}, 1);
    }}
    """,
    "out: $v, x: $v",
    "out[xii] = x[xii] / 3.0",
    index="xii",
)

# AVX-512: sixteen lanes of single precision, and masks of the first N.
_wide = _x86.family({"n": 16, "v": "[f32][16] @ AVX512", "m": "[f32][16] @ DRAM", "p": "[f32][N] @ DRAM"})
_SOME = {"asserts": ["N >= 1", "N < 16"], "below": "N"}
_MOST = {"asserts": ["N <= 16"], "below": "N"}

_wide("mm512_setzero_ps", "{dst_data} = _mm512_setzero_ps();", "dst: $v", "dst[i] = 0.0")
_wide(
    "mm512_add_ps", "{out_data} = _mm512_add_ps({x_data}, {y_data});", "out: $v, x: $v, y: $v", "out[i] = x[i] + y[i]"
)
_wide(
    "mm512_mask_add_ps",
    # All lanes from 16 on; Exo shifts by 40 there.
    "{out_data} = _mm512_mask_add_ps({out_data}, {N} < 16 ? (1 << {N}) - 1 : -1, {x_data}, {y_data});",
    "N: size, out: $v, x: $v, y: $v",
    "out[i] = x[i] + y[i]",
    below="N",
)
_wide("mm512_loadu_ps", "{dst_data} = _mm512_loadu_ps(&{src_data});", "dst: $v, src: $m", "dst[i] = src[i]", unit="src dst")
_wide("mm512_storeu_ps", "_mm512_storeu_ps(&{dst_data}, {src_data});", "dst: $m, src: $v", "dst[i] = src[i]")
_wide(
    "mm512_maskz_loadu_ps",
    "{dst_data} = _mm512_mask_loadu_ps({dst_data}, ((1 << {N}) - 1), &{src_data});",
    "N: size, dst: $v, src: $p",
    "dst[i] = src[i]",
    **_MOST,
)
_wide(
    "mm512_mask_storeu_ps",
    "_mm512_mask_storeu_ps(&{dst_data}, ((1 << {N}) - 1), {src_data});",
    "N: size, dst: $p, src: $v",
    "dst[i] = src[i]",
    unit="src dst",
    **_MOST,
)
_wide(
    "mm512_fmadd_ps",
    "{C_data} = _mm512_fmadd_ps({A_data}, {B_data}, {C_data});",
    "A: $v, B: $v, C: $v",
    "C[i] += A[i] * B[i]",
)
# The lanes from N on stay as they are. Exo's C has A in them here, clears them where it loads, and sets them where it sets.
_wide(
    "mm512_mask_fmadd_ps",
    "{C_data} = _mm512_mask3_fmadd_ps({A_data}, {B_data}, {C_data}, ((1 << {N}) - 1));",
    "N: size, A: $v, B: $v, C: $v",
    "C[i] += A[i] * B[i]",
    **_SOME,
)
_wide(
    "mm512_relu_ps",
    "{dst_data} = _mm512_max_ps({src_data}, (__m512){{0}});",
    "dst: $v, src: $v",
    "dst[i] = relu(src[i])",
)
_wide(
    "mm512_mask_set1_ps",
    "{dst_data} = _mm512_mask_mov_ps({dst_data}, ((1 << {N}) - 1), _mm512_set1_ps({src_data}));",
    "N: size, dst: $v, src: [f32][1]",
    "dst[i] = src[0]",
    **_SOME,
)
_wide("mm512_set1_ps", "{dst_data} = _mm512_set1_ps({src_data});", "dst: $v, src: [f32][1]", "dst[i] = src[0]")

globals().update(_x86.items())
__all__ = ["AVX2", "AVX512", "DRAM", "instr", "relu", "select", *_x86]

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
