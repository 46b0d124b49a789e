"""Schedules as Exo's users write them: levels 1 and 2 of the BLAS with Exo's library, and a matrix product by primitives.

    python schedules.py NAME     by Exo, and `python -m rewright.exo schedules.py NAME` by Rewright

prints the processor time in seconds that the schedules of one of ``FILES`` take, and how many lines the results have; without
NAME, the names.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from exo import *
from exo.libs.memories import *
from exo.platforms.x86 import *
from exo.stdlib.scheduling import *
from exo.stdlib.stdlib import *

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from exo_programs import kernels  # noqa: E402
from exo_programs.library import gemm_rm, gemv_rm, gemv_t, ger_rm, level_1, level_2, syr_rm, trmv_rm  # noqa: E402

INSTRUCTIONS = {
    "f32": """mm256_loadu_ps mm256_storeu_ps mm256_mul_ps mm256_add_ps mm256_fmadd_ps mm256_setzero_ps mm256_broadcast_ss
        mm256_broadcast_ss_scalar avx2_reduce_add_wide_ps avx2_assoc_reduce_add_ps avx2_reg_copy_ps avx2_select_ps
        avx2_sign_ps mm256_prefix_load_ps mm256_prefix_store_ps mm256_prefix_add_ps mm256_prefix_mul_ps
        mm256_prefix_broadcast_ss""",
    "f64": """mm256_loadu_pd mm256_storeu_pd mm256_mul_pd mm256_add_pd mm256_fmadd_pd mm256_setzero_pd mm256_broadcast_sd
        mm256_broadcast_sd_scalar avx2_sign_pd avx2_reg_copy_pd avx2_reduce_add_wide_pd avx2_assoc_reduce_add_pd""",
}
INSTRUCTIONS = {precision: [globals()[name] for name in names.split()] for precision, names in INSTRUCTIONS.items()}
LANES = {"f32": 8, "f64": 4}


@proc
def trmv_upper(N: size, Diag: size, x: [f32][N], A: [f32][N, N], out: [f32][N]):
    assert stride(A, 1) == 1
    assert stride(x, 0) == 1
    assert stride(out, 0) == 1
    for i in seq(0, N):
        dot: f32
        dot = 0.0
        for j in seq(0, N - i - 1):
            dot += A[i, i + j + 1] * x[i + j + 1]
        if Diag == 0:
            dot += A[i, i] * x[i]
        else:
            dot += x[i]
        out[i] = dot


@proc
def syr_upper(N: size, alpha: f32, x: [f32][N], A: [f32][N, N]):
    assert stride(A, 1) == 1
    assert stride(x, 0) == 1
    for i in seq(0, N):
        for j in seq(0, N - i):
            A[i, i + j] += alpha * x[i] * x[i + j]


@proc
def syr2_lower(N: size, alpha: f32, x: [f32][N], y: [f32][N], A: [f32][N, N]):
    assert stride(A, 1) == 1
    assert stride(x, 0) == 1
    assert stride(y, 0) == 1
    for i in seq(0, N):
        for j in seq(0, i + 1):
            A[i, j] += x[i] * alpha * y[j] + y[i] * alpha * x[j]


def in_precision(p, precision):
    """A procedure with all its data in a precision."""
    p = rename(p, f"{p.name()}_{precision}")
    if precision == "f32":
        return p
    for arg in p.args():
        if arg.type().is_numeric():
            p = set_precision(p, arg, precision)
    for s in list(nlr_stmts(p)):
        if isinstance(s, AllocCursor):
            p = set_precision(p, s, precision)
    return p


def one_loop(p, precision):
    """Level 1."""
    p = in_precision(p, precision)
    lanes, instructions = LANES[precision], INSTRUCTIONS[precision]
    return level_1(p, p.find_loop("i"), lanes, AVX2, instructions, 4, "cut", "cut", precision)


def two_loops(p, outer, precision, rows, columns):
    """Level 2: so many rows and vectors at once."""
    p = in_precision(p, precision)
    lanes, instructions = LANES[precision], INSTRUCTIONS[precision]
    return level_2(p, p.find_loop(outer), rows, columns, "cut", lanes, instructions, precision)


def micro_kernel(rows):
    """A product of so many rows and four vectors in the registers of AVX-512."""
    lanes, vectors = 16, 4
    p = simplify(rename(gemm_rm, f"kernel_{rows}x{vectors}").partial_eval(rows, lanes * vectors))
    p = divide_loop(p, "j", lanes, ["jo", "ji"], perfect=True)
    p = stage_mem(p, "C[_] += _", f"C[i, {lanes} * jo + ji]", "C_reg")
    for size, loop in ((lanes, "ji"), (vectors, "jo"), (rows, "i")):
        p = expand_dim(p, "C_reg", size, loop)
    p = lift_alloc(p, "C_reg", n_lifts=4)
    p = autofission(p, p.find("C_reg[_] = _").after(), n_lifts=4)
    p = autofission(p, p.find("C_reg[_] += _").after(), n_lifts=4)
    p = set_memory(p, "C_reg", AVX512)
    for read, name in (("A[_]", "a_vec"), ("B[_]", "b_vec")):
        p = set_memory(bind_expr(p, read, name), name, AVX512)
        p = lift_alloc(expand_dim(p, name, lanes, "ji"), name, n_lifts=1)
        p = fission(p, p.find(f"{name}[_] = _").after())
    return simplify(replace_all(p, [mm512_set1_ps, mm512_loadu_ps, mm512_storeu_ps, mm512_fmadd_ps]))


def blocked():
    """The whole product in blocks."""
    p = rename(gemm_rm, "sgemm")
    p = divide_loop(p, "k", 512, ["ko", "ki"], tail="cut_and_guard")
    p = divide_loop(p, "i #0", 264, ["io", "ii"], tail="cut_and_guard")
    p = divide_loop(p, "j #0", 64, ["jo", "ji"], tail="cut_and_guard")
    return simplify(p)


def each(procedures, schedule, *arguments):
    """A schedule of each procedure in both precisions."""
    return [schedule(*p, precision, *arguments) for precision in ("f32", "f64") for p in procedures]


FILES = {
    "level1": lambda: each([(kernels.axpy_w,), (kernels.dot,)], one_loop),
    "gemv": lambda: each([(gemv_rm, "i"), (gemv_t, "i #1")], two_loops, 4, 2),
    "ger": lambda: each([(ger_rm, "i")], two_loops, 4, 2),
    "syr": lambda: each([(syr_rm, "i"), (syr_upper, "i")], two_loops, 1, 4),
    "syr2": lambda: each([(syr2_lower, "i")], two_loops, 1, 2),
    "trmv": lambda: each([(trmv_rm, "i"), (trmv_upper, "i")], two_loops, 1, 4),
    "sgemm": lambda: [*map(micro_kernel, range(1, 7)), blocked()],
}


if __name__ == "__main__":
    if len(sys.argv) == 1:
        print(*FILES)
    elif sys.argv[1] not in FILES:
        sys.exit(f"there is no {sys.argv[1]}: {', '.join(FILES)}")
    else:
        began = time.process_time()
        made = FILES[sys.argv[1]]()
        print(time.process_time() - began, sum(len(str(p).splitlines()) for p in made))
