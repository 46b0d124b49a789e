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
        node.annotation = self._type(node.annotation)
        node.value = self.visit(node.value) if node.value else None
        return node

    def _type(self, annotation: ast.expr) -> Any:
        """A type, in which a memory may be computed."""
        if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.MatMult):
            annotation.left = self._type(annotation.left)
            if not isinstance(annotation.right, (ast.Name, ast.Set)):
                annotation.right = self._python_value(annotation.right)
                return annotation
        return self.visit(annotation)

    def _python_value(self, node: ast.expr) -> ast.expr:
        """A hole for the value of an expression of Python."""
        body = Python(self.quotes, self._inside() | given(node)).visit(node)
        return self._hole(_thunk(body, self.own), "hole", node)

    def visit_Set(self, node: ast.Set) -> Any:
        if len(node.elts) != 1 or isinstance(node.elts[0], ast.Starred):
            raise self.quotes.parse_error("braces in a program hold one expression of Python", node)
        return self._python_value(node.elts[0])

    def visit_With(self, node: ast.With) -> Any:
        if context(node) != "python":
            raise self.quotes.parse_error("`with` in a program is `with python:`", node)
        for left in _own(node):
            if isinstance(left, (ast.Return, ast.Yield, ast.YieldFrom)):
                word = "return" if isinstance(left, ast.Return) else "yield"
                raise self.quotes.syntax_error(f"'{word}' in `with python:`, which is no function", left)
        for left in ast.walk(node):
            if isinstance(left, ast.Global):
                why = f"'{left.names[0]}' is global: `with python:` reads the variables around the program, and does not assign them"
                raise self.quotes.syntax_error(why, left)
        name = f"__exo_python_{id(self)}_{len(self.blocks)}__"
        known = _variables(node, self.own)
        python = Python(self.quotes, self._inside() | given(node))
        body = [made for stmt in node.body for made in listed(python.visit(stmt))]
        self.blocks.append(_function(name, [*known, *body]))
        return ast.copy_location(ast.Expr(self._hole(ast.Name(name, ast.Load()), "block", node)), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        for arg in node.args.args:
            arg.annotation = self._type(arg.annotation) if arg.annotation else None
            self.own.add(arg.arg)
        node.body = self._block(node.body)
        return node

    def visit_For(self, node: ast.For) -> Any:
        node.iter = self.visit(node.iter)
        node.body, node.orelse = self._block(node.body, node.target), self._block(node.orelse)
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


#: What has variables of its own in Python.
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.ClassDef)


def given(node: ast.AST) -> Set[str]:
    """The names that a piece of Python gives to something in its own scope."""
    out: Set[str] = set()
    for child in ast.iter_child_nodes(node):
        if context(child) == "exo":
            assert isinstance(child, ast.With)
            target = child.items[0].optional_vars
            out |= {name.id for name in ast.walk(target) if isinstance(name, ast.Name)} if target else set()
        elif isinstance(child, _SCOPES):
            out |= _given_around(child)
        else:
            out |= _given_by(child) | given(child)
    return out


def _given_by(node: ast.AST) -> Set[str]:
    """The name that one node of Python gives to something."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return {node.id}
    if isinstance(node, ast.arg):
        return {node.arg}
    if isinstance(node, ast.alias):
        return {(node.asname or node.name).split(".")[0]}
    # `except … as e`, and the patterns of `match`, which older Pythons do not have.
    is_pattern = type(node).__name__ in ("ExceptHandler", "MatchAs", "MatchStar", "MatchMapping")
    name = getattr(node, "name", getattr(node, "rest", None)) if is_pattern else None
    return {name} if isinstance(name, str) else set()


def _given_around(node: ast.AST) -> Set[str]:
    """What something that has variables of its own gives to the scope around it: its name, and `x := …` in a comprehension."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, ast.Lambda):
        return set()
    return {n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr) and isinstance(n.target, ast.Name)}


class Python(ast.NodeTransformer):
    """Makes plain Python of Python with quotes."""

    def __init__(self, quotes: Quotes, python: Set[str]) -> None:
        self.quotes = quotes
        #: The names that it, and Python around it, has given.
        self.python = python

    def _template(self, holes: Holes, template: Any) -> Tuple[List[ast.expr], List[ast.stmt]]:
        """What the functions of Python are given that fill a template, and the functions that its holes need."""
        self.quotes.templates.append(template)
        thunks = ast.List(elts=holes.thunks, ctx=ast.Load())
        number = ast.Constant(len(self.quotes.templates) - 1)
        return [number, thunks, ast.Name("__exo_known__", ast.Load())], holes.blocks

    def visit_With(self, node: ast.With) -> Any:
        if context(node) == "python":
            raise self.quotes.parse_error("`with python:` stands in a program, and this is Python", node)
        if context(node) != "exo":
            return self.generic_visit(node)
        holes = Holes(self.quotes, self.python)
        to, blocks = self._template(holes, [made for tree in node.body for made in holes.statement(tree)])
        target = node.items[0].optional_vars
        if target is None:
            return [*blocks, ast.Expr(ast.Call(ast.Name("__exo_emit__", ast.Load()), to, []))]
        made = ast.Call(ast.Name("__exo_stmts__", ast.Load()), to, [])
        return [*blocks, ast.Assign(targets=[target], value=made)]

    def _scope(self, node: Any) -> Any:
        """Something that has variables of its own."""
        around, self.python = self.python, self.python | given(node)
        made = self.generic_visit(node)
        self.python = around
        return made

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = _scope
    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _scope

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        quoted = node.operand
        if not (isinstance(node.op, ast.Invert) and isinstance(quoted, ast.Set)):
            return self.generic_visit(node)
        if len(quoted.elts) != 1 or isinstance(quoted.elts[0], ast.Starred):
            raise self.quotes.parse_error("`~{…}` quotes one expression", node)
        holes = Holes(self.quotes, self.python)
        to, _ = self._template(holes, holes.visit(quoted.elts[0]))
        return ast.Call(ast.Name("__exo_expr__", ast.Load()), to, [])


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
