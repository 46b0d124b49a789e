"""Reading the text of the Halide model as trees. What is read here and wrong is told by ``rewright halide`` itself, with its
place: the reader here asks for no more than it needs. Spec: [rule: halide.text]."""

from __future__ import annotations

import re
from typing import Any, Callable, List, Optional, Set, Tuple

from .tree import BOUNDARIES, DIRECTIVES, LEVELS, TYPES, Box, Directive, Expr, Func, Given, Loop, Pipeline, Update

_TOKEN = re.compile(
    r"(?P<skip>\s+|#[^\n]*)"
    r"|(?P<float>\d+(?:\.\d+)?(?:e-?\d+)f?(?![\w$])|\d+\.\d+f?(?![\w$]))"
    r"|(?P<int>\d+(?![\w$]))"
    r"|(?P<name>[\w$]+)"
    r"|(?P<sign><-|<<|>>|<=|>=|!=|[%!&|^~()\[\]{},;:+\-*<>=?./])"
)

#: Numbers that the normal form shows so.
SPECIAL = {"inf": "float64", "inff": "float32", "NaNf": "float32", "NaN": "float64"}


class SyntaxProblem(ValueError):
    """The text is not as the grammar wants it."""


def parse(source: str) -> Pipeline:
    """Reads a pipeline with its schedule and its realization, where it has them.

    Raises ``SyntaxProblem``, with the line.
    """
    return _Parser(source).pipeline()


def quotient(e: Expr) -> Expr:
    """`1.0 div 0.0` is how infinities are written."""
    op, a, b = e
    literal = all(isinstance(x, list) and x[0] == "lit" for x in (a, b))
    if op != "div" or not literal or a[1] != b[1] or b[2] != 0:
        return e
    return ["lit", a[1], float("nan") if a[2] == 0 else float("inf") if a[2] > 0 else -float("inf")]


