"""The C of instructions: what stands in braces is what Exo puts there. Spec: [rule: python.exo-scope].

In Exo, ``{x_data}`` is a cell only where ``x`` is a window; of a scalar, and of a dense buffer in whatever memory, it is what a
function would be given: a pointer, as a rule. The extension calls that ``{x}.data``. The text is one for ``str.format``, which Exo calls
with strings: so are the conversions and the formats of placeholders, and what is raised where a call asks for what is not there.
"""

from __future__ import annotations

import ast
import re
from typing import Any, Dict, List, Optional, Sequence

#: A brace of C, or a placeholder: with how its value is shown, which `.data` in the braces leaves room for.
_PIECE = re.compile(r"\{\{|\}\}|\{(\w+)(\.data)?((?:[!:][^{}]*)?)\}(\.data\b)?")

_DATA = {"R", "f16", "f32", "f64", "i8", "i32", "ui8", "ui16"}


def as_written(c_instr: str, definition: str) -> str:
    """The C of an instruction that is so defined as Exo has it."""
    names = _pointers(definition)

    def piece(found: re.Match[str]) -> str:
        name, inner, how, outer = found.groups()
        is_pointer = name in names and bool(inner if how else outer)
        # What follows a placeholder that has a format is the text's own.
        return f"{{{name}_data{how}}}{(outer or '') if how else ''}" if is_pointer else found[0]

    return _PIECE.sub(piece, c_instr)


def as_read(c_instr: str, definition: str) -> str:
    """The C of an instruction that is so defined as the extension has it."""
    names = {f"{name}_data": name for name in _pointers(definition)}

    def piece(found: re.Match[str]) -> str:
        name, inner, how, outer = found.groups()
        if name not in names or inner:
            return found[0]
        return f"{{{names[name]}.data{how}}}{outer or ''}" if how else f"{{{names[name]}}}.data{outer or ''}"

    return _PIECE.sub(piece, c_instr)


def shown(value: str, is_cell: bool, how: str) -> str:
    """A value as a placeholder says that it is shown: ``!r:>8``. What is no cell stands in parentheses in Exo."""
    return ("{0" + how + "}").format(value if is_cell or _is_in_parentheses(value) else f"({value})")


def _is_in_parentheses(value: str) -> bool:
    """Whether its first parenthesis is closed by its last character."""
    depth = 0
    for at, character in enumerate(value):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0:
            return at > 0 and at == len(value) - 1
    return False


class _Operand(str):
    """What stands for an argument while it is found out whether a text can be filled in."""

    data: str = "x"
    strides: Sequence[str] = ("1",) * 16


def refuse_unfillable(c_instr: str, arguments: Sequence[Any]) -> None:
    """Raises what ``str.format`` does where a placeholder stands for nothing, or cannot be shown as it says: ``KeyError``,
    ``IndexError``, ``ValueError``, ``AttributeError``."""
    values: Dict[str, _Operand] = {}
    for name, _, shape, _ in arguments:
        keys = [name, f"{name}_data", *([] if shape is None else [f"{name}_int"])]
        values.update({key: _Operand("(x)") for key in keys})
    c_instr.format(**values)


def _pointers(definition: str) -> List[str]:
    """The arguments that are passed as pointers, but those whose ``{x_data}`` is another argument."""
    head = next((part for part in ast.parse(definition).body if isinstance(part, ast.FunctionDef)), None)
    args = [] if head is None else head.args.args
    names = {arg.arg for arg in args}
    return [arg.arg for arg in args if _is_pointer(arg.annotation) and f"{arg.arg}_data" not in names]


def _is_pointer(annotation: Optional[ast.expr]) -> bool:
    """Whether data of this type is passed as it is named: not a window."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.MatMult):
        return _is_pointer(annotation.left)
    if isinstance(annotation, ast.Name):
        return annotation.id in _DATA
    return isinstance(annotation, ast.Subscript) and _is_pointer(annotation.value)
