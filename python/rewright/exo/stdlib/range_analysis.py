# ruff: noqa: F401, F403
# mypy: implicit-reexport
"""Ranges of indices: what cells of a buffer a loop touches."""

from __future__ import annotations

import typing as _typing
from dataclasses import dataclass as _dataclass
from typing import Tuple

from ..API_cursors import *
from ..API_cursors import (
    BinaryOpCursor,
    Cursor,
    ExprCursor,
    ForCursor,
    LiteralCursor,
    ReadCursor,
    UnaryMinusCursor,
)
from .inspection import get_parents

if _typing.TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

#: The least and the greatest value of a variable; ``None`` where that is not known.
_Bounds = Tuple["Optional[int]", "Optional[int]"]


@_dataclass(frozen=True)
class _Index:
    """An index expression: a number, a name, or an operator and its operands."""

    head: Union[int, str]
    parts: Tuple[_Index, ...] = ()

    def coefficient(self, name: str) -> int:
        """The factor of a variable in a linear expression, of which a number is not a part."""
        if isinstance(self.head, int):
            return self.head
        if not self.parts:
            return 1 if self.head == name else 0
        factors = [part.coefficient(name) for part in self.parts]
        if self.head in _LINEAR:
            return _LINEAR[self.head](*factors)
        raise ValueError(f"cannot get stride of {name} because {self} contains an unsupported operand '{self.head}'")

    def over(self, env: Mapping[str, _Bounds]) -> Union[IndexRange, int]:
        """The range where variables have ranges."""
        if isinstance(self.head, int):
            return self.head
        if not self.parts:
            return _variable(self.head, env)
        found: Union[IndexRange, int] = _OPERATORS[self.head, len(self.parts)](*(part.over(env) for part in self.parts))
        return found

    def _level(self) -> int:
        if len(self.parts) < 2:
            return 4 - len(self.parts)
        return 1 if self.head in ("+", "-") else 2

    def __str__(self) -> str:
        if not self.parts:
            return str(self.head)
        if len(self.parts) == 1:
            return f"-{self._inside(self.parts[0], 3)}"
        lhs, rhs = self.parts
        level = self._level()
        return f"{self._inside(lhs, level)} {self.head} {self._inside(rhs, level + 1)}"

    def _inside(self, part: _Index, level: int) -> str:
        return str(part) if part._level() >= level else f"({part})"


