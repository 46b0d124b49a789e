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
import types
from pathlib import Path
from typing import Any, Dict, List, Tuple

from .c_runs import c_run

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
    """What a program shows, and the class and message of what it raises. It may ask what its C does: ``c_run``."""
    filename = f"surface_{name}.py"
    shown: List[str] = []
    whole = HEAD + text
    linecache.cache[filename] = (len(whole), None, whole.splitlines(keepends=True), filename)
    # The source of a class is looked for in the file of its module.
    module = types.ModuleType("surface")
    module.__file__ = filename
    scope = vars(module)
    scope.update(c_run=c_run, show=lambda *args: shown.append(" ".join(map(_shown, args))))
    sys.modules["surface"] = module
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(whole, filename, "exec"), scope)
    except Exception as e:
        shown.append(f"!! {class_of(e)}: {e}")
    return "\n".join(line.rstrip() for line in "\n".join(shown).splitlines())


def _shown(value: Any) -> str:
    """A value as text. Exo prints no cursors but those to statements, of which ours to windows print, too."""
    from exo.API_cursors import Cursor, GapCursor, StmtCursor, WindowStmtCursor

    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_shown, value))}]"
    is_printed = isinstance(value, (StmtCursor, GapCursor)) and not isinstance(value, WindowStmtCursor)
    return str(value) if is_printed or not isinstance(value, Cursor) else type(value).__name__


def class_of(e: Exception) -> str:
    """The class by which a program catches an exception."""
    from exo.core.configs import ConfigError
    from exo.core.memory import MemGenError

    from .refusals import CLASSES

    return next((c.__name__ for c in (MemGenError, ConfigError, *CLASSES) if isinstance(e, c)), type(e).__name__)


#: What divides a message into phrases: names, numbers and places.
_NAMES = re.compile(r"\S*[_=\[\]()\d:@]\S*|\b\w\b|'[^']*'|\"[^\"]*\"|<[^>]*>")
_TREE = re.compile(r"\[?(Effects|LoopIR)\..*|<ast.*|^\(|'\)$")


def phrases(message: str) -> List[str]:
    """What of a message does not depend on names, numbers and places."""
    found = [part for line in message.split("\n") for part in _NAMES.split(_TREE.sub("", line))]
    return [plain(part).strip() for part in found if len(part.split()) >= 2]


def plain(text: str) -> str:
    """A text without quotation marks, in small letters."""
    return re.sub(r"[`'\"]", "", re.sub(r"\s+", " ", text)).lower()


def parts(shown: str) -> Tuple[str, str, str]:
    """What a program showed, the class of what it raised, and the message."""
    text, _, raised = ("\n" + shown).rpartition("\n!! ") if "\n!! " in "\n" + shown else (shown, "", "")
    kind, _, message = raised.partition(": ")
    return text.strip(), kind.strip(": \n"), message


def is_same(there: str, here: str) -> bool:
    """Whether a program does the same here as there: in the message, the words that are Exo's are looked for."""
    (shown, kind, said), (shown_here, kind_here, said_here) = parts(there), parts(here)
    return shown == shown_here and kind == kind_here and all(phrase in plain(said_here) for phrase in phrases(said))


def written() -> str:
    """What comes of all of them, as sections of a file."""
    return "".join(f"== {name}\n{outcome(name, text)}\n" for name, text in programs().items())


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(written(), encoding="utf-8")
