"""Long lines are broken where Exo's formatter breaks them. Spec: [rule: python.exo-procedures]."""

from __future__ import annotations

import random
from collections import Counter
from typing import List

import pytest
from rewright import _rewright
from yapf.yapflib.yapf_api import FormatCode

LIMIT = 79


def by_the_formatter(line: str) -> List[str]:
    """The lines that the formatter makes of one, in as many levels of statements as it is indented to."""
    word = line.lstrip()
    depth = (len(line) - len(word)) // 4
    around = ["    " * k + "if x:" for k in range(depth)]
    body = ["    " * (depth + 1) + "pass"] if word.startswith(("def ", "for ", "if ")) else []
    lines: List[str] = FormatCode("\n".join([*around, line, *body]))[0].rstrip("\n").split("\n")
    return lines[depth : len(lines) - len(body)]


class Lines:
    """Random lines of a program."""

    NAMES = ["i", "j", "ki", "io", "C", "A_reg", "very_long_buffer_name", "x_vec", "N", "tmp_0", "Cfg", "alpha"]

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def name(self) -> str:
        return self.random.choice(self.NAMES)

    def several(self, one: str, most: int, least: int = 1) -> str:
        return ", ".join(getattr(self, one)() for _ in range(self.random.randrange(least, most + 1)))

    def index(self, depth: int = 0) -> str:
        of = lambda: self.index(depth + 1)  # noqa: E731
        if depth > 3:
            return self.name()
        return self.random.choice(
            [
                self.name,
                lambda: str(self.random.randrange(300)),
                lambda: f"{of()} {self.random.choice('+-')} {of()}",
                lambda: f"{of()} + {of()}",
                lambda: f"{self.random.randrange(20)} * ({of()})",
                lambda: f"{self.name()} {self.random.choice('/%')} 16",
                lambda: f"({of()}) {self.random.choice('/%')} 8",
                lambda: f"-({of()})",
                lambda: f"-{self.name()}",
                lambda: f"{self.name()}.{self.name()}",
            ]
        )()

    def part(self) -> str:
        return self.random.choice([self.index(1), f"{self.index(2)}:{self.index(2)}"])

    def window(self) -> str:
        return f"{self.name()}[{self.several('part', 3)}]"

    def cell(self) -> str:
        return f"{self.name()}[{self.several('index', 3)}]"

    def data(self, depth: int = 0) -> str:
        of = lambda: self.data(depth + 1)  # noqa: E731
        if depth > 3:
            return self.cell()
        return self.random.choice(
            [
                self.name,
                self.cell,
                lambda: self.random.choice(["0.0", "1.5", "1e-05"]),
                lambda: f"{of()} {self.random.choice('+-')} {of()}",
                lambda: f"{of()} {self.random.choice('*/')} {of()}",
                lambda: f"{self.name()} * ({of()})",
                lambda: f"({of()})",
                lambda: f"-{self.cell()}",
                lambda: f"select({of()}, {of()}, {of()}, {of()})",
                lambda: f"sin({of()})",
            ]
        )()

    def given(self) -> str:
        return self.random.choice([self.window, self.window, self.index, self.data, self.name])()

    def condition(self, depth: int = 0) -> str:
        of = lambda: self.condition(depth + 1)  # noqa: E731
        if depth < 2 and self.random.random() < 0.5:
            return self.random.choice([f"{of()} and {of()}", f"{of()} or {of()}", f"({of()})"])
        compared = f"{self.index()} {self.random.choice(['<', '<=', '==', '>', '>='])} {self.index()}"
        return self.random.choice([compared, compared, f"stride({self.name()}, 0) == 1", self.name(), "True"])

    def type(self) -> str:
        tensor = f"{self.random.choice(['f32', '[f32]', '[R]'])}[{self.several('index', 3)}] @ {self.random.choice(['DRAM', 'AVX512'])}"
        return self.random.choice(["size", "index", "f32 @ DRAM", "bool @ DRAM", tensor, tensor, tensor])

    def parameter(self) -> str:
        return f"{self.name()}: {self.type()}"

    def statement(self) -> str:
        return self.random.choice(
            [
                lambda: f"{self.random.choice(['f', 'mm512_loadu_ps'])}({self.several('given', 6, 0)})",
                lambda: f"{self.cell()} {self.random.choice(['=', '+='])} {self.data()}",
                lambda: f"{self.cell()} = {self.data()}",
                lambda: f"{self.name()} = {self.window()}",
                lambda: f"{self.name()}: {self.type()}",
                lambda: f"{self.name()}.{self.name()} = {self.index()}",
                lambda: f"for {self.name()} in {self.random.choice(['seq', 'par'])}({self.index()}, {self.index()}):",
                lambda: f"if {self.condition()}:",
                lambda: f"assert {self.condition()}",
                lambda: f"def {self.name()}({self.several('parameter', 9, 0)}):",
            ]
        )()

    def line(self) -> str:
        """A line that is too long, and has a mark now and then."""
        while True:
            statement = self.statement()
            is_head = statement.startswith("def ")
            mark = "" if is_head else self.random.choice(["", "", "  # <-- NODE"])
            line = "    " * (0 if is_head else self.random.choice([1, 1, 2, 3, 5, 8, 12, 17])) + statement + mark
            if LIMIT < len(line) < 300:
                return line


def test_lines_are_broken_as_by_the_formatter() -> None:
    lines = Lines(2026)
    seen: Counter[str] = Counter()
    for _ in range(400):
        line = lines.line()
        expected = by_the_formatter(line)
        assert _rewright.broken(line) == expected, line
        word = line.split()[0]
        seen[word if word in ("def", "for", "if", "assert") else "call" if "(" in word else "other"] += 1
        seen["with a mark"] += line.endswith("NODE")
        seen["more than two lines"] += len(expected) > 2
        seen["left as they are"] += len(expected) == 1
    print(dict(seen))
    assert min(seen.values()) > 5 and len(seen) == 9


@pytest.mark.parametrize(
    "line",
    [
        # So many layouts that some of them are taken for one.
        f"def f({', '.join(f'C{i}: [f32][M + {i}, N] @ DRAM' for i in range(16))}):",
        f"    x[0] = f({', '.join(f'C{i}[i + {i}, j] * y[j]' for i in range(12))})",
        "    y[i] = " + "f(" * 20 + "x[i], g(a, b)" + ")" * 20,
        "def a_name_that_leaves_no_place_for_what_follows_since_it_is_as_long_as_the_line_is(x: f32 @ DRAM):",
        "        match[very_long_buffer_name, very_long_buffer_name + 1] = print[very_long_buffer_name, 1] + é",
    ],
)
def test_lines_that_are_hard(line: str) -> None:
    assert _rewright.broken(line) == by_the_formatter(line)


def test_what_is_no_line_or_has_too_many_layouts() -> None:
    for line in ("x = 'a'", "x[", "def f(x):", "a b", "# a comment", "", "x = " + "(" * 1000 + "y" + ")" * 1000):
        assert _rewright.broken(line) is None
    line = "    x[0] = " + " + ".join(f"C{i}[i + {i}, j] * y[j]" for i in range(200))
    assert _rewright.broken(line) == [line]
