"""The extents of arguments as cursors: they are expressions, though no step works at them."""

from __future__ import annotations

import ast
from typing import Any, List, Tuple

from . import API_cursors as C
from .API_types import ExoType


def of_argument(arg: Any) -> List[Any]:
    """The extents of an argument."""
    rows = {row[0]: row[2] for row in arg._proc._raw.signature()}
    parsed = (ast.parse(text, mode="eval").body for text in rows[arg.name()])
    return [_cursor(node, arg, (dim, ())) for dim, node in enumerate(parsed)]


#: The dimension, and which operand of which operand.
_Path = Tuple[int, Tuple[str, ...]]


class Extent(C.ExprCursor):
    """An extent of an argument, or a part of one."""

    __slots__ = ("_arg", "_node", "_path")
    _node: Any
    _arg: Any
    _path: _Path

    def __init__(self, node: ast.expr, arg: Any, path: _Path) -> None:
        self._node = node
        self._arg = arg
        self._path = path
        self._raw = None
        self._proc = arg._proc

    def forwarded(self, to: Any) -> Any:
        """The same place in the argument of a later version."""
        arg = to.forward(self._arg)
        dim, operands = self._path
        at: Any = arg.shape()[dim] if arg.is_tensor() and dim < len(arg.shape()) else None
        for operand in operands:
            at = getattr(at, operand)() if hasattr(at, operand) else None
        if at is None:
            raise C.InvalidCursorError(f"`{self}` is no extent of `{arg.name()}` any more: node no longer exists")
        return at

    def _of(self, operand: str) -> _Path:
        dim, operands = self._path
        return dim, (*operands, operand)

    def type(self) -> ExoType:
        """The type."""
        return C.of_integers(self._operands())

    def parent(self) -> Any:
        """The argument."""
        return self._arg

    def __eq__(self, other: object) -> bool:
        same_place = isinstance(other, Extent) and self._arg == other._arg
        return same_place and ast.dump(self._node) == ast.dump(getattr(other, "_node"))

    def __hash__(self) -> int:
        return hash(ast.dump(self._node))

    def __str__(self) -> str:
        return ast.unparse(self._node).replace("//", "/")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


class _Literal(Extent, C.LiteralCursor):
    __slots__ = ()

    def value(self) -> Any:
        """The value."""
        return self._node.value


class _Read(Extent, C.ReadCursor):
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


class _Binary(Extent, C.BinaryOpCursor):
    __slots__ = ()

    def op(self) -> str:
        """The operator."""
        return _OPERATORS[type(self._node.op)]

    def lhs(self) -> Any:
        """The left operand."""
        return _cursor(self._node.left, self._arg, self._of("lhs"))

    def rhs(self) -> Any:
        """The right operand."""
        return _cursor(self._node.right, self._arg, self._of("rhs"))


class _Negation(Extent, C.UnaryMinusCursor):
    __slots__ = ()

    def arg(self) -> Any:
        """The operand."""
        return _cursor(self._node.operand, self._arg, self._of("arg"))


# They are of Exo's classes, and are called as these are.
for _own, _known in ((_Literal, C.LiteralCursor), (_Read, C.ReadCursor), (_Binary, C.BinaryOpCursor), (_Negation, C.UnaryMinusCursor)):
    _own.__name__ = _own.__qualname__ = _known.__name__


_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "/", ast.Mod: "%"}


def _cursor(node: ast.expr, arg: Any, path: _Path) -> Extent:
    if isinstance(node, ast.Constant):
        return _Literal(node, arg, path)
    if isinstance(node, ast.Name):
        return _Read(node, arg, path)
    if isinstance(node, ast.BinOp):
        return _Binary(node, arg, path)
    if isinstance(node, ast.UnaryOp):
        return _Negation(node, arg, path)
    return Extent(node, arg, path)
