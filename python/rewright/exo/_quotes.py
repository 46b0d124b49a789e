"""What Python computes in a program before it is read: memories that expressions stand for, and quotes.

``with python:`` in a program is Python that runs when the program is read; ``with exo:`` in that Python is program again,
which stands where the Python ran; ``with exo as q:`` is a piece of program, for later. In a program ``{e}`` is the value of an
expression of Python, in Python ``~{e}`` is an expression of the program. Each piece of Python is a scope of its own inside the
one around it, and so is a function of Python here: what is quoted in it is a template, and its holes are closures.
"""

from __future__ import annotations

import ast
import copy
import linecache
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from .._errors import ParseError
from .core.memory import Memory


class Place(NamedTuple):
    """Where a text without its indentation is from."""

    filename: str
    first: int
    indent: str


def elaborated(tree: ast.FunctionDef, text: str, scope: Any, place: Place) -> Tuple[List[str], Dict[str, Any]]:
    """The lines of a function from its ``def`` on, as a program, and what new names in them stand for."""
    if any(_is_quote(node) for node in ast.walk(tree)):
        return _Quotes(scope, place).program(tree)
    lines = text.splitlines(keepends=True)
    names: Dict[str, Any] = {}
    taken = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    places = [node for node in ast.walk(tree) if isinstance(node, ast.BinOp) and _is_computed_memory(node)]
    for node in sorted(places, key=lambda n: (n.right.lineno, n.right.col_offset), reverse=True):
        value = scope.evaluate(node.right)
        if not (isinstance(value, type) and issubclass(value, Memory)):
            continue
        name = _fresh(taken, len(names))
        names[name] = value
        _put(lines, node.right, name)
    return lines[tree.lineno - 1 :], names


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
    return isinstance(node, ast.Set) or _context(node) == "python"


def _context(node: ast.AST) -> Optional[str]:
    """The word of a ``with`` of one word."""
    if isinstance(node, ast.With) and len(node.items) == 1:
        what = node.items[0].context_expr
        return what.id if isinstance(what, ast.Name) and what.id in ("python", "exo") else None
    return None


class QuotedExpr:
    """An expression of a program: ``~{e}``."""

    def __init__(self, tree: ast.expr) -> None:
        self._tree = tree

    def __str__(self) -> str:
        return ast.unparse(self._tree)


class QuotedStmts:
    """Statements of a program: ``with exo as q:``."""

    def __init__(self, trees: List[ast.stmt]) -> None:
        self._trees = trees

    def __str__(self) -> str:
        return "\n".join(ast.unparse(tree) for tree in self._trees)


#: What fills a hole: closures of Python, in order of the holes.
_Thunks = Sequence[Callable[[], Any]]


