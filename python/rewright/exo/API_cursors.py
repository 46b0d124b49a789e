"""``exo.API_cursors``: cursors under Exo's names, with Exo's behaviour.

What differs from ``rewright.cursors``: a move that leads nowhere gives an ``InvalidCursor`` whose ``parent`` is itself, lists
of expressions are cursors, a pattern that matches nothing is a ``SchedulingError``, and cursors of one place of equal
procedures are equal.
"""

from __future__ import annotations

import ast
import re
from enum import Enum
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, NoReturn, Optional, Sequence, Tuple, Type, Union

from .. import _cursor_parts as _parts
from .. import _rewright
from .._errors import InvalidCursorError, SchedulingError
from ._absent import absent
from .API_types import ExoType
from .frontend.pattern_match import malformed

if TYPE_CHECKING:
    from .API import Procedure

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
    "ExprCursorPrototype",
    "ExprListCursor",
    "ExternFunctionCursor",
    "ForCursor",
    "GapCursor",
    "IfCursor",
    "InvalidCursor",
    "InvalidCursorError",
    "LiteralCursor",
    "PassCursor",
    "ReadConfigCursor",
    "ReadCursor",
    "ReduceCursor",
    "StmtCursor",
    "StmtCursorPrototype",
    "StrideExprCursor",
    "UnaryMinusCursor",
    "WindowExprCursor",
    "WindowStmtCursor",
]

__getattr__ = absent(__name__)


class GapType(Enum):
    """On which side of its anchor a gap is."""

    Before = 0
    After = 1


class Cursor:
    """A procedure, and a place in it."""

    __slots__ = ("_proc", "_raw")
    _raw: Any
    _proc: Any

    def __init__(self, raw: Any, proc: Any) -> None:
        if not isinstance(raw, _rewright.Cursor):
            raise TypeError("cursors come of procedures and of other cursors, they are not constructed")
        self._raw = raw
        self._proc = proc

    def __deepcopy__(self, memo: Any) -> Cursor:
        # Places of a version never change.
        return self

    def proc(self) -> Procedure:
        """The procedure that this points into."""
        found: Procedure = self._proc
        return found

    def parent(self) -> Any:
        """What this is a part of; at the top of a procedure, an ``InvalidCursor``."""
        above = self._raw.up()
        return InvalidCursor() if above is None else lift(above, self._proc)

    def find(self, pattern: str, many: bool = False, call_depth: int = 1) -> Any:
        """The first place in this that a pattern describes; with ``many``, a list of all. Where there is none, that is a
        ``SchedulingError``."""
        return find(self._raw, self._proc, pattern, many)

    def _is_ancestor_of(self, other: Any) -> bool:
        """By their places alone, whatever version each is of, as Exo has it. A gap is at its anchor, a block in what is around it."""
        if isinstance(other, (GapCursor, BlockCursor)):
            other = other.anchor() if isinstance(other, GapCursor) else other.parent()
        if not other:
            return False
        own, place = self._raw.place(), other._raw.place()
        return bool(place == own or place.startswith((own + ".", own + " ")))

    def _move(self, name: str) -> Any:
        return lift(self._raw.move(name), self._proc)

    def _list(self, raws: Sequence[Any]) -> ExprListCursor:
        return ExprListCursor([lift(raw, self._proc) for raw in raws], self._proc)

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cursor) or type(other) is not type(self):
            return False
        if self._raw == other._raw:
            return True
        return bool(self._raw.place() == other._raw.place() and self._proc == other._proc)

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._raw.place()))

    def __str__(self) -> str:
        return _shown(self._raw.nested())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._raw.describe()}>"


