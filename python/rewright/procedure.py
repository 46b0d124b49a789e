"""Procedures at a version."""

from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _rewright
from ._errors import InvalidCursorError
from ._names import Config
from .cursors import ArgCursor, BlockCursor, Cursor, ForCursor, InvalidCursor, wrap

if TYPE_CHECKING:
    from ._arrays import Compiled

__all__ = ["Comparison", "Procedure", "RewrightWarning", "Step", "compile_procs", "compile_procs_to_strings"]


class RewrightWarning(UserWarning):
    """What the back end has to say of a procedure that it compiles."""


class Step(NamedTuple):
    """One application of a primitive."""

    #: The primitive.
    primitive: str
    #: Its arguments as text; places are of the version before.
    args: Dict[str, str]
    #: The version after it.
    after: Procedure


class Comparison(NamedTuple):
    """What came of comparing two procedures on random inputs. It is true where no input told them apart."""

    #: ``"equal"``, ``"refines"`` (the second defines more), ``"different"``, or ``"none"`` (no input could be compared).
    verdict: str
    #: How they differ, and on which input.
    difference: Optional[str]
    input: Optional[str]
    #: How many inputs were compared, and for how many of them for all data at once.
    compared: int
    for_all_data: int
    #: The fields that were left out.
    modulo: Tuple[str, ...]
    #: On how many inputs they agree once more where some fields were never set.
    unset: int = 0

    def __bool__(self) -> bool:
        return self.verdict in ("equal", "refines")


class Procedure:
    """A procedure at a version. ``rewright.proc``, ``rewright.module`` and ``rewright.load`` make the first one; primitives
    make new versions and leave the old ones as they are."""

    __slots__ = ("_raw",)
    _raw: Any

    def __init__(self, raw: Any) -> None:
        if not isinstance(raw, _rewright.Proc):
            raise TypeError("procedures are made by `rewright.proc`, `rewright.module` and `rewright.load`")
        self._raw = raw

    def name(self) -> str:
        """The name."""
        return str(self._raw.name())

    def is_instr(self) -> bool:
        """Whether calls become the C text of an instruction."""
        return bool(self._raw.is_instr())

    def get_instr(self) -> Optional[str]:
        """The C text of a call, for an instruction."""
        found = self._raw.instr()
        return None if found is None else str(found[0])

    def preds(self) -> List[str]:
        """The assertions, as text."""
        return list(self._raw.preds())

    # Cursors.

    def args(self) -> List[ArgCursor]:
        """Cursors to the arguments."""
        return [ArgCursor(raw) for raw in self._raw.args()]

    def get_arg(self, name: str) -> ArgCursor:
        """A cursor to the argument of this name."""
        return ArgCursor(self._raw.get_arg(name))

    def body(self) -> BlockCursor:
        """A cursor to the whole body."""
        return BlockCursor(self._raw.body())

    def find(self, pattern: str, many: bool = False) -> Any:
        """A cursor to the first place that a pattern describes; with ``many``, a list of all.

        Patterns are written like statements and expressions, with ``_`` for anything: ``"for i in _: _"``,
        ``"C[_] += _"``, ``"x: _"``; ``#2`` at the end counts from 0.
        """
        if many:
            return self.find_all(pattern)
        return wrap(self._raw.find(pattern))

    def find_all(self, pattern: str) -> List[Cursor]:
        """Cursors to every place that a pattern describes."""
        return [wrap(raw) for raw in self._raw.find_all(pattern)]

    def find_loop(self, pattern: str, many: bool = False) -> Any:
        """A cursor to the first loop over a variable of this name: ``"i"``, ``"i #1"``; with ``many``, a list of all."""
        if many:
            return [c for c in self.find_all(f"for {pattern} in _: _") if isinstance(c, ForCursor)]
        return wrap(self._raw.find_loop(pattern))

    def find_alloc_or_arg(self, name: str) -> Cursor:
        """A cursor to the allocation, or to the argument, of this name."""
        return wrap(self._raw.find_alloc_or_arg(name))

    def forward(self, cursor: Cursor) -> Cursor:
        """Where a cursor of an earlier version is in this one."""
        if not isinstance(cursor, Cursor):
            raise TypeError(f"a cursor is forwarded, not {type(cursor).__name__}")
        if isinstance(cursor, InvalidCursor):
            raise InvalidCursorError(str(cursor))
        return wrap(self._raw.forward(cursor._raw))

    # How it came about.

    def history(self) -> List[Step]:
        """The steps from the definition to this version."""
        out = []
        for raw in self._raw.history():
            step = raw.step()
            if step is not None:
                out.append(Step(step[0], dict(step[1]), Procedure(raw)))
        return out

    def root(self) -> Procedure:
        """The definition that this was made of."""
        return Procedure(self._raw.history()[0])

    def derivation(self, binding: Optional[str] = None) -> Dict[str, Any]:
        """The record of the steps with the conditions and how each was decided, which ``rewright audit`` checks: what
        ``json.dump`` writes."""
        record: Dict[str, Any] = json.loads(self._raw.derivation(self.name() if binding is None else binding))
        return record

    def is_eq(self, other: Procedure) -> bool:
        """Whether this and another version do the same on every input, as far as the steps between them say."""
        return bool(self._raw.is_eq(_procedure(other)))

    # Whether it is right, and what it does.

    def check(self) -> List[Dict[str, Any]]:
        """Proves again what the front end asks of it: for each requirement its ``rule``, its ``sentence``, whether it is
        ``proved``, and a ``counterexample``."""
        return list(self._raw.check())

    def equiv(
        self,
        other: Procedure,
        modulo: Iterable[Union[str, Tuple[Config, str]]] = (),
        trials: int = 100,
        seed: int = 0,
    ) -> Comparison:
        """Compares this with another procedure on random inputs, exactly, but for the fields ``modulo``: ``"Cfg.f"``. Where
        one was made of the other, fields that the steps may change are left out, too. On some inputs fields were never set:
        a run that depends on one fails there, and the other procedure may fail only where this one does."""
        if isinstance(modulo, str):
            raise TypeError(f'`modulo` is a list of fields: ["{modulo}"]')
        fields = [_field(x) for x in modulo]
        told = _rewright.equiv(self._raw, _procedure(other), fields, _count(trials), _count(seed))
        return Comparison(
            told["verdict"],
            told.get("difference"),
            told.get("input"),
            told.get("compared", 0),
            told.get("for_all_data", 0),
            tuple(told.get("modulo", ())),
            told.get("unset", 0),
        )

    def run(
        self,
        *args: Any,
        domain: str = "machine",
        steps: Optional[int] = None,
        fields: Optional[Dict[str, Any]] = None,
        **named: Any,
    ) -> Dict[str, Any]:
        """Runs it in the interpreter; the arrays stay as they are. What it leaves, by name: data arguments as arrays, and
        configuration fields.

        ``domain="machine"`` computes what the C computes, in the precisions of the program; ``"exact"`` computes with
        fractions; ``"symbolic"`` takes the data for variables and gives polynomials, as text. What was never written is a
        masked element. Sizes that an array has for an extent may be left out where arguments are named. ``steps`` is how many
        statements may run, ``fields`` gives configuration fields: ``{"Cfg.f": 3}``.
        """
        from ._arrays import interpret

        return interpret(self._raw, args, named, domain, steps, fields or {})

    def compile(self) -> Compiled:
        """Compiles it for this machine: a function of arrays, which it changes. Sizes may be left out as in :meth:`run`."""
        from ._arrays import Compiled

        return Compiled(_rewright.build(self._raw))

    # C.

    def c_code_str(self) -> str:
        """The C of it: header and source."""
        source, header = compile_procs_to_strings([self], "c_code_str.h")
        return header + "\n" + source

    def compile_c(self, directory: Any, filename: str) -> None:
        """Writes the C of it into a directory: ``filename`` and its header."""
        import os

        stem = os.path.splitext(filename)[0]
        compile_procs([self], directory, filename, stem + ".h")

    # What Exo has as methods.

    def partial_eval(self, *args: int, **values: int) -> Procedure:
        """Fixes control arguments: see ``rewright.partial_eval``."""
        from .primitives import partial_eval

        return partial_eval(self, *args, **values)

    def add_assertion(self, assertion: str) -> Procedure:
        """Adds an assertion: see ``rewright.add_assertion``."""
        from .primitives import add_assertion

        return add_assertion(self, assertion)

    def __str__(self) -> str:
        return str(self._raw)

    def __repr__(self) -> str:
        depth = self._raw.depth()
        made = f", {depth} step{'' if depth == 1 else 's'}" if depth else ""
        return f"<Procedure {self.name()}{made}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Procedure):
            return NotImplemented
        return bool(self._raw == other._raw)

    def __hash__(self) -> int:
        return hash(self._raw)

    def _repr_html_(self) -> str:
        """The program, with what the last step changed marked."""
        from ._html import program

        history = self._raw.history()
        before = str(history[-2]) if len(history) > 1 else None
        return program(str(self), before)

    def __call__(self, *args: Any, **named: Any) -> None:
        raise TypeError(f"`{self.name()}` is called by other procedures; `.run(…)` and `.compile()` run it on arrays")


