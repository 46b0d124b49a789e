"""``exo.core.configs``: named state of the hardware."""

from __future__ import annotations

from typing import Any

from ..._errors import RewrightError
from ..._names import Config as _Config

__all__ = ["Config", "ConfigError"]


class ConfigError(RewrightError):
    """A configuration is not what is asked for."""


class Config(_Config):
    """A configuration class."""

    __slots__ = ()

    def has_field(self, fname: str) -> bool:
        """Whether there is a field of this name."""
        return fname in self.fields()

    def lookup_type(self, fname: str) -> str:
        """The type of a field, in a word."""
        return self.fields()[fname]


def of_handle(raw: Any) -> Config:
    """The configuration of a handle."""
    return Config(raw)
