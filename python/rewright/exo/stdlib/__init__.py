# ruff: noqa: F401, F403
# mypy: implicit-reexport
"""Libraries of schedules: what Exo's standard library offers, written on the public surface of the language."""

from . import scheduling

__all__ = ["scheduling", "stdlib"]
