"""What schedules give besides the procedure: cursors by name, that may also be unpacked in order."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Iterator


class Cursors:
    """A record of cursors: ``outer, inner, tail = cursors``."""

    def __iter__(self) -> Iterator[Any]:
        # Only records are made of this class: the subclasses are data classes.
        return (getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type]
