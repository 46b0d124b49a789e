"""What Python computes in a program before it is read: memories that expressions stand for, types, and quotes.

``with python:`` in a program is Python that runs when the program is read; ``with exo:`` in that Python is program again,
which stands where the Python ran; ``with exo as q:`` is a piece of program, for later. In a program ``{e}`` is the value of an
expression of Python, in Python ``~{e}`` is an expression of the program. Each piece of Python is a scope of its own inside the
one around it, and so is a function of Python here: what is quoted in it is a template, and its holes are closures.
"""

from __future__ import annotations

import ast
import copy
import linecache
import math
import numbers
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

from .._errors import ParseError
from ._quote_names import Names, as_written, bound_by, written
from ._quote_templates import Holes, context, listed
from .core.configs import Config
from .core.memory import Memory


class Place(NamedTuple):
    """Where a text without its indentation is from."""

    filename: str
    first: int
    indent: str


class Elaborated(NamedTuple):
    """A function as a program."""

    #: From ``def`` on.
    lines: List[str]
    #: What new names in it stand for.
    names: Dict[str, Any]
    #: Whether quotes were filled in: its lines are not those of the file.
    quoted: bool
    #: What the lines say.
    tree: ast.FunctionDef


def elaborated(tree: ast.FunctionDef, text: str, scope: Any, place: Place) -> Elaborated:
    """A function as a program, without what Python computes in it."""
    if any(_is_quote(node) for part in (tree.args, *tree.body) for node in ast.walk(part)):
        return _Quotes(scope, place).program(tree)
    lines = text.splitlines(keepends=True)
    names: Dict[str, Any] = {}
    taken = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    memories = [node.right for node in _in_types(tree) if isinstance(node, ast.BinOp) and _is_computed_memory(node)]
    for node in sorted(memories, key=lambda n: (n.lineno, n.col_offset), reverse=True):
        value = scope.evaluate(node)
        if not (isinstance(value, type) and issubclass(value, Memory)):
            continue
        name = _fresh(taken, len(names))
        names[name] = value
        _put(lines, node, name)
    return Elaborated(lines[tree.lineno - 1 :], names, False, tree)


def _in_types(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.arg, ast.AnnAssign)) and node.annotation is not None:
            yield from ast.walk(node.annotation)


