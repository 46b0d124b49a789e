"""``rewright.exo`` under the name ``exo``: only where that is asked for, and the same modules. Spec: [rule: python.exo]."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = """
from __future__ import annotations
import sys
import exo, exo.API_cursors as PC
from exo import proc, DRAM
from exo.API_scheduling import divide_loop

@proc
def scale(n: size, x: f32[n] @ DRAM):
    for i in seq(0, n):
        x[i] = 2.0 * x[i]

import rewright.exo
assert exo is rewright.exo and PC is rewright.exo.API_cursors
assert isinstance(scale.find_loop("i"), PC.ForCursor)
print(sys.argv[1:], divide_loop(scale, "i", 4, ["io", "ii"]).body()[0].name())
"""


def run(*command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, *command], capture_output=True, text=True)


def test_a_program_runs_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    ran = run("-m", "rewright.exo", str(file), "a", "b")
    assert ran.stdout == "['a', 'b'] io\n", ran.stderr


def test_nothing_is_shadowed_unasked() -> None:
    code = "import rewright.exo, importlib.util as u; print(u.find_spec('exo'))"
    assert "rewright" not in run("-c", code).stdout


def test_another_exo_stays_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "exo.py").write_text("ours = False\n")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import exo, rewright.exo\n"
        "try:\n    rewright.exo.install()\nexcept ImportError as e:\n    print('refused', exo.ours)\n"
    )
    assert run("-c", code).stdout == "refused False\n"
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import rewright.exo\nrewright.exo.install()\nimport exo\nprint(exo is rewright.exo)\n"
        "rewright.exo.uninstall()\nimport exo\nprint(exo.ours)\n"
    )
    assert run("-c", code).stdout == "True\nFalse\n"


def test_the_plugin_of_pytest(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("import exo\ndef test_it():\n    assert 'rewright' in exo.__file__\n")
    ran = run("-m", "pytest", "-q", "-p", "rewright.exo.pytest", "-p", "no:cacheprovider", str(tmp_path))
    assert "1 passed" in ran.stdout, ran.stdout + ran.stderr
