"""`rewright.exo.platforms` has Exo 1.0.0's instructions: names, C, and what they do. Spec: [rule: python.exo-platforms]."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import rewright.exo

HERE = Path(__file__).parent


#: ``import exo`` is ours.
pytestmark = pytest.mark.usefixtures("installed")


#: What differs, and why.
C_IS_WRONG = "Exo's C is none, or of other values"
STRIDES = "Exo asserts strides that no such buffer has"
PREFIX = "Exo declares all lanes, lets a window go past its buffer, and asserts what its own schedules break"
LENGTH = "Exo's C leaves the lanes from vl on to the machine; its windows have all lanes, and its vl is a size that may be 0"
NO_VALUE = "a field is no scalar argument: it is held in a scalar"
ROWS = "the array takes rows that lie one after the other, which Exo does not assert"
OTHERWISE = {
    C_IS_WRONG: """x86.mm256_fmadd_ps_broadcast x86.avx2_mask_storeu_ps x86.mm256_add_epi16 x86.mm512_maskz_loadu_ps
        x86.mm512_mask_add_ps x86.mm512_mask_fmadd_ps x86.mm512_mask_set1_ps neon.neon_vmul2_4xf32
        gemmini.matmul_i8_v2 gemmini.matmul_acc_i8_v2 gemmini.st_acc_i8_v2 gemmini.st_acc_i8_s2_v2""",
    STRIDES: """gemmini.ld_i8_block gemmini.ld_i8_block_id1 gemmini.ld_i8_block_id2 gemmini.do_ld_i8_block_id1
        gemmini.do_ld_i8_block_id2 gemmini.ld_i8_block_id1_v2 gemmini.ld_i8_block_id2_v2 gemmini.ld_i8_block_id1_s2_v2
        gemmini.ld_i8_block_id2_s2_v2 gemmini.zero_block_id2 gemmini.ld_i8_vector gemmini.do_ld_i8_vector
        gemmini.zero_i8_vector gemmini.zero_i8_vector_v2 gemmini.do_zero_i8_vector gemmini.ld_acc_i32_vector
        gemmini.ld_acc_i32_vector_v2 gemmini.do_ld_acc_i32_vector""",
    PREFIX: """x86.mm256_prefix_load_ps x86.mm256_prefix_store_ps x86.mm256_prefix_add_ps x86.mm256_prefix_sub_ps
        x86.mm256_prefix_mul_ps x86.mm256_prefix_div_ps x86.mm256_prefix_broadcast_ss""",
    LENGTH: """rvv.rvv_vld_4xf32 rvv.rvv_vst_4xf32 rvv.rvv_broadcast_4xf32 rvv.rvv_broadcast_4xf32_scalar
        rvv.rvv_broadcast_4xf32_0 rvv.rvv_vfmacc_4xf32_4xf32 rvv.rvv_vfmacc_4xf32_1xf32 rvv.rvv_vfmacc_1xf32_4xf32""",
    NO_VALUE: "gemmini.do_st_acc_i8",
    ROWS: """gemmini.matmul_i8 gemmini.matmul_acc_i8 gemmini.do_matmul_i8 gemmini.do_matmul_acc_i8 gemmini.matmul_i8_v2
        gemmini.matmul_acc_i8_v2""",
}


def without_registers(it: Any) -> Any:
    """An instruction of Gemmini without what it says of registers, of which Exo's say nothing."""
    body = [line for line in it.body.splitlines() if not line.startswith("Gemmini")]
    return it._replace(asserts=[a for a in it.asserts if "Gemmini" not in a], body="\n".join(body))


def test_instructions_are_exos() -> None:
    from exo_programs.platforms import PLATFORMS, defined, read

    expected = read((HERE / "exo_platforms.txt").read_text())
    found = {f"{platform}.{name}": it for platform in PLATFORMS for name, it in defined(platform).items()}
    assert list(found) == list(expected)
    speaking = [name for name, it in found.items() if without_registers(it) != it]
    assert len(speaking) == 39 and all(name.startswith("gemmini.") for name in speaking)
    found = {name: without_registers(it) for name, it in found.items()}
    differ = {name for name in expected if found[name] != expected[name]}
    assert differ == {name for names in OTHERWISE.values() for name in names.split()}
    for name in OTHERWISE[C_IS_WRONG].split():
        assert found[name].body == expected[name].body
        assert found[name].asserts == expected[name].asserts or name in OTHERWISE[ROWS]
    for name in (OTHERWISE[STRIDES] + " " + OTHERWISE[ROWS]).split():
        assert found[name].body == expected[name].body
        assert found[name].c == expected[name].c or name in OTHERWISE[C_IS_WRONG]


