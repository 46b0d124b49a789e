"""``exo.API``: procedures, and how they are read."""

from __future__ import annotations

import inspect
import re
import sys
import warnings
from types import FunctionType
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

from .. import _rewright
from .. import procedure as _procedure
from .._errors import ArgumentError, CodegenError, CompileError, InvalidCursorError, SchedulingError
from ..procedure import RewrightWarning
from . import API_cursors as C
from . import _capture, _print, _templates, _words
from ._absent import absent
from ._definition_words import with_exos_words
from ._extents import Extent
from ._instructions import still_instruction
from ._c import Author
from .API_types import ExoType, ProcedureBase
from .backend.prec_analysis import get_default_prec
from .core.configs import Config, ConfigError
from .core.memory import MemGenError, shown
from .frontend.parse_fragment import unreadable

__all__ = ["ExoType", "Procedure", "SchedulingError", "compile_procs", "compile_procs_to_strings", "config", "instr", "proc"]

__getattr__ = absent(__name__)

#: Procedures that ``unsafe_assert_eq`` said to be equal.
_ASSERTED: List[Tuple[Any, Any]] = []

_NAME_COUNT = re.compile(r"^([a-zA-Z_]\w*)\s*(\#\s*[0-9]+)?$")


class Procedure(_procedure.Procedure, ProcedureBase):
    """A procedure at a version, with Exo's methods. Programs may give it attributes of their own."""

    def __deepcopy__(self, memo: Any) -> Procedure:
        # Versions never change.
        return self

    def args(self) -> Any:
        """Cursors to the arguments."""
        raws = self._raw.args()
        return C.ArgListCursor([C.lift(raw, self) for raw in raws], self) if raws else []

    def get_arg(self, name: str) -> Any:
        """A cursor to the argument of this name."""
        return C.lift(self._raw.get_arg(name), self)

    def body(self) -> Any:
        """A cursor to the whole body."""
        return C.lift(self._raw.body(), self)

    def find(self, pattern: str, many: bool = False, call_depth: int = 1) -> Any:
        """The first place that a pattern describes; with ``many``, a list of all."""
        return C.find(self._raw, self, pattern, many)

    def find_loop(self, pattern: str, many: bool = False) -> Any:
        """The first loop of this name, ``"i"`` or ``"i #1"``; or what a pattern describes."""
        if not isinstance(pattern, str):
            raise TypeError("expected a pattern string")
        named = _NAME_COUNT.search(pattern)
        if named:
            pattern = f"for {named[1]} in _: _{named[2] or ''}"
        return self.find(pattern, many)

    def find_alloc_or_arg(self, pattern: str) -> Any:
        """The argument of this name, or the allocation."""
        named = _NAME_COUNT.search(pattern)
        if named:
            for arg in self.args():
                if arg.name() == named[1]:
                    return arg
            pattern = f"{named[1]}: _{named[2] or ''}"
        return self.find(pattern)

    def find_all(self, pattern: str) -> Any:
        """Every place that a pattern describes."""
        return self.find(pattern, many=True)

    def forward(self, cur: Any) -> Any:
        """Where a cursor of an earlier version is in this one."""
        if not isinstance(cur, C.Cursor):
            raise AttributeError(f"a cursor is forwarded, not {type(cur).__name__}")
        if cur._proc is self and not isinstance(cur, C._Given):
            return cur
        if not cur:
            raise InvalidCursorError("Cannot get the Procedure of an invalid cursor: it points at nothing, and is not forwarded")
        if isinstance(cur, C._Given):
            return type(cur)([self.forward(c) for c in cur], self)
        if isinstance(cur, Extent):
            return cur.forwarded(self)
        try:
            at = C.lift(self._raw.forward_kept(cur._raw), self)
            # A window statement and its window are one place.
            return at.winexpr() if isinstance(cur, C.WindowExprCursor) and isinstance(at, C.WindowStmtCursor) else at
        except InvalidCursorError as e:
            if "from which this one was not made" in str(e):
                raise NotImplementedError(f"This forwarding function has not been implemented: {e}") from None
            if isinstance(cur, C.ExprCursor) and isinstance(cur.parent(), C.ForCursor):
                # A bound of a loop is that of what became of the loop.
                loop = self.forward(cur.parent())
                if isinstance(loop, C.ForCursor):
                    return loop.hi() if cur == cur.parent().hi() else loop.lo()
            raise InvalidCursorError(f"{e}: node no longer exists") from None

    def get_instr(self) -> str:
        """The C text of a call."""
        found = self._raw.instr()
        if found is None:
            raise AttributeError(f"`{self.name()}` is no instruction")
        return _templates.as_written(str(found[0]), str(self._raw))

    def unsafe_assert_eq(self, other_proc: Any) -> Procedure:
        """Assumes that this and another procedure do the same, which ``is_eq`` then says and ``call_eqv`` assumes."""
        if not isinstance(other_proc, Procedure):
            raise TypeError("expected a procedure as argument")
        assert_equal(self._raw, other_proc._raw)
        return self

    def is_eq(self, proc: Any) -> bool:
        """Whether this and another version do the same on every input, as far as the steps between them say. Where steps
        assumed something, the answer stands and falls with that, and a ``RewrightWarning`` says so."""
        if not isinstance(proc, Procedure):
            raise TypeError("expected a procedure as argument")
        proved = bool(self._raw.is_eq(proc._raw))
        found = proved or asserted(self._raw, proc._raw)
        assumed = [*self.assumptions(), *proc.assumptions(), *([] if proved else ["unsafe_assert_eq"])]
        if found and assumed:
            warnings.warn(f"{self.name()}: this assumes {'; '.join(assumed)}", RewrightWarning, stacklevel=2)
        return found

    def assumptions(self) -> List[str]:
        """What the steps up to this version assume, which nobody proved: ``unsafe_disable_check`` asks for it."""
        return [_assumption(*found) for found in self._raw.assumptions()]

    def partial_eval(self, *args: Any, **kwargs: Any) -> Procedure:
        """Fixes arguments, in order or by name."""
        if args and kwargs:
            raise ValueError("Must provide EITHER ordered OR named arguments")
        if not args and not kwargs:
            return self
        names = [row[0] for row in self._raw.signature()]
        if len(args) > len(names):
            raise TypeError(f"expected no more than {len(names)} arguments, but got {len(args)}")
        for name in kwargs:
            if name not in names:
                raise KeyError(name)
        types = {row[0]: row[1] for row in self._raw.signature()}
        for name, value in [*zip(names, args), *kwargs.items()]:
            if types[name] in ("size", "index", "int", "bool") and not isinstance(value, int):
                raise _no_integer(value)
        given = {name: _fixed(value, types[name]) for name, value in [*zip(names, args), *kwargs.items()]}
        try:
            made = _rewright.apply("partial_eval", self._raw, (), given, exo=True)[0]
        except TypeError as e:
            refused = SchedulingError(_words.with_exos_words(str(e), "partial_eval", "", ()))
            refused.primitive, refused.found = "partial_eval", "form"
            raise refused from None
        return Procedure(still_instruction(self._raw, made))

    def add_assertion(self, assertion: str, configs: Optional[Sequence[Any]] = None) -> Procedure:
        """Adds an assertion."""
        if not isinstance(assertion, str):
            raise TypeError("assertion must be an Exo string")
        if not all(isinstance(c, Config) for c in configs or ()):
            raise TypeError("configs are Config objects")
        raw = _rewright.rerooted(self._raw, [c._raw for c in configs or ()])
        try:
            return Procedure(_rewright.apply("add_assertion", raw, (assertion,), {}, exo=True)[0])
        except ArgumentError as e:
            raise unreadable(str(e), [assertion]) from None

    def compile_c(self, directory: Any, filename: str) -> None:
        """Writes ``filename.c`` and ``filename.h`` into a directory."""
        compile_procs([self], directory, f"{filename}.c", f"{filename}.h")

    def c_code_str(self) -> str:
        """The C of it: declarations and definitions."""
        source, header = compile_procs_to_strings([self], "c_code_str.h")
        return header + "\n" + source

    def INTERNAL_proc(self) -> Procedure:
        """Itself: there is no other syntax than that which cursors show."""
        return self

    def has_dup(self) -> bool:
        """Whether one node of the syntax stands in two places, which none does."""
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Procedure) and bool(self._raw.same(other._raw))

    def __hash__(self) -> int:
        return hash(self.name())

    def __str__(self) -> str:
        found = self._raw.instr()
        return _print.program(shown(self._raw.nested()), None if found is None else self.get_instr())

    def transpose(self, arg_cursor: Any) -> Procedure:
        """Swaps the two dimensions of an argument."""
        if not (isinstance(arg_cursor, C.ArgCursor) and arg_cursor.is_tensor() and len(arg_cursor.shape()) == 2):
            raise TypeError("expected a 2D argument cursor")
        return Procedure(_rewright.transposed(self._raw, self.forward(arg_cursor)._raw))

    def compile(self) -> Any:
        """Compiles it for this machine: a function of arrays, which it changes."""
        from .._arrays import Compiled

        author = Author()
        try:
            return Compiled(_rewright.build(self._raw, author))
        except CompileError:
            elsewhere = author.elsewhere()
            if elsewhere is None:
                raise
            name, processor = elsewhere
            raise CompileError(
                f"this machine has no {name}: `compile_c` writes the C, which a compiler for {processor} takes"
            ) from None

    def _repr_markdown_(self) -> str:
        return f"```python\n{self}\n```"


