"""Tables of instructions, each of which is read when it is first used."""

from __future__ import annotations

import re
from string import Template
from threading import RLock
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Sequence, Tuple

from ... import _frontend
from .._templates import as_read
from ..API import Procedure

_WINDOW = re.compile(r"(\w+): \[\w+\]\[(\w+)\]")


#: Held while a procedure is made, so that it is made once; what it is made of is made meanwhile.
_MAKING = RLock()


class Later(Procedure):
    """A procedure that is made when something of it but its name is asked for."""

    __slots__ = ("_make", "_made", "_name")

    def __init__(self, name: str, make: Callable[[], Any]) -> None:
        self._name = name
        self._make = make
        self._made: Any = None

    @property
    def _raw(self) -> Any:
        if self._made is None:
            with _MAKING:
                if self._made is None:
                    self._made = self._make()._raw
        return self._made

    def name(self) -> str:
        """The name."""
        return self._name


class Table:
    """The instructions of a platform by name."""

    def __init__(self, platform: str, scope: Mapping[str, Any]) -> None:
        self._platform = platform
        self._scope = scope
        self._all: Dict[str, Later] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __getitem__(self, name: str) -> Procedure:
        return self._all[name]

    def items(self) -> Iterator[Tuple[str, Procedure]]:
        """Names and instructions, in order."""
        return iter(self._all.items())

    def text(self, name: str, c: str, definition: str) -> None:
        """An instruction by its C and its text, from its arguments on: ``"(x: f32): x = 0.0"``."""
        self._define(name, f"def {name}{definition}\n", c)

    def procedure(self, name: str, definition: str) -> None:
        """A procedure by its text, from its arguments on."""
        self._define(name, f"def {name}{definition}\n")

    def derived(self, name: str, make: Callable[[], Any]) -> Later:
        """What a schedule makes of others. It takes the place of what had the name."""
        self._all[name] = Later(name, make)
        return self._all[name]

    def _define(self, name: str, definition: str, c: Optional[str] = None) -> None:

        def make() -> Procedure:
            decorator = "@proc" if c is None else f"@instr({as_read(c, definition)!r})"
            source = f"{decorator}\n{definition}"
            # Without itself: what is asked for while it is made would be made anew.
            scope = {word: value for word, value in self._scope.items() if word in source and word != name}
            found = _frontend._defined(source, f"<{self._platform}>", scope, False)
            return Procedure(found.procs[-1]._raw)

        self._all[name] = Later(name, make)

    def lanes(
        self,
        name: str,
        c: str,
        operands: str,
        statement: str,
        lanes: int,
        *,
        unit: Optional[str] = None,
        asserts: Sequence[str] = (),
        upto: str = "",
        below: str = "",
        index: str = "i",
    ) -> None:
        """An instruction that runs a statement for each lane.

        ``unit`` are the operands whose lanes must be side by side: all that have so many, or a number that is an argument.
        With ``upto`` only so many lanes run; with ``below``, those for which a condition asks.
        """
        if unit is None:
            windows = _WINDOW.findall(operands)
            unit = " ".join(word for word, extent in windows if extent != "1")
        lines = [f"({operands}):"]
        lines += [f"    assert stride({word}, 0) == 1" for word in unit.split()]
        lines += [f"    assert {condition}" for condition in asserts]
        lines.append(f"    for {index} in seq(0, {upto or lanes}):")
        if below:
            lines.append(f"        if {index} < {below}:")
        lines.append(f"        {'    ' if below else ''}{statement}")
        self.text(name, c, "\n".join(lines))

    def family(self, words: Mapping[str, object]) -> Callable[..., None]:
        """``lanes`` with words to put in: ``$s`` in a name, in C, or in operands is what ``words`` has for ``s``."""

        def add(name: str, c: str, operands: str, statement: str, **more: Any) -> None:
            filled = [Template(text).substitute(words) for text in (name, c, operands)]
            self.lanes(filled[0], filled[1], filled[2], statement, int(str(words["n"])), **more)

        return add