def test_nothing_is_read_before_it_is_used() -> None:
    code = """
import rewright.exo.platforms.x86 as x86, rewright.exo.platforms.gemmini as gemmini
from rewright.exo.platforms.x86 import *
later = [f for m in (x86, gemmini) for f in vars(m).values() if hasattr(f, "_made")]
assert len(later) > 100 and all(f._made is None for f in later)
assert mm256_loadu_ps.name() == "mm256_loadu_ps" and mm256_loadu_ps._made is None
assert mm256_loadu_ps.is_instr() and mm256_loadu_ps._made is not None
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_knows_itself_is_read_once() -> None:
    """`acc_scale` of Gemmini is known to the instructions that call it, and so to itself."""
    code = """
import rewright.exo.platforms.gemmini as gemmini
from rewright import _frontend
defined, read = _frontend._defined, []
def noted(text, *rest):
    read.append(text)
    return defined(text, *rest)
_frontend._defined = noted
assert gemmini.acc_scale.is_instr() and not gemmini.clamp.is_instr()
assert len(read) == 2, len(read)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_instructions_are_procedures() -> None:
    from rewright.exo.platforms import neon, x86

    assert isinstance(x86.mm512_fmadd_ps, rewright.exo.Procedure)
    assert x86.mm512_fmadd_ps.get_instr() == "{C_data} = _mm512_fmadd_ps({A_data}, {B_data}, {C_data});"
    assert [arg.name() for arg in neon.neon_vfmla2_4xf32_4xf32.args()] == ["dst", "b", "lhs", "rhs", "lane"]
    assert neon.neon_vld_8xf16.args()[0].mem() is neon.Neon
    made = rewright.exo.API_scheduling.rename(x86.mm256_mul_pd, "mine")
    assert made.is_instr() and made.name() == "mine" and x86.mm256_mul_pd.name() == "mm256_mul_pd"


#: The operations of SVE, which Exo 1.0.0 on PyPI has not: of registers `{k}` and cells `{t}`.
SVE = """vld_{k} vst_{k} broadcast_{k} broadcast_{k}_scalar zero_{k} vadd_{k} vsub_{k} vmul_{k} vdiv_{k} reduce_vadd_{k}
    vfmadd_{k}_{k} vfmadd_{k}_1x{t} vfmadd_1x{t}_{k} vneg_{k} reg_copy_{k} assoc_reduce_add_instr_{k}"""


def test_sve_has_every_operation_of_every_precision() -> None:
    from rewright.exo.platforms import sve_vla, sve_vls

    for typ, lanes in (("f16", 32), ("f32", 16), ("f64", 8)):
        for name in SVE.format(k=f"{lanes}x{typ}", t=typ).split():
            assert f"def sve_{name}(" in str(getattr(sve_vls, f"sve_{name}"))
        for name in SVE.format(k=typ, t=typ).split():
            assert "vl: size" in str(getattr(sve_vla, f"sve_{name}_vla"))
    assert sum(hasattr(f, "_made") for m in (sve_vla, sve_vls) for f in vars(m).values()) == 2 * 48
    assert sve_vls.sve_vfmadd_16xf32_16xf32.get_instr() == (
        "{dst_data} = svmla_f32_m(svptrue_b32(), {dst_data}, {lhs_data}, {rhs_data});"
    )
    lanes = "svwhilelt_b64_s64(0, sve_lanes({vl}, svcntd()))"
    assert sve_vla.sve_vst_f64_vla.get_instr() == f"svst1_f64({lanes}, &{{dst_data}}, {{src_data}});"
    assert sve_vla.sve_vld_f64_vla.get_instr() == (
        f"{{dst_data}} = svsel_f64({lanes}, svld1_f64({lanes}, &{{src_data}}), {{dst_data}});"
    )