def _no_integer(value: Any) -> SchedulingError:
    refused = SchedulingError(f"partial_eval: cannot partially evaluate to a non-int, non-bool value, {value!r}")
    refused.primitive, refused.found = "partial_eval", "form"
    return refused


def _fixed(value: Any, typ: Any) -> Any:
    """A value for an argument of a type: a truth value is a number, too, and the other way round."""
    if isinstance(value, int) and typ == "bool":
        return bool(value)
    return int(value) if isinstance(value, bool) else value


class MarkDownBlob:
    """Text that a notebook shows as Markdown."""

    def __init__(self, mkdwn_str: str) -> None:
        self.mstr = mkdwn_str

    def _repr_markdown_(self) -> str:
        return self.mstr


def assert_equal(one: Any, other: Any) -> None:
    """Notes that two versions are said to be equal."""
    _ASSERTED.append((one, other))


def asserted(one: Any, other: Any) -> bool:
    """Whether it was asserted that two versions are equal, by one assertion or several: of versions that are equal to them."""
    left, todo = list(_ASSERTED), [one]
    while todo:
        here = todo.pop()
        if here is not one and here.is_eq(other):
            return True
        near = [(a, b) for a, b in left if here.is_eq(a) or here.is_eq(b)]
        left = [pair for pair in left if pair not in near]
        todo += [end for pair in near for end in pair]
    return False


