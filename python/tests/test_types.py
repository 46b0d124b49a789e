"""The module and a sample are right by `mypy --strict`; what is wrong is found."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def mypy(*files: Any) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), *map(str, files)]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def test_the_module_and_a_sample_are_typed(tmp_path: Path) -> None:
    import rewright

    found = mypy(Path(rewright.__file__).parent, HERE / "sample.py", "--cache-dir", tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr
    wrong = tmp_path / "wrong.py"
    text = (HERE / "sample.py").read_text().replace('tail="guard"', 'tail="gaurd"').replace("-> Optional[ExoType]", "-> int")
    wrong.write_text(text)
    found = mypy(wrong, "--cache-dir", tmp_path)
    assert 'Argument "tail" to "divide_loop"' in found.stdout and "Incompatible return value" in found.stdout