def test_registers_have_types_of_c() -> None:
    from rewright.exo.core.memory import MemGenError
    from rewright.exo.platforms.neon import Neon
    from rewright.exo.platforms.rvv import RVV
    from rewright.exo.platforms.sve_vla import SVE_VLA
    from rewright.exo.platforms.sve_vls import SVE_VLS

    for memory, typ, shape, c in (
        (Neon, "_Float16", ("8",), "float16x8_t r;"),
        (Neon, "double", ("3", "2"), "float64x2_t r[3];"),
        (RVV, "float", ("4",), "vfloat32m1_t r;"),
        (RVV, "float", ("3", "2"), "vfloat32m1_t r[3];"),
        (SVE_VLS, "float", ("2", "16"), "svfloat32_vls_t r[2];"),
        (SVE_VLA, "double", ("vl",), "svfloat64_t r;"),
    ):
        assert memory.alloc("r", typ, shape, None) == c
        assert memory.free("r", typ, shape, None) == "" and not memory.can_read()
    for memory, typ, shape in (
        (Neon, "float", ()),
        (Neon, "float", ("8",)),
        (Neon, "int8_t", ("4",)),
        (RVV, "float", ("n", "4")),
        (SVE_VLA, "float", ("2", "vl")),
        (SVE_VLS, "float", ("8",)),
    ):
        with pytest.raises(MemGenError):
            memory.alloc("r", typ, shape, None)
    assert Neon.window(None, "r", ["2", "0"], ["4", "1"], None) == "r[2]"
    with pytest.raises(MemGenError, match="begins with the first lane of a register, and this one with lane 4 . io"):
        SVE_VLA.window(None, "r", ["4 * io"], ["1"], None)
    assert "#include <arm_sve.h>" in SVE_VLS.global_() and "arm_sve_vector_bits(512)" in SVE_VLS.global_()


def test_c_of_calls() -> None:
    """What Exo 1.0.0 compiles these to, but for parentheses and spaces."""
    from exo_programs import gemmini
    from exo_programs.vectors import CASES

    def squeezed(text: str) -> str:
        return "".join(text.split()).replace("(", "").replace(")", "")

    for p, lines in (
        (
            CASES["replace_all"](),
            ["__m256 xs;", "xs = _mm256_loadu_ps(&x.data[8 * io]);", "_mm256_storeu_ps(&y.data[8 * io], xs);"],
        ),
        (
            gemmini.CASES["gemmini_product_by_state"](),
            [
                "int8_t *a = (int8_t*) ((uint64_t)gemm_malloc (16 * 16 * sizeof(int8_t)));",
                "int32_t *c = (int32_t*) ((uint32_t)gemm_acc_malloc (16 * 16 * sizeof(int32_t)));",
                "gemmini_extended_mvin( &A[0], ((uint64_t) &*(int8_t*)((uint64_t)( ((uint32_t)((uint64_t)a)) + (0)/16)))"
                ", (16), (16) );",
                "gemmini_extended_config_ex(WS, 0, 0, 1, 0, 0);",
                "gemmini_extended_compute_preloaded((uint32_t)(&*(int8_t*)((uint64_t)( ((uint32_t)((uint64_t)a)) + (0)/16"
                "))), ~((uint32_t)0), (16), (16), 16, 16);",
                "gemm_acc_free((uint32_t)(c));",
            ],
        ),
    ):
        c = squeezed(p.c_code_str())
        for line in lines:
            assert squeezed(line) in c
    assert "#include <immintrin.h>" in CASES["replace_all"]().c_code_str()


def test_the_first_lanes_alone_are_touched(tmp_path: Path) -> None:
    if "avx2" not in Path("/proc/cpuinfo").read_text():
        pytest.skip("this machine has no AVX2")
    path = tmp_path / "prefix.py"
    path.write_text(PREFIXED, encoding="utf-8")
    subprocess.run([sys.executable, str(path)], check=True)


#: Windows that end with their buffers: nothing has to be assumed.
PREFIXED = """
from __future__ import annotations
import numpy as np
import rewright.exo
rewright.exo.install()
from exo import *
from exo.libs.memories import AVX2
from exo.platforms.x86 import *
from exo.stdlib.scheduling import *

@proc
def f(n: size, m: size, x: f32[n], y: f32[n], z: f32[m]):
    assert m <= 8
    assert m <= n
    for io in seq(0, (n + 7) / 8):
        r: f32[8] @ AVX2
        for ii in seq(0, 8):
            if ii < n - 8 * io:
                r[ii] = x[8 * io + ii]
        for ii in seq(0, 8):
            if 8 * io + ii < n:
                y[8 * io + ii] = r[ii]
    s: f32[8] @ AVX2
    for ii in seq(0, 8):
        if ii < m:
            s[ii] = x[ii]
    for ii in seq(0, 8):
        if ii < m:
            z[ii] = s[ii]

g = replace(f, "for ii in _:_ #3", avx2_mask_storeu_ps)
for instr in (mm256_prefix_load_ps, mm256_prefix_store_ps, mm256_prefix_load_ps):
    g = replace(g, "for ii in _:_ #0", instr)
assert rewright.audit(g)
c = g.compile()
for n in range(1, 30):
    for m in range(1, min(n, 8) + 1):
        x, y, z = np.arange(1, n + 1, dtype=np.float32), np.zeros(n + 3, np.float32), np.zeros(m + 3, np.float32)
        c(n, m, x, y[:n], z[:m])
        assert (y[:n] == x).all() and not y[n:].any() and (z[:m] == x[:m]).all() and not z[m:].any(), (n, m, y, z)
"""


