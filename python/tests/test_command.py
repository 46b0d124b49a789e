"""The command ``rewright`` that comes with the module. Spec: [rule: python.command]."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest
from rewright import _rewright

GOOD = """
@proc
def clear(x: f32[4]):
    for i in seq(0, 4):
        x[i] = 0.0
"""

REFUSED = 'p = divide_loop(clear, "i", 3, ["io", "ii"], tail="perfect")\n'

BAD = GOOD.replace("x[i]", "x[i + 1]")


def command(*args: str, **more: object) -> subprocess.CompletedProcess[str]:
    run = [sys.executable, "-m", "rewright", *args]
    return subprocess.run(run, capture_output=True, text=True, timeout=120, **more)  # type: ignore[call-overload,no-any-return]


def test_it_ends_as_the_command_ends(tmp_path: Path) -> None:
    def of(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    assert command("check", of("good.py", GOOD)).returncode == 0
    bad = command("check", of("bad.py", BAD))
    assert bad.returncode == 1 and "bad.py:5" in bad.stderr
    assert command("script", of("refused.py", GOOD + REFUSED)).returncode == 2
    wrong = command("--json", "no-such-command")
    assert wrong.returncode == 1 and json.loads(wrong.stdout)["exit_code"] == 1


def test_it_has_the_primitives_of_the_module() -> None:
    told = json.loads(command("--json", "primitives").stdout)["result"]["primitives"]
    assert {p["name"] for p in told} == {p["name"] for p in _rewright.registry()}


def test_text_goes_through_pipes() -> None:
    done = command("check", "-", input=GOOD)
    assert done.returncode == 0, done.stderr
    assert command("--help").stdout.startswith("Check, interpret")


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is a signal")
def test_it_can_be_interrupted() -> None:
    run = [sys.executable, "-m", "rewright", "fuzz", "--time", "60"]
    with subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as p:
        time.sleep(1.0)
        p.send_signal(signal.SIGINT)
        assert p.wait(timeout=10) == -signal.SIGINT


def test_the_wheel_brings_it() -> None:
    """What `[project.scripts]` names is there."""
    config = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    entry = config.split("[project.scripts]\n")[1].split("\n")[0]
    assert entry == 'rewright = "rewright.__main__:main"'
    module, function = entry.split('"')[1].split(":")
    assert callable(getattr(import_module(module), function))
