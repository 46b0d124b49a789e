"""The README's part in Python: its files are written, its commands are run, and what they print is what it shows; Exo makes
the same program of the schedule, and C that computes the same."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, Tuple

import numpy as np
import pytest
import rewright

ROOT = Path(__file__).resolve().parents[2]
SECTION = (ROOT / "README.md").read_text(encoding="utf-8").split("\n## In Python\n")[1].split("\n## ")[0]
#: Where real Exo is: see the Makefile.
EXO = ROOT / ".deps" / "exo"


def files() -> Dict[str, str]:
    """The files to be saved, by name."""
    found = re.findall(r"Save this as `(\w+\.py)`.*?```python\n(.*?)```", SECTION, re.S)
    return dict(found)


def commands() -> List[Tuple[str, str]]:
    """The commands, each with what it prints."""
    blocks = re.findall(r"```console\n(.*?)```", SECTION, re.S)
    return [(m[0], m[1]) for block in blocks for m in re.findall(r"\$ (.*)\n((?:[^$].*\n|\n)*)", block)]


def run(command: str, folder: Path, **more: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(Path(rewright.__file__).parents[1]), **more}
    command = command.replace("python ", f"{sys.executable} ", 1)
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=env, capture_output=True, text=True)
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in files().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def has_avx512() -> bool:
    try:
        return "avx512f" in Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return False


def test_the_tour_is_what_happens(folder: Path) -> None:
    steps = commands()
    assert len(steps) == 2 and set(files()) == {"matmul.py", "run.py"}
    for command, shown in steps:
        if "run.py" in command and not has_avx512():
            pytest.skip("this machine has no AVX-512")
        assert run(command, folder) == shown, command


#: Exo's program as numbers: the C takes a context first.
CALL = """
import sys
sys.path.insert(0, sys.argv[1])
import matmul
print(matmul.p)
open(sys.argv[2], "w").write(matmul.p.c_code_str().replace('#include "matmul_avx512.h"', ""))
"""


def test_exo_makes_the_same_of_it(folder: Path) -> None:
    if not EXO.exists():
        pytest.skip("Exo is not installed in .deps/exo")
    ours = run("python -m rewright.exo matmul.py", folder)
    exo = subprocess.run(
        [sys.executable, "-c", CALL, str(folder), str(folder / "exo.c")],
        env={**os.environ, "PYTHONPATH": str(EXO)}, capture_output=True, text=True, check=False,
    )
    assert exo.returncode == 0, exo.stderr
    assert shape(ours) == shape(exo.stdout)
    if not has_avx512():
        pytest.skip("this machine has no AVX-512")
    library = folder / "exo.so"
    subprocess.run(
        ["cc", "-std=gnu11", "-O1", "-ffp-contract=off", "-mavx512f", "-mfma", "-shared", "-fPIC", "-o", library, folder / "exo.c"], check=True
    )
    rng = np.random.default_rng(1)
    A, B = rng.random((30, 50), np.float32), rng.random((50, 128), np.float32)
    C = np.zeros((30, 128), np.float32)
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in (A, B, C)]
    function = ctypes.CDLL(str(library)).matmul_avx512
    function(None, ctypes.c_int64(30), ctypes.c_int64(128), ctypes.c_int64(50), *pointers)
    np.save(folder / "A.npy", A)
    np.save(folder / "B.npy", B)
    (folder / "again.py").write_text(AGAIN, encoding="utf-8")
    run("python again.py", folder)
    assert np.array_equal(np.load(folder / "C.npy"), C) and C.any()


AGAIN = """
import numpy as np
import rewright.exo

rewright.exo.install()
from matmul import p

A, B, C = np.load("A.npy"), np.load("B.npy"), np.zeros((30, 128), np.float32)
p.compile()(30, 128, 50, A, B, C)
np.save("C.npy", C)
"""


def shape(program: str) -> List[str]:
    """The words of a program, but for how sums are written: their characters, sorted. A window of one cell is the cell, as
    Exo's solver chooses which of the dimensions of `A[i:i + 1, k]` is the window's."""
    text = re.sub(r"[\s()]|@proc", "", program)
    text = re.sub(r"(?<=[\[,])([^\[\],:]+):([^\[\],:]+)(?=[\],])", lambda m: m[1] if one_more(m[1], m[2]) else m[0], text)
    return ["".join(sorted(part)) for part in re.split(r"[\[\],:=]", text)]


def one_more(start: str, end: str) -> bool:
    return sorted(end) == sorted(f"{start}+1")


def test_a_window_of_one_cell_is_the_cell() -> None:
    assert shape("set1(r[0:16], A[4 * io + ii, k:1 + k])") == shape("set1(r[0:16], A[ii + 4 * io:4 * io + ii + 1, k])")
    assert shape("load(r[0:16], B[k, 0:16])") != shape("load(r[0:16], B[k, 0])")
    assert shape("load(A[i, k:k + 1])") != shape("load(A[i:i + 1, j])")
