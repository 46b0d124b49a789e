"""Programs as Exo prints them: no decorators, one statement on a line, and long lines broken where its formatter breaks them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Iterator, List, Optional

from .. import _rewright

_MARGIN = 79
_OPEN = re.compile(r"[(\[{]")
_CLOSE = re.compile(r"[)\]}]")
#: What is written beside what a cursor points at.
_MARK = re.compile(r"  # (?:<-- NODE|<-- GAP).*$")
#: A literal of floating point, which Exo has as a number of Python's.
_FLOAT = re.compile(r"(?<![\w.])(?:\d+\.\d*(?:e[+-]?\d+)?|\d+e[+-]?\d+)(?![\w.])")
_WRAPPED = re.compile(r"^(\s*(?:.* \+?= |if |elif |assert ))\((.*)\)(:?)$")


def program(text: str, c_instr: Optional[str], with_assertions: bool = True) -> str:
    """A program as the extension prints it, as Exo prints it."""
    out: List[str] = []
    for line in _logical(text.rstrip("\n").split("\n")):
        line = _signs(_FLOAT.sub(lambda found: repr(float(found[0])), line))
        if line.startswith("@") or (not with_assertions and line.startswith("    assert ")):
            continue
        if line.startswith("def "):
            out += [*_fitted(_head(line)), *_instruction(c_instr)]
        else:
            out += _fitted(line)
    return "\n".join(out)


@lru_cache(maxsize=1024)
def _broken(line: str) -> Optional[List[str]]:
    lines: Optional[List[str]] = _rewright.broken(line)
    return lines


def _fitted(line: str) -> List[str]:
    """A line, broken where it is too long."""
    return [line] if len(line) <= _MARGIN else list(_broken(line) or [line])


def _instruction(c_instr: Optional[str]) -> List[str]:
    if c_instr is None:
        return []
    first, *rest = c_instr.split("\n")
    return [line.rstrip() for line in (f"    # @instr {first}", *(f"    #        {line}" for line in rest))]


def _signs(line: str) -> str:
    """A sign before a sign has no parentheses after it, in Exo."""
    at = line.find("-(-")
    while at >= 0:
        end = _closing(line, at + 1)
        if _is_operand(line[at + 2 : end]):
            line = line[: at + 1] + line[at + 2 : end] + line[end + 1 :]
        else:
            at += 1
        at = line.find("-(-", at)
    return line


def _closing(text: str, at: int) -> int:
    """Where the bracket that is opened at a place is closed; the end, if it is not."""
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] in "([{") - (text[k] in ")]}")
        if depth == 0:
            return k
    return len(text)


def _is_operand(text: str) -> bool:
    """Whether a text has no operator with two operands, around which there are spaces, but in brackets."""
    depth = 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if depth == 0 and c == " ":
            return False
    return True


def _head(line: str) -> str:
    """The head of a procedure; the types of truth values and strides have a memory, in Exo."""
    return re.sub(r"(\w+: (?:bool|stride))(?=[,)])", r"\1 @ DRAM", line)


def _logical(lines: List[str]) -> Iterator[str]:
    """The lines, each as long as its brackets are open, with the mark of a cursor at the end."""
    held = mark = ""
    for line in lines:
        marked = _MARK.search(line)
        if marked:
            mark, line = marked[0], line[: marked.start()]
        if held:
            text = line.strip()
            tight = held.endswith(("(", "[")) or text.startswith((")", "]"))
            held += text if tight else " " + text
        else:
            held = line
        if line.lstrip().startswith("#") or _balanced(held):
            yield _unwrapped(held) + mark
            held = mark = ""
    if held:
        yield held + mark


def _balanced(code: str) -> bool:
    code = re.sub(r'"(\\.|[^"\\])*"', '""', code)
    return len(_OPEN.findall(code)) <= len(_CLOSE.findall(code))


def _unwrapped(line: str) -> str:
    """Without the parentheses that only hold the lines of an expression together."""
    found = _WRAPPED.match(line)
    if found is None or found[2] == "" or not _is_one(found[2]):
        return line
    return f"{found[1]}{found[2]}{found[3]}"


def _is_one(text: str) -> bool:
    """Whether the parentheses around a text belong together."""
    depth = 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if depth < 0:
            return False
    return True
