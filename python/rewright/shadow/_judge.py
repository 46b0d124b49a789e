"""The verdict on a step: what Exo did beside what Rewright does."""

from __future__ import annotations

import re
import time
from fractions import Fraction
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from ._arguments import for_rewright
from ._record import Step
from ._same import same
from ._text import Library, Program, Untranslatable, kind

__all__ = ["KINDS", "Difference", "Judge", "Verdict", "compared", "difference"]

#: Every kind of verdict, and what it means.
KINDS = {
    "same": "both do the same, up to names, affine arithmetic and simplification",
    "equal": "both accept, the programs are written otherwise, and no input told them apart",
    "refused": "both refuse",
    "exo refuses": "Exo refuses what Rewright does",
    "wrong": "Exo accepts, and the program means something else afterwards",
    "breaks": "Exo accepts, and the program breaks a rule of the language afterwards; what it means was not looked at",
    "rewright refuses": "Exo accepts what Rewright refuses, and no input told before and after apart",
    "assumed": "Exo was told not to check, Rewright refuses, and the program means something else afterwards",
    "unchecked": "Exo was told not to check, Rewright refuses, and no input told before and after apart",
    "rewright wrong": "Rewright's result means something else: please report it to Rewright",
    "compared": "not a step of Rewright; no input told before and after apart",
    "skipped": "not looked at: the program or an argument is outside of Rewright's language",
}
#: Two procedures are compared on so many inputs first, and on more for so many seconds of the processor: what is found does not
#: depend on what else the machine does.
FIRST, SECONDS = 4, 0.5
#: A number in a value, as Rewright writes it. Digits after a letter are part of a name.
NUMBER = re.compile(r"(?<![\w\]])\d+(?:/\d+)?")


class Difference(NamedTuple):
    """How two programs differ."""

    #: In words.
    words: str
    #: The input, as `rewright run` takes it; `None` where the second is no program at all.
    input: Optional[str]
    #: The rule of the language that the second breaks, where it is no program.
    rule: Optional[str] = None

    @property
    def changes_meaning(self) -> bool:
        """Whether values differ, or what is read is not there; and not only a promise is broken: that of an extent, a window,
        a size, an assertion, or of iterations that do not meet."""
        return self.rule is None or self.rule.startswith(("name.", "bounds.access"))


class Verdict(NamedTuple):
    """What came of looking at one step."""

    kind: str
    step: Step
    #: Why: Rewright's condition (`fission.commute`), its sentence with values, or why nothing was looked at.
    condition: Optional[str] = None
    message: Optional[str] = None
    counterexample: Dict[str, Any] = {}
    difference: Optional[Difference] = None

    @property
    def is_fault(self) -> bool:
        """Whether one of the two is wrong."""
        return self.kind in ("wrong", "rewright wrong")