class _Quotes:
    """The quotes of one definition."""

    def __init__(self, scope: Any, place: Place) -> None:
        self.scope = scope
        self.place = place
        #: What Python quotes, with holes.
        self.templates: List[Any] = []
        #: Where statements go that ``with exo`` makes: innermost last.
        self.out: List[List[ast.stmt]] = []
        #: What new names stand for.
        self.names: Dict[str, Any] = {}

    def program(self, tree: ast.FunctionDef) -> Tuple[List[str], Dict[str, Any]]:
        tree = self._at_its_place(copy.deepcopy(tree))
        tree.decorator_list = []
        template, thunks, blocks = _Holes(self).of_program(tree)
        wanted = ast.List(elts=thunks, ctx=ast.Load())
        made = ast.Assign(targets=[ast.Name("__exo_thunks__", ast.Store())], value=wanted)
        module = ast.Module(body=[*blocks, made], type_ignores=[])
        around = {**self._variables(tree), **self.scope._flat(), **self._words()}
        exec(self._compiled(module), around)
        filled = _Fill(self, around["__exo_thunks__"]).visit(template)
        text = ast.unparse(ast.fix_missing_locations(filled))
        return text.splitlines(keepends=True), self.names

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

    def _words(self) -> Dict[str, Any]:
        return {"__exo_emit__": self.emit, "__exo_stmts__": self.stmts, "__exo_expr__": self.expr}

    @staticmethod
    def _variables(tree: ast.FunctionDef) -> Dict[str, Any]:
        """Variables of the program are expressions of it where Python speaks of them."""
        names = {a.arg for a in tree.args.args}
        for node in ast.walk(tree):
            if isinstance(node, (ast.For, ast.AnnAssign)) and isinstance(node.target, ast.Name):
                names.add(node.target.id)
        return {name: QuotedExpr(ast.Name(name, ast.Load())) for name in names}

    def filled(self, number: int, thunks: _Thunks) -> Any:
        return [_Fill(self, thunks).visited(tree) for tree in copy.deepcopy(self.templates[number])]

    def stmts(self, number: int, thunks: _Thunks) -> QuotedStmts:
        """``with exo as q:``"""
        return QuotedStmts([stmt for trees in self.filled(number, thunks) for stmt in trees])

    def emit(self, number: int, thunks: _Thunks) -> None:
        """``with exo:``"""
        if not self.out:
            raise ParseError("`with exo` stands where no program is read")
        self.out[-1].extend(self.stmts(number, thunks)._trees)

    def expr(self, number: int, thunks: _Thunks) -> QuotedExpr:
        """``~{e}``"""
        found = self.filled(number, thunks)[0][0]
        return QuotedExpr(found.value)

    def run(self, thunk: Callable[[], Any]) -> Tuple[List[ast.stmt], Any]:
        """What a piece of Python makes, and its value."""
        self.out.append([])
        try:
            value = thunk()
        finally:
            made = self.out.pop()
        return made, value

    def name_of(self, value: Any) -> ast.expr:
        for name, known in self.names.items():
            if known is value:
                return ast.Name(name, ast.Load())
        name = f"_q{len(self.names)}"
        self.names[name] = value
        return ast.Name(name, ast.Load())

    def tree_of(self, value: Any) -> ast.expr:
        """What a value of Python is in a program."""
        if isinstance(value, QuotedExpr):
            return copy.deepcopy(value._tree)
        if isinstance(value, (bool, int, float)):
            if not isinstance(value, bool) and value < 0:
                return ast.UnaryOp(ast.USub(), ast.Constant(-value))
            return ast.Constant(value)
        if isinstance(value, str):
            return ast.parse(value, mode="eval").body
        if isinstance(value, slice):
            ends = [None if end is None else self.tree_of(end) for end in (value.start, value.stop)]
            return ast.Slice(lower=ends[0], upper=ends[1])
        if isinstance(value, (tuple, list)):
            return ast.Tuple([self.tree_of(item) for item in value], ast.Load())
        word = getattr(value, "_raw", None)
        if isinstance(word, str):
            return ast.Name(word, ast.Load())
        if word is None:
            raise ParseError(f"a value of type {type(value).__name__} is nothing in a program")
        return self.name_of(value)


class _Holes(ast.NodeTransformer):
    """Makes a template of a piece of program: holes in place of Python, which becomes closures."""

    def __init__(self, quotes: _Quotes) -> None:
        self.quotes = quotes
        self.thunks: List[ast.expr] = []
        self.blocks: List[ast.stmt] = []

    def of_program(self, tree: Any) -> Tuple[Any, List[ast.expr], List[ast.stmt]]:
        template = self.visit(tree)
        return template, self.thunks, self.blocks

    def _hole(self, thunk: ast.expr) -> ast.expr:
        self.thunks.append(thunk)
        return ast.Name(f"__exo_hole_{len(self.thunks) - 1}__", ast.Load())

    def visit_Set(self, node: ast.Set) -> Any:
        if len(node.elts) != 1:
            raise ParseError("braces in a program hold one expression of Python")
        body = _Python(self.quotes).visit(node.elts[0])
        return self._hole(ast.Lambda(_no_arguments(), body))

    def visit_With(self, node: ast.With) -> Any:
        if _context(node) != "python":
            raise ParseError(f"line {node.lineno}: `with` in a program is `with python:`")
        for left in _own(node):
            if isinstance(left, (ast.Return, ast.Yield, ast.YieldFrom)):
                word = "return" if isinstance(left, ast.Return) else "yield"
                raise self.quotes.syntax_error(f"'{word}' in `with python:`, which is no function", left)
        name = f"__exo_python_{id(self)}_{len(self.blocks)}__"
        python = _Python(self.quotes)
        body = [made for stmt in node.body for made in _listed(python.visit(stmt))]
        self.blocks.append(_function(name, body))
        return ast.Expr(self._hole(ast.Name(name, ast.Load())))