class InvalidCursor(Cursor):
    """Where a move led nowhere; it is false."""

    __slots__ = ()

    def __init__(self) -> None:
        self._raw = None
        self._proc = None

    def proc(self) -> NoReturn:
        """There is none: an ``InvalidCursorError``."""
        raise InvalidCursorError("Cannot get the Procedure of an invalid cursor")

    def parent(self) -> InvalidCursor:
        """Itself."""
        return self

    def find(self, pattern: str, many: bool = False, call_depth: int = 1) -> NoReturn:
        """There is nothing in it: an ``InvalidCursorError``."""
        if not isinstance(pattern, str):
            raise TypeError("expected a pattern string")
        raise InvalidCursorError("Cannot get the Procedure of an invalid cursor: there is nothing in it")

    def __bool__(self) -> bool:
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, InvalidCursor)

    def __hash__(self) -> int:
        return 0

    def __str__(self) -> str:
        raise InvalidCursorError("Trying to print the Invalid Cursor!")

    def __repr__(self) -> str:
        return "<InvalidCursor>"


class ListCursorPrototype(Cursor):
    """A sequence of cursors."""

    __slots__ = ()

    def _items(self) -> List[Any]:
        raise NotImplementedError

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items())

    def __getitem__(self, at: Any) -> Any:
        return self._items()[at]

    def __len__(self) -> int:
        return len(self._items())


class _Given(ListCursorPrototype):
    """A sequence that is held, since no place of the syntax is one."""

    __slots__ = ("_held",)
    _held: List[Any]

    def __init__(self, held: Sequence[Any], proc: Any) -> None:
        self._held = list(held)
        self._raw = self._held[0]._raw if self._held else None
        self._proc = proc

    def _items(self) -> List[Any]:
        return self._held

    def parent(self) -> Any:
        """What they are parts of."""
        return self._held[0].parent() if self._held else InvalidCursor()

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return type(self)(self._held[at], self._proc)
        return self._held[at]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._held == getattr(other, "_held", None)

    def __hash__(self) -> int:
        return hash(tuple(self._held))

    def __str__(self) -> str:
        return ", ".join(str(item) for item in self._held)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._held!r}>"


class ExprListCursor(_Given):
    """Expressions side by side: indices, arguments, extents."""

    __slots__ = ()


class ArgListCursor(_Given):
    """The arguments of a procedure."""

    __slots__ = ()


class ArgCursor(Cursor, _parts.Named, _parts.Dimensioned):
    """A formal argument."""

    __slots__ = ()

    def mem(self) -> Any:
        """The memory that it lives in: a class. That of a truth value or a stride is ``DRAM``; an integer has none."""
        typ = self.type()
        assert typ not in (ExoType.Index, ExoType.Size, ExoType.Int), f"`{self.name()}` is no buffer, and in no memory"
        if typ.is_numeric():
            return _memory(self._raw.mem())
        from .core.memory import DRAM

        return DRAM

    def shape(self) -> ExprListCursor:
        """The extents."""
        assert self.is_tensor(), f"`{self.name()}` has no shape"
        from ._extents import of_argument

        return ExprListCursor(of_argument(self), self._proc)

    def type(self) -> ExoType:
        """The type of a cell, or of the value."""
        return _typ(self._raw)


class StmtCursorPrototype(Cursor):
    """A statement, a block, or a gap."""

    __slots__ = ()


class StmtCursor(StmtCursorPrototype):
    """A statement."""

    __slots__ = ()

    def before(self) -> GapCursor:
        """The gap before it."""
        found: GapCursor = self._move("before")
        return found

    def after(self) -> GapCursor:
        """The gap after it."""
        found: GapCursor = self._move("after")
        return found

    def prev(self, dist: int = 1) -> Any:
        """The statement so many before; an ``InvalidCursor`` where there is none."""
        return self._along(-dist)

    def next(self, dist: int = 1) -> Any:
        """The statement so many further; an ``InvalidCursor`` where there is none."""
        return self._along(dist)

    def _along(self, by: int) -> Any:
        try:
            found = self._raw.beside(by)
        except OverflowError:
            return InvalidCursor()
        return InvalidCursor() if found is None else lift(found, self._proc)

    def as_block(self) -> BlockCursor:
        """The block of this statement alone."""
        found: BlockCursor = self._move("as_block")
        return found

    def expand(self, delta_lo: Optional[int] = None, delta_hi: Optional[int] = None) -> BlockCursor:
        """The block with so many more statements before and after; ``None`` is all there are."""
        return self.as_block().expand(delta_lo, delta_hi)

    def is_ancestor_of(self, other: Cursor) -> bool:
        """Whether the other is at this place, or at one inside it."""
        if not isinstance(other, Cursor):
            raise TypeError(f"expected a cursor, not {type(other).__name__}")
        return self._is_ancestor_of(other)