class Judge:
    """Looks at steps, with so many random inputs each where a proof or equal texts do not decide."""

    def __init__(self, trials: int = 100) -> None:
        self._trials = trials
        self._erased = Library(erased=True)

    def verdict(self, step: Step) -> Verdict:
        """What is to be said of a step. It raises nothing that a program can bring about."""
        try:
            if not step.in_place and any(_mixes(p) for p in (step.before, step.after) if p is not None):
                found = self._verdict(step.erased(self._erased))._replace(step=step)
            else:
                found = self._verdict(step)
        except Untranslatable as e:
            found = Verdict("skipped", step, message=str(e))
        if step.in_place and not found.is_fault:
            return Verdict("wrong", step, "in-place", "Exo changes the procedure that it is given.")
        return found

    def _verdict(self, step: Step) -> Verdict:
        import rewright

        try:
            before = step.before.procedure()
        except rewright.RewrightError as e:
            return Verdict("skipped", step, _rule(e), str(e))
        if step.refused is not None:
            return self._beside_a_refusal(step, before)
        assert step.after is not None
        try:
            ours, refused = self._ours(step, before), None
        except (rewright.SchedulingError, rewright.ArgumentError) as e:
            ours, refused = None, e
        if ours is not None and _are_same(ours, step.after):
            return Verdict("same", step)
        return self._apart(step, ours, refused)

    def _ours(self, step: Step, before: Any) -> Any:
        """What Rewright makes of it; nothing where the step is none of Rewright's."""
        import rewright

        primitive = getattr(rewright.primitives, step.op, None)
        erased = step.before._library.erased and step.op == "set_precision"
        if primitive is None or step.op == "call_eqv" or erased:
            return None
        try:
            made = primitive(before, **for_rewright(step, step.before))
        except rewright.InvalidCursorError as e:
            raise Untranslatable(f"the arguments: {e}") from None
        return made[0] if isinstance(made, tuple) else made

    def _beside_a_refusal(self, step: Step, before: Any) -> Verdict:
        import rewright

        if not _is_refusal(step.refused):
            return Verdict("skipped", step, message=f"Exo's {type(step.refused).__name__}: {step.refused}")
        try:
            ours = self._ours(step, before)
        except rewright.SchedulingError as e:
            return Verdict("refused", step, e.rewright_condition)
        except rewright.ArgumentError as e:
            return Verdict("refused", step, f"{step.op}.argument", str(e))
        kind_ = "refused" if ours is None else "exo refuses"
        return Verdict(kind_, step, message=str(step.refused))

    def _apart(self, step: Step, ours: Any, refused: Any) -> Verdict:
        """They are not seen to be the same: does Exo's step change what the program means?"""
        assert step.after is not None
        said: Tuple[Optional[str], Optional[str], Dict[str, Any]] = (None, None, {})
        if refused is not None:
            condition = getattr(refused, "rewright_condition", f"{step.op}.argument")
            said = (condition, str(refused), dict(getattr(refused, "counterexample", {})))
        elif ours is not None:
            said = (None, "Rewright does this step, and leaves the meaning as it is.", {})
        modulo = [(step.before._library.config_name(c), f) for c, f in step.modulo]
        if step.op == "partial_eval":
            return self._fixed(step, ours, said)
        found = difference(step.before, step.after, modulo, said[2], self._trials)
        if found is not None:
            wrong = "wrong" if found.changes_meaning else "breaks"
            return Verdict("assumed" if step.unsafe else wrong, step, *said, difference=found)
        if refused is not None:
            return Verdict("rewright refuses", step, *said)
        if ours is None or step.unsafe:
            return Verdict("unchecked" if step.unsafe else "compared", step)
        mine = compared(step.before.procedure(), ours, modulo, FIRST)
        return Verdict("equal", step) if mine is None else Verdict("rewright wrong", step, difference=mine)


    def _fixed(self, step: Step, ours: Any, said: Tuple[Optional[str], Optional[str], Dict[str, Any]]) -> Verdict:
        """The arguments are others than before: Exo's result is held against Rewright's."""
        assert step.after is not None
        if ours is None:
            return Verdict("rewright refuses", step, *said)
        found = compared(ours, step.after.procedure(), [], self._trials)
        return Verdict("equal", step) if found is None else Verdict("wrong", step, difference=found)


def _mixes(program: Program) -> bool:
    """Whether precisions differ at a call."""
    import rewright

    try:
        program.procedure()
    except rewright.RewrightError as e:
        return _rule(e) == "type.argument-precision"
    except Untranslatable:
        pass
    return False


def _are_same(ours: Any, after: Program) -> bool:
    """Whether two results are the same, as they are or simplified."""
    import rewright

    if after.text is None:
        return False
    if same(str(ours), after.text):
        return True
    try:
        return same(str(rewright.simplify(ours)), str(rewright.simplify(after.procedure())))
    except rewright.RewrightError:
        return False


def _is_refusal(e: Optional[BaseException]) -> bool:
    """Whether an exception says that a step must not be done, and not that Exo broke down."""
    from exo.rewrite.LoopIR_scheduling import SchedulingError
    from exo.rewrite.LoopIR_unification import UnificationError

    return isinstance(e, (SchedulingError, UnificationError, TypeError, ValueError))


def _rule(e: Any) -> Optional[str]:
    findings = getattr(e, "findings", None) or [{}]
    rule = findings[0].get("rule")
    return None if rule is None else str(rule)


