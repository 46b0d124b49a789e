"""Exo's Python package on Rewright: the names of ``exo`` 1.0.0.

Programs that ``import exo`` run on it after ``rewright.exo.install()``, with ``python -m rewright.exo FILE``, or under
``pytest -p rewright.exo.pytest``; otherwise an installed Exo stays what ``import exo`` gives.
"""

from __future__ import annotations

import importlib
from typing import Any

from .._errors import SchedulingError
from ._install import install, uninstall
from .API import (
    ExoType,
    Procedure,
    compile_procs,
    compile_procs_to_strings,
    config,
    instr,
    proc,
)
from .core.configs import Config
from .core.extern import Extern
from .core.memory import DRAM, Memory
from .frontend.parse_fragment import ParseFragmentError

#: The version of Exo whose names these are.
__version__ = "1.0.0"

__all__ = [
    "Config",
    "DRAM",
    "ExoType",
    "Extern",
    "Memory",
    "ParseFragmentError",
    "Procedure",
    "SchedulingError",
    "compile_procs",
    "compile_procs_to_strings",
    "config",
    "instr",
    "proc",
    "stdlib",
]


def __getattr__(name: str) -> Any:
    if name in ("stdlib", "API_cursors", "API_scheduling", "platforms", "libs"):
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
