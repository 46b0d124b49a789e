"""Pipelines of Halide from files: scripts that build one, and what ``Halide::serialize_pipeline`` wrote. Spec:
[rule: halide.peer.import]."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from . import wire
from .exporting import NotCovered
from .import_in import Imported, imported
from .run import halide
from .tree import Given


def load(path: Path, func: Optional[str] = None) -> Imported:
    """The pipeline of a file.

    Of a script it is, in this order: that of ``func``, if a name is given; the global ``pipeline``; what it realizes
    first; the func that it defines last. Raises ``NotCovered``.
    """
    if path.suffix != ".py":
        return imported(wire.read(path.read_bytes()), {}, {})
    return of_script(path, func)


def of_pipeline(pipeline: Any, window: Optional[List[Tuple[int, int]]] = None) -> Imported:
    """A pipeline of this process, with what its parameters hold."""
    hl = halide()
    data, params = hl.serialize_pipeline(pipeline, get_params=True)
    given, ranges = {}, {}
    for name, p in params.items():
        value = held(p)
        if value is not None:
            given[name] = value
        if not p.is_buffer():
            ranges[name] = (constant(p.min_value()), constant(p.max_value()))
    out = imported(wire.read(data), given, ranges)
    p = out.pipeline
    names = {n for n, _, _ in p.inputs} | {n for n, _ in p.params}
    if window is not None and names <= set(p.given):
        p.window = window
    return out


def constant(e: Any) -> Any:
    """A number, if an expression is one."""
    import halide as hl

    return hl.evaluate(e) if e is not None and e.defined() else None


def held(p: Any) -> Any:
    """What a parameter holds; nothing where that is not known."""
    import halide as hl
    import numpy as np

    if not p.is_buffer():
        try:
            v = constant(p.scalar_expr())
        except hl.HalideError:
            # It has none, and there is nothing to ask that by.
            return None
        return int(v) if isinstance(v, bool) else v
    b = p.buffer()
    # No array shares the memory of a buffer of `uint64`.
    if b is None or not b.defined() or b.type() == hl.UInt(64):
        return None
    box = [(b.dim(d).min(), b.dim(d).extent()) for d in range(b.dimensions())]
    return Given(box, np.array(b).flatten().tolist())


class _Found(BaseException):
    """A script realizes something: that is its pipeline."""

    def __init__(self, pipeline: Any, window: Optional[List[Tuple[int, int]]]) -> None:
        super().__init__()
        self.pipeline, self.window = pipeline, window


def of_script(path: Path, func: Optional[str] = None) -> Imported:
    """Runs a script, as a program, until it has a pipeline."""
    hl = halide()
    funcs: List[Any] = []
    found: Dict[str, Any] = {}
    with _watched(hl, funcs):
        before = list(sys.path), list(sys.argv)
        sys.path.insert(0, str(path.parent))
        sys.argv = [str(path)]
        try:
            found = runpy.run_path(str(path), run_name="__main__")
        except _Found as e:
            if func is None:
                return of_pipeline(e.pipeline, e.window)
        finally:
            sys.path, sys.argv = before
    if func is not None:
        chosen = [f for f in funcs if f.name() == func]
        if not chosen:
            raise NotCovered(f"`{path}` defines no func `{func}`")
        return of_pipeline(hl.Pipeline(chosen[-1:]))
    if isinstance(found.get("pipeline"), hl.Pipeline):
        return of_pipeline(found["pipeline"])
    # What an input is converted to is no func of the script.
    defined = [f for f in funcs if f.defined() and not f.name().endswith("_im")]
    if not defined:
        raise NotCovered(f"`{path}` defines no func")
    return of_pipeline(hl.Pipeline(defined[-1:]))


class _watched:
    """Realizations end a script; funcs are noted as they are made."""

    def __init__(self, hl: Any, funcs: List[Any]) -> None:
        self.hl, self.funcs = hl, funcs

    def __enter__(self) -> None:
        hl, funcs = self.hl, self.funcs
        self.before = (hl.Func.__init__, hl.Func.realize, hl.Pipeline.realize)
        init = hl.Func.__init__

        def noted(f: Any, *args: Any, **kwargs: Any) -> None:
            init(f, *args, **kwargs)
            funcs.append(f)

        def realized(of: Any, to: Any = (), *_: Any, **__: Any) -> None:
            pipeline = of if isinstance(of, hl.Pipeline) else hl.Pipeline([of])
            raise _Found(pipeline, windows(pipeline, to))

        hl.Func.__init__, hl.Func.realize, hl.Pipeline.realize = noted, realized, realized

    def __exit__(self, *_: Any) -> None:
        hl = self.hl
        hl.Func.__init__, hl.Func.realize, hl.Pipeline.realize = self.before


def windows(pipeline: Any, to: Any) -> List[Tuple[int, int]]:
    """The windows of all outputs, for sizes or buffers."""
    import halide as hl

    outputs = pipeline.outputs()
    buffers = [to] if isinstance(to, hl.Buffer) else list(to)
    out: List[Tuple[int, int]] = []
    if buffers and isinstance(buffers[0], hl.Buffer):
        for f in outputs:
            b, buffers = buffers[0], buffers[len(f.types()) :]
            out += [(b.dim(d).min(), b.dim(d).extent()) for d in range(b.dimensions())]
        return out
    for _ in outputs:
        out += [(0, int(n)) for n in buffers]
    return out
