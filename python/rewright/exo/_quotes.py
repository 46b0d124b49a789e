"""What Python computes in a program before it is read: memories that expressions stand for, and quotes."""

from __future__ import annotations

import ast
from typing import Any, Dict, List, Tuple

from .core.memory import Memory


def elaborated(tree: ast.FunctionDef, text: str, scope: Any) -> Tuple[List[str], Dict[str, Any]]:
    """The lines of a function from its ``def`` on, as a program, and what new names in them stand for."""
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