def compile_procs(proc_list: List[Procedure], basedir: Any, c_file: str, h_file: str) -> None:
    """Writes the C of procedures into a directory."""
    from pathlib import Path

    source, header = compile_procs_to_strings(proc_list, h_file)
    for name, text in ((c_file, source), (h_file, header)):
        (Path(basedir) / name).write_text(text)


def compile_procs_to_strings(proc_list: List[Procedure], h_file_name: str) -> Tuple[str, str]:
    """The C of procedures: source and header. What steps assumed stands at the head of the source."""
    import os

    assert isinstance(proc_list, list) and all(isinstance(p, Procedure) for p in proc_list)
    called = _called([p._raw for p in proc_list])
    stem = os.path.splitext(os.path.basename(h_file_name))[0]
    try:
        raws, real = [p._raw for p in proc_list], str(get_default_prec())
        source, header, _flags, warned = _rewright.c_code(raws, stem, Author(), real, h_file_name)
    except CodegenError as e:
        raise _as_exo(e, [p._raw for p in proc_list]) from None
    for text in warned:
        warnings.warn(text, RewrightWarning, stacklevel=3)
    found = [(p.name(), a) for p in proc_list for a in p._raw.assumptions()]
    found += [a for p in proc_list for a in p._raw.assumptions_of_others() if a[0] in called]
    assumed = [f"// {name}: {_assumption(*a)}\n" for name, a in dict.fromkeys(found)]
    if assumed:
        source = "".join(["// Assumed, and not proved:\n", *assumed]) + source
    return source, header


def _assumption(depth: int, primitive: str, condition: str) -> str:
    return f"{primitive}.{condition} in step {depth}"