def _base_of(annotation: ast.expr) -> ast.expr:
    """The type of data in a type: ``f32`` of ``[f32][n] @ DRAM``."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.MatMult):
        return _base_of(annotation.left)
    if isinstance(annotation, ast.Subscript):
        return _base_of(annotation.value)
    if isinstance(annotation, ast.List) and len(annotation.elts) == 1:
        return _base_of(annotation.elts[0])
    return annotation


#: The words for types, which mean nothing else in a program.
_TYPES = {"f16", "f32", "f64", "i8", "i32", "ui8", "ui16", "R", "size", "index", "int", "bool", "stride"}


def _type_word(value: Any) -> Optional[str]:
    """The word for a type that a value of Python is."""
    word = value if isinstance(value, str) else getattr(value, "_raw", None)
    return word if isinstance(word, str) and word in _TYPES else None


def _is_computed_memory(node: ast.BinOp) -> bool:
    return isinstance(node.op, ast.MatMult) and not isinstance(node.right, ast.Name)


def _fresh(taken: Any, n: int) -> str:
    while f"_m{n}" in taken:
        n += 1
    taken.add(f"_m{n}")
    return f"_m{n}"


def _put(lines: List[str], node: ast.expr, name: str) -> None:
    """Puts a name in the place of an expression, and keeps the columns after it where that can be done."""
    assert node.end_lineno is not None and node.end_col_offset is not None
    row, last = node.lineno - 1, node.end_lineno - 1
    before = lines[row].encode()[: node.col_offset].decode()
    after = lines[last].encode()[node.end_col_offset :].decode()
    width = node.end_col_offset - node.col_offset if row == last else 0
    lines[row : last + 1] = [before + name.ljust(width) + after, *[""] * (last - row)]


def _is_quote(node: ast.AST) -> bool:
    return isinstance(node, ast.Set) or context(node) == "python"


class QuotedExpr:
    """An expression of a program: ``~{e}``."""

    def __init__(self, tree: ast.expr, of: Any) -> None:
        self._tree = tree
        #: The quotes of the definition that it is in.
        self._of = of

    def __str__(self) -> str:
        return written(ast.unparse(self._tree))


class QuotedStmts:
    """Statements of a program: ``with exo as q:``."""

    def __init__(self, trees: List[ast.stmt], of: Any, made: Tuple[int, int] = (0, 0)) -> None:
        self._trees = trees
        self._of = of
        #: The numbers of the variables that were made for it: after the first, up to the second.
        self._made = made

    def __str__(self) -> str:
        return written("\n".join(ast.unparse(tree) for tree in self._trees))


#: What fills a hole: closures of Python, in order of the holes, which are told the variables of the program there.
_Thunks = Sequence[Callable[[Names], Any]]


class _Quotes:
    """The quotes of one definition."""

    def __init__(self, scope: Any, place: Place) -> None:
        self.scope = scope
        self.place = place
        #: What Python quotes, with holes.
        self.templates: List[Any] = []
        #: Where statements go that ``with exo`` makes: innermost last. No statements are made where an expression is wanted.
        self.out: List[Optional[List[ast.stmt]]] = []
        #: What new names stand for.
        self.names: Dict[str, Any] = {}
        #: The names of the program.
        self.taken: Set[str] = set()

    def program(self, tree: ast.FunctionDef) -> Elaborated:
        try:
            return self._program(self._at_its_place(copy.deepcopy(tree)))
        except RecursionError:
            raise self.parse_error(f"`{tree.name}` is nested too deeply, or the Python in it", tree) from None

    def _program(self, tree: ast.FunctionDef) -> Elaborated:
        tree.decorator_list = []
        self.taken = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        holes = Holes(self, set())
        template = holes.visit(tree)
        wanted = ast.List(elts=holes.thunks, ctx=ast.Load())
        made = ast.Assign(targets=[ast.Name("__exo_thunks__", ast.Store())], value=wanted)
        module = ast.Module(body=[*holes.blocks, made], type_ignores=[])
        around = {**self.scope._flat(), **self._words()}
        exec(self._compiled(module), around)
        filled = _Fill(self, around["__exo_thunks__"], Names([0])).visit(template)
        as_written(filled)
        text, of = ast.unparse(ast.fix_missing_locations(filled)).splitlines(), _lines(filled)
        told = [f"  # line {line}" for line in of] if len(of) == len(text) else [""] * len(text)
        return Elaborated([f"{line}{of}\n" for line, of in zip(text, told)], self.names, True, filled)

    def _at_its_place(self, tree: ast.FunctionDef) -> ast.FunctionDef:
        """With the lines and columns of the file, which what Python raises is told with."""
        for node in ast.walk(tree):
            if isinstance(node, (ast.stmt, ast.expr)):
                node.col_offset += len(self.place.indent)
                node.end_col_offset = (node.end_col_offset or 0) + len(self.place.indent)
        return ast.increment_lineno(tree, self.place.first - 1)

    def _compiled(self, module: ast.Module) -> Any:
        try:
            return compile(ast.fix_missing_locations(module), self.place.filename, "exec")
        except SyntaxError as e:
            if "nonlocal" not in e.msg:
                raise
            e.msg += ": `with python:` reads the variables of the function around the program, and does not assign them"
            raise

    def syntax_error(self, why: str, node: Any) -> SyntaxError:
        """An error of Python's, at a place of the file."""
        filename, line = self.place.filename, node.lineno
        return SyntaxError(why, (filename, line, node.col_offset + 1, linecache.getline(filename, line)))

    def parse_error(self, why: str, node: Any) -> ParseError:
        """An error of the program's, at a place of the file."""
        return ParseError(f"{self.place.filename}:{node.lineno}: {why}")

    def _words(self) -> Dict[str, Any]:
        return {
            "__exo_emit__": self.emit,
            "__exo_stmts__": self.stmts,
            "__exo_expr__": self.expr,
            "__exo_variable__": self.variable,
        }

    def variable(self, name: str, known: Names) -> QuotedExpr:
        """A variable of the program is an expression of it where Python speaks of it."""
        return QuotedExpr(ast.Name(known.of(name) or name, ast.Load()), self)

    def stmts(self, number: int, thunks: _Thunks, known: Names) -> QuotedStmts:
        """``with exo as q:``"""
        since = known.count()
        made = _Fill(self, thunks, known).block(copy.deepcopy(self.templates[number]))
        return QuotedStmts(made, self, (since, known.count()))

    def emit(self, number: int, thunks: _Thunks, known: Names) -> None:
        """``with exo:``"""
        if not self.out:
            raise self.parse_error("`with exo` stands where no program is read", self.templates[number][0])
        out = self.out[-1]
        if out is None:
            raise TypeError("`with exo` makes statements where an expression is wanted; `with exo as q` keeps them for later")
        out.extend(self.stmts(number, thunks, known)._trees)

    def expr(self, number: int, thunks: _Thunks, known: Names) -> QuotedExpr:
        """``~{e}``"""
        return QuotedExpr(_Fill(self, thunks, known).visit(copy.deepcopy(self.templates[number])), self)

    def run(self, thunk: Callable[[Names], Any], known: Names) -> List[ast.stmt]:
        """The statements that a piece of Python makes."""
        made: List[ast.stmt] = []
        self._value(thunk, known, made)
        return made

    def value(self, thunk: Callable[[Names], Any], known: Names) -> Any:
        """What an expression of Python is."""
        return self._value(thunk, known, None)

    def _value(self, thunk: Callable[[Names], Any], known: Names, out: Optional[List[ast.stmt]]) -> Any:
        self.out.append(out)
        try:
            # What is declared after it is not known to it, whenever its functions are called.
            return thunk(known.inner())
        finally:
            self.out.pop()

    def name_of(self, value: Any) -> ast.expr:
        """A name for what has a handle: its own, unless something else is called so."""
        for name, known in self.names.items():
            if known is value:
                return ast.Name(name, ast.Load())
        own = str(value.name()) if callable(getattr(value, "name", None)) else ""
        is_free = own.isidentifier() and own not in self.names and own not in self.taken
        name = own if is_free and self.scope._flat().get(own, value) is value else f"_q{len(self.names)}"
        self.names[name] = value
        return ast.Name(name, ast.Load())

    def tree_of(self, value: Any, at: ast.AST) -> ast.expr:
        """What a value of Python is in a program."""
        if isinstance(value, QuotedExpr):
            self.check_own(value, at)
            return copy.deepcopy(value._tree)
        number = _number(value)
        if number is not None:
            is_none = not math.isfinite(number) if isinstance(number, float) else not -(2**63) <= number < 2**63
            if is_none:
                raise self.parse_error(f"{number} is no number of a program", at)
            if not isinstance(number, bool) and number < 0:
                return ast.UnaryOp(ast.USub(), ast.Constant(-number))
            return ast.Constant(number)
        if isinstance(value, slice):
            if value.step is not None:
                raise self.parse_error(f"{value!r} has a step, and a window has none", at)
            ends = [None if end is None else self.tree_of(end, at) for end in (value.start, value.stop)]
            return ast.Slice(lower=ends[0], upper=ends[1])
        if isinstance(value, (tuple, list)):
            return ast.Tuple([self.tree_of(item, at) for item in value], ast.Load())
        if isinstance(getattr(value, "_raw", None), str):
            raise self.parse_error(f"`{value._raw}` is a type, where an expression is wanted", at)
        if getattr(value, "_raw", None) is not None:
            return self.name_of(value)
        told = "a text: `~{…}` quotes an expression" if isinstance(value, str) else f"of type {type(value).__name__}"
        raise self.parse_error(f"{value!r} is nothing in a program, but {told}", at)

    def check_own(self, quote: Any, at: ast.AST) -> None:
        """A quote speaks of the variables of its own definition."""
        if quote._of is not self:
            raise self.parse_error(f"`{quote}` is a quote of another definition", at)

    def type_of(self, value: Any, at: ast.AST) -> ast.expr:
        """What a value of Python is where the program has a type of data."""
        word = _type_word(value)
        if word is None:
            raise self.parse_error(f"{value!r} is no type: `f32` is, as a text or as `ExoType.F32`", at)
        return ast.Name(word, ast.Load())


