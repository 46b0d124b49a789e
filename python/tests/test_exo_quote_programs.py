"""Random programs with quotes, beside what they are by lexical scoping. Spec: [rule: python.exo-quotes]."""

from __future__ import annotations

import linecache
import random
import re
from collections import Counter
from typing import Any, Dict, List, NamedTuple, Tuple

import rewright.exo
from rewright.exo import proc

# A program is a list of nodes: tuples that begin with a word. Names are few, so that they clash.
LOOPS, SCALARS, FUNCTIONS = ("i", "j"), ("a", "b"), ("f", "g")


class Kinds(NamedTuple):
    """What names are, where a random piece of program is to stand."""

    #: A loop over which is at hand, a scalar of the program, or a quote that Python has.
    of: Dict[str, str]
    #: Functions of Python that take a quote.
    functions: Tuple[str, ...]

    def having(self, name: str, kind: str) -> "Kinds":
        return Kinds({**self.of, name: kind}, self.functions)

    def names(self, *kinds: str) -> List[str]:
        return [name for name, kind in self.of.items() if kind in kinds]


class Random:
    """Draws programs."""

    def __init__(self, seed: int) -> None:
        self.choose = random.Random(seed)
        self.left = 14
        self.seen: Counter[str] = Counter()

    def expr(self, kinds: Kinds) -> Any:
        known = kinds.names("scalar", "quote")
        if known and self.choose.random() < 0.7:
            name = self.choose.choice(known)
            braced = kinds.of[name] == "quote" and self.choose.random() < 0.5
            return ("brace" if braced else "name", name)
        loops = kinds.names("loop")
        return ("cell", self.choose.choice(loops)) if loops else ("number", self.choose.randrange(4))

    def block(self, kinds: Kinds, depth: int) -> List[Any]:
        out: List[Any] = []
        for _ in range(self.choose.randint(1, 3)):
            what = self.choose.choice(["add", "for", "let", "python", "python"]) if depth < 5 and self.left > 0 else "add"
            self.left -= 1
            self.seen[what] += 1
            if what == "add":
                out.append(("add", self.expr(kinds)))
            elif what == "for":
                name = self.choose.choice(LOOPS)
                out.append(("for", name, self.block(kinds.having(name, "loop"), depth + 1)))
            elif what == "let":
                name = self.choose.choice(SCALARS)
                # Its value is given to it after it is declared.
                out.append(("let", name, self.expr(Kinds({n: k for n, k in kinds.of.items() if n != name}, ()))))
                kinds = kinds.having(name, "scalar")
            else:
                out.append(("python", self.python(kinds, depth + 1)))
        return out

    def python(self, kinds: Kinds, depth: int) -> List[Any]:
        out: List[Any] = []
        # A name that Python assigns is its own from the start of the block.
        assigned = self.choose.sample(SCALARS, self.choose.randint(0, 1))
        outer = Kinds({n: k for n, k in kinds.of.items() if n not in assigned}, kinds.functions)
        for name in assigned:
            out.append(("quote", name, self.expr(outer)))
            kinds = kinds.having(name, "quote")
        if self.choose.random() < 0.6:
            name, argument = self.choose.choice(FUNCTIONS), self.choose.choice(SCALARS)
            others = tuple(f for f in kinds.functions if f != name)
            body = self.block(Kinds({**kinds.of, argument: "quote"}, others), depth + 1)
            out.append(("def", name, argument, body))
            kinds = Kinds(kinds.of, (*kinds.functions, name))
        for _ in range(self.choose.randint(1, 2)):
            if kinds.functions and self.choose.random() < 0.5:
                self.seen["call"] += 1
                out.append(("call", self.choose.choice(kinds.functions), self.expr(kinds)))
            else:
                out.append(("exo", self.block(kinds, depth + 1)))
        return out


def expression(e: Any) -> str:
    kind, what = e
    return {"brace": f"{{{what}}}", "name": what, "cell": f"x[{what}]", "number": f"{what}.0"}[kind]


