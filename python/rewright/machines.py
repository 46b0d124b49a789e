"""What is known by name in every text: the machines' memories, configurations and instructions, as attributes.

``from rewright.machines import AVX512, mm512_loadu_ps``
"""

from __future__ import annotations

from typing import Any, Dict, List

from . import _rewright
from ._names import Config, Memory
from .procedure import Procedure

_known: Dict[str, Any] = {}


def _all() -> Dict[str, Any]:
    if not _known:
        procs, configs, memories = _rewright.machines()
        found: Dict[str, Any] = {m.name(): Memory(m) for m in memories}
        found.update((c.name(), Config(c)) for c in configs)
        found.update((p.name(), Procedure(p)) for p in procs)
        _known.update(found)
    return _known


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted(_all())
    if name.startswith("__"):
        raise AttributeError(name)
    try:
        return _all()[name]
    except KeyError:
        raise AttributeError(f"no machine defines `{name}`") from None


def __dir__() -> List[str]:
    return sorted(_all())
