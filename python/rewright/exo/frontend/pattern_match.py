"""``exo.frontend.pattern_match``: what is raised where a text is no pattern."""

from __future__ import annotations

import ast
import re
from typing import Optional

from ..._errors import ParseError, RewrightError
from .._absent import absent
from .parse_fragment import syntax_error

__all__ = ["PatternMatchError", "get_match_no"]

__getattr__ = absent(__name__)

_COUNTED = re.compile(r"^([^#]+)#(\d+)\s*$")


class PatternMatchError(RewrightError):
    """A pattern that anything matches."""


def get_match_no(pattern_str: str) -> Optional[int]:
    """The number after the last ``#`` of a pattern, which says which of the places that match."""
    _, sharp, number = pattern_str.rpartition("#")
    return int(number) if sharp else None


def _is_hole(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Name) and node.value.id == "_"


def malformed(pattern: str, why: str) -> Optional[Exception]:
    """What is raised for a text that is no pattern, nothing for one that is and matches nothing: a ``SyntaxError`` for what is
    none of Python's."""
    counted = _COUNTED.search(pattern)
    text = counted[1] if counted else pattern
    wrong = syntax_error(text)
    if wrong is not None:
        return SyntaxError(f"{wrong.msg}: {why}\n  pattern: {pattern}")
    if all(_is_hole(node) for node in ast.parse(text).body):
        return PatternMatchError(f"pattern match on 'anything' unsupported: {why}\n  pattern: {pattern}")
    if why.startswith("cannot read the pattern"):
        return ParseError(f"{why}\n  pattern: {pattern}")
    return None
