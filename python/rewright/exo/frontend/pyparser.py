"""``exo.frontend.pyparser``: what is raised where a text is not understood."""

from __future__ import annotations

from ..._errors import ParseError

__all__ = ["ParseError"]
