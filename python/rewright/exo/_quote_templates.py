"""Templates of pieces of program that Python quotes: holes where Python stands, and closures that say what goes there."""

from __future__ import annotations

import ast
from typing import Any, Iterator, List, Optional, Protocol, Set, Tuple

from .._errors import ParseError
from ._quote_names import bound_by


class Quotes(Protocol):
    """What templates are made for."""

    #: What Python quotes, with holes.
    templates: List[Any]

    def syntax_error(self, why: str, node: Any) -> SyntaxError:
        """An error of Python's, at a place of the file."""

    def parse_error(self, why: str, node: Any) -> ParseError:
        """An error of the program's, at a place of the file."""


def context(node: ast.AST) -> Optional[str]:
    """The word of a ``with`` of one word."""
    if isinstance(node, ast.With) and len(node.items) == 1:
        what = node.items[0].context_expr
        return what.id if isinstance(what, ast.Name) and what.id in ("python", "exo") else None
    return None


class Holes(ast.NodeTransformer):
    """Makes a template of a piece of program: holes in place of Python, which becomes closures; and in place of the names that
    Python around the piece has given."""

    def __init__(self, quotes: Quotes, python: Set[str]) -> None:
        self.quotes = quotes
        #: The names that Python around the piece has given.
        self.python = python
        #: The variables of the program that the piece has, where one looks.
        self.own: Set[str] = set()
        self.thunks: List[ast.expr] = []
        self.blocks: List[ast.stmt] = []

    def _hole(self, thunk: ast.expr, kind: str, at: Any) -> ast.expr:
        self.thunks.append(thunk)
        return ast.copy_location(ast.Name(f"__exo_{kind}_{len(self.thunks) - 1}__", ast.Load()), at)

    def _inside(self) -> Set[str]:
        """The names of Python that mean something to it inside of the piece."""
        return self.python - self.own

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id in self.own or node.id not in self.python:
            return node
        return self._hole(_thunk(ast.copy_location(ast.Name(node.id, ast.Load()), node), set()), "name", node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        node.annotation = self.visit(node.annotation)
        return node

    def visit_Set(self, node: ast.Set) -> Any:
        if len(node.elts) != 1:
            raise self.quotes.parse_error("braces in a program hold one expression of Python", node)
        body = _Python(self.quotes, self._inside()).visit(node.elts[0])
        return self._hole(_thunk(body, self.own), "hole", node)

    def visit_With(self, node: ast.With) -> Any:
        if context(node) != "python":
            raise self.quotes.parse_error("`with` in a program is `with python:`", node)
        for left in _own(node):
            if isinstance(left, (ast.Return, ast.Yield, ast.YieldFrom)):
                word = "return" if isinstance(left, ast.Return) else "yield"
                raise self.quotes.syntax_error(f"'{word}' in `with python:`, which is no function", left)
        name = f"__exo_python_{id(self)}_{len(self.blocks)}__"
        known = _variables(node, self.own)
        python = _Python(self.quotes, self._inside() | _given(node))
        body = [made for stmt in node.body for made in listed(python.visit(stmt))]
        self.blocks.append(_function(name, [*known, *body]))
        return ast.copy_location(ast.Expr(self._hole(ast.Name(name, ast.Load()), "block", node)), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        for arg in node.args.args:
            self.visit(arg)
            self.own.add(arg.arg)
        node.body = self._block(node.body)
        return node

    def visit_For(self, node: ast.For) -> Any:
        node.iter = self.visit(node.iter)
        node.body = self._block(node.body, node.target)
        return node

    def visit_If(self, node: ast.If) -> Any:
        node.test = self.visit(node.test)
        node.body, node.orelse = self._block(node.body), self._block(node.orelse)
        return node

    def _block(self, body: List[ast.stmt], variable: Any = None) -> List[ast.stmt]:
        before = set(self.own)
        if isinstance(variable, ast.Name):
            self.own.add(variable.id)
        made = [made for stmt in body for made in self.statement(stmt)]
        self.own = before
        return made

    def statement(self, stmt: ast.stmt) -> List[Any]:
        """What becomes of a statement of a block, whose names are known in the rest of that."""
        targets = [target.id for target in bound_by(stmt)]
        made = listed(self.visit(stmt))
        # What Python has given a name is assigned, if it is a variable.
        self.own.update(name for name in targets if isinstance(stmt, ast.AnnAssign) or name not in self.python)
        return made


def _thunk(body: ast.expr, own: Set[str]) -> ast.expr:
    """A closure of an expression of Python, for which variables of the program are expressions of it."""
    names = sorted({node.id for node in ast.walk(body) if isinstance(node, ast.Name)} & own)
    inner = ast.Lambda(_arguments(names), body)
    values = [_variable(name) for name in names]
    return ast.Lambda(_arguments(["__exo_known__"]), ast.Call(inner, values, []) if names else body)


def _variable(name: str) -> ast.expr:
    known = ast.Name("__exo_known__", ast.Load())
    return ast.Call(ast.Name("__exo_variable__", ast.Load()), [ast.Constant(name), known], [])


def _variables(node: ast.With, own: Set[str]) -> List[ast.stmt]:
    """What makes variables of the program known to Python that speaks of them."""
    said = {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
    return [ast.Assign(targets=[ast.Name(x, ast.Store())], value=_variable(x)) for x in sorted(said & own)]


def _given(node: ast.AST) -> Set[str]:
    """The names that a piece of Python gives to something: in itself, and in its functions."""
    out: Set[str] = set()
    for child in ast.iter_child_nodes(node):
        if context(child) == "exo":
            assert isinstance(child, ast.With)
            target = child.items[0].optional_vars
            out |= {name.id for name in ast.walk(target) if isinstance(name, ast.Name)} if target else set()
            continue
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            out.add(child.id)
        elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            out.add(child.name)
        elif isinstance(child, ast.arg):
            out.add(child.arg)
        elif isinstance(child, ast.alias):
            out.add((child.asname or child.name).split(".")[0])
        elif isinstance(child, ast.ExceptHandler) and child.name:
            out.add(child.name)
        out |= _given(child)
    return out


class _Python(ast.NodeTransformer):
    """Makes plain Python of Python with quotes."""

    def __init__(self, quotes: Quotes, python: Set[str]) -> None:
        self.quotes = quotes
        #: The names that it, and Python around it, has given.
        self.python = python

    def _template(self, trees: List[Any]) -> Tuple[List[ast.expr], List[ast.stmt]]:
        """What the functions of Python are given that fill a template, and the functions that its holes need."""
        holes = Holes(self.quotes, self.python)
        self.quotes.templates.append([made for tree in trees for made in holes.statement(tree)])
        thunks = ast.List(elts=holes.thunks, ctx=ast.Load())
        number = ast.Constant(len(self.quotes.templates) - 1)
        return [number, thunks, ast.Name("__exo_known__", ast.Load())], holes.blocks

    def visit_With(self, node: ast.With) -> Any:
        if context(node) != "exo":
            return self.generic_visit(node)
        given, blocks = self._template(node.body)
        target = node.items[0].optional_vars
        if target is None:
            return [*blocks, ast.Expr(ast.Call(ast.Name("__exo_emit__", ast.Load()), given, []))]
        made = ast.Call(ast.Name("__exo_stmts__", ast.Load()), given, [])
        return [*blocks, ast.Assign(targets=[target], value=made)]

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        quoted = node.operand
        if not (isinstance(node.op, ast.Invert) and isinstance(quoted, ast.Set) and len(quoted.elts) == 1):
            return self.generic_visit(node)
        given, _ = self._template([ast.copy_location(ast.Expr(quoted.elts[0]), node)])
        return ast.Call(ast.Name("__exo_expr__", ast.Load()), given, [])


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """What is in a piece of Python, but not in a function there, or in a program."""
    for child in ast.iter_child_nodes(node):
        is_other = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef))
        if not is_other and context(child) != "exo":
            yield child
            yield from _own(child)


def listed(made: Any) -> List[Any]:
    return made if isinstance(made, list) else [made]


def _arguments(names: List[str]) -> ast.arguments:
    args = [ast.arg(name) for name in names]
    return ast.arguments(posonlyargs=[], args=args, kwonlyargs=[], kw_defaults=[], defaults=[])


def _function(name: str, body: List[ast.stmt]) -> ast.stmt:
    made = ast.parse(f"def {name}(__exo_known__): pass").body[0]
    assert isinstance(made, ast.FunctionDef)
    made.body = body or made.body
    return made
