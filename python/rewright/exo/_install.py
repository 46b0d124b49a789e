"""``import exo`` means ``rewright.exo``: only where that is asked for. Spec: [rule: python.exo]."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from types import ModuleType
from typing import Any, Dict, Optional, Sequence

from ._absent import NAMES, why

__all__ = ["install", "uninstall"]

_HERE = __name__.rsplit(".", 1)[0]


def _ours(fullname: str) -> Optional[str]:
    return _HERE + fullname[len("exo") :] if fullname == "exo" or fullname.startswith("exo.") else None


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds ``exo`` and ``exo.x`` as the modules ``rewright.exo`` and ``rewright.exo.x``: the same objects."""

    def __init__(self) -> None:
        self._specs: Dict[str, Optional[importlib.machinery.ModuleSpec]] = {}

    def find_spec(
        self, fullname: str, path: Optional[Sequence[str]] = None, target: Optional[ModuleType] = None
    ) -> Optional[importlib.machinery.ModuleSpec]:
        ours = _ours(fullname)
        if ours is None:
            return None
        if importlib.util.find_spec(ours) is None:
            if fullname[len("exo.") :] in NAMES:
                raise ImportError(why(fullname[len("exo.") :]))
            return None
        return importlib.machinery.ModuleSpec(fullname, self)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        ours = _ours(spec.name)
        assert ours is not None
        module = importlib.import_module(ours)
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # It has run under its own name, which stays its name.
        module.__spec__ = self._specs["exo" + module.__name__[len(_HERE) :]]


_FINDER = _Finder()


def install() -> None:
    """From now on ``import exo`` and ``import exo.x`` give ``rewright.exo`` and ``rewright.exo.x``. An Exo that is imported
    already is an ``ImportError``: programs would have two."""
    theirs: Any = sys.modules.get("exo")
    if theirs is not None and theirs is not sys.modules[_HERE]:
        raise ImportError(f"another `exo` is imported already, from {getattr(theirs, '__file__', '?')}")
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)


def uninstall() -> None:
    """``import exo`` means again what it meant."""
    if _FINDER in sys.meta_path:
        sys.meta_path.remove(_FINDER)
    for name in [n for n in sys.modules if _ours(n) is not None]:
        if getattr(sys.modules[name], "__name__", "").startswith(_HERE):
            del sys.modules[name]
