# ruff: noqa: F401, F403
# mypy: implicit-reexport
"""Gemmini under Exo's names: a systolic array with a scratchpad for bytes and an accumulator for sums.

Instructions come in pairs: one that sets the machine's state and then works, and one named ``do_…`` that works by the state
there is. Names that end in ``_v2`` are the first written as the second after a write of the state, which ``call_eqv``
accepts in its place.
"""

from __future__ import annotations

from ._gemmini_instructions import *
from ._gemmini_schedules import *
