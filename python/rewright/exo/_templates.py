"""The C of instructions: what stands in braces is what Exo puts there. Spec: [rule: python.exo-scope].

In Exo, ``{x_data}`` is a cell only where ``x`` is a window; of a scalar, and of a dense buffer in main memory, it is what a
function would be given: a pointer. The extension calls that ``{x}.data``.
"""

from __future__ import annotations

import ast
import re
from typing import List, Optional

#: A brace of C, or a placeholder.
_PIECE = re.compile(r"\{\{|\}\}|\{(\w+)\}(\.data\b)?")

_DATA = {"R", "f16", "f32", "f64", "i8", "i32", "ui8", "ui16"}


def as_written(c_instr: str, definition: str) -> str:
    """The C of an instruction that is so defined as Exo has it."""
    names = _pointers(definition)
    return _PIECE.sub(lambda found: f"{{{found[1]}_data}}" if found[2] and found[1] in names else found[0], c_instr)


def as_read(c_instr: str, definition: str) -> str:
    """The C of an instruction that is so defined as the extension has it."""
    names = {f"{name}_data": name for name in _pointers(definition)}
    return _PIECE.sub(lambda found: f"{{{names[found[1]]}}}.data" if found[1] in names else found[0], c_instr)


def _pointers(definition: str) -> List[str]:
    """The arguments that are passed as pointers, but those whose ``{x_data}`` is another argument."""
    head = next((part for part in ast.parse(definition).body if isinstance(part, ast.FunctionDef)), None)
    args = [] if head is None else head.args.args
    names = {arg.arg for arg in args}
    return [arg.arg for arg in args if _is_pointer(arg.annotation) and f"{arg.arg}_data" not in names]


def _is_pointer(annotation: Optional[ast.expr]) -> bool:
    """Whether data of this type is passed as a pointer: not a window, nor what may be a register."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.MatMult):
        memory = annotation.right
        is_scalar = isinstance(annotation.left, ast.Name)
        return (is_scalar or isinstance(memory, ast.Name) and memory.id == "DRAM") and _is_pointer(annotation.left)
    if isinstance(annotation, ast.Name):
        return annotation.id in _DATA
    return isinstance(annotation, ast.Subscript) and _is_pointer(annotation.value)
