"""Definitions as Exo reads them: the source of a function, and what its names stand for where it is decorated. Spec:
[rule: python.exo-scope]."""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import math
import re
import textwrap
from types import FrameType, FunctionType
from typing import Any, Dict, List, Mapping, Optional, Sequence, Set, Tuple, Type, Union

from .. import _rewright
from .._errors import InvalidCursorError, ParseError, ProgramError, RewrightError, SchedulingError
from .._frontend import placed
from . import _quotes
from ._quote_names import written
from ._definition_words import FIELD_TYPES, with_exos_words
from ._templates import as_read
from .core.configs import Config
from .core.extern import Argument, Extern, Extern_Typecheck_Error


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


def source(definition: Any) -> Tuple[str, str, int, str]:
    """The text of a function or a class without its indentation, its file, its first line, and the indentation."""
    linecache.checkcache()
    filename = inspect.getsourcefile(definition) or "<unknown>"
    try:
        lines, first = inspect.getsourcelines(definition)
    except (OSError, TypeError) as e:
        raise ParseError(f"{filename}: the source of `{definition.__name__}` cannot be found: {e}") from None
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    return textwrap.dedent("".join(lines)), filename, first, indent


def procedure(definition: Any, c: Optional[Tuple[str, str]], frame: FrameType) -> Any:
    """The procedure of a function, as the extension has it; with the C of a call, and of a file, an instruction."""
    text, filename, first, indent = source(definition)
    tree = ast.parse(text).body[0]
    if not isinstance(tree, ast.FunctionDef):
        raise ParseError(f"{filename}:{first}: a `def` is read as a procedure")
    scope = Scope(frame, definition)
    made = _quotes.elaborated(tree, text, scope, _quotes.Place(filename, first, indent))
    decorator = "@proc" if c is None else f"@instr({as_read(c[0], text)!r}, {c[1]!r})"
    read = filename
    if made.quoted:
        read = f"{filename}, quotes of `{tree.name}` filled in"
        whole, in_block = placed(decorator, made.lines, 2, "")
    else:
        whole, in_block = placed(decorator, made.lines, first + tree.lineno - 1, indent)
    known, externs = _known(made.names, made.tree, scope)
    _check_numbers(known, made.tree, f"{filename}:{first}")
    _check_configs(known)
    for config in (of for _, of in known if isinstance(of, Config)):
        config._use()
    _check_windows(made.tree, f"{filename}:{first}")
    try:
        if made.quoted:
            procs, _, _ = _rewright.filled_in(whole, read, known)
        else:
            procs, _, _ = _rewright.module(whole, read, known, False, True, in_block)
    except (ParseError, ProgramError) as e:
        told = _as_exo(e, scope, [arg.arg for arg in tree.args.args], whole)
        text = with_exos_words(str(told), e.findings)
        told.args = (written(text) if made.quoted else text,)
        raise told from None
    _check_calls(procs[-1], externs)
    return procs[-1]


class UnknownName(RewrightError, NameError):
    """A name that stands for nothing where a program is read."""


#: The classes of what Exo raises, where they are not those of `rewright`: by rule, and words of the message.
_CLASSES: List[Tuple[str, str, Type[Exception]]] = [
    ("name.unbound", "to be assigned", ProgramError),
    ("name.unbound", "to be filled", ParseError),
    ("syntax.expression", "strings", ProgramError),
    ("syntax.expression", "None", ProgramError),
    ("syntax.type", "a memory is given by its name", ProgramError),
    ("name.unknown-memory", "", ProgramError),
    ("name.window-rebinds", "", ProgramError),
    ("type.assign-control", "a `size`", ParseError),
    ("type.alloc-window", "", ParseError),
    ("call.alias", "", SchedulingError),
]

#: What a name may be found to stand for nothing as.
_UNKNOWN = ("name.unbound", "name.unknown-memory", "name.unknown-procedure", "name.unknown-extern")


def _is_cell(finding: Dict[str, Any], text: str) -> bool:
    """Whether a finding is about a cell of a buffer: ``x[…]``."""
    place = finding.get("place") or {}
    lines = text.split("\n")
    line = lines[place["line"] - 1] if 0 < place.get("line", 0) <= len(lines) else ""
    return re.match(r"\s*\w+\s*\[", line) is not None


def _as_exo(e: Union[ParseError, ProgramError], scope: Scope, args: List[str], text: str) -> Exception:
    """What is wrong with a program, in the class that Exo raises."""
    first = e.findings[0] if e.findings else {}
    rule, message = str(first.get("rule")), str(first.get("message"))
    if "to be assigned" in message and _is_cell(first, text):
        message = message.replace("to be assigned", "to be filled")
    names = re.findall(r"`(\w+)`", message)
    is_known = not names or names[0] in scope or names[0] in args or hasattr(builtins, names[0])
    if rule == "name.unbound" and is_known:
        return e
    is_variable = rule == "name.unbound" and "configuration class" not in message
    made: Optional[Exception] = None
    if rule in _UNKNOWN and not is_known and not is_variable:
        made = UnknownName(str(e))
    for of, words, cls in _CLASSES:
        if made is None and rule == of and words in message:
            made = cls(str(e))
    if made is None:
        return e
    made.__dict__["findings"] = e.findings
    return made