class _Python(ast.NodeTransformer):
    """Makes plain Python of Python with quotes."""

    def __init__(self, quotes: _Quotes) -> None:
        self.quotes = quotes

    def _template(self, trees: List[Any]) -> Tuple[int, ast.expr, List[ast.stmt]]:
        holes = _Holes(self.quotes)
        self.quotes.templates.append([holes.visit(tree) for tree in trees])
        thunks = ast.List(elts=holes.thunks, ctx=ast.Load())
        return len(self.quotes.templates) - 1, thunks, holes.blocks

    def visit_With(self, node: ast.With) -> Any:
        if _context(node) != "exo":
            return self.generic_visit(node)
        number, thunks, blocks = self._template(node.body)
        given = [ast.Constant(number), thunks]
        target = node.items[0].optional_vars
        if target is None:
            return [*blocks, ast.Expr(ast.Call(ast.Name("__exo_emit__", ast.Load()), given, []))]
        made = ast.Call(ast.Name("__exo_stmts__", ast.Load()), given, [])
        return [*blocks, ast.Assign(targets=[target], value=made)]

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        quoted = node.operand
        if not (isinstance(node.op, ast.Invert) and isinstance(quoted, ast.Set) and len(quoted.elts) == 1):
            return self.generic_visit(node)
        number, thunks, _ = self._template([ast.Expr(quoted.elts[0])])
        return ast.Call(ast.Name("__exo_expr__", ast.Load()), [ast.Constant(number), thunks], [])


class _Fill(ast.NodeTransformer):
    """Fills the holes of a template, in order."""

    def __init__(self, quotes: _Quotes, thunks: _Thunks) -> None:
        self.quotes = quotes
        self.thunks = thunks

    def visited(self, tree: ast.AST) -> List[Any]:
        """What a statement becomes."""
        return _listed(self.visit(tree))

    def _thunk(self, node: ast.AST) -> Optional[Callable[[], Any]]:
        if isinstance(node, ast.Name) and node.id.startswith("__exo_hole_"):
            return self.thunks[int(node.id[len("__exo_hole_") : -2])]
        return None

    def visit_Expr(self, node: ast.Expr) -> Any:
        thunk = self._thunk(node.value)
        if thunk is None:
            return self.generic_visit(node)
        made, value = self.quotes.run(thunk)
        if isinstance(value, QuotedStmts):
            return made + copy.deepcopy(value._trees)
        if isinstance(value, QuotedExpr):
            return [*made, ast.Expr(copy.deepcopy(value._tree))]
        return made

    def visit_Name(self, node: ast.Name) -> Any:
        thunk = self._thunk(node)
        return node if thunk is None else self.quotes.tree_of(thunk())

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        self.generic_visit(node)
        if isinstance(node.slice, ast.Tuple):
            spread = [e for item in node.slice.elts for e in (item.elts if isinstance(item, ast.Tuple) else [item])]
            node.slice = ast.Tuple(spread, ast.Load())
        return node

    def _body(self, node: Any) -> Any:
        self.generic_visit(node)
        if not node.body:
            node.body = [ast.Pass()]
        return node

    visit_For = visit_If = visit_FunctionDef = _body


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """What is in a piece of Python, but not in a function there, or in a program."""
    for child in ast.iter_child_nodes(node):
        is_other = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef))
        if not is_other and _context(child) != "exo":
            yield child
            yield from _own(child)


def _listed(made: Any) -> List[Any]:
    return made if isinstance(made, list) else [made]


def _no_arguments() -> ast.arguments:
    return ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])


def _function(name: str, body: List[ast.stmt]) -> ast.stmt:
    return ast.parse(f"def {name}(): pass").body[0] if not body else _with_body(name, body)


def _with_body(name: str, body: List[ast.stmt]) -> ast.stmt:
    made = ast.parse(f"def {name}(): pass").body[0]
    assert isinstance(made, ast.FunctionDef)
    made.body = body
    return made
