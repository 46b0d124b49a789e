"""Names of Halide as names of the model's text: without the numbers that Halide adds, where nothing else is called so."""

from __future__ import annotations

import re
from typing import Dict, Set

from .exporting import FUNCTIONS
from .tree import BOUNDARIES, TYPES

#: Words of the text, which are no names in it.
WORDS = {
    "typed", "pipeline", "fun", "schedule", "realize", "rdom", "in", "if", "let", "not", "and", "or", "div", "mod", "require",
    "tuple", "elem", "saturating_cast", "truncate", "int", "inf", "nan", "out",
} | set(TYPES) | set(BOUNDARIES) | FUNCTIONS  # fmt: skip


class Names:
    """One space of names."""

    def __init__(self) -> None:
        self.known: Dict[str, str] = {}
        self.taken: Set[str] = set(WORDS)

    def __getitem__(self, foreign: str) -> str:
        """The name here of a name there."""
        if foreign not in self.known:
            self.known[foreign] = self.fresh(foreign.split("$")[0])
        return self.known[foreign]

    def fresh(self, wanted: str) -> str:
        """A name that nothing has."""
        name = base = re.sub(r"\W", "_", wanted) or "v"
        if base[0].isdigit():
            name = base = "v" + base
        number = 1
        while name in self.taken:
            number += 1
            name = f"{base}_{number}"
        self.taken.add(name)
        return name
