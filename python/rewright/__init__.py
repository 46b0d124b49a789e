"""Rewright: programs for accelerators, rewritten by proved steps.

A procedure is a function of Python that is read, not run (``@proc``), or comes of a text (``module``, ``load``). Primitives
make new versions of it: ``divide_loop(p, "i", 8, ["io", "ii"], tail="guard")``. Each asks for what must hold, and refuses,
with a counterexample, what does not. Functions, loops, conditions and exceptions of Python make schedules of them.
"""

from __future__ import annotations

from ._z3 import find as _find_z3

_find_z3()

from . import campaign, cursors, externs, machines, primitives  # noqa: E402
from ._audit import Audit, audit  # noqa: E402
from ._deviations import Deviation, deviations  # noqa: E402
from ._errors import *  # noqa: E402, F403
from ._errors import __all__ as _errors_all  # noqa: E402
from ._frontend import Module, config, instr, load, module, proc  # noqa: E402
from ._ledger import ledger  # noqa: E402
from ._names import DRAM, DRAM_STACK, DRAM_STATIC, Config, Extern, ExoType, Memory  # noqa: E402
from ._rewright import version as _version  # noqa: E402
from .campaign import fuzz  # noqa: E402
from .procedure import (  # noqa: E402
    Comparison,
    Procedure,
    RewrightWarning,
    Step,
    compile_procs,
    compile_procs_to_strings,
)
from .primitives import *  # noqa: E402, F403
from .primitives import __all__ as _primitives_all  # noqa: E402

__version__: str = _version()

__all__ = [
    "Audit",
    "Comparison",
    "Config",
    "DRAM",
    "DRAM_STACK",
    "DRAM_STATIC",
    "Deviation",
    "ExoType",
    "Extern",
    "Memory",
    "Module",
    "Procedure",
    "RewrightWarning",
    "Step",
    "audit",
    "campaign",
    "compile_procs",
    "compile_procs_to_strings",
    "config",
    "cursors",
    "deviations",
    "externs",
    "fuzz",
    "instr",
    "ledger",
    "load",
    "machines",
    "module",
    "primitives",
    "proc",
]
__all__ += _errors_all
__all__ += _primitives_all