def _known(given: Dict[str, Any], tree: ast.FunctionDef, scope: Scope) -> Tuple[List[Tuple[str, Any]], List[Extern]]:
    """What the names that a function mentions stand for, where a program can speak of it; and the externs that it calls, each
    of which stands for one handle by number of arguments."""
    found = dict(given)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in found and node.id in scope:
            found[node.id] = scope[node.id]
    called = list(found.items())
    externs: List[Extern] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            of = found.get(node.func.id)
            if isinstance(of, Extern):
                called.append((node.func.id, of.of_arity(len(node.args))))
                externs += [] if of in externs else [of]
    return [(name, of) for name, of in called if not isinstance(of, Extern)], externs


def _check_numbers(known: List[Tuple[str, Any]], tree: ast.FunctionDef, place: str) -> None:
    """Refuses numbers that no program has. A variable of the program may have the name of one."""
    own = {arg.arg for arg in tree.args.args}
    own |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for name, of in list(known):
        is_integer = isinstance(of, int)
        if isinstance(of, bool) or not isinstance(of, (int, float)) or (-(2**63) <= of < 2**63 if is_integer else math.isfinite(of)):
            continue
        if name not in own:
            raise ParseError(f"{place}: `{name}` is {of}, which is no number of a program")
        known.remove((name, of))


def _check_configs(known: Sequence[Tuple[str, Any]]) -> None:
    """State goes by name: two configurations of one name are refused here, as by Exo when it makes C of them."""
    first: Dict[str, Tuple[str, Config]] = {}
    for name, of in known:
        if not isinstance(of, Config):
            continue
        other, before = first.setdefault(of.name(), (name, of))
        if before is not of:
            raise TypeError(f"multiple configs named {of.name()}: `{other}` and `{name}` are two; give one of them another name")


def _rank(annotation: Optional[ast.expr]) -> Optional[int]:
    """The number of dimensions of a type that is written out."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.MatMult):
        return _rank(annotation.left)
    if not isinstance(annotation, ast.Subscript):
        return None
    return len(annotation.slice.elts) if isinstance(annotation.slice, ast.Tuple) else 1


def _check_windows(tree: ast.FunctionDef, place: str) -> None:
    """A window type has its extents, and a window as many indices as what it is of."""
    ranks: Dict[str, Set[Optional[int]]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            if isinstance(node.annotation, ast.List):
                raise ParseError(f"{place}: unrecognized type: `{ast.unparse(node.annotation)}`; a window is `[f32][n]`, with its extents")
            ranks.setdefault(node.arg, set()).add(_rank(node.annotation))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            ranks.setdefault(node.target.id, set()).add(_rank(node.annotation))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            # It may be a window, under a name that something else has, too.
            ranks.setdefault(node.targets[0].id, set()).add(None)
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)):
            continue
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        known = ranks.get(node.value.id, {None})
        rank = next(iter(known))
        if len(known) == 1 and rank is not None and any(isinstance(i, ast.Slice) for i in indices) and len(indices) < rank:
            raise ProgramError(
                f"Errors occurred during typechecking: {place}: expected {rank} indices for window but got {len(indices)}"
            )


def _check_calls(read: Any, externs: Sequence[Extern]) -> None:
    """Asks each extern of a program whether it takes its arguments. Of two with one name, cursors do not tell which it is."""
    for of in externs:
        if [other.name() for other in externs].count(of.name()) > 1:
            continue
        try:
            calls = read.find_all(f"{of.name()}(_)")
        except InvalidCursorError:
            continue
        for call in calls:
            try:
                of.typecheck([Argument(arg.typ() or "R") for arg in call.args()])
            except Extern_Typecheck_Error as e:
                raise ProgramError(f"Errors occurred during typechecking: `{call.text()}`: {e}") from None


def configuration(definition: type, readwrite: bool) -> Any:
    """The configuration of a class, as the extension has it."""
    text, filename, first, indent = source(definition)
    tree = ast.parse(text).body[0]
    assert isinstance(tree, ast.ClassDef)
    if tree.bases:
        raise ParseError(f"{filename}:{first}: expected no base classes in a config definition")
    body = text.splitlines(keepends=True)[tree.lineno - 1 :]
    whole, in_block = placed(f"@config(readwrite={readwrite})", body, first + tree.lineno - 1, indent)
    try:
        _, configs, _ = _rewright.module(whole, filename, [], False, True, in_block)
    except (ParseError, ProgramError) as e:
        e.args = (with_exos_words(str(e), e.findings),)
        raise
    fields = configs[-1].fields()
    if not fields:
        raise ParseError(f"{filename}:{first}: there is no field; expected config field definition of the form: name : type")
    for name, typ in fields:
        # `R` has no precision of its own, and nothing gives a field one.
        if typ == "R":
            raise ParseError(f"{filename}:{first}: `{name}` is of type `R`; expected one of the following types: {FIELD_TYPES}")
    return configs[-1]