def text(nodes: List[Any], depth: int) -> List[str]:
    """A piece as it is written."""
    out: List[str] = []
    indent = "    " * depth
    for node in nodes:
        kind = node[0]
        if kind == "add":
            out.append(f"{indent}x[0] += {expression(node[1])}")
        elif kind == "let":
            out += [f"{indent}{node[1]}: f32", f"{indent}{node[1]} = {expression(node[2])}"]
        elif kind == "quote":
            out.append(f"{indent}{node[1]} = ~{{{expression(node[2])}}}")
        elif kind == "call":
            out.append(f"{indent}{node[1]}(~{{{expression(node[2])}}})")
        else:
            heads = {"for": [f"for {node[1]} in seq(0, 2):"], "python": ["with python:"], "exo": ["with exo:"]}
            head = heads.get(kind) or [f"def {node[1]}({node[2]}):", "    with exo:"]
            out += [indent + line for line in head] + text(node[-1], depth + len(head))
    return out


class Expanded:
    """A program by lexical scoping, each variable of which has a name of its own."""

    def __init__(self) -> None:
        self.lines: List[str] = []
        self.count = 0

    def fresh(self) -> str:
        self.count += 1
        return f"v{self.count}"

    @staticmethod
    def expr(e: Any, known: Dict[str, Any]) -> str:
        kind, what = e
        if kind == "number":
            return f"{what}.0"
        return f"x[{known[what]}]" if kind == "cell" else str(known[what])

    def block(self, nodes: List[Any], known: Dict[str, Any], depth: int) -> None:
        indent = "    " * depth
        for node in nodes:
            kind = node[0]
            if kind == "add":
                self.lines.append(f"{indent}x[0] += {self.expr(node[1], known)}")
            elif kind == "let":
                value, name = self.expr(node[2], known), self.fresh()
                self.lines += [f"{indent}{name}: f32", f"{indent}{name} = {value}"]
                known = {**known, node[1]: name}
            elif kind == "for":
                name = self.fresh()
                self.lines.append(f"{indent}for {name} in seq(0, 2):")
                self.block(node[2], {**known, node[1]: name}, depth + 1)
            else:
                self.python(node[1], known, depth)

    def python(self, nodes: List[Any], known: Dict[str, Any], depth: int) -> None:
        for node in nodes:
            kind = node[0]
            if kind == "quote":
                known = {**known, node[1]: self.expr(node[2], known)}
            elif kind == "def":
                known = {**known, node[1]: (node[2], node[3], known)}
            elif kind == "exo":
                self.block(node[1], known, depth)
            else:
                argument, body, there = known[node[1]]
                self.block(body, {**there, argument: self.expr(node[2], known)}, depth)


def read(lines: List[str], name: str) -> Any:
    """The procedure of a text."""
    source = "".join(f"{line}\n" for line in ["from __future__ import annotations", "@proc", *lines])
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    scope = {"proc": proc, "__name__": name}
    exec(compile(source, name, "exec"), scope)
    return scope["p"]


def normal(p: Any) -> List[str]:
    """The lines of a program, with variables that are numbered as they are declared."""
    out, count, scopes = [], 0, [(0, {})]
    for line in str(p).splitlines()[1:]:
        depth = len(line) - len(line.lstrip())
        while scopes[-1][0] > depth:
            scopes.pop()
        if scopes[-1][0] < depth:
            scopes.append((depth, dict(scopes[-1][1])))
        declared = re.match(r"\s*(?:for (\w+) in|(\w+): f32)", line)
        if declared:
            count += 1
            inner = dict(scopes[-1][1])
            inner[declared.group(1) or declared.group(2)] = f"v{count}"
            scopes[-1] = (depth, scopes[-1][1] if declared.group(1) else inner)
            if declared.group(1):
                scopes.append((depth + 1, inner))
        known = scopes[-1][1]
        out.append(re.sub(r"\b[a-z]\w*\b", lambda m: known.get(m.group(), m.group()), line))
    return out


def test_random_quotes_are_what_they_are_by_lexical_scoping() -> None:
    seen: Counter[str] = Counter()
    clashes = 0
    for seed in range(400):
        draw = Random(seed)
        program = draw.block(Kinds({}, ()), 0)
        seen += draw.seen
        quoted = ["def p(x: f32[2]):", *text(program, 1)]
        expanded = Expanded()
        expanded.block(program, {}, 1)
        plain = ["def p(x: f32[2]):", *(expanded.lines or ["    pass"])]
        here, there = normal(read(quoted, f"<quoted {seed}>")), normal(read(plain, f"<plain {seed}>"))
        assert here == there, "\n".join([*quoted, "-- is", *here, "-- and should be", *there])
        clashes += "_1" in str(read(quoted, f"<quoted {seed}>"))
    print(dict(seen), f"two variables of one name in {clashes}")
    assert clashes > 50 and min(seen[what] for what in ("add", "for", "let", "python", "call")) > 100
