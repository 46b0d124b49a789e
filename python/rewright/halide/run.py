"""Running a pipeline here and there: values, regions of every func, refusals. Spec: [rule: halide.peer.diff]."""

from __future__ import annotations

import atexit
import json
import os
import re
import struct
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

from .._rewright import halide_outcome
from .exporting import NotCovered, Program, export

if TYPE_CHECKING:
    from .tree import Box, Pipeline

#: Where Halide writes its traces: it reads the variable when it runs a program first.
_TRACE = "HL_TRACE_FILE"
_BEGIN_REALIZATION = 2
_HEADER = struct.Struct("<IiBBHiiii")


class HalideMissing(RuntimeError):
    """Halide's package is not installed."""


def halide() -> Any:
    """Halide's package.

    Raises ``HalideMissing``.
    """
    try:
        import halide as hl
    except ImportError as e:
        raise HalideMissing(f"Halide cannot be imported: {e}. `pip install halide==21.0.0` installs it") from e
    return hl


def ours(p: Pipeline) -> Dict[str, Any]:
    """What the model says: ``refused``, ``at`` and ``rule``, or ``values``, ``regions``, ``required`` and ``verdict``."""
    found: Dict[str, Any] = json.loads(halide_outcome(str(p)))
    return found


def theirs(p: Pipeline) -> Dict[str, Any]:
    """The same of Halide; ``not_covered`` where the pipeline cannot be written for it."""
    try:
        program = export(p)
    except NotCovered as e:
        return {"not_covered": str(e)}
    return _Run(program).outcome()


@lru_cache(maxsize=None)
def trace_file() -> Path:
    """Where this process's traces are: a file of its own, which goes with it."""
    handle, name = tempfile.mkstemp(prefix="halide", suffix=".trace")
    os.close(handle)
    os.environ[_TRACE] = name
    path = Path(name)
    atexit.register(path.unlink, missing_ok=True)
    return path


class _Run:
    def __init__(self, program: Program) -> None:
        self.program = program
        # It must be named before Halide runs anything.
        self.trace = trace_file()
        halide()
        from . import prelude

        self.prelude: Any = prelude
        self.names: Dict[str, Any] = {k: v for k, v in vars(prelude).items() if not k.startswith("__")}

    def outcome(self) -> Dict[str, Any]:
        """Each step's refusal is told with the step."""
        steps = [("definition", self.define), ("schedule", self.schedule), ("lowering", self.lower), ("runtime", self.run)]
        for at, step in steps:
            try:
                step()
            except NotImplementedError as e:
                return {"not_covered": str(e)}
            except (self.prelude.hl.HalideError, RuntimeError, TypeError, ValueError, IndexError) as e:
                # What Python's side of Halide has no overload for is a refusal, too.
                return {"refused": str(e).strip(), "at": at, "rule": kind_of(str(e))}
        return {"values": self.values, "regions": self.regions()}

    def define(self) -> None:
        exec("\n".join(self.program.definition), self.names)  # noqa: S102

    def schedule(self) -> None:
        exec("\n".join(self.program.schedule), self.names)  # noqa: S102

    def lower(self) -> None:
        hl = self.prelude.hl
        self.outputs = [(self.names[f], window) for f, window in self.program.outputs]
        self.funcs = {}
        for name, here in self.program.funcs.items():
            self.names[here].trace_realizations()
            self.funcs[self.names[here].name()] = name
        shown = [self.prelude.windowed(f, i) for i, (f, _) in enumerate(self.outputs)]
        self.pipeline = hl.Pipeline(shown)
        for condition in self.names["requirements"]:
            self.pipeline.add_requirement(condition, "a requirement of the pipeline does not hold")
        self.pipeline.compile_jit(self.prelude.strict())

    def run(self) -> None:
        exec("\n".join(self.program.given), self.names)  # noqa: S102
        made = [self.prelude.buffers(f, window) for f, window in self.outputs]
        self.start = self.trace.stat().st_size
        self.pipeline.realize([b for bs in made for b in bs], self.prelude.strict())
        name = {here: name for name, here in self.program.funcs.items()}
        self.values = []
        for (here, _), (f, _), bs in zip(self.program.outputs, self.outputs, made):
            types = [str(t).replace("uint1", "bool") if t == self.prelude.hl.UInt(1) else str(t) for t in f.types()]
            self.values.append({"func": name[here], "types": types, "values": self.prelude.values(f, bs)})

    def regions(self) -> Dict[str, Any]:
        """By func, the box around all of its realizations, and how many there were."""
        out: Dict[str, Any] = {}
        with self.trace.open("rb") as f:
            f.seek(self.start)
            for func, box in realizations(f.read()):
                name = self.funcs.get(func)
                if name is None:
                    continue
                found = out.setdefault(name, {"allocated": None, "realizations": 0})
                found["allocated"] = hull(found["allocated"], box)
                found["realizations"] += 1
        return out


def realizations(data: bytes) -> List[Tuple[str, Box]]:
    """The realizations in a trace. The format is that of ``halide_trace_packet_t`` in ``HalideRuntime.h``."""
    out, place = [], 0
    while place + _HEADER.size <= len(data):
        size, _, _, bits, lanes, event, _, _, dims = _HEADER.unpack_from(data, place)
        if event == _BEGIN_REALIZATION:
            at = struct.unpack_from(f"<{dims}i", data, place + _HEADER.size)
            start = place + _HEADER.size + 4 * dims + lanes * ((bits + 7) // 8)
            func = data[start : data.index(b"\0", start)].decode()
            out.append((func, list(zip(at[::2], at[1::2]))))
        place += size
    return out


def hull(a: Optional[Box], b: Box) -> Box:
    """The smallest box around two; empty ones do not count."""
    if a is None or any(n <= 0 for _, n in a):
        return b
    if any(n <= 0 for _, n in b):
        return a
    ends = [(min(m, k), max(m + n, k + j)) for (m, n), (k, j) in zip(a, b)]
    return [(low, high - low) for low, high in ends]


#: What Halide's refusals say, in a word: the first that fits.
KINDS = [
    (r"may be unsafe|race condition|RVars? .* not be parallel|not safely|potential race", "race"),
    (r"associative|associativity|rfactor", "rfactor"),
    (r"unbounded access|unbounded|is unbounded|accessed over an unbounded", "unbounded"),
    (r"[Ff]old", "fold"),
    (r"out of bounds|is accessed at|before the min|beyond the extent|Input buffer", "input-bounds"),
    (r"[Bb]ounds given|Bounds given|smaller than required|do not cover|larger than the bound|bound_extent|Extent of", "bounds"),
    (r"compute_with|fused|fuse_level|fuse group", "compute-with"),
    (r"compute_at|store_at|computed at|legal location|Legal locations|loop level|LoopLevel|hoist_storage", "compute-at"),
    (r"RoundUp|ShiftInwards|TailStrategy|tail strategy|GuardWithIf", "tail"),
    (r"reorder", "reorder"),
    (r"split|fuse ", "split"),
    (r"constant extent|[Cc]an only vectorize|[Cc]an only unroll|vectorize|unroll", "vectorize"),
    (r"specializ", "specialize"),
    (r"wrapper|clone_in|\bin\(", "wrapper"),
    (r"requirement", "require"),
    (r"inlined|inline", "inline"),
    (r"type|match|cast|implicit|represent", "type"),
    (r"[Aa]lready|unique|multiple times|twice", "names"),
]  # fmt: skip


def kind_of(message: str) -> str:
    """A word for what Halide refuses."""
    return next((word for pattern, word in KINDS if re.search(pattern, message)), "other")