def _number(value: Any) -> Any:
    """A number or a truth value of Python, or of numpy, as Python's own."""
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return bool(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    return float(value) if isinstance(value, numbers.Real) else None


def _lines(stmt: Any) -> List[int]:
    """The lines of the file that a statement's lines are from, when it is written out."""
    if isinstance(stmt, (ast.FunctionDef, ast.For, ast.If)):
        out = [stmt.lineno, *(line for inner in stmt.body for line in _lines(inner))]
        orelse = [] if isinstance(stmt, ast.FunctionDef) else stmt.orelse
        if orelse and not (isinstance(stmt, ast.If) and len(orelse) == 1 and isinstance(orelse[0], ast.If)):
            out.append(stmt.lineno)
        return [*out, *(line for inner in orelse for line in _lines(inner))]
    return [stmt.lineno] * (ast.unparse(stmt).count("\n") + 1)


class _Fill(ast.NodeTransformer):
    """Fills the holes of a template, in order, and gives each variable a name of its own."""

    def __init__(self, quotes: _Quotes, thunks: _Thunks, known: Names) -> None:
        self.quotes = quotes
        self.thunks = thunks
        self.known = known

    def block(self, body: List[Any], variable: Any = None) -> List[Any]:
        """Statements in a scope of their own."""
        around, self.known = self.known, self.known.inner()
        if isinstance(variable, ast.Name):
            variable.id = self.known.bind(variable.id)
        made = [made for stmt in body for made in listed(self.visit(stmt))]
        self.known = around
        return made

    def _thunk(self, node: ast.AST, *kinds: str) -> Optional[Callable[[Names], Any]]:
        for kind in kinds:
            start = f"__exo_{kind}_"
            if isinstance(node, ast.Name) and node.id.startswith(start):
                return self.thunks[int(node.id[len(start) : -2])]
        return None

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        for arg in node.args.args:
            if arg.annotation is not None:
                arg.annotation = self._type(arg.annotation)
            arg.arg = self.known.bind(arg.arg)
        node.body = self.block(node.body) or [ast.copy_location(ast.Pass(), node)]
        return node

    def visit_For(self, node: ast.For) -> Any:
        node.iter = self.visit(node.iter)
        node.body = self.block(node.body, node.target) or [ast.copy_location(ast.Pass(), node)]
        node.orelse = self.block(node.orelse)
        return node

    def visit_If(self, node: ast.If) -> Any:
        node.test = self.visit(node.test)
        node.body = self.block(node.body) or [ast.copy_location(ast.Pass(), node)]
        node.orelse = self.block(node.orelse)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        node.annotation = self._type(node.annotation)
        node.value = self.visit(node.value) if node.value else None
        if isinstance(node.target, ast.Name):
            node.target.id = self.known.bind(node.target.id)
        else:
            node.target = self.visit(node.target)
        return node

    def visit_Assign(self, node: ast.Assign) -> Any:
        node.value = self.visit(node.value)
        for target in bound_by(node):
            if self.known.of(target.id) is None and self._thunk(target, "name") is None:
                target.id = self.known.bind(target.id)
                return node
        node.targets = [self._assigned(target) for target in node.targets]
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        node.value = self.visit(node.value)
        node.target = self._assigned(node.target)
        return node

    def _assigned(self, target: Any) -> Any:
        """What is assigned, or added to."""
        made = self.visit(target)
        if not isinstance(made, (ast.Name, ast.Subscript, ast.Attribute)):
            raise self.quotes.parse_error(f"`{written(ast.unparse(made))}` is assigned, and is no variable", target)
        made.ctx = ast.Store()
        return made

    def visit_Expr(self, node: ast.Expr) -> Any:
        block = self._thunk(node.value, "block")
        if block is not None:
            return self.quotes.run(block, self.known)
        thunk = self._thunk(node.value, "hole")
        if thunk is None:
            # Docstrings say nothing to the language.
            is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
            return [] if is_text else self.generic_visit(node)
        value = self.quotes.value(thunk, self.known)
        if not isinstance(value, QuotedStmts):
            why = f"{_described(value)} is no statement: `with exo as q:` quotes statements"
            raise self.quotes.parse_error(why, node)
        self.quotes.check_own(value, node)
        made = ast.Module(body=copy.deepcopy(value._trees), type_ignores=[])
        self.known.renewed(made, *value._made)
        return made.body

    def visit_Name(self, node: ast.Name) -> Any:
        thunk = self._thunk(node, "hole", "name")
        if thunk is not None:
            return ast.copy_location(self.quotes.tree_of(self.quotes.value(thunk, self.known), node), node)
        node.id = self.known.of(node.id) or node.id
        return node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        base: ast.AST = node
        while isinstance(base, ast.Attribute):
            base = base.value
        thunk = self._thunk(base, "name")
        if thunk is None:
            return self.generic_visit(node)
        value = self._of_python(node.value, thunk)
        if isinstance(value, Config):
            node.value = self.quotes.name_of(value)
            return node
        return ast.copy_location(self.quotes.tree_of(getattr(value, node.attr), node), node)

    def _of_python(self, node: ast.AST, thunk: Callable[[Names], Any]) -> Any:
        """The value of an attribute of an attribute … of what a hole stands for."""
        if isinstance(node, ast.Attribute):
            return getattr(self._of_python(node.value, thunk), node.attr)
        return self.quotes.value(thunk, self.known)

    def _type(self, annotation: ast.expr) -> ast.expr:
        """The type of what is declared."""
        base = _base_of(annotation)
        thunk = self._thunk(base, "hole", "name")
        if thunk is not None:
            assert isinstance(base, ast.Name)
            found = self.quotes.type_of(self.quotes.value(thunk, self.known), base)
            assert isinstance(found, ast.Name)
            base.id = found.id
        return self.visit(annotation)  # type: ignore[no-any-return]

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        self.generic_visit(node)
        if isinstance(node.slice, ast.Tuple):
            spread = [e for item in node.slice.elts for e in (item.elts if isinstance(item, ast.Tuple) else [item])]
            node.slice = ast.Tuple(spread, ast.Load())
        return node


def _described(value: Any) -> str:
    return f"`{value}`" if isinstance(value, QuotedExpr) else repr(value)
