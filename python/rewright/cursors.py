"""Cursors: references into a version of a procedure. ASPLOS'25 section 5; the classes have Exo's names.

A move in space (``parent``, ``next``, ``body``, …) stays in the version; ``Procedure.forward`` takes a cursor to a later
one. Where a move leads nowhere that can be meant, at the top, at the end of a block, to an ``else`` that is not there, what
comes of it is an ``InvalidCursor``, which is false.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence, Tuple, Type, Union, overload

from . import _cursor_parts as _parts
from ._errors import InvalidCursorError
from ._names import Config, ExoType, Memory

if TYPE_CHECKING:
    from .procedure import Procedure

__all__ = [
    "AllocCursor",
    "ArgCursor",
    "AssignConfigCursor",
    "AssignCursor",
    "BinaryOpCursor",
    "BlockCursor",
    "CallCursor",
    "Cursor",
    "ExprCursor",
    "ExternFunctionCursor",
    "ForCursor",
    "GapCursor",
    "IfCursor",
    "InvalidCursor",
    "LiteralCursor",
    "NotCursor",
    "PassCursor",
    "ReadConfigCursor",
    "ReadCursor",
    "ReduceCursor",
    "StmtCursor",
    "StrideExprCursor",
    "UnaryMinusCursor",
    "WindowExprCursor",
    "WindowStmtCursor",
]


class Cursor:
    """A version of a procedure, and a place in it."""

    __slots__ = ("_raw",)
    _raw: Any

    def __init__(self, raw: Any) -> None:
        from . import _rewright

        if raw is not None and not isinstance(raw, _rewright.Cursor):
            raise TypeError("cursors come of `find` and of moves")
        self._raw = raw

    def proc(self) -> Procedure:
        """The procedure, at the version that this points into."""
        from .procedure import Procedure

        return Procedure(self._raw.proc())

    def parent(self) -> Cursor:
        """The statement around this; of an expression, the expression or statement of which it is a part."""
        return self._or_invalid("parent")

    def find(self, pattern: str, many: bool = False) -> Any:
        """The first place in this, itself included, that a pattern describes; with ``many``, a list of all."""
        if many:
            return self.find_all(pattern)
        return wrap(self._raw.find(pattern))

    def find_all(self, pattern: str) -> List[Cursor]:
        """Every place in this, itself included, that a pattern describes."""
        return [wrap(raw) for raw in self._raw.find_all(pattern)]

    def find_loop(self, pattern: str) -> ForCursor:
        """The first loop in this, itself included: ``"i"``, ``"i #1"``."""
        found = wrap(self._raw.find_loop(pattern))
        assert isinstance(found, ForCursor)
        return found

    def children(self) -> List[Cursor]:
        """What this is made of: expressions first, then statements."""
        return [wrap(raw) for raw in self._raw.children()]

    def is_ancestor_of(self, other: Cursor) -> bool:
        """Whether the other is this, or a part of it."""
        if not isinstance(other, Cursor):
            raise TypeError(f"a cursor is asked about, not {type(other).__name__}")
        return other._raw is not None and bool(self._raw.is_ancestor_of(other._raw))

    def text(self) -> str:
        """What stands there in the printed procedure."""
        return str(self._raw.text())

    def place(self) -> str:
        """Where it is: ``body[0].body[1]``. Derivations write places like this."""
        return str(self._raw.place())

    def _move(self, name: str) -> Any:
        return wrap(self._raw.move(name))

    def _list(self, raws: Sequence[Any]) -> List[Cursor]:
        return [wrap(raw) for raw in raws]

    def _or_invalid(self, name: str) -> Cursor:
        try:
            return wrap(self._raw.move(name))
        except InvalidCursorError as e:
            return InvalidCursor(str(e))

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cursor):
            return NotImplemented
        return self._raw is not None and bool(self._raw == other._raw)

    def __hash__(self) -> int:
        return hash(self._raw)

    def __str__(self) -> str:
        return str(self._raw)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._raw.describe()}>"


class InvalidCursor(Cursor):
    """Where a move led nowhere. It is false, and every further move of it is an ``InvalidCursorError``."""

    __slots__ = ("_why",)
    _why: str

    def __init__(self, why: str = "the cursor points at nothing") -> None:
        object.__setattr__(self, "_why", why)

    def __getattribute__(self, name: str) -> Any:
        if name == "_raw":
            return None
        if name.startswith("_") or name in ("is_ancestor_of",):
            return object.__getattribute__(self, name)
        raise InvalidCursorError(self._why)

    def is_ancestor_of(self, other: Cursor) -> bool:
        """It is not."""
        return False

    def __bool__(self) -> bool:
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, InvalidCursor)

    def __hash__(self) -> int:
        return 0

    def __str__(self) -> str:
        return self._why

    def __repr__(self) -> str:
        return f"<InvalidCursor: {self._why}>"


class ArgCursor(Cursor, _parts.Named, _parts.Dimensioned):
    """A formal argument."""

    __slots__ = ()

    def type(self) -> Optional[ExoType]:
        """The type of a cell, or of the control value."""
        return _typ(self._raw)

    def mem(self) -> Memory:
        """The memory that it lives in."""
        return Memory(self._raw.mem())

    def shape(self) -> List[str]:
        """The extents, as text."""
        rows = {row[0]: row[2] for row in self._raw.proc().signature()}
        extents = rows.get(self.name())
        if extents is None:
            raise InvalidCursorError(f"`{self.name()}` has no shape")
        return list(extents)


class StmtCursor(Cursor):
    """A statement."""

    __slots__ = ()

    def next(self, dist: int = 1) -> Cursor:
        """The statement so many further in the block."""
        return self._along(dist)

    def prev(self, dist: int = 1) -> Cursor:
        """The statement so many before in the block."""
        return self._along(-dist)

    def _along(self, by: int) -> Cursor:
        try:
            return wrap(self._raw.along(by))
        except InvalidCursorError as e:
            return InvalidCursor(str(e))

    def before(self) -> GapCursor:
        """The gap before it."""
        found: GapCursor = self._move("before")
        return found

    def after(self) -> GapCursor:
        """The gap after it."""
        found: GapCursor = self._move("after")
        return found

    def as_block(self) -> BlockCursor:
        """A run of this statement alone."""
        found: BlockCursor = self._move("as_block")
        return found

    def expand(self, delta_lo: Optional[int] = None, delta_hi: Optional[int] = None) -> BlockCursor:
        """The run with so many more statements before and after; ``None`` is all there are."""
        return _block(self._raw.expand(delta_lo, delta_hi))


class BlockCursor(Cursor):
    """A run of statements: a sequence of cursors to them."""

    __slots__ = ()

    def before(self) -> GapCursor:
        """The gap before the first."""
        found: GapCursor = self._move("before")
        return found

    def after(self) -> GapCursor:
        """The gap after the last."""
        found: GapCursor = self._move("after")
        return found

    def as_block(self) -> BlockCursor:
        """Itself."""
        return self

    def expand(self, delta_lo: Optional[int] = None, delta_hi: Optional[int] = None) -> BlockCursor:
        """The run with so many more statements before and after; ``None`` is all there are."""
        return _block(self._raw.expand(delta_lo, delta_hi))

    def __iter__(self) -> Iterator[Cursor]:
        return iter([wrap(raw) for raw in self._raw.stmts()])

    def __len__(self) -> int:
        return len(self._raw.stmts())

    @overload
    def __getitem__(self, at: int) -> Cursor: ...

    @overload
    def __getitem__(self, at: slice) -> BlockCursor: ...

    def __getitem__(self, at: Union[int, slice]) -> Cursor:
        if isinstance(at, slice):
            if at.step not in (None, 1):
                raise TypeError("a run has no steps")
            return _block(self._raw.slice(at.start, at.stop))
        return wrap(self._raw.stmts()[at])


class GapCursor(Cursor):
    """A place between statements; it moves with the statement that it is anchored to."""

    __slots__ = ()

    def anchor(self) -> Cursor:
        """The statement that it moves with."""
        return wrap(self._raw.move("anchor"))


class ForCursor(StmtCursor, _parts.Named, _parts.Bounded["ExprCursor"], _parts.Bodied["BlockCursor"]):
    """``for i in seq(lo, hi): …``"""

    __slots__ = ()

    def is_parallel(self) -> bool:
        """Whether its iterations may run side by side."""
        return bool(self._raw.is_parallel())


class IfCursor(StmtCursor, _parts.Conditional["ExprCursor"], _parts.Bodied["BlockCursor"]):
    """``if cond: … else: …``"""

    __slots__ = ()

    def orelse(self) -> Cursor:
        """The statements of the ``else``; an ``InvalidCursor`` where there is none."""
        return self._or_invalid("orelse")


class _Write(StmtCursor, _parts.Named, _parts.Indexed["List[Cursor]"], _parts.Valued["ExprCursor"]):
    __slots__ = ()

    def type(self) -> Optional[ExoType]:
        """The type of the cell."""
        return _typ(self._raw)


class AssignCursor(_Write):
    """``x[i] = e``"""

    __slots__ = ()


class ReduceCursor(_Write):
    """``x[i] += e``"""

    __slots__ = ()


class AssignConfigCursor(StmtCursor, _parts.Fielded, _parts.Valued["ExprCursor"]):
    """``Cfg.field = e``"""

    __slots__ = ()

    def config(self) -> Config:
        """The class."""
        return Config(self._raw.config())


class PassCursor(StmtCursor):
    """``pass``"""

    __slots__ = ()


class AllocCursor(StmtCursor, _parts.Named, _parts.Dimensioned):
    """``x: f32[n]``"""

    __slots__ = ()

    def mem(self) -> Memory:
        """The memory that it lives in."""
        return Memory(self._raw.mem())

    def shape(self) -> List[Cursor]:
        """The extents."""
        return [wrap(raw) for raw in self._raw.shape()]

    def type(self) -> Optional[ExoType]:
        """The type of a cell."""
        return _typ(self._raw)


class CallCursor(StmtCursor, _parts.Called["List[Cursor]"]):
    """``p(e, …)``"""

    __slots__ = ()

    def name(self) -> str:
        """The name of the procedure that is called."""
        return str(self._raw.name())

    def subproc(self) -> Procedure:
        """The procedure that is called, without its history."""
        from .procedure import Procedure

        return Procedure(self._raw.subproc())


class WindowStmtCursor(StmtCursor, _parts.Named):
    """``y = x[0:4]``"""

    __slots__ = ()

    def coords(self) -> List[Tuple[Cursor, Optional[Cursor]]]:
        """The coordinates: a point and nothing, or where an interval begins and ends."""
        return _coords(self._raw)


class ExprCursor(Cursor):
    """An expression."""

    __slots__ = ()

    def type(self) -> Optional[ExoType]:
        """The type; ``None`` for a literal of data, and for what mixes precisions."""
        return _typ(self._raw)


class ReadCursor(ExprCursor, _parts.Named, _parts.Indexed["List[Cursor]"]):
    """``x``, ``x[i]``"""

    __slots__ = ()


class ReadConfigCursor(ExprCursor, _parts.Fielded):
    """``Cfg.field``"""

    __slots__ = ()

    def config(self) -> Config:
        """The class."""
        return Config(self._raw.config())


class LiteralCursor(ExprCursor, _parts.Literal):
    """A number or a truth value."""

    __slots__ = ()


class UnaryMinusCursor(ExprCursor, _parts.Unary["ExprCursor"]):
    """``-e``"""

    __slots__ = ()


class NotCursor(ExprCursor, _parts.Unary["ExprCursor"]):
    """``not e``"""

    __slots__ = ()


class BinaryOpCursor(ExprCursor, _parts.Binary["ExprCursor"]):
    """``e op e``"""

    __slots__ = ()


class ExternFunctionCursor(ExprCursor, _parts.Named, _parts.Called["List[Cursor]"]):
    """``sin(e)``"""

    __slots__ = ()


class WindowExprCursor(ExprCursor, _parts.Named):
    """``x[0:4]``, as an argument."""

    __slots__ = ()

    def coords(self) -> List[Tuple[Cursor, Optional[Cursor]]]:
        """The coordinates: a point and nothing, or where an interval begins and ends."""
        return _coords(self._raw)


class StrideExprCursor(ExprCursor, _parts.Named, _parts.Stride):
    """``stride(x, 0)``"""

    __slots__ = ()


_CLASSES: Dict[str, Type[Cursor]] = {
    "For": ForCursor,
    "If": IfCursor,
    "Assign": AssignCursor,
    "Reduce": ReduceCursor,
    "WriteConfig": AssignConfigCursor,
    "Pass": PassCursor,
    "Alloc": AllocCursor,
    "WindowStmt": WindowStmtCursor,
    "Call": CallCursor,
    "Block": BlockCursor,
    "Gap": GapCursor,
    "Arg": ArgCursor,
    "Read": ReadCursor,
    "Window": WindowExprCursor,
    "Literal": LiteralCursor,
    "Negation": UnaryMinusCursor,
    "Not": NotCursor,
    "Binary": BinaryOpCursor,
    "Extern": ExternFunctionCursor,
    "Stride": StrideExprCursor,
    "ReadConfig": ReadConfigCursor,
}


def wrap(raw: Any) -> Cursor:
    """The cursor of a handle, in the class of what it points at."""
    return _CLASSES[raw.kind()](raw)


def _block(raw: Any) -> BlockCursor:
    found = wrap(raw)
    assert isinstance(found, BlockCursor)
    return found


def _typ(raw: Any) -> Optional[ExoType]:
    word = raw.typ()
    return None if word is None else ExoType(word)


def _coords(raw: Any) -> List[Tuple[Cursor, Optional[Cursor]]]:
    return [(wrap(lo), None if hi is None else wrap(hi)) for lo, hi in raw.coords()]
