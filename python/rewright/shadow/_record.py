"""What Exo does, step by step: its scheduling operations are wrapped, and each call is noted."""

from __future__ import annotations

import copy
import functools
import sys
import threading
import time
from typing import Any, Callable, Dict, List, Optional, Tuple

from ._text import Library, Program

__all__ = ["Recorder", "Step"]

#: Arguments that tell Exo not to check.
UNSAFE = ("unsafe_disable_check", "unsafe_disable_checks")


class Step:
    """One call of one of Exo's operations."""

    def __init__(self, number: int, op: str, before: Program, args: Dict[str, Any], place: Tuple[str, int]) -> None:
        #: Its number in the run.
        self.number = number
        #: The operation.
        self.op = op
        #: The procedure that it was applied to.
        self.before = before
        #: The arguments, as Exo's argument processors leave them.
        self.args = args
        #: The line of the program: file and number.
        self.place = place
        #: What it was part of: a test.
        self.within: Optional[str] = None
        #: What came of it: the procedure, or Exo's exception.
        self.after: Optional[Program] = None
        self.also: Optional[Program] = None
        self.refused: Optional[BaseException] = None
        #: The configuration fields that Exo says may differ.
        self.modulo: List[Tuple[Any, str]] = []
        #: Whether Exo changed the procedure it was given.
        self.in_place = False
        #: The step that made the procedure before, where one did.
        self.previous: Optional[Step] = None

    @property
    def unsafe(self) -> bool:
        """Whether Exo was told not to check."""
        return self.op == "add_unsafe_guard" or any(self.args.get(name) for name in UNSAFE)


    def erased(self, library: Library) -> Step:
        """It with programs of another library."""
        other = copy.copy(self)
        other.before = library.program(self.before.ir)
        other.after = None if self.after is None else library.program(self.after.ir)
        other.also = None if self.also is None else library.program(self.also.ir)
        return other


class Recorder:
    """Wraps the operations of the Exo that is installed, and hands each step on."""

    def __init__(self, take: Callable[[Step], None]) -> None:
        self._take = take
        self._inside = threading.local()
        self._originals: Dict[str, Tuple[Any, Any]] = {}
        self._steps: Dict[int, Step] = {}
        self.library = Library()
        #: How many steps there were, and the seconds that noting them took.
        self.count = 0
        self.seconds = 0.0
        #: What steps are part of.
        self.within: Optional[str] = None
        #: Whether to note.
        self.active = True

    def install(self) -> None:
        """Begins. Raises `ImportError` where there is no Exo."""
        import exo.API_scheduling as scheduling

        if scheduling.__name__.startswith("rewright") or "rewright" in str(getattr(scheduling, "__package__", "")):
            raise ImportError("`exo` is `rewright.exo` here, and not Exo")
        for name, op in sorted(vars(scheduling).items()):
            if isinstance(op, scheduling.AtomicSchedulingOp) and name not in self._originals:
                self._originals[name] = (op, op.func)
                op.func = self._wrapped(name, op.func, op.sig)
        procedure = scheduling.Procedure
        if "partial_eval" not in self._originals:
            self._originals["partial_eval"] = (procedure, procedure.partial_eval)
            procedure.partial_eval = self._wrapped("partial_eval", procedure.partial_eval, None)

    def remove(self) -> None:
        """Ends."""
        for name, (owner, func) in self._originals.items():
            setattr(owner, name if isinstance(owner, type) else "func", func)
        self._originals.clear()

    def _wrapped(self, name: str, func: Any, sig: Any) -> Callable[..., Any]:
        @functools.wraps(func)
        def call(*given: Any, **named: Any) -> Any:
            if not self.active or getattr(self._inside, "yes", False):
                return func(*given, **named)
            step = self._begin(name, sig, given, named)
            self._inside.yes = True
            try:
                made = func(*given, **named)
            except BaseException as e:
                if step is not None:
                    self._end(step, None, e)
                raise
            finally:
                self._inside.yes = False
            if step is not None:
                self._end(step, made, None)
            return made

        return call

    def _begin(self, name: str, sig: Any, given: Tuple[Any, ...], named: Dict[str, Any]) -> Optional[Step]:
        began = time.perf_counter()
        args: Dict[str, Any]
        if sig is None:
            proc, args = given[0], _values(given[0], given[1:], named)
        else:
            bound = sig.bind(*given, **named)
            bound.apply_defaults()
            args = {key: list(v) if isinstance(v, list) else v for key, v in bound.arguments.items()}
            proc = args.pop(next(iter(args)))
        self.count += 1
        step = Step(self.count, name, self.library.program(proc._loopir_proc), args, _place())
        step.within = self.within
        step.previous = self._steps.get(id(proc._loopir_proc))
        self.seconds += time.perf_counter() - began
        return step

    def _end(self, step: Step, made: Any, refused: Optional[BaseException]) -> None:
        began = time.perf_counter()
        step.refused = refused
        if refused is None:
            made, also = made if isinstance(made, tuple) else (made, None)
            step.after = self.library.program(made._loopir_proc)
            if step.after is step.before:
                self.count -= 1
                return
            step.also = None if also is None else self.library.program(also._loopir_proc)
            step.modulo = _modulo(step)
            self._steps[id(made._loopir_proc)] = step
        step.in_place = step.before.text is not None and step.before.again() != step.before.text
        self.seconds += time.perf_counter() - began
        self._take(step)


def _values(proc: Any, given: Tuple[Any, ...], named: Dict[str, Any]) -> Dict[str, Any]:
    """What `partial_eval` fixes, by the names of arguments."""
    names = [arg.name.name() for arg in proc._loopir_proc.args]
    return {**dict(zip(names, given)), **named}


def _modulo(step: Step) -> List[Tuple[Any, str]]:
    """The fields modulo which Exo takes the two for equal."""
    from exo.core.configs import reverse_config_lookup
    from exo.core.proc_eqv import get_strictest_eqv_proc

    assert step.after is not None
    _, keys = get_strictest_eqv_proc(step.before.ir, step.after.ir)
    out: List[Tuple[Any, str]] = []
    for key in keys:
        out.append(key if isinstance(key, tuple) else reverse_config_lookup(key))
    return out


def _place() -> Tuple[str, int]:
    """The line that called, outside of Exo and of this package."""
    frame = sys._getframe(2)
    while frame.f_back is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if not (module == "exo" or module.startswith(("exo.", "rewright.", "importlib.", "_frozen_importlib"))):
            break
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno
