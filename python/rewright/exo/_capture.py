"""Definitions as Exo reads them: the source of a function, and what its names stand for where it is decorated. Spec:
[rule: python.exo-scope]."""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import textwrap
from types import FrameType, FunctionType
from typing import Any, Dict, List, Mapping, Tuple

from .. import _rewright
from .._errors import ParseError, ProgramError
from . import _quotes


class Scope(Mapping[str, Any]):
    """What names stand for at a place of a program: the locals there, what the function closes over, globals."""

    def __init__(self, frame: FrameType, definition: Any = None) -> None:
        self._maps: List[Mapping[str, Any]] = [frame.f_locals]
        for name, cell in zip(*_closure(definition)):
            try:
                self._maps.append({name: cell.cell_contents})
            except ValueError:
                continue
        self._maps.append(getattr(definition, "__globals__", frame.f_globals))

    def __getitem__(self, name: str) -> Any:
        for known in self._maps:
            if name in known:
                return known[name]
        raise KeyError(name)

    def __iter__(self) -> Any:
        return iter({name for known in self._maps for name in known})

    def __len__(self) -> int:
        return len(list(iter(self)))

    def evaluate(self, node: ast.expr) -> Any:
        """The value of an expression of Python."""
        code = compile(ast.Expression(node), "<exo>", "eval")
        return eval(code, {"__builtins__": builtins.__dict__, **self._flat()})

    def _flat(self) -> Dict[str, Any]:
        out: Dict[str, Any] = {}
        for known in reversed(self._maps):
            out.update(known)
        return out


def _closure(definition: Any) -> Tuple[Tuple[str, ...], Tuple[Any, ...]]:
    if not isinstance(definition, FunctionType):
        return (), ()
    return definition.__code__.co_freevars, definition.__closure__ or ()


def source(definition: Any) -> Tuple[str, str, int]:
    """The text of a function or a class without its indentation, its file, and its first line."""
    linecache.checkcache()
    filename = inspect.getsourcefile(definition) or "<unknown>"
    try:
        lines, first = inspect.getsourcelines(definition)
    except (OSError, TypeError) as e:
        raise ParseError(f"{filename}: the source of `{definition.__name__}` cannot be found: {e}") from None
    return textwrap.dedent("".join(lines)), filename, first


def procedure(definition: Any, decorator: str, frame: FrameType) -> Any:
    """The procedure of a function, as the extension has it."""
    text, filename, first = source(definition)
    tree = ast.parse(text).body[0]
    if not isinstance(tree, ast.FunctionDef):
        raise ParseError(f"{filename}:{first}: a `def` is read as a procedure")
    scope = Scope(frame, definition)
    lines, names = _quotes.elaborated(tree, text, scope)
    head = tree.lineno - 1
    above = ["\n"] * (first - 2 + head)
    whole = "".join([*above, decorator, "\n", *lines])
    try:
        procs, _, _ = _rewright.module(whole, filename, _known(names, tree, scope), False, True)
    except (ParseError, ProgramError) as e:
        _indented(e, linecache.getline(filename, first))
        raise
    return procs[-1]


def _indented(e: Any, line: str) -> None:
    """Columns count from where the lines of the file begin."""
    indent = len(line) - len(line.lstrip())
    for place in (finding.get("place") for finding in e.findings):
        if place:
            place["column"] += indent


def _known(given: Dict[str, Any], tree: ast.FunctionDef, scope: Scope) -> List[Tuple[str, Any]]:
    """What the names that a function mentions stand for, where a program can speak of it."""
    found = dict(given)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in found and node.id in scope:
            found[node.id] = scope[node.id]
    return list(found.items())


def configuration(definition: type, readwrite: bool) -> Any:
    """The configuration of a class, as the extension has it."""
    text, filename, first = source(definition)
    tree = ast.parse(text).body[0]
    assert isinstance(tree, ast.ClassDef)
    if tree.bases:
        raise ParseError(f"{filename}:{first}: a configuration has no base classes")
    body = text.splitlines(keepends=True)[tree.lineno - 1 :]
    above = ["\n"] * (first - 2 + tree.lineno - 1)
    whole = "".join([*above, f"@config(readwrite={readwrite})\n", *body])
    _, configs, _ = _rewright.module(whole, filename, [], False, True)
    return configs[-1]