def _procedure(of: object) -> Any:
    if not isinstance(of, Procedure):
        raise TypeError(f"expected a procedure, not {type(of).__name__}")
    return of._raw


def _count(n: int) -> int:
    if not 0 <= n < 1 << 63:
        raise ValueError(f"{n} is no number of trials, and no seed")
    return n


def _field(of: Union[str, Tuple[Config, str]]) -> Tuple[str, str]:
    if isinstance(of, tuple) and len(of) == 2 and isinstance(of[0], Config):
        return (of[0].name(), str(of[1]))
    if isinstance(of, str) and of.count(".") == 1:
        config, field = of.split(".")
        return (config, field)
    raise TypeError(f'{of!r} is no configuration field, such as "Cfg.f"')


def compile_procs_to_strings(procs: Sequence[Procedure], h_file_name: str) -> Tuple[str, str]:
    """The C of procedures: source and header."""
    import os

    stem = os.path.splitext(os.path.basename(h_file_name))[0]
    source, header, _flags, warned = _rewright.c_code([_procedure(p) for p in procs], stem)
    for text in warned:
        warnings.warn(text, RewrightWarning, stacklevel=3)
    return source, header


def compile_procs(procs: Sequence[Procedure], basedir: Any, c_file: str, h_file: str) -> None:
    """Writes the C of procedures into a directory, and makes it if need be."""
    import os

    source, header = compile_procs_to_strings(procs, h_file)
    os.makedirs(basedir, exist_ok=True)
    for name, text in ((c_file, source), (h_file, header)):
        with open(os.path.join(basedir, name), "w", encoding="utf-8") as out:
            out.write(text)