class BlockCursor(StmtCursorPrototype, ListCursorPrototype):
    """Statements one after the other."""

    __slots__ = ()

    def _items(self) -> List[Any]:
        return [lift(raw, self._proc) for raw in self._raw.stmts()]

    def __len__(self) -> int:
        return len(self._raw.stmts())

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            if at.step not in (None, 1):
                raise IndexError("block cursors must be contiguous: a block has no steps")
            return lift(self._raw.slice(at.start, at.stop), self._proc)
        return lift(self._raw.stmts()[at], self._proc)

    def as_block(self) -> BlockCursor:
        """Itself."""
        return self

    def expand(self, delta_lo: Optional[int] = None, delta_hi: Optional[int] = None) -> BlockCursor:
        """The block with so many more statements before and after; ``None`` is all there are."""
        if delta_lo is not None and delta_lo < 0:
            raise ValueError("delta_lo must be non-negative")
        if delta_hi is not None and delta_hi < 0:
            raise ValueError("delta_hi must be non-negative")
        # More than there are is all there are.
        most = [delta if delta is None or delta < 1 << 32 else None for delta in (delta_lo, delta_hi)]
        found: BlockCursor = lift(self._raw.expand(*most), self._proc)
        return found

    def anchor(self) -> Any:
        """The statement around it."""
        return self.parent()

    def before(self) -> GapCursor:
        """The gap before the first."""
        found: GapCursor = self._move("before")
        return found

    def after(self) -> GapCursor:
        """The gap after the last."""
        found: GapCursor = self._move("after")
        return found


class GapCursor(StmtCursorPrototype):
    """A place between statements; it moves with the statement that it is anchored to."""

    __slots__ = ()

    def anchor(self) -> StmtCursor:
        """The statement that it moves with."""
        found: StmtCursor = self._move("anchor")
        return found

    def __str__(self) -> str:
        mark = f"[GAP - {self.type().name}]"
        return re.sub(r"# <-- GAP", mark, super().__str__())

    def type(self) -> GapType:
        """On which side of the anchor it is."""
        return GapType.Before if self.anchor().before() == self else GapType.After


class ExprCursorPrototype(Cursor):
    """An expression, or a list of them."""

    __slots__ = ()


class ExprCursor(ExprCursorPrototype):
    """An expression."""

    __slots__ = ()

    def type(self) -> ExoType:
        """The type. That of an operation on data is the type of what stands first in it; of one on integers, a size where no
        operand is an index."""
        found = self._own_type()
        operands = self._operands()
        if found is ExoType.Index and operands:
            return of_integers(operands)
        return operands[0].type() if found.is_numeric() and operands else found

    def _own_type(self) -> ExoType:
        """The type that its value has in Rewright: of data, that of the cells that it is made of."""
        return _typ(self._raw)

    def parent(self) -> Any:
        """What it is a part of: in the window of a window statement, that window."""
        above = super().parent()
        return above.winexpr() if isinstance(above, WindowStmtCursor) else above

    def _operands(self) -> List[Any]:
        return []


def of_integers(operands: Sequence[Any]) -> ExoType:
    """The type of an operation on these integers."""
    types = {operand.type() for operand in operands}
    return next((t for t in (ExoType.Index, ExoType.Size) if t in types), ExoType.Int)


class _Cell(StmtCursor, _parts.Named, _parts.Indexed["ExprListCursor"], _parts.Valued["ExprCursor"]):
    __slots__ = ()


class AssignCursor(_Cell):
    """``x[i] = e``"""

    __slots__ = ()

    def type(self) -> ExoType:
        """The type of the cell."""
        return _typ(self._raw)


class ReduceCursor(_Cell):
    """``x[i] += e``"""

    __slots__ = ()


class AssignConfigCursor(StmtCursor, _parts.Fielded, _parts.Valued["ExprCursor"]):
    """``Cfg.field = e``"""

    __slots__ = ()

    def config(self) -> Any:
        """The configuration."""
        return _config(self._raw.config())


