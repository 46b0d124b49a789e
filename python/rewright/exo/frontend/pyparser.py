"""``exo.frontend.pyparser``: what is raised where a text is not understood."""

from __future__ import annotations

import ast
import sys
from typing import Any, Callable, ChainMap, Tuple

from ..._errors import ParseError
from .._absent import absent
from ..core.prelude import SrcInfo

__all__ = ["ParseError", "get_ast_from_python", "get_src_locals"]

__getattr__ = absent(__name__)


def get_ast_from_python(f: Any) -> Tuple[ast.stmt, Callable[[Any], SrcInfo]]:
    """The syntax of a function or a class as Python reads it, and what tells the place of a part of it."""
    from .._capture import source

    text, filename, first, indentation = source(f)
    indent = len(indentation)

    def getsrcinfo(node: Any) -> SrcInfo:
        end, end_column = node.end_lineno, node.end_col_offset
        return SrcInfo(
            filename=filename,
            lineno=node.lineno + first - 1,
            col_offset=node.col_offset + indent,
            end_lineno=None if end is None else end + first - 1,
            end_col_offset=None if end_column is None else end_column + indent,
        )

    return ast.parse(text).body[0], getsrcinfo


def get_src_locals(*, depth: int) -> ChainMap[str, Any]:
    """The local variables of the caller: of the one so many calls above this."""
    return ChainMap(sys._getframe(depth).f_locals)
