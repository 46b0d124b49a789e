"""Definitions: texts and files, and functions and classes of Python that are read as programs. Spec: [rule: python.definitions]."""

from __future__ import annotations

import sys
from types import FrameType, FunctionType
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Set, Tuple, TypeVar, Union, overload

from . import _rewright
from ._errors import ParseError
from ._names import Config, Memory
from .procedure import Procedure

__all__ = ["Module", "config", "instr", "load", "module", "proc"]

Definition = Union[Procedure, Config, Memory]
F = TypeVar("F", bound=Callable[..., Any])


class Module(Mapping[str, Definition]):
    """What a text defines, by name: ``m["p"]``, or ``m.p``."""

    def __init__(self, procs: List[Procedure], configs: List[Config], memories: List[Memory]) -> None:
        #: The procedures, in order.
        self.procs = procs
        #: The configuration classes, in order.
        self.configs = configs
        #: The memories, in order.
        self.memories = memories
        named: List[Definition] = [*memories, *configs, *procs]
        self._by_name: Dict[str, Definition] = {d.name(): d for d in named}

    def __getitem__(self, name: str) -> Definition:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def __getattr__(self, name: str) -> Any:
        found = self.__dict__.get("_by_name", {}).get(name)
        if found is None:
            raise AttributeError(f"the text defines no `{name}`")
        return found

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self._by_name]

    def __repr__(self) -> str:
        return f"<Module of {', '.join(self._by_name)}>"


def placed(decorator: str, lines: List[str], first: int, indent: str) -> Tuple[str, bool]:
    """A text in which a definition stands in its line and column, after its decorator; and whether it is in a block there.
    ``lines`` are those from ``def`` on, without the indentation; ``first`` is the number of the first of them, from 1."""
    above = ["\n"] * (first - 2)
    if not above:
        indent = ""
    if indent:
        above[-1] = "if True:\n"
    inner = [decorator + "\n", *lines]
    return "".join([*above, *(indent + line if line.strip() else line for line in inner)]), bool(indent)


def _defined(text: str, filename: str, scope: Mapping[str, object], whole: bool, in_block: bool = False) -> Module:
    procs, configs, memories = _rewright.module(text, filename, list(scope.items()), whole, False, in_block)
    return Module(
        [Procedure(p) for p in procs], [Config(c) for c in configs], [Memory(m) for m in memories]
    )


def module(text: str, filename: str = "<text>", scope: Optional[Mapping[str, object]] = None) -> Module:
    """The definitions of a text in the syntax of files: what the machines define is known in it by name, and the names of
    ``scope`` stand for its numbers, procedures, configurations, memories and externs. Scheduling lines are skipped."""
    if not isinstance(text, str):
        raise TypeError(f"a text is read, not {type(text).__name__}")
    if scope is not None and not isinstance(scope, Mapping):
        raise TypeError(f"`scope` has names and what they stand for, not {type(scope).__name__}")
    return _defined(text, filename, {} if scope is None else scope, True)


def load(path: Any) -> Module:
    """The definitions of a file."""
    import os

    with open(path, encoding="utf-8") as file:
        return module(file.read(), os.fspath(path))


def proc(definition: Callable[..., Any]) -> Procedure:
    """Reads a function of Python as a procedure: ``@proc``.

    The function never runs. Names in it that it does not bind itself stand for what they stand for where it is defined:
    numbers, procedures, configurations, memories, externs.
    """
    return _procedure(definition, "@proc", {}, sys._getframe(1))


def instr(
    c_instr: str,
    c_global: str = "",
    *,
    cflags: str = "",
    rounds: Union[None, str, Procedure] = None,
) -> Callable[[Callable[..., Any]], Procedure]:
    """Reads a function of Python as an instruction: ``@instr("f({x_data});")``. A call becomes the C text, in which braces
    hold the arguments; ``c_global`` stands once in a file that has a call, and ``cflags`` is what a compiler must be told.
    ``rounds`` is ``"fused"``, or a procedure that rounds as the hardware does."""
    if not isinstance(c_instr, str):
        raise TypeError("`@instr` takes the C text of a call: @instr(\"f({x_data});\")")
    words = [repr(c_instr), repr(c_global)]
    extra: Dict[str, object] = {}
    if cflags:
        words.append(f"cflags={cflags!r}")
    if isinstance(rounds, Procedure):
        extra["_rounds_like"] = rounds
        words.append("rounds=_rounds_like")
    elif rounds is not None:
        words.append(f"rounds={rounds!r}")
    decorator = f"@instr({', '.join(words)})"
    frame = sys._getframe(1)

    def read(definition: Callable[..., Any]) -> Procedure:
        return _procedure(definition, decorator, extra, frame)

    return read


