"""``exo.frontend.parse_fragment``: what is raised where an expression that a schedule gives is not understood."""

from __future__ import annotations

from ..._errors import ArgumentError, RewrightError

__all__ = ["ParseFragmentError"]


class ParseFragmentError(RewrightError):
    """An expression that a schedule gives speaks of names that are not in scope, or is no expression."""


class UnreadableFragment(ParseFragmentError, ArgumentError):
    """Such an expression, where Rewright's own name for it is a wrong argument."""
