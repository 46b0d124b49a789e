"""The blocks of `spec/python.md` and `spec/python_exo.md` are executed, in order. Spec: [rule: python], [rule: python.exo]."""

from __future__ import annotations

import linecache
import re
from pathlib import Path
from typing import Any, Dict

import pytest

SPEC = Path(__file__).resolve().parents[2] / "spec"


@pytest.mark.parametrize(
    "page, made", [("python.md", ["tile2D", "kernel"]), ("python_exo.md", ["unrolled", "split"])]
)
def test_the_page_is_right(page: str, made: list) -> None:
    path = SPEC / page
    text = path.read_text(encoding="utf-8")
    # One program, with every line where the page has it.
    lines = [""] * len(text.split("\n"))
    count = 0
    for block in re.finditer(r"^```python\n(.*?)^```", text, re.S | re.M):
        first = text.count("\n", 0, block.start(1))
        inside = block[1].rstrip("\n").split("\n")
        lines[first : first + len(inside)] = inside
        count += 1
    assert count >= 6
    program = "\n".join(lines)
    linecache.cache[str(path)] = (len(program), None, program.splitlines(True), str(path))
    names: Dict[str, Any] = {"__name__": "page"}
    exec(compile(program, str(path), "exec"), names)
    assert all(name in names for name in made)
