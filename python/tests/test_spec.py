"""The blocks of `spec/python.md` are executed, in order. Spec: [rule: python]."""

from __future__ import annotations

import linecache
import re
from pathlib import Path
from typing import Any, Dict

PAGE = Path(__file__).resolve().parents[2] / "spec" / "python.md"


def test_the_page_is_right() -> None:
    text = PAGE.read_text(encoding="utf-8")
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
    linecache.cache[str(PAGE)] = (len(program), None, program.splitlines(True), str(PAGE))
    names: Dict[str, Any] = {"__name__": "page"}
    exec(compile(program, str(PAGE), "exec"), names)
    assert "tile2D" in names and "kernel" in names
