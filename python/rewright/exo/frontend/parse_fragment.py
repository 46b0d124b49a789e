"""``exo.frontend.parse_fragment``: what is raised where an expression that a schedule gives is not understood."""

from __future__ import annotations

import ast
import re
from typing import Optional, Sequence

from ..._errors import ParseError, RewrightError, SchedulingError
from .._absent import absent

__all__ = ["ParseFragmentError"]

__getattr__ = absent(__name__)


class ParseFragmentError(RewrightError):
    """An expression that a schedule gives speaks of names that are not in scope, or is no expression."""


def syntax_error(text: str) -> Optional[SyntaxError]:
    """Why Python's grammar does not take a text, where it does not."""
    try:
        ast.parse(text)
    except SyntaxError as e:
        return e
    return None


def _exos_words(why: str) -> str:
    """What Exo says of a name that is not in scope."""
    found = re.search(r"`(\w+)` is in scope", why)
    if found is None:
        return ""
    holes = "String cannot contain holes" if found[1] == "_" else f"{found[1]} not found in the current environment"
    return f"\n  = Exo says: {holes}"


def unreadable(why: str, texts: Sequence[str]) -> Exception:
    """What is raised where one of some expressions is not understood: a ``SyntaxError`` for what is none of Python's, a
    ``ParseError`` for what the language does not have, a ``ParseFragmentError`` for names that are not in scope; one of another
    type does not suit the operation."""
    for text in texts:
        wrong = syntax_error(text)
        if wrong is not None:
            return SyntaxError(f"{why}: {wrong.msg}")
    no_expression = "is not an expression" in why
    is_hole = no_expression and any(not text.strip() or re.search(r"\b_\b", text) for text in texts)
    unknown = re.search(r"`(\w+)` is not a configuration class", why)
    if unknown:
        said = f"Could not find Config named '{unknown[1]}'. Try supplying a list of Config objects via an optional 'configs' argument"
        return ParseFragmentError(f"{why}\n  = Exo says: {said}")
    if "is in scope" in why or is_hole:
        return ParseFragmentError(f"{why}{_exos_words(why)}")
    lacks = re.search(r": there (?:is|are) no (?:operator `(.*?)`)?", why)
    if no_expression or lacks:
        operator = f"unsupported binary operator: {lacks[1]}" if lacks and lacks[1] else "unsupported form of expression"
        said = "unsupported type of statement" if no_expression else operator
        return ParseError(f"{why}\n  = Exo says: {said}")
    refused = SchedulingError(why)
    refused.found = "form"
    return refused
