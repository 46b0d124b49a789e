"""What Exo's modules for users define, with the names of parameters and their defaults.

They are looked at under Exo and under `rewright.exo` alike. `python -m exo_programs.names FILE`, in the folder of the tests and with
the Python of a real Exo, writes what it has: that is `exo_api.txt`.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from typing import Any, Dict, Sequence

MODULES = """
API API_cursors API_scheduling API_types core.configs core.extern core.memory core.prelude frontend.parse_fragment
frontend.pattern_match frontend.pyparser frontend.syntax libs.externs libs.memories main rewrite.LoopIR_unification
""".split()


def _parameters(of: Any) -> str:
    """The parameters: `self, pattern, many=False`."""
    try:
        found = inspect.signature(of).parameters.values()
    except (TypeError, ValueError):
        return ""
    return "(" + ", ".join(_parameter(p) for p in found) + ")"


def _parameter(p: inspect.Parameter) -> str:
    star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
    is_plain = isinstance(p.default, (bool, int, float, str, type(None)))
    default = "" if p.default is p.empty else f"={p.default!r}" if is_plain else "=…"
    return f"{star}{p.name}{default}"


def defined(module: str, names: Sequence[str] = ()) -> Dict[str, str]:
    """These names of a module, or those that it defines itself, and the methods of its classes, with their parameters."""
    found = importlib.import_module(f"exo.{module}")
    out = {}
    for name in names or vars(found):
        value = getattr(found, name, None)
        if not names and (name.startswith("_") or getattr(value, "__module__", "") != f"exo.{module}"):
            continue
        if inspect.isclass(value):
            out[name] = ""
            for method, of in inspect.getmembers(value, callable):
                if not method.startswith("_"):
                    out[f"{name}.{method}"] = _parameters(of)
        elif callable(value):
            out[name] = _parameters(value)
    return out


def written(module: str) -> str:
    """What a module defines, a line for each."""
    return f"== {module}\n" + "".join(f"{name}{what}\n" for name, what in sorted(defined(module).items()))


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as out_file:
        out_file.write("".join(written(module) for module in MODULES))
