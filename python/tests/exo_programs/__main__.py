"""Writes what the `exo` that is installed makes of the programs."""

from __future__ import annotations

import sys

from .runs import every_case, run, written

with open(sys.argv[1], "w", encoding="utf-8") as out:
    out.write("".join(written(name, run(case)) for name, case in every_case().items()))
