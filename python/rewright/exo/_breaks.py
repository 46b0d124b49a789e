"""Long lines, broken as Exo's formatter breaks them, where that is installed: ``yapf``. Spec: [rule: python.exo-procedures]."""

from __future__ import annotations

import importlib
from functools import lru_cache
from typing import Any, List, Optional

#: What stands around a line that is formatted alone, for each level of its indentation.
_AROUND = "if x:"
#: What begins a line that a body follows.
_HEADS = ("def ", "for ", "if ", "else:")


@lru_cache(maxsize=None)
def _formatter() -> Optional[Any]:
    try:
        return importlib.import_module("yapf.yapflib.yapf_api").FormatCode
    except ImportError:
        return None


@lru_cache(maxsize=4096)
def broken(line: str) -> Optional[List[str]]:
    """A line of a program as the formatter breaks it; nothing where there is none, or it cannot read the line."""
    formatter = _formatter()
    if formatter is None:
        return None
    word = line.lstrip()
    depth = (len(line) - len(word)) // 4
    around = ["    " * k + _AROUND for k in range(depth)]
    body = ["    " * (depth + 1) + "pass"] if word.startswith(_HEADS) else []
    try:
        text: str = formatter("\n".join([*around, line, *body]))[0]
    except Exception:
        return None
    lines = text.rstrip("\n").split("\n")
    return lines[depth : len(lines) - len(body)]