class PassCursor(StmtCursor):
    """``pass``"""

    __slots__ = ()


class IfCursor(StmtCursor, _parts.Conditional["ExprCursor"], _parts.Bodied["BlockCursor"]):
    """``if cond: … else: …``"""

    __slots__ = ()

    def orelse(self) -> Any:
        """The statements of the ``else``; an ``InvalidCursor`` where there is none."""
        try:
            return self._move("orelse")
        except InvalidCursorError:
            return InvalidCursor()


class ForCursor(StmtCursor, _parts.Named, _parts.Bounded["ExprCursor"], _parts.Bodied["BlockCursor"]):
    """``for i in seq(lo, hi): …``"""

    __slots__ = ()


class AllocCursor(StmtCursor, _parts.Named, _parts.Dimensioned):
    """``x: f32[n] @ mem``"""

    __slots__ = ()

    def mem(self) -> Any:
        """The memory that it lives in: a class."""
        return _memory(self._raw.mem())

    def shape(self) -> ExprListCursor:
        """The extents."""
        assert self.is_tensor(), f"`{self.name()}` has no shape"
        return self._list(self._raw.shape())

    def type(self) -> ExoType:
        """The type of a cell."""
        return _typ(self._raw)


class CallCursor(StmtCursor, _parts.Called["ExprListCursor"]):
    """``p(e, …)``"""

    __slots__ = ()

    def subproc(self) -> Procedure:
        """The procedure that is called."""
        from .API import Procedure

        return Procedure(self._raw.subproc())


class WindowStmtCursor(StmtCursor, _parts.Named):
    """``y = x[0:4]``"""

    __slots__ = ()

    def winexpr(self) -> WindowExprCursor:
        """The window itself."""
        return WindowExprCursor(self._raw, self._proc)


class ReadCursor(ExprCursor, _parts.Named, _parts.Indexed["ExprListCursor"]):
    """``x``, ``x[i]``"""

    __slots__ = ()


class ReadConfigCursor(ExprCursor, _parts.Fielded):
    """``Cfg.field``"""

    __slots__ = ()

    def config(self) -> Any:
        """The configuration."""
        return _config(self._raw.config())


class LiteralCursor(ExprCursor, _parts.Literal):
    """A number or a truth value."""

    __slots__ = ()


class UnaryMinusCursor(ExprCursor, _parts.Unary["ExprCursor"]):
    """``-e``"""

    __slots__ = ()

    def _operands(self) -> List[Any]:
        return [self.arg()]


class NotCursor(UnaryMinusCursor):
    """``not e``, which Exo's language lacks."""

    __slots__ = ()


class BinaryOpCursor(ExprCursor, _parts.Binary["ExprCursor"]):
    """``e op e``"""

    __slots__ = ()

    def _operands(self) -> List[Any]:
        return [self.lhs(), self.rhs()]


class ExternFunctionCursor(ExprCursor, _parts.Named, _parts.Called["ExprListCursor"]):
    """``sin(e)``"""

    __slots__ = ()

    def type(self) -> ExoType:
        """What the ``typecheck`` of the function gives for these arguments."""
        from .core.extern import type_of_call

        word = type_of_call(self.name(), [str(arg.type().value) for arg in self.args()])
        return super().type() if word is None else ExoType.of_word(word)

    def _operands(self) -> List[Any]:
        return list(self.args())


class WindowExprCursor(ExprCursor):
    """``x[0:4, j]``, as an argument or the right-hand side of a window statement, whose place is this one's, too."""

    __slots__ = ()

    def parent(self) -> Any:
        """The statement that it stands in."""
        return lift(self._raw, self._proc) if self._is_statement() else super().parent()

    def _is_statement(self) -> bool:
        return bool(self._raw.kind() == "WindowStmt")

    def name(self) -> str:
        """The buffer."""
        if self._is_statement():
            text = str(self._raw.text())
            return text[text.index("=") + 1 : text.index("[")].strip()
        return str(self._raw.name())

    def idx(self) -> List[Union[ExprCursor, Tuple[ExprCursor, ExprCursor]]]:
        """The coordinates: an expression, or where an interval begins and ends."""
        out: List[Any] = []
        for lo, hi in self._raw.coords():
            first = lift(lo, self._proc)
            out.append(first if hi is None else (first, lift(hi, self._proc)))
        return out


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


