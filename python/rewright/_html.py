"""Programs for notebooks."""

from __future__ import annotations

import difflib
import html
from typing import Optional

_LINE = '<span style="display:block;{}">{}</span>'
_NEW = "background:rgba(70,160,90,.22)"
_OLD = "background:rgba(200,80,70,.18);text-decoration:line-through;opacity:.65"


def program(text: str, before: Optional[str]) -> str:
    """A program; lines that are not in the one before are marked, and those that are gone are struck out."""
    lines = text.splitlines()
    old = lines if before is None else before.splitlines()
    rows = []
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, lines, autojunk=False).get_opcodes():
        if tag == "equal":
            rows += [_LINE.format("", _shown(line)) for line in lines[j1:j2]]
        else:
            rows += [_LINE.format(_OLD, _shown(line)) for line in old[i1:i2]]
            rows += [_LINE.format(_NEW, _shown(line)) for line in lines[j1:j2]]
    return '<pre class="rewright" style="line-height:1.35">' + "".join(rows) + "</pre>"


def _shown(line: str) -> str:
    return html.escape(line) or "&nbsp;"
