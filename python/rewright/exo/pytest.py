"""``pytest -p rewright.exo.pytest``: tests that import ``exo`` run on Rewright."""

from __future__ import annotations

from ._install import install

install()
