"""A schedule as a page for a browser."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Optional, Union

from . import _rewright
from .procedure import Procedure


def ledger(
    p: Procedure, path: Optional[Union[str, "os.PathLike[str]"]] = None, *, name: Optional[str] = None, times: bool = True
) -> str:
    """The schedule that led to ``p`` as one HTML page that needs no other: its steps, with the programs before and after,
    the conditions and what was asked; the C; which iterations of its loops conflict; what it stands on.

    It shows what ``p.derivation()`` records. With a ``path`` it is written there too. ``name`` is what the schedule is
    called, else as the procedure is; ``times`` says whether the page tells how long each step took.
    """
    if not isinstance(p, Procedure):
        raise TypeError(f"a ledger is of a procedure, not of {type(p).__name__}")
    page: str = _rewright.ledger(p._raw, p.name() if name is None else str(name), bool(times))
    if path is not None:
        # A number is no path, though `open` takes it for a file that is open.
        Path(os.fspath(path)).write_text(page, encoding="utf-8")
    return page