@overload
def config(definition: type) -> Config: ...


@overload
def config(*, readwrite: bool = True) -> Callable[[type], Config]: ...


def config(definition: Optional[type] = None, *, readwrite: bool = True) -> Union[Config, Callable[[type], Config]]:
    """Reads a class of Python as a configuration class: ``@config``. With ``readwrite=False``, only instructions change
    the fields."""

    def read(cls: type) -> Config:
        if not isinstance(cls, type):
            raise TypeError("`@config` reads a class")
        fields = cls.__dict__.get("__annotations__", {})
        lines = [f"    {name}: {_word(kind)}" for name, kind in fields.items()]
        text = "\n".join([f"@config(readwrite={readwrite})", f"class {cls.__name__}:", *lines, ""])
        return _defined(text, f"<config {cls.__qualname__}>", {}, False).configs[0]

    return read if definition is None else read(definition)


def _word(kind: object) -> str:
    return kind if isinstance(kind, str) else str(kind)


def _procedure(
    definition: Callable[..., Any], decorator: str, extra: Mapping[str, object], frame: FrameType
) -> Procedure:
    if not isinstance(definition, FunctionType):
        raise TypeError(f"a function is read as a procedure, not {type(definition).__name__}")
    (text, in_block), filename, names = _source(definition, decorator)
    scope = {name: value for name, value in _surroundings(definition, frame).items() if name in names}
    found = _defined(text, filename, {**scope, **extra}, False, in_block)
    return found.procs[-1]


def _source(definition: FunctionType, decorator: str) -> Tuple[Tuple[str, bool], str, Set[str]]:
    """The text of a function, in its place; the file; and the names that it mentions."""
    import ast
    import inspect

    filename = inspect.getsourcefile(definition) or definition.__code__.co_filename
    try:
        lines, first = inspect.getsourcelines(definition)
    except (OSError, TypeError) as e:
        raise ParseError(f"{filename}: the source of `{definition.__name__}` cannot be found: {e}") from None
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    lines = [line[len(indent) :] if line[: len(indent)].isspace() else line for line in lines]
    tree = ast.parse("".join(lines)).body[0]
    if not isinstance(tree, ast.FunctionDef):
        raise ParseError(f"{filename}:{first}: a `def` is read as a procedure")
    head = tree.lineno - 1
    return placed(decorator, lines[head:], first + head, indent), filename, _names(tree)


def _names(tree: Any) -> Set[str]:
    """The names that a function mentions and does not bind: what it binds is its own from the first line to the last."""
    import ast

    found = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    own = {node.id for node in found if isinstance(node.ctx, ast.Store)}
    own |= {arg.arg for arg in tree.args.posonlyargs + tree.args.args}
    return {node.id for node in found} - own


def _surroundings(definition: FunctionType, frame: FrameType) -> Dict[str, object]:
    """What names stand for where a function is defined: the locals of the functions around it, then globals. ``frame`` is
    who reads it."""
    out: Dict[str, object] = dict(definition.__globals__)
    for name, value in _enclosing(definition, frame):
        if value is _UNBOUND:
            out.pop(name, None)
        else:
            out[name] = value
    for name, cell in zip(definition.__code__.co_freevars, definition.__closure__ or ()):
        try:
            out[name] = cell.cell_contents
        except ValueError:
            out.pop(name, None)
    return out


_UNBOUND = object()


def _enclosing(definition: FunctionType, frame: FrameType) -> List[Tuple[str, object]]:
    """The names of the functions around a definition, outermost first: of those that are still running. An annotation may
    name what no closure holds."""
    out: List[List[Tuple[str, object]]] = []
    code: object = definition.__code__
    at: Optional[FrameType] = frame
    while at is not None:
        if any(c is code for c in at.f_code.co_consts):
            names = (*at.f_code.co_varnames, *at.f_code.co_cellvars)
            found = at.f_locals
            if at.f_code.co_name != "<module>":
                out.append([(n, _UNBOUND) for n in names if n not in found] + list(found.items()))
            code = at.f_code
        at = at.f_back
    return [row for rows in reversed(out) for row in rows]
