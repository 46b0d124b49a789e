"""Checking a derivation: see ``rewright audit``."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, NamedTuple, Optional, Tuple, Union

from . import _rewright
from .procedure import Procedure

__all__ = ["Audit", "audit"]

#: A procedure with its steps, what ``Procedure.derivation`` gives, or a file with it.
Derivation = Union[Procedure, Dict[str, Any], str, "os.PathLike[str]"]


class Audit(NamedTuple):
    """What came of checking a derivation. It is true where all that it says is so."""

    #: What is not so; ``None`` where there is nothing.
    finding: Optional[str]
    schedules: int
    steps: int
    conditions: int
    #: Obligations that the solver proved again.
    solved: int
    #: Comparisons by the interpreter, and the steps that no input compares.
    compared: int
    not_compared: Tuple[str, ...]

    def __bool__(self) -> bool:
        return self.finding is None


def audit(of: Derivation, *, trials: int = 20, statements: int = 2_000_000) -> Audit:
    """Checks the derivation of a procedure, a record, or a file: makes every step again, asks every condition again, and
    compares versions on ``trials`` inputs, whose runs take ``statements`` statements at most."""
    for name, n in (("trials", trials), ("statements", statements)):
        if isinstance(n, bool) or not isinstance(n, int):
            raise TypeError(f"`{name}` is a number, not {type(n).__name__}")
        if not 0 <= n < 1 << 53:
            raise ValueError(f"`{name}` is {n}, which is not from 0 to 2**53 - 1")
    return audited(_rewright.audit(read(of)[1], trials, statements))


def audited(told: Dict[str, Any]) -> Audit:
    """The answer of the extension."""
    return Audit(**{**told, "not_compared": tuple(told["not_compared"])})


def read(of: Derivation) -> Tuple[str, str]:
    """What a derivation is called, and its text."""
    if isinstance(of, Procedure):
        return of.name(), json.dumps(of.derivation())
    if isinstance(of, dict):
        chains = of.get("chains") or [{}]
        return str(chains[0].get("binding", "derivation")), json.dumps(of)
    if isinstance(of, (str, os.PathLike)):
        with open(of, encoding="utf-8") as file:
            return os.fspath(of), file.read()
    raise TypeError(f"a derivation is a procedure, a record or a file, not {type(of).__name__}")