def difference(
    before: Program, after: Program, modulo: List[Tuple[str, str]], hint: Dict[str, Any], trials: int
) -> Optional[Difference]:
    """How a version differs from the one before, where an input shows it; or that it is no program any more. `hint` has
    values for which it may."""
    import rewright

    try:
        new = after.procedure()
    except rewright.ProgramError as e:
        if not _is_shown(e) or str(_rule(e)).startswith("par.") and _no_c(after.ir):
            return None
        return Difference(str(e), None, f"callee {_rule(e)}" if _is_in_a_callee(after, e) else _rule(e))
    except rewright.ParseError as e:
        if not str(_rule(e)).startswith("name."):
            raise Untranslatable(str(e)) from None
        return Difference(str(e), None, _rule(e))
    old = before.procedure()
    found = None
    given = _assertions(before, hint)
    if given:
        found = _under(before, after, given, modulo, trials // 2)
    return found or compared(old, new, modulo, trials)


def _is_shown(e: Any) -> bool:
    """Whether a finding says that something is wrong, and not only that nothing could be proved, or that a note does not fit:
    a name without a meaning, or a requirement with values for which it fails."""
    findings = getattr(e, "findings", None) or [{}]
    rule, role = str(findings[0].get("rule")), str((findings[0].get("place") or {}).get("role"))
    if rule.startswith("name."):
        return True
    values = re.search(r"\bfor \w+ = -?\d", role) is not None or "a run for" in str(e)
    return values and rule.startswith(("bounds.", "size.", "call.assert", "call.shape", "call.alias", "par."))


def _is_in_a_callee(after: Program, e: Any) -> bool:
    """Whether it is a procedure that is called which is not right for all arguments; where it is called, it may be. A name
    that stands for nothing never is."""
    places = [finding.get("place") or {} for finding in getattr(e, "findings", [])]
    return not str(_rule(e)).startswith("name.") and all(place.get("file") != f"<{after.name}>" for place in places)


def _no_c(ir: Any) -> bool:
    """Whether Exo looks at parallel loops when it makes C, and refuses then."""
    from exo.backend.parallel_analysis import ParallelAnalysis

    try:
        ParallelAnalysis().run(ir)
    except Exception:
        return True
    return False


def _assertions(before: Program, hint: Dict[str, Any]) -> List[str]:
    """What fixes the control arguments that a counterexample has values for."""
    out = []
    for arg in before.ir.args:
        name = before.names[arg.name]
        value = hint.get(name)
        if kind(arg.type) in ("Size", "Index", "Int") and type(value) is int and abs(value) <= 64:
            out.append(f"{name} == {value}")
    return out


def _under(
    before: Program, after: Program, given: List[str], modulo: List[Tuple[str, str]], trials: int
) -> Optional[Difference]:
    """The same for inputs that fulfil conditions."""
    import rewright

    names = {before.names[a.name]: after.names.get(b.name) for a, b in zip(before.ir.args, after.ir.args)}
    if any(old != new for old, new in names.items()):
        return None
    try:
        return compared(before.asserting(given), after.asserting(given), modulo, trials)
    except rewright.RewrightError:
        return None


def compared(old: Any, new: Any, modulo: List[Tuple[str, str]], trials: int) -> Optional[Difference]:
    """How two procedures differ on random inputs, where they do."""
    fields = [f"{config}.{field}" for config, field in modulo]
    until, seed, count = time.process_time() + SECONDS, 0, FIRST
    while seed < trials and (seed == 0 or time.process_time() < until):
        try:
            found = old.equiv(new, modulo=fields, trials=count, seed=seed)
        except (TypeError, ValueError):
            # They take arguments of other types: a step changed them.
            return None
        if found.verdict == "different" and not _is_rounding(str(found.difference)):
            return Difference(_in_time(str(found.difference)), str(found.input))
        seed, count = seed + count, min(2 * count, max(trials - seed - count, 1))
    return None


def _in_time(words: str) -> str:
    """A difference of two procedures as one of the program before and after."""
    words = re.sub(r" in the first and (.*) in the second$", r" before and \1 after", words)
    return words.replace("the second fails", "afterwards it fails").replace("⊥", "⊥ (undefined)")


def _is_rounding(words: str) -> bool:
    """Whether values, or the numbers in them, differ as little as literals do that were computed in floating point."""
    told = re.match(r".* is (.*) in the first and (.*) in the second$", words)
    if told is None or NUMBER.sub("#", told[1]) != NUMBER.sub("#", told[2]):
        return False
    numbers = ([Fraction(n) for n in NUMBER.findall(side)] for side in (told[1], told[2]))
    return all(abs(one - other) <= Fraction(1, 10**9) * max(abs(one), abs(other)) for one, other in zip(*numbers))
