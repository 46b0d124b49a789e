"""``exo.API``: procedures, and how they are read."""

from __future__ import annotations

import re
import sys
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union, cast

from .. import _frontend, _rewright
from .. import procedure as _procedure
from .._errors import InvalidCursorError
from . import API_cursors as C
from .API_types import ExoType, ProcedureBase
from .core.configs import Config

__all__ = ["ExoType", "Procedure", "compile_procs", "compile_procs_to_strings", "config", "instr", "proc"]

_NAME_COUNT = re.compile(r"^([a-zA-Z_]\w*)\s*(\#\s*[0-9]+)?$")


class Procedure(_procedure.Procedure, ProcedureBase):
    """A procedure at a version, with Exo's methods."""

    __slots__ = ()

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
            raise TypeError(f"a cursor is forwarded, not {type(cur).__name__}")
        if not cur:
            raise InvalidCursorError("a cursor that points at nothing is not forwarded")
        if isinstance(cur, C._Given):
            return type(cur)([self.forward(c) for c in cur], self)
        if cur._proc is self:
            return cur
        return C.lift(self._raw.forward(cur._raw), self)

    def get_instr(self) -> str:
        """The C text of a call."""
        found = self._raw.instr()
        if found is None:
            raise AttributeError(f"`{self.name()}` is no instruction")
        return str(found[0])

    def unsafe_assert_eq(self, other_proc: Any) -> Procedure:
        """Assumes that this and another procedure do the same."""
        if not isinstance(other_proc, Procedure):
            raise TypeError("expected a procedure as argument")
        raise NotImplementedError("unsafe_assert_eq")

    def partial_eval(self, *args: Any, **kwargs: Any) -> Procedure:
        """Fixes arguments, in order or by name."""
        if args and kwargs:
            raise ValueError("Must provide EITHER ordered OR named arguments")
        if not args and not kwargs:
            return self
        return Procedure(_rewright.apply("partial_eval", self._raw, args, kwargs)[0])

    def add_assertion(self, assertion: str, configs: Sequence[Any] = ()) -> Procedure:
        """Adds an assertion."""
        if not isinstance(assertion, str):
            raise TypeError("assertion must be an Exo string")
        return Procedure(_rewright.apply("add_assertion", self._raw, (assertion,), {})[0])

    def compile_c(self, directory: Any, filename: str) -> None:
        """Writes ``filename.c`` and ``filename.h`` into a directory."""
        compile_procs([self], directory, f"{filename}.c", f"{filename}.h")

    def c_code_str(self) -> str:
        """The C of it: declarations and definitions."""
        source, header = compile_procs_to_strings([self], "c_code_str.h")
        return header + "\n" + source

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Procedure):
            return False
        return bool(self._raw == other._raw) or str(self) == str(other)

    def __hash__(self) -> int:
        return hash(self.name())

    def _repr_markdown_(self) -> str:
        return f"```python\n{self}\n```"


def compile_procs(proc_list: List[Procedure], basedir: Any, c_file: str, h_file: str) -> None:
    """Writes the C of procedures into a directory."""
    from pathlib import Path

    source, header = compile_procs_to_strings(proc_list, h_file)
    for name, text in ((c_file, source), (h_file, header)):
        (Path(basedir) / name).write_text(text)


def compile_procs_to_strings(proc_list: List[Procedure], h_file_name: str) -> Tuple[str, str]:
    """The C of procedures: source and header."""
    assert isinstance(proc_list, list) and all(isinstance(p, Procedure) for p in proc_list)
    return _procedure.compile_procs_to_strings(proc_list, h_file_name)


def proc(f: Callable[..., Any]) -> Procedure:
    """Reads a function of Python as a procedure: ``@proc``."""
    return Procedure(_frontend._procedure(f, "@proc", {}, sys._getframe(1))._raw)


def instr(c_instr: str, c_global: str = "") -> Callable[[Callable[..., Any]], Procedure]:
    """Reads a function of Python as an instruction: ``@instr("f({x_data});")``."""
    if not isinstance(c_instr, str):
        raise TypeError("@instr decorator must be @instr(<your instuction>)")
    frame = sys._getframe(1)
    decorator = f"@instr({c_instr!r}, {c_global!r})"

    def read(f: Callable[..., Any]) -> Procedure:
        return Procedure(_frontend._procedure(f, decorator, {}, frame)._raw)

    return read


def config(_cls: Optional[type] = None, *, readwrite: bool = True) -> Any:
    """Reads a class of Python as a configuration: ``@config``."""

    def read(cls: type) -> Config:
        found = cast(Any, _frontend.config)(readwrite=readwrite)(cls)
        return Config(found._raw)

    return read if _cls is None else read(_cls)