_LINEAR: Dict[str, Callable[..., int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b=None: -a if b is None else a - b,
    "*": lambda a, b: a * b,
}
_OPERATORS: Dict[Tuple[str, int], Callable[..., Any]] = {
    ("+", 2): lambda a, b: a + b,
    ("-", 2): lambda a, b: a - b,
    ("*", 2): lambda a, b: a * b,
    ("/", 2): lambda a, b: a // b,
    ("%", 2): lambda a, b: a % b,
    ("-", 1): lambda a: -a,
}
_ZERO = _Index(0)


def _both(op: Callable[[int, int], int], a: Optional[int], b: Optional[int]) -> Optional[int]:
    return None if a is None or b is None else op(a, b)


@_dataclass
class IndexRange:
    """The values from ``base + lo`` to ``base + hi``; ``None`` is no bound. The base is what is not a number."""

    base: Any
    lo: Optional[int]
    hi: Optional[int]

    @staticmethod
    def create_unbounded() -> IndexRange:
        """All values."""
        return IndexRange(_ZERO, None, None)

    @staticmethod
    def create_int(x: int, y: Optional[int] = None) -> IndexRange:
        """One value."""
        return IndexRange(_ZERO, x, x if y is None else y)

    @staticmethod
    def create_constant_range(lo: Optional[int], hi: Optional[int]) -> IndexRange:
        """The values between two numbers, both included."""
        return IndexRange(_ZERO, lo, hi)

    def get_bounds(self) -> Tuple[str, str]:
        """Where the range begins and ends, as text: ``("y + 0", "y + 3")`` is ``y``, ``y + 1`` and ``y + 2``. Of a range
        between two numbers, the second is the greatest value."""
        if self.base == _ZERO:
            return ("-inf" if self.lo is None else str(self.lo), "inf" if self.hi is None else str(self.hi))
        lo = "-inf" if self.lo is None else f"{self.base} + {self.lo}"
        return (lo, "inf" if self.hi is None else f"{self.base} + {self.hi + 1}")

    def get_stride_of(self, idx: Any) -> int:
        """How far the range moves when a variable grows by one; a product or a sum of names decides, and nothing else may
        stand in the base."""
        return int(self.base.coefficient(str(idx)))

    def partial_eval_with_range(self, var: Any, rng: IndexRange) -> IndexRange:
        """The range where a variable of the base has itself a range."""
        factor = self.get_stride_of(var)
        if factor == 0:
            return self
        there = _range(self.base.over({str(var): (rng.lo, rng.hi)}))
        if rng.base == _ZERO:
            return there
        return there + IndexRange(_Index("*", (_Index(factor), rng.base)), 0, 0)

    def get_size(self) -> Optional[int]:
        """How many values there are."""
        return None if self.lo is None or self.hi is None else self.hi - self.lo + 1

    def __str__(self) -> str:
        lo = "-inf" if self.lo is None else self.lo
        return f"({self.base}, {lo}, {'inf' if self.hi is None else self.hi})"

    def __add__(self, other: Union[int, IndexRange]) -> IndexRange:
        if isinstance(other, int):
            other = IndexRange.create_int(other)
        if _ZERO in (self.base, other.base):
            base = other.base if self.base == _ZERO else self.base
        else:
            base = _Index("+", (self.base, other.base))
        add: Callable[[int, int], int] = lambda a, b: a + b
        return IndexRange(base, _both(add, self.lo, other.lo), _both(add, self.hi, other.hi))

    def __radd__(self, c: int) -> IndexRange:
        return self + c

    def __neg__(self) -> IndexRange:
        base = _ZERO if self.base == _ZERO else _Index("-", (self.base,))
        return IndexRange(base, None if self.hi is None else -self.hi, None if self.lo is None else -self.lo)

    def __sub__(self, other: Union[int, IndexRange]) -> IndexRange:
        return self + (-other)

    def __rsub__(self, c: int) -> IndexRange:
        return -self + c

    def __mul__(self, c: int) -> Union[IndexRange, int]:
        assert isinstance(c, int), "an index is multiplied by numbers"
        if c == 0:
            return 0
        base = _ZERO if self.base == _ZERO else _Index("*", (self.base, _Index(c)))
        lo, hi = (None if bound is None else bound * c for bound in (self.lo, self.hi))
        return IndexRange(base, lo, hi) if c > 0 else IndexRange(base, hi, lo)

    def __rmul__(self, c: int) -> Union[IndexRange, int]:
        return self * c

    def __floordiv__(self, c: int) -> IndexRange:
        assert isinstance(c, int), "an index is divided by numbers"
        if c == 0:
            raise ValueError("Cannot divide by 0.")
        if c < 0:
            return IndexRange.create_unbounded()
        lo, hi = (None if bound is None else bound // c for bound in (self.lo, self.hi))
        if self.base == _ZERO:
            return IndexRange(_ZERO, lo, hi)
        base = _Index("/", (self.base, _Index(c)))
        return IndexRange(base, None, None) if lo is None or hi is None else IndexRange(base, lo, hi + 1)

    def __mod__(self, c: int) -> IndexRange:
        assert isinstance(c, int), "an index is divided by numbers"
        if self.base == _ZERO and self.lo is not None and self.hi is not None and self.lo // c == self.hi // c:
            return IndexRange(_ZERO, self.lo % c, self.hi % c)
        return IndexRange(_ZERO, 0, c - 1)

    def __or__(self, other: IndexRange) -> IndexRange:
        """The least range that has both; everything, where their bases are written differently. No bound gives way to the
        other's."""
        if self.base != other.base:
            return IndexRange.create_unbounded()
        los = [bound for bound in (self.lo, other.lo) if bound is not None]
        his = [bound for bound in (self.hi, other.hi) if bound is not None]
        return IndexRange(self.base, min(los, default=None), max(his, default=None))


def _range(value: Union[IndexRange, int]) -> IndexRange:
    return IndexRange.create_int(value) if isinstance(value, int) else value


def _variable(name: str, env: Mapping[str, _Bounds]) -> IndexRange:
    return IndexRange(_ZERO, *env[name]) if name in env else IndexRange(_Index(name), 0, 0)


def index_range_analysis(expr: Any, env: Mapping[str, _Bounds]) -> Union[IndexRange, int]:
    """The range of an index, where ``env`` has those of variables: a number where that is all it is. Other names are part
    of the base."""
    assert isinstance(expr, ExprCursor), "an expression is analysed"
    if isinstance(expr, ReadCursor):
        return _variable(expr.name(), env)
    if isinstance(expr, LiteralCursor):
        return int(expr.value())
    if isinstance(expr, UnaryMinusCursor):
        return -index_range_analysis(expr.arg(), env)
    if not isinstance(expr, BinaryOpCursor) or (expr.op(), 2) not in _OPERATORS:
        raise AssertionError("invalid expr in index expression")
    lhs, rhs = index_range_analysis(expr.lhs(), env), index_range_analysis(expr.rhs(), env)
    found: Union[IndexRange, int] = _OPERATORS[expr.op(), 2](lhs, rhs)
    return found


def constant_bound(expr: Any, env: Mapping[str, _Bounds]) -> _Bounds:
    """An expression's bounds, both included, where it is a number; otherwise nothing is known of either."""
    value = expr if isinstance(expr, int) else index_range_analysis(expr, env)
    return (value, value) if isinstance(value, int) else (None, None)


def infer_range(idx_expr: Any, scope: Any) -> IndexRange:
    """The range of an index over the loops between it and a place around it, which itself does not count."""
    assert isinstance(idx_expr, Cursor) and isinstance(scope, Cursor), "both are cursors"
    env: Dict[str, _Bounds] = {}
    for loop in list(get_parents(idx_expr.proc(), idx_expr, up_to=scope))[:-1]:
        if isinstance(loop, ForCursor):
            hi = constant_bound(loop.hi(), env)[1]
            env[loop.name()] = (constant_bound(loop.lo(), env)[0], None if hi is None else hi - 1)
    return _range(index_range_analysis(idx_expr, env))


def bounds_inference(loop: Any, buffer_name: str, buffer_dim: int, include: Sequence[str] = ("W",)) -> Any:
    """The range of a dimension's index over all reads (``"R"``) or assignments (``"W"``) of a buffer in one iteration of a
    loop."""
    accesses: List[Any] = []
    if "R" in include:
        accesses += loop.find(f"{buffer_name}[_]", many=True)
    if "W" in include:
        accesses += loop.find(f"{buffer_name}[_] = _", many=True)
    bound: Optional[IndexRange] = None
    for access in accesses:
        found = infer_range(access.idx()[buffer_dim], loop)
        bound = found if bound is None else bound | found
    return bound
