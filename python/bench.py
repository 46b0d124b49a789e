"""What the Python module costs: imports, and steps beside what the same steps take in Rust.

    python python/bench.py
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

TEXT = """
@proc
def gemm(n: size, m: size, k: size, C: f32[n, m], A: f32[n, k], B: f32[k, m]):
    assert n % 8 == 0
    assert m % 8 == 0
    for i in seq(0, n):
        for j in seq(0, m):
            for l in seq(0, k):
                C[i, j] += A[i, l] * B[l, j]
"""


def imported(module: str) -> float:
    """Seconds of an import in a fresh interpreter, without the interpreter's own."""
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True) for _ in range(5)]
    return min(float(run.stdout) for run in runs)


def steps(module: Any, gemm: Any) -> Dict[str, Callable[[], Any]]:
    """Steps by name."""
    tiled = module.divide_loop(gemm, "i", 8, ["io", "ii"], perfect=True)
    return {
        "divide_loop": lambda: module.divide_loop(gemm, "i", 8, ["io", "ii"], perfect=True),
        "reorder_loops": lambda: module.reorder_loops(gemm, "i j"),
        "stage_mem": lambda: module.stage_mem(gemm, "for l in _: _", "C[i, j]", "acc"),
        "bind_expr": lambda: module.bind_expr(gemm, "A[_]", "a"),
        "lift_scope": lambda: module.lift_scope(tiled, "for j in _: _"),
    }


def measured(step: Callable[[], Any], times: int = 300) -> Tuple[float, float]:
    """Seconds of a step, and what of it is Rust's."""
    step()
    began = time.perf_counter()
    made: List[Any] = [step() for _ in range(times)]
    return (time.perf_counter() - began) / times, sum(p._raw.took() for p in made) / times


def main() -> None:
    """Prints the table."""
    for module in ("rewright", "rewright.exo", "rewright.exo.platforms.x86"):
        print(f"import {module:30} {imported(module) * 1e3:8.1f} ms")
    # Not the folder beside this file, which has no extension.
    sys.path.remove(str(Path(__file__).resolve().parent))
    import rewright
    import rewright.exo.API as api
    import rewright.exo.API_scheduling as exo

    plain = rewright.module(TEXT, "bench").gemm
    for name, module, gemm in (("rewright", rewright, plain), ("rewright.exo", exo, api.Procedure(plain._raw))):
        for step, run in steps(module, gemm).items():
            whole, rust = measured(run)
            print(f"{name:12} {step:14} {whole * 1e6:8.0f} us, {rust * 1e6:8.0f} in Rust: {whole / rust:5.2f}")


if __name__ == "__main__":
    main()