def _called(todo: List[Any]) -> Set[str]:
    """The names of all that is called: each procedure has one of its own in C, which is the one that it has. What an
    instruction that is called is written with must be there, too."""
    known: Dict[str, Any] = {}
    for raw in todo:
        if known.setdefault(raw.name(), raw) is not raw:
            raise TypeError(f"multiple procs named {raw.name()}")
    known.clear()
    while todo:
        raw = todo.pop()
        other = known.setdefault(raw.name(), raw)
        if other is not raw:
            if not other.same(raw):
                raise TypeError(f"multiple procs named {raw.name()}")
            continue
        if raw.instr() is None:
            for callee in (call.subproc() for call in _found(raw, "_(_)")):
                text = callee.instr()
                if text is not None:
                    _templates.refuse_unfillable(str(text[0]), callee.signature())
                todo.append(callee)
    return set(known)


class _MemoryRefused(MemGenError, CodegenError):
    """A memory does not do what was asked of it, as the back end found."""


class _AccessRefused(_MemoryRefused, TypeError):
    """What is in one memory is used as if it were in another: a ``TypeError`` in Exo where it is passed, which it looks at first."""


class _ConfigRefused(ConfigError, CodegenError):
    """A field that only instructions change is read or written."""


class _ProgramRefused(CodegenError, TypeError):
    """The back end refuses a procedure for what is a ``TypeError`` in Exo."""


def _found(raw: Any, pattern: str) -> List[Any]:
    try:
        return list(raw.find_all(pattern))
    except InvalidCursorError:
        return []


def _varying_extent(raws: List[Any]) -> str:
    """The first extent that is no number, of a buffer in a memory that asks for numbers: a finding does not have it, and the place
    of an allocation in a file may be older than its extents."""
    todo, seen = list(raws), []
    while todo:
        raw = todo.pop(0)
        seen.append(raw.name())
        fixed = [alloc for alloc in _found(raw, "_: _") if alloc.mem().name() in ("DRAM_STATIC", "DRAM_STACK")]
        for extent in (e.text() for alloc in fixed for e in alloc.shape()):
            if not extent.lstrip("-").isdecimal():
                return extent if extent.isidentifier() else f"({extent})"
        todo += [callee for callee in (call.subproc() for call in _found(raw, "_(_)")) if callee.name() not in seen]
    return "…"


def _as_exo(e: CodegenError, raws: List[Any]) -> CodegenError:
    rules = [str(f.get("rule")) for f in e.findings]
    said = with_exos_words(str(e), e.findings)
    if any("have constant extents" in str(f.get("message")) for f in e.findings):
        said += f"\n  = Exo says: DRAM_STATIC requires constant shapes. Saw: {_varying_extent(raws)}"
    if "backend.memory-access" in rules or "backend.memory-window" in rules:
        refused: CodegenError = _AccessRefused(said)
    elif any(rule.startswith("backend.memory") for rule in rules):
        refused = _MemoryRefused(said)
    elif any(rule.startswith("backend.config") for rule in rules):
        refused = _ConfigRefused(said)
    else:
        refused = _ProgramRefused(said)
    refused.findings = e.findings
    return refused


def proc(f: Any, _instr: Optional[Tuple[str, str]] = None) -> Procedure:
    """Reads a function of Python as a procedure: ``@proc``, or ``proc(f)``."""
    if not isinstance(f, FunctionType):
        raise TypeError("@proc decorator must be applied to a function")
    return Procedure(_capture.procedure(f, None, sys._getframe(1)))


def instr(c_instr: str, c_global: str = "") -> Callable[[Any], Procedure]:
    """Reads a function of Python as an instruction: ``@instr("f({x_data});")``. What the braces stand for is asked at a
    call."""
    if not isinstance(c_instr, str):
        raise TypeError("@instr decorator must be @instr(<your instuction>)")

    def read(f: Any) -> Procedure:
        if not isinstance(f, FunctionType):
            raise TypeError("@instr decorator must be applied to a function")
        return Procedure(_capture.procedure(f, (c_instr, c_global), sys._getframe(1)))

    return read


def config(_cls: Optional[type] = None, *, readwrite: bool = True) -> Any:
    """Reads a class of Python as a configuration: ``@config``."""

    def read(cls: type) -> Config:
        if not inspect.isclass(cls):
            raise TypeError("@config decorator must be applied to a class")
        return Config(_capture.configuration(cls, readwrite))

    return read if _cls is None else read(_cls)
