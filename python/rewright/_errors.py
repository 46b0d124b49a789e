"""The exceptions. Each carries what was found as data; ``str`` of it is the message that ``rewright script`` prints."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

__all__ = [
    "ArgumentError",
    "CodegenError",
    "CompileError",
    "InvalidCursorError",
    "LimitError",
    "ParseError",
    "ProgramError",
    "RewrightError",
    "RewrightInternalError",
    "RunError",
    "SchedulingError",
]


class RewrightError(Exception):
    """Whatever Rewright raises, but for wrong arguments."""


class SchedulingError(RewrightError):
    """A primitive refused: a condition does not hold, or was not proved."""

    #: The primitive.
    primitive: str = ""
    #: The condition that failed, one of the primitive's.
    condition: str = ""
    #: Both: ``fission.commute``.
    rewright_condition: str = ""
    #: ``"refuted"``, ``"unknown"`` (the solver gave up) or ``"form"`` (the program has not the form that is asked for).
    found: str = ""
    #: Values for which the condition fails, by name; empty where there are none.
    counterexample: Dict[str, Any] = {}
    #: The cell at stake: its buffer, and a list of its indices.
    cell: Optional[List[Any]] = None
    #: Places in the source: ``file``, ``line``, ``column``, ``role``, ``text``.
    places: List[Dict[str, Any]] = []
    #: What may be tried instead.
    advice: Optional[str] = None


class InvalidCursorError(RewrightError):
    """A cursor points at nothing, or a pattern matches nothing."""


class ArgumentError(TypeError, ValueError):
    """An argument makes no sense, whatever the program."""


class ParseError(RewrightError):
    """A text is not understood."""

    #: What is wrong: ``rule``, ``severity``, ``message``, ``help``, ``place``.
    findings: List[Dict[str, Any]] = []


class ProgramError(RewrightError, TypeError):
    """A program is ill-typed, or what the front end asks of it is not proved."""

    #: What is wrong: ``rule``, ``severity``, ``message``, ``help``, ``place``.
    findings: List[Dict[str, Any]] = []


class CodegenError(RewrightError):
    """The back end refuses a procedure."""

    #: What is wrong: ``rule``, ``severity``, ``message``, ``help``, ``place``.
    findings: List[Dict[str, Any]] = []


class CompileError(RewrightError):
    """The C cannot be compiled or loaded here."""


class RunError(RewrightError):
    """A run of the interpreter fails."""


class LimitError(RewrightError):
    """A run of the interpreter takes more than it may."""


class RewrightInternalError(RewrightError):
    """Rewright is wrong: please report it."""