#: A handle need not be looked at as `Cursor.__init__` does, and there are many cursors.
_new = object.__new__


def lift(raw: Any, proc: Any) -> Any:
    """The cursor of a handle, in the class of what it points at."""
    made: Any = _new(_CLASSES[raw.kind()])
    made._raw = raw
    made._proc = proc
    return made


#: A comment of Python's, which the number of a match is not.
#: An access whose indices may be any, and its number.
_ACCESS = re.compile(r"^\s*(\w+)\s*\[\s*_\s*\]\s*(?:#\s*(\d+))?\s*$")
#: One step of a place.
_STEP = re.compile(r"(body|orelse)\[(\d+)")
_COMMENT = re.compile(r"#(?!\d+\s*$)[^\n]*")

#: Which iterations a pattern speaks of: side by side or not is one to it.
_BOUNDS = re.compile(r"\bin\s+(?:par|seq)\s*\(")
_ANY_BOUNDS = re.compile(r"\bin\s+(?:par|seq)\s*\(\s*_\s*,\s*_\s*\)")

#: A whole number with a point, which is one with that value to a pattern, data or not.
_WHOLE = re.compile(r"(?<![\w.])(\d+)\.0*(?![\w.])")

#: Which of the matches.
_NUMBER = re.compile(r"#(\d+)\s*$")

#: Patterns of which Exo compares the name, how they are written with the name alone, and what they find.
_NAMED_FORMS = [
    (re.compile(r"\s*(\w+)\s*\([^#]*\)\s*(#\s*\d+)?\s*$"), "{}(_)", "Call"),
    (re.compile(r"\s*(\w+\.\w+)\s*=[^=#][^#]*(#\s*\d+)?\s*$"), "{} = _", "WriteConfig"),
    (re.compile(r"\s*(\w+)\s*:[^#\[]*(#\s*\d+)?\s*$"), "{}: _", "Alloc"),
]

#: Those of an allocation with extents, which are compared as far as there are some on both sides.
_TENSOR = re.compile(r"\s*(\w+)\s*:\s*\w+\s*\[([^#]*)\]\s*(?:#\s*(\d+))?\s*$")

#: What the place of an extent of an allocation has.
_EXTENT = "extent["


def find(scope: Any, proc: Any, pattern: str, many: bool, call_depth: int = 1) -> Any:
    """Where a pattern matches in a procedure, or in what a cursor points at."""
    if not isinstance(pattern, str):
        raise TypeError("expected a pattern string")
    try:
        found = _matches(scope, pattern, many)
    except InvalidCursorError as e:
        found = _by_name(scope, pattern, many)
        if not found:
            raise _unmatched(str(e), pattern) from None
    if not found:
        raise _unmatched("nothing matches", pattern)
    of_window = _ACCESS.match(pattern) is not None
    cursors = [WindowExprCursor(raw, proc) if of_window and raw.kind() == "WindowStmt" else lift(raw, proc) for raw in found]
    cursors = [c[0] if isinstance(c, BlockCursor) and len(c) == 1 else c for c in cursors]
    return cursors if many else cursors[0]


def _matches(scope: Any, pattern: str, many: bool) -> List[Any]:
    text = _COMMENT.sub("", pattern) if "#" in pattern else pattern
    text = _WHOLE.sub(r"\1", text) if "." in text else text
    if "par" in text or "seq" in text:
        text = _ANY_BOUNDS.sub("in _", text)
        try:
            return _found(scope, _BOUNDS.sub("in seq(", text), many)
        except InvalidCursorError:
            return _found(scope, _BOUNDS.sub("in par(", text), many)
    access = _ACCESS.match(text)
    windows = _window_statements(scope, access[1]) if access else []
    return _with_windows(scope, access, windows, many) if access and windows else _found(scope, text, many)


