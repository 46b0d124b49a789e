"""Writes the instructions of the platforms of the `exo` that is installed: names, C, and what they do."""

from __future__ import annotations

import importlib
import sys
from typing import Any, Dict, List, NamedTuple, Optional

from .normal import normal_form

PLATFORMS = ("x86", "neon", "rvv", "gemmini")


class Defined(NamedTuple):
    """A procedure of a platform."""

    #: The C of a call, for an instruction.
    c: Optional[str]
    #: What it asserts, without spaces.
    asserts: List[str]
    #: What it does, in normal form.
    body: str


def defined(platform: str) -> Dict[str, Defined]:
    """The procedures of a platform."""
    from exo import Procedure

    module = importlib.import_module(f"exo.platforms.{platform}")
    found = {name: value for name, value in vars(module).items() if isinstance(value, Procedure)}
    return {name: _of(found[name]) for name in sorted(found) if not name.startswith("_")}


def _of(p: Any) -> Defined:
    try:
        return of(p)
    except Exception as e:
        return Defined(None, [], f"{type(e).__name__}: {e}")


def of(p: Any) -> Defined:
    """What a procedure is."""
    asserts = [line.strip() for line in str(p).splitlines() if line.strip().startswith("assert ")]
    c = p.get_instr() if p.is_instr() else None
    return Defined(c, sorted(line[len("assert ") :].replace(" ", "") for line in asserts), normal_form(str(p)))


def written(name: str, it: Defined) -> str:
    """A procedure as a section of a file."""
    return f"== {name}\n{it.c!r}\n{'; '.join(it.asserts)}\n{it.body}\n\n"


def read(text: str) -> Dict[str, Defined]:
    """The sections of a file."""
    import ast

    out = {}
    for section in text.split("== ")[1:]:
        name, c, asserts, body = section.rstrip("\n").split("\n", 3)
        out[name] = Defined(ast.literal_eval(c), asserts.split("; ") if asserts else [], body)
    return out


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        for platform in PLATFORMS:
            for name, it in defined(platform).items():
                out.write(written(f"{platform}.{name}", it))
