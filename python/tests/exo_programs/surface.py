"""Programs as users write them: each with what it shows, and what it raises.

They run under Exo and under `rewright.exo` alike. `python -m exo_programs.surface FILE`, in the folder of the tests and with the
Python of a real Exo, writes what comes of them there: that is `exo_surface.txt`.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import re
import sys
from pathlib import Path
from typing import Any, Dict, List

HEAD = """from __future__ import annotations
from exo import *
from exo.stdlib.scheduling import *
"""


def sections(text: str) -> Dict[str, str]:
    """The parts of a text by their names."""
    parts = re.split(r"^== (.*)\n", text, flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2]))


def programs() -> Dict[str, str]:
    """All programs by name."""
    out: Dict[str, str] = {}
    for file in sorted((Path(__file__).parent / "surface").glob("*.txt")):
        found = sections(file.read_text(encoding="utf-8"))
        assert not out.keys() & found.keys(), "two programs have one name"
        out.update(found)
    return out


def outcome(name: str, text: str) -> str:
    """What a program shows, and the class and message of what it raises."""
    filename, shown = f"surface_{name}.py", []  # type: str, List[str]
    whole = HEAD + text
    linecache.cache[filename] = (len(whole), None, whole.splitlines(keepends=True), filename)
    scope: Dict[str, Any] = {"__name__": "surface", "show": lambda *args: shown.append(" ".join(map(str, args)))}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(whole, filename, "exec"), scope)
    except Exception as e:
        shown.append(f"!! {class_of(e)}: {e}")
    return "\n".join(line.rstrip() for line in "\n".join(shown).splitlines())


def class_of(e: Exception) -> str:
    """The class by which a program catches an exception."""
    from exo.core.configs import ConfigError
    from exo.core.memory import MemGenError

    from .refusals import CLASSES

    return next((c.__name__ for c in (MemGenError, ConfigError, *CLASSES) if isinstance(e, c)), type(e).__name__)


def written() -> str:
    """What comes of all of them, as sections of a file."""
    return "".join(f"== {name}\n{outcome(name, text)}\n" for name, text in programs().items())


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(written(), encoding="utf-8")