MASKED = """
from __future__ import annotations
import numpy as np
import rewright.exo
rewright.exo.install()
from exo import *
from exo.libs.memories import AVX2, AVX512
from exo.platforms.x86 import *
from exo.stdlib.scheduling import *

@proc
def f(m: size, x: f32[16], y: f32[16], z: f32[16]):
    assert m < 16
    a: f32[16] @ AVX512
    b: f32[16] @ AVX512
    c: f32[16] @ AVX512
    mm512_loadu_ps(a[0:16], x[0:16])
    mm512_loadu_ps(b[0:16], y[0:16])
    mm512_loadu_ps(c[0:16], z[0:16])
    mm512_mask_fmadd_ps(m, a[0:16], b[0:16], c[0:16])
    mm512_mask_set1_ps(m, a[0:16], y[3:4])
    mm512_maskz_loadu_ps(m, b[0:16], z[0:m])
    mm512_mask_add_ps(m, c[0:16], a[0:16], b[0:16])
    mm512_storeu_ps(x[0:16], a[0:16])
    mm512_storeu_ps(y[0:16], b[0:16])
    mm512_storeu_ps(z[0:16], c[0:16])

@proc
def g(m: size, x: f32[8], y: f32[8], u: ui16[16], v: ui16[16]):
    assert m <= 8
    a: f32[8] @ AVX2
    b: f32[8] @ AVX2
    d: f32[8] @ AVX2
    mm256_loadu_ps(a[0:8], x[0:8])
    mm256_loadu_ps(b[0:8], y[0:8])
    mm256_loadu_ps(d[0:8], y[0:8])
    mm256_prefix_load_ps(b[0:8], x[0:m], m)
    mm256_prefix_mul_ps(a[0:8], b[0:8], d[0:8], m)
    mm256_prefix_broadcast_ss(b[0:8], x[5:6], m)
    mm256_fmadd_ps_broadcast(a[0:8], b[0:8], y[2:3])
    mm256_storeu_ps(x[0:8], a[0:8])
    mm256_storeu_ps(y[0:8], b[0:8])
    p: ui16[16] @ AVX2
    q: ui16[16] @ AVX2
    mm256_loadu_si256(p[0:16], u[0:16])
    mm256_loadu_si256(q[0:16], v[0:16])
    r: ui16[16] @ AVX2
    mm256_add_epi16(r[0:16], p[0:16], q[0:16])
    mm256_storeu_si256(u[0:16], r[0:16])

rng = np.random.default_rng(0)
for p, lanes, words in WHICH:
    c = p.compile()
    for m in range(1, lanes):
        args = [rng.integers(-9, 9, lanes).astype(np.float32) for _ in range(3 - words)]
        args += [rng.integers(0, 1 << 16, 16).astype(np.uint16) for _ in range(2 * words)]
        told = p.run(m, *[x.copy() for x in args])
        c(m, *args)
        for name, got in zip([arg.name() for arg in p.args()][1:], args):
            assert (told[name] == got).all(), (p.name(), m, name, told[name], got)
"""


@pytest.mark.parametrize("which, flag", [("[(f, 16, 0)]", "avx512f"), ("[(g, 8, 1)]", "avx2")])
def test_lanes_that_do_not_run_stay_as_they_are(tmp_path: Path, which: str, flag: str) -> None:
    if flag not in Path("/proc/cpuinfo").read_text():
        pytest.skip(f"this machine has no {flag}")
    path = tmp_path / "masked.py"
    path.write_text(MASKED.replace("WHICH", which), encoding="utf-8")
    subprocess.run([sys.executable, str(path)], check=True)
