"""``exocc``, and how much calls and steps cost. Spec: [rule: python.exo]."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest
from rewright.exo import proc
from rewright.exo.API_scheduling import divide_loop, rename
from rewright.exo.main import get_procs_from_module, load_user_code, main

LIBRARY = """
from __future__ import annotations
from exo import proc, instr

@instr("f({x_data});")
def hidden(x: [f32][4]):
    for i in seq(0, 4):
        x[i] = 0.0

@proc
def clear(x: f32[4]):
    for i in seq(0, 4):
        x[i] = 0.0

@proc
def _private(x: f32[4]):
    x[0] = 0.0
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    file = tmp_path / "kernels.py"
    file.write_text(LIBRARY)
    return file


def test_the_command_compiles_what_a_file_exports(library: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "rewright.exo.main", "-o", str(out), "--stem", "lib", str(library)]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert sorted(f.name for f in out.iterdir()) == ["lib.c", "lib.d", "lib.h"]
    source = (out / "lib.c").read_text()
    assert "void clear(" in source and "hidden" not in source and "_private" not in source
    assert (out / "lib.d").read_text().startswith(f"{out}/lib.c {out}/lib.h : ")


def test_several_files_need_names(library: Path, capsys: pytest.CaptureFixture) -> None:
    for args in ([str(library), str(library)], [str(library), str(library), "-o", "x"]):
        with pytest.raises(SystemExit):
            main(args)
        assert "multiple source files" in capsys.readouterr().err


def test_what_a_module_exports() -> None:
    import types

    module = types.ModuleType("m")
    exec("from rewright.exo import DRAM", module.__dict__)
    module.__dict__["p"] = scaled
    assert get_procs_from_module(module) == [scaled]
    module.__dict__["__all__"] = []
    assert get_procs_from_module(module) == []
    with pytest.raises(FileNotFoundError):
        load_user_code("/nowhere/at/all.py")


@proc
def scaled(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 2.0 * x[i]


def _resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1])


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_memory_is_flat_once_versions_are_dropped() -> None:
    sizes = []
    for round_ in range(10):
        for k in range(5_000):
            p = divide_loop(scaled, "i", 2 + k % 7, ["io", "ii"])
            rename(p, f"p{k % 3}")
        gc.collect()
        sizes.append(_resident())
    # After the first rounds, in which tables and caches fill, pages stay what they are: 100,000 steps in all.
    assert sizes[-1] < sizes[3] * 1.1, sizes
