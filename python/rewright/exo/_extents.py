"""The extents of arguments as cursors: they are expressions, though no step works at them."""

from __future__ import annotations

import ast
from typing import Any, List

from . import API_cursors as C
from .API_types import ExoType


def of_argument(arg: Any) -> List[Any]:
    """The extents of an argument."""
    rows = {row[0]: row[2] for row in arg._proc._raw.signature()}
    return [_cursor(ast.parse(text, mode="eval").body, arg) for text in rows[arg.name()]]


class _Extent(C.ExprCursor):
    __slots__ = ("_arg", "_node")
    _node: Any
    _arg: Any

    def __init__(self, node: ast.expr, arg: Any) -> None:
        self._node = node
        self._arg = arg
        self._raw = None
        self._proc = arg._proc

    def type(self) -> ExoType:
        """The type."""
        return C.of_integers(self._operands())

    def parent(self) -> Any:
        """The argument."""
        return self._arg

    def __eq__(self, other: object) -> bool:
        same_place = isinstance(other, _Extent) and self._arg == other._arg
        return same_place and ast.dump(self._node) == ast.dump(getattr(other, "_node"))

    def __hash__(self) -> int:
        return hash(ast.dump(self._node))

    def __str__(self) -> str:
        return ast.unparse(self._node).replace("//", "/")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


class _Literal(_Extent, C.LiteralCursor):
    __slots__ = ()

    def value(self) -> Any:
        """The value."""
        return self._node.value


class _Read(_Extent, C.ReadCursor):
    __slots__ = ()

    def name(self) -> str:
        """The variable."""
        return str(self._node.id)

    def idx(self) -> C.ExprListCursor:
        """None."""
        return C.ExprListCursor([], self._proc)

    def type(self) -> ExoType:
        """The type of the variable."""
        found = [a for a in self._proc.args() if a.name() == self.name()]
        return found[0].type() if found else ExoType.Index


class _Binary(_Extent, C.BinaryOpCursor):
    __slots__ = ()

    def op(self) -> str:
        """The operator."""
        return _OPERATORS[type(self._node.op)]

    def lhs(self) -> Any:
        """The left operand."""
        return _cursor(self._node.left, self._arg)

    def rhs(self) -> Any:
        """The right operand."""
        return _cursor(self._node.right, self._arg)


class _Negation(_Extent, C.UnaryMinusCursor):
    __slots__ = ()

    def arg(self) -> Any:
        """The operand."""
        return _cursor(self._node.operand, self._arg)


# They are of Exo's classes, and are called as these are.
for _own, _known in ((_Literal, C.LiteralCursor), (_Read, C.ReadCursor), (_Binary, C.BinaryOpCursor), (_Negation, C.UnaryMinusCursor)):
    _own.__name__ = _own.__qualname__ = _known.__name__


_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "/", ast.Mod: "%"}


def _cursor(node: ast.expr, arg: Any) -> _Extent:
    if isinstance(node, ast.Constant):
        return _Literal(node, arg)
    if isinstance(node, ast.Name):
        return _Read(node, arg)
    if isinstance(node, ast.BinOp):
        return _Binary(node, arg)
    if isinstance(node, ast.UnaryOp):
        return _Negation(node, arg)
    return _Extent(node, arg)
