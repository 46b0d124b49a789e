"""Which variable of a program a name in it means, where pieces of the program are quoted and put in elsewhere.

A name means what it means where it is written: a quote of ``i`` that is put into another loop over ``i`` is still the first one.
While quotes are filled in, each variable has a name of its own, ``i·3``, and afterwards the names that were written, wherever
these mean the same; the others are told apart by the front end, which gives them their names after it has read the program.
"""

from __future__ import annotations

import ast
import re
from typing import Any, Dict, Iterator, List, Optional, Set

#: Between the name that was written and a number. It may stand in a name of Python, and nobody types it.
_MARK = "·"
_MARKED = re.compile(rf"{_MARK}\d+\b")


def written(text: str) -> str:
    """A text with the names that were written."""
    return _MARKED.sub("", text)


class Names:
    """The variables of a program that are in scope, by the name that was written."""

    def __init__(self, count: List[int], known: Optional[Dict[str, str]] = None) -> None:
        self._count = count
        self._known: Dict[str, str] = dict(known or {})

    def inner(self) -> Names:
        """The same variables, for a block that has more of its own."""
        return Names(self._count, self._known)

    def bind(self, name: str) -> str:
        """A new variable: its own name."""
        self._count[0] += 1
        self._known[name] = f"{name}{_MARK}{self._count[0]}"
        return self._known[name]

    def count(self) -> int:
        """How many variables there were so far."""
        return self._count[0]

    def renewed(self, tree: ast.AST, since: int, until: int) -> None:
        """Gives a copy of a piece of program new variables in the place of those that were made for it."""
        new: Dict[str, str] = {}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Name):
                continue
            name, mark, number = node.id.partition(_MARK)
            if mark and number.isdigit() and since < int(number) <= until:
                if node.id not in new:
                    self._count[0] += 1
                    new[node.id] = f"{name}{_MARK}{self._count[0]}"
                node.id = new[node.id]

    def of(self, name: str) -> Optional[str]:
        """The variable that a name means."""
        return self._known.get(name)


def bound_by(stmt: ast.stmt) -> Iterator[ast.Name]:
    """The names that a statement of a program gives to the rest of its block, if they are not known there."""
    if isinstance(stmt, ast.AnnAssign) and isinstance(stmt.target, ast.Name):
        yield stmt.target
    elif isinstance(stmt, ast.Assign) and len(stmt.targets) == 1 and isinstance(stmt.targets[0], ast.Name):
        yield stmt.targets[0]


def as_written(tree: ast.FunctionDef) -> None:
    """Gives variables the names that were written, where each still means the same."""
    found = _Captured()
    found.program(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and written(node.id) not in found.names:
            node.id = written(node.id)
        elif isinstance(node, ast.arg) and written(node.arg) not in found.names:
            node.arg = written(node.arg)


class _Captured:
    """The names that would mean something else, if all were as they were written."""

    def __init__(self) -> None:
        self.names: Set[str] = set()
        self._bound: Set[str] = set()

    def program(self, tree: ast.FunctionDef) -> None:
        """Looks at a whole program."""
        known: Dict[str, str] = {}
        for arg in tree.args.args:
            if arg.annotation is not None:
                self._reads(arg.annotation, known)
            self._bound.add(arg.arg)
            known[written(arg.arg)] = arg.arg
        self._block(tree.body, known)

    def _block(self, body: List[ast.stmt], known: Dict[str, str]) -> None:
        for stmt in body:
            self._stmt(stmt, known)

    def _stmt(self, stmt: ast.stmt, known: Dict[str, str]) -> None:
        if isinstance(stmt, ast.For):
            self._reads(stmt.iter, known)
            inner = dict(known)
            self._binds(stmt.target, inner)
            self._block(stmt.body, inner)
            self._block(stmt.orelse, dict(known))
        elif isinstance(stmt, ast.If):
            self._reads(stmt.test, known)
            self._block(stmt.body, dict(known))
            self._block(stmt.orelse, dict(known))
        else:
            targets = [target for target in bound_by(stmt) if target.id not in self._bound]
            for child in ast.iter_child_nodes(stmt):
                if child not in targets:
                    self._reads(child, known)
            for target in targets:
                # It is no variable that is known, and would be assigned as one.
                if isinstance(stmt, ast.Assign) and written(target.id) in known:
                    self.names.add(written(target.id))
                self._binds(target, known)

    def _binds(self, target: Any, known: Dict[str, str]) -> None:
        if isinstance(target, ast.Name):
            self._bound.add(target.id)
            known[written(target.id)] = target.id

    def _reads(self, tree: ast.AST, known: Dict[str, str]) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                name = written(node.id)
                if known.get(name, name) != node.id:
                    self.names.add(name)