def _by_name(scope: Any, pattern: str, many: bool) -> List[Any]:
    """What a pattern of a call, of an allocation or of a write of a field matches by its name alone, which is what Exo asks of
    these."""
    for form, loose, kind in _NAMED_FORMS:
        named = form.match(pattern)
        if named is not None:
            try:
                found = _matches(scope, f"{loose.format(named[1])}{named[2] or ''}", many)
            except InvalidCursorError:
                return []
            return found if all(raw.kind() == kind for raw in found) else []
    tensor = _TENSOR.match(pattern)
    return [] if tensor is None else _by_extents(scope, tensor, many)


def _by_extents(scope: Any, tensor: Any, many: bool) -> List[Any]:
    """Allocations by their names and extents, whatever their cells are."""
    try:
        wanted = ast.parse(f"[{tensor[2]}]", mode="eval").body
        declared = [raw for raw in _found(scope, f"{tensor[1]}: _", True) if raw.kind() == "Alloc"]
    except (SyntaxError, InvalidCursorError):
        return []

    def same(pattern: ast.expr, extent: Any) -> bool:
        return ast.unparse(pattern) == "_" or ast.dump(pattern) == ast.dump(ast.parse(str(extent.text()), mode="eval").body)

    extents = getattr(wanted, "elts")
    found = [raw for raw in declared if not raw.is_tensor() or all(map(same, extents, raw.shape()))]
    if tensor[3] is not None:
        return found[int(tensor[3]) :][:1]
    return found if many else found[:1]


def _window_statements(scope: Any, name: str) -> List[Any]:
    """The statements that make a window of a buffer: it has no place of its own."""
    try:
        return [raw for raw in scope.find_all(f"_ = {name}[_]") if raw.kind() == "WindowStmt"]
    except InvalidCursorError:
        return []


def _with_windows(scope: Any, access: Any, windows: List[Any], many: bool) -> List[Any]:
    """The matches of ``x[_]``, and these statements for their windows, as in the text; the one of a number."""
    try:
        others = _found(scope, f"{access[1]}[_]", True)
    except InvalidCursorError:
        others = []
    every = sorted([*windows, *others], key=_in_text)
    first = int(access[2] or 0)
    return every if many and access[2] is None else every[first : first + 1]


def _in_text(raw: Any) -> List[Tuple[bool, int]]:
    """What orders places as they come in a text: a statement, its expressions, and what is in it."""
    statement = str(raw.place()).split(" ", 1)[0]
    return [(branch == "orelse", int(index)) for branch, index in _STEP.findall(statement)]


def _found(scope: Any, text: str, many: bool) -> List[Any]:
    """The matches, of which those in extents of allocations are none, nor windows whose coordinates are asked for."""
    found = list(scope.find_all(text)) if many else [scope.find(text)]
    if not found or not issubclass(_CLASSES[found[0].kind()], ExprCursor):
        return found
    number = _NUMBER.search(text) if "#" in text else None
    plain = text[: number.start()] if number else text
    whole = _ACCESS.match(plain) is not None

    def counts(raw: Any) -> bool:
        return _EXTENT not in raw.place() and (whole or raw.kind() != "Window")

    if number is None and all(map(counts, found)):
        return found
    outside = [raw for raw in scope.find_all(plain) if counts(raw)]
    if number is not None:
        return outside[int(number[1]) :][:1]
    return outside if many else outside[:1]


def _unmatched(why: str, pattern: str) -> Exception:
    wrong = malformed(pattern, why)
    if wrong is not None:
        return wrong
    refused = SchedulingError(f"failed to find matches: {why}\nPattern: {pattern}")
    refused.found = "form"
    return refused


def _typ(raw: Any) -> ExoType:
    word = raw.typ()
    return ExoType.R if word is None else ExoType.of_word(word)


def _shown(text: str) -> str:
    from . import _print
    from .core.memory import shown

    return _print.program(shown(text), None, with_assertions=False)


def _memory(raw: Any) -> Any:
    from .core.memory import of_handle

    return of_handle(raw)


def _config(raw: Any) -> Any:
    from .core.configs import of_handle

    return of_handle(raw)
