"""`rewright.exo.platforms` has Exo 1.0.0's instructions: names, C, and what they do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Iterator

import pytest
import rewright.exo

HERE = Path(__file__).parent


@pytest.fixture(scope="module", autouse=True)
def installed() -> Iterator[None]:
    """``import exo`` in what is shared is ours."""
    rewright.exo.install()
    yield
    rewright.exo.uninstall()


#: What differs, and why.
OTHERWISE = {
    "gemmini.do_st_acc_i8": "a field is no scalar argument",
    "gemmini.st_acc_i8_v2": "as above",
    "gemmini.st_acc_i8_s2_v2": "as above",
    "rvv.rvv_vfmacc_4xf32_1xf32": "Exo's C lacks a parenthesis",
    "rvv.rvv_vfmacc_1xf32_4xf32": "Exo's C lacks a parenthesis",
}


def test_instructions_are_exos() -> None:
    from exo_programs.platforms import PLATFORMS, defined, read

    expected = read((HERE / "exo_platforms.txt").read_text())
    found = {f"{platform}.{name}": it for platform in PLATFORMS for name, it in defined(platform).items()}
    assert list(found) == list(expected)
    differ = {name for name in expected if found[name] != expected[name]}
    assert differ == set(OTHERWISE)


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


def test_instructions_are_procedures() -> None:
    from rewright.exo.platforms import neon, x86

    assert isinstance(x86.mm512_fmadd_ps, rewright.exo.Procedure)
    assert x86.mm512_fmadd_ps.get_instr() == "{C_data} = _mm512_fmadd_ps({A_data}, {B_data}, {C_data});"
    assert [arg.name() for arg in neon.neon_vfmla2_4xf32_4xf32.args()] == ["dst", "b", "lhs", "rhs", "lane"]
    assert neon.neon_vld_8xf16.args()[0].mem() is neon.Neon
    made = rewright.exo.API_scheduling.rename(x86.mm256_mul_pd, "mine")
    assert made.is_instr() and made.name() == "mine" and x86.mm256_mul_pd.name() == "mm256_mul_pd"
