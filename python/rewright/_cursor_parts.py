"""What cursors of one kind have, whichever of the two sets of classes they are of: `E` is an expression there, `L` a list of them."""

from __future__ import annotations

from typing import Any, Generic, Sequence, TypeVar, Union

E = TypeVar("E")
L = TypeVar("L")
B = TypeVar("B")


class Part:
    """A cursor, as far as the rest goes."""

    __slots__ = ()

    _raw: Any

    def _move(self, name: str) -> Any:
        raise NotImplementedError

    def _list(self, raws: Sequence[Any]) -> Any:
        raise NotImplementedError


class Named(Part):
    """What has a name: a buffer, a variable, a function."""

    __slots__ = ()

    def name(self) -> str:
        """The name."""
        return str(self._raw.name())


class Fielded(Part):
    """A field of a configuration, read or written."""

    __slots__ = ()

    def field(self) -> str:
        """The field."""
        return str(self._raw.field())


class Dimensioned(Part):
    """A buffer: an allocation or an argument."""

    __slots__ = ()

    def is_tensor(self) -> bool:
        """Whether it has dimensions."""
        return bool(self._raw.is_tensor())


class Indexed(Part, Generic[L]):
    """A cell, read or written."""

    __slots__ = ()

    def idx(self) -> L:
        """The indices."""
        found: L = self._list(self._raw.idx())
        return found


class Called(Part, Generic[L]):
    """A call of a procedure or an extern."""

    __slots__ = ()

    def args(self) -> L:
        """The arguments."""
        found: L = self._list(self._raw.args())
        return found


class Valued(Part, Generic[E]):
    """What a value is written by."""

    __slots__ = ()

    def rhs(self) -> E:
        """The value."""
        found: E = self._move("rhs")
        return found


class Bounded(Part, Generic[E]):
    """A loop."""

    __slots__ = ()

    def lo(self) -> E:
        """The first value."""
        found: E = self._move("lo")
        return found

    def hi(self) -> E:
        """One past the last value."""
        found: E = self._move("hi")
        return found


class Bodied(Part, Generic[B]):
    """A statement with others inside."""

    __slots__ = ()

    def body(self) -> B:
        """The statements inside; of an ``if``, those where its condition holds."""
        found: B = self._move("body")
        return found


class Conditional(Part, Generic[E]):
    """An ``if``."""

    __slots__ = ()

    def cond(self) -> E:
        """The condition."""
        found: E = self._move("cond")
        return found


class Unary(Part, Generic[E]):
    """An operation on one operand."""

    __slots__ = ()

    def arg(self) -> E:
        """The operand."""
        found: E = self._move("arg")
        return found


class Binary(Part, Generic[E]):
    """An operation on two operands."""

    __slots__ = ()

    def op(self) -> str:
        """The operator."""
        return str(self._raw.op())

    def lhs(self) -> E:
        """The left operand."""
        found: E = self._move("lhs")
        return found

    def rhs(self) -> E:
        """The right operand."""
        found: E = self._move("rhs")
        return found


class Literal(Part):
    """A number or a truth value."""

    __slots__ = ()

    def value(self) -> Union[int, bool, float]:
        """The value."""
        value = self._raw.value()
        return float(value) if isinstance(value, str) else value


class Stride(Part):
    """A stride of a buffer."""

    __slots__ = ()

    def dim(self) -> int:
        """The dimension."""
        return int(self._raw.dim())