class _Parser:
    def __init__(self, source: str) -> None:
        self.source, self.at = source, 0
        self.known: Set[str] = set()
        self.tokens: List[Tuple[str, str, int]] = []
        place = 0
        while place < len(source):
            m = _TOKEN.match(source, place)
            if m is None:
                raise SyntaxProblem(f"line {self._line(place)}: no token starts with `{source[place]}`")
            if m.lastgroup != "skip":
                self.tokens.append((m.lastgroup or "", m.group(), place))
            place = m.end()
        self.tokens.append(("end", "", len(source)))

    def _line(self, place: int) -> int:
        return self.source.count("\n", 0, place) + 1

    # Tokens.

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def kind(self, ahead: int = 0) -> str:
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][0]

    def wrong(self, wanted: str) -> SyntaxProblem:
        _, found, place = self.tokens[self.at]
        return SyntaxProblem(f"line {self._line(place)}: expected {wanted}, found `{found or 'the end'}`")

    def take(self, word: str) -> bool:
        found = self.peek() == word and self.kind() != "end"
        self.at += found
        return found

    def eat(self, word: str) -> None:
        if not self.take(word):
            raise self.wrong(f"`{word}`")

    def name(self) -> str:
        if self.kind() != "name":
            raise self.wrong("a name")
        self.at += 1
        return self.peek(-1)

    def list(self, end: str, item: Callable[[], Any]) -> List[Any]:
        out: List[Any] = []
        while not self.take(end):
            if out:
                self.eat(",")
                if self.take(end):
                    break
            out.append(item())
        return out

    # Pipelines.

    def pipeline(self) -> Pipeline:
        p = Pipeline([], typed=self.take("typed"))
        self.eat("pipeline")
        p.outputs = [self.name()]
        while self.take(","):
            p.outputs.append(self.name())
        self.eat("(")
        self.list(")", lambda: self.declared(p))
        if not self.take(":"):
            self.eat("=")
        while self.take("require"):
            p.requires.append(self.expr())
            self.eat(";")
        while self.take("fun"):
            p.funcs.append(self.func())
        if self.take("schedule"):
            self.eat(":")
            while self.kind() == "name" and self.peek() != "realize":
                p.schedule.append(self.directive())
                if not self.take(";"):
                    break
        if self.take("realize"):
            self.realize(p)
        if self.kind() != "end":
            raise self.wrong("the end")
        return p

    def declared(self, p: Pipeline) -> None:
        name = self.name()
        rank = len(self.list(")", self.name)) if self.take("(") else None
        t = self.name() if self.take(":") else None
        data = t is not None and (t.startswith("float") or p.typed and t in ("int64", "uint64"))
        if t is not None and (rank is not None or data):
            p.inputs.append((name, rank or 0, t))
            self.known.add(name)
        else:
            p.params.append((name, None if t == "int" else t))

    def func(self) -> Func:
        name = self.name()
        self.eat("(")
        f = Func(name, self.list(")", self.name), 0)
        if self.take(":"):
            f.typed = self.name() if self.peek() != "(" else self.parts()
        self.eat("=")
        braces = self.take("{")
        f.pure = self.expr()
        self.known.add(name)
        while braces and self.take(";") and self.peek() != "}":
            f.updates.append(self.update())
        if braces:
            self.eat("}")
        self.take(";")
        return f

    def parts(self) -> str:
        self.eat("(")
        return f"({', '.join(self.list(')', self.name))})"

    def update(self) -> Update:
        rdom = []
        if self.take("rdom"):
            self.eat("(")
            rdom = self.list(")", self.rvar)
            self.eat("in")
        self.eat("(")
        lhs = self.list(")", self.expr)
        self.eat("<-")
        rhs = self.expr()
        return Update(rdom, lhs, rhs, self.expr() if self.take("if") else None)

    def rvar(self) -> Tuple[str, Expr, Expr]:
        name = self.name()
        self.eat("=")
        return (name, *self.pair())

    def pair(self) -> Tuple[Expr, Expr]:
        self.eat("(")
        a = self.expr()
        self.eat(",")
        b = self.expr()
        self.eat(")")
        return a, b

    # Schedules.

    def dashed(self) -> str:
        out = self.name()
        while self.peek() == "-" and self.kind(1) == "name":
            self.at += 1
            out += "-" + self.name()
        return out

    def directive(self) -> Directive:
        name = self.dashed()
        if name not in DIRECTIVES:
            raise self.wrong("a directive")
        self.eat("(")
        args: List[Any] = []
        for what in DIRECTIVES[name]:
            if what in "FEP":
                while self.take(","):
                    args.append(self.argument(what))
            elif self.peek() == ")" and what == "w":
                break
            else:
                if args:
                    self.eat(",")
                args.append(self.argument(what))
                # A stage may be left out.
                if what == "s" and args[-1] is None:
                    args[-1], self.at = 0, self.at - 1
        self.eat(")")
        return Directive(name, args)

    def argument(self, what: str) -> Any:
        if what == "l":
            return self.loop()
        if what == "s":
            if self.kind() != "int":
                return None
            self.at += 1
            return int(self.peek(-1))
        if what == "P":
            r = self.name()
            self.eat("=")
            return (r, self.name())
        if what in "eE":
            return self.expr()
        return self.dashed() if what == "w" else self.name()

    def loop(self) -> Loop:
        self.eat("<")
        func, numbers = self.name(), []
        self.eat(",")
        while self.kind() == "int":
            numbers.append(int(self.peek()))
            self.at += 1
            self.eat(",")
        numbers += [0, 0]
        var = self.name()
        self.eat(">")
        return Loop(func, numbers[0], numbers[1], var)

    # Expressions.

    def expr(self) -> Expr:
        if self.take("let"):
            name = self.name()
            self.eat("=")
            value = self.expr()
            self.eat("in")
            return ["let", name, value, self.expr()]
        return self.level(0)

    def level(self, level: int) -> Expr:
        ops = LEVELS[level]
        if "not" in ops:
            return ["not", self.level(level)] if self.take("not") else self.level(level + 1)
        if "neg" in ops:
            return self.unary()
        e = self.level(level + 1)
        while self.peek() in ops and self.kind() != "end":
            op = self.peek()
            self.at += 1
            e = quotient([op, e, self.level(level + 1)])
            if "<" in ops:
                break
        return e

    def unary(self) -> Expr:
        if self.take("~"):
            return ["~", self.unary()]
        if not self.take("-"):
            return self.primary()
        if self.kind() in ("int", "float") or self.peek() in SPECIAL:
            e = self.primary()
            return -e if isinstance(e, int) else ["lit", e[1], -e[2]]
        return ["neg", self.primary()]

    def primary(self) -> Expr:
        kind, word = self.kind(), self.peek()
        if self.take("("):
            e = self.expr()
            self.eat(")")
            return e
        self.at += 1
        if kind == "int":
            return int(word)
        if kind == "float":
            single = word.endswith("f")
            return ["lit", "float32" if single else "float64", float(word.rstrip("f"))]
        if kind != "name":
            self.at -= 1
            raise self.wrong("an expression")
        if self.take("["):
            return ["call", word, *self.list("]", self.expr)]
        if word in SPECIAL and word not in self.known:
            return ["lit", SPECIAL[word], float(word[:3])]
        if self.peek() != "(":
            return word
        self.at += 1
        return self.applied(word)

    def applied(self, word: str) -> Expr:
        if word in self.known:
            return ["call", word, *self.list(")", self.expr)]
        if word in BOUNDARIES:
            return self.boundary(word)
        if word == "elem":
            k = int(self.peek())
            self.at += 1
            self.eat(",")
            args = self.list(")", self.expr)
            return ["elem", k, *args]
        if word == "saturating_cast":
            to = self.name()
            self.eat(",")
            return ["saturating_cast", to, *self.list(")", self.expr)]
        args = self.list(")", self.expr)
        if word in TYPES or word == "int":
            return ["cast", word, *args]
        return [word, *args]

    def boundary(self, kind: str) -> Expr:
        of, value, box = self.name(), None, []
        if kind == "constant_exterior":
            self.eat(",")
            value = self.expr()
        while self.take(","):
            box.append(self.pair())
        self.eat(")")
        self.eat("[")
        return ["boundary", kind, of, value, box, self.list("]", self.expr)]

    # Realizations.

    def realize(self, p: Pipeline) -> None:
        self.eat("(")
        p.window = self.box()
        if self.take(";"):
            while not self.take(")"):
                name = self.name()
                self.eat("=")
                p.given[name] = self.values(next((t for n, _, t in p.inputs if n == name), None))
                self.take(",")
        else:
            self.eat(")")

    def box(self) -> Box:
        out = []
        while self.take("("):
            m = self.number(None)
            self.eat(",")
            out.append((m, self.number(None)))
            self.eat(")")
            if self.peek() == "," and self.peek(1) == "(":
                self.at += 1
        return out

    def number(self, t: Optional[str]) -> Any:
        minus = self.take("-")
        word = self.peek()
        self.at += 1
        if t is not None and t.startswith("float"):
            v: Any = float(word.rstrip("f") if word != "inf" else word)
        else:
            v = int(word)
        return -v if minus else v

    def values(self, t: Optional[str]) -> Any:
        if self.peek() not in ("(", "{"):
            return self.number(t)
        box = self.box()
        self.eat("{")
        return Given(box, self.list("}", lambda: self.number(t)))
