"""The schedules that ``make bench-exo`` measures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCHEDULES = Path(__file__).resolve().parents[1] / "bench_exo" / "schedules.py"


def run(*arguments: str) -> str:
    command = [sys.executable, "-m", "rewright.exo", str(SCHEDULES), *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_each_schedule_makes_its_procedures() -> None:
    names = run().split()
    assert len(names) == 7
    for name in names:
        seconds, lines = run(name).split()
        assert float(seconds) > 0 and int(lines) > 100, name
