"""Reports: a verdict, made small, run in Exo's C, and written down."""

from __future__ import annotations

import re
import time
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

from ._arguments import Path, anchor, is_cursor, source
from ._judge import Difference, Verdict, difference
from ._record import Recorder, Step
from ._script import in_place_script, input_of, loaded, script
from ._text import Library, Program, Untranslatable, extents, kind, walk

__all__ = ["Report", "report"]


class Report(NamedTuple):
    """A verdict with what shows it."""

    verdict: Verdict
    #: The script; nothing where no script does it again.
    text: Optional[str]
    #: What the program was before and after in the script, as text.
    before: str
    after: str
    #: How they differ in Rewright's interpreter, and on which input.
    difference: Optional[Difference]
    #: What the C of both leaves.
    c: Optional[Tuple[Dict[str, str], Dict[str, str]]]

    @property
    def of_all_data(self) -> bool:
        """Whether the two differ as polynomials in the data: for the data that the input has they may be equal."""
        return self.difference is not None and _is_of_all_data(self.difference)

    @property
    def shown_in_c(self) -> bool:
        """Whether the C of the two does different things."""
        return self.c is not None and self.c[0] != self.c[1] and not any("not compiled" in k for k in {**self.c[0], **self.c[1]})


class _Trial(NamedTuple):
    """A script that shows the difference."""

    start: Program
    steps: List[Step]
    calls: List[str]
    before: Program
    after: Program
    difference: Difference


class _Maker:
    def __init__(self, verdict: Verdict, recorder: Optional[Recorder], seconds: float) -> None:
        self.verdict = verdict
        self.recorder = recorder
        self.until = time.monotonic() + seconds

    def tried(self, start: Program, steps: List[Step], calls: List[str]) -> Optional[_Trial]:
        """The steps done again by Exo, where the difference is still there."""
        if start.text is None:
            return None
        try:
            made = loaded(script("", start, steps, calls, {}), self.recorder)
        except Exception:
            return None
        library = Library()
        before, after = (library.program(made[name]._loopir_proc) for name in ("before", "after"))
        try:
            found = self._difference(before, after)
        except Exception:
            return None
        return None if found is None else _Trial(start, steps, calls, before, after, found)

    def _difference(self, before: Program, after: Program) -> Optional[Difference]:
        step, first = self.verdict.step, self.verdict.difference
        modulo = [(str(c.name()), f) for c, f in step.modulo]
        before.procedure()
        found = difference(before, after, modulo, self.verdict.counterexample, 40)
        if found is None or first is None or _sort(found) != _sort(first):
            return None
        return found

    def first(self) -> Optional[_Trial]:
        """The last step alone, or with as few of those before it as show the difference."""
        chain = [self.verdict.step]
        while chain[0].previous is not None:
            chain.insert(0, chain[0].previous)
        counts = sorted({1, 2, 3, 5, 8, len(chain)})
        for count in [c for c in counts if c <= len(chain)]:
            steps = chain[-count:]
            for raw in (True, False):
                found = self._of(steps, raw)
                if found is not None:
                    return found
        return None

    def _of(self, steps: List[Step], raw: bool) -> Optional[_Trial]:
        library = Library()

        def program(step: Step) -> Program:
            return library.as_named(step.before.ir) if raw else library.program(step.before.ir)

        try:
            calls = [source(s, program(s), "p", raw or len(steps) > 1) for s in steps]
        except Untranslatable:
            return None
        return self.tried(program(steps[0]), steps, calls)

    def smaller(self, trial: _Trial) -> _Trial:
        """Without the statements, conditions and arguments that do not matter."""
        if len(trial.calls) != 1:
            return self._with_fewer_steps(trial)
        moves: List[Callable[[Path], Optional[Path]]] = []
        base = trial.start
        progress = True
        while progress and time.monotonic() < self.until:
            progress = False
            for ir, move in _reductions(trial.start.ir):
                found = self._reduced(base, ir, [*moves, move])
                if found is not None:
                    trial, progress = found, True
                    moves.append(move)
                    break
                if time.monotonic() > self.until:
                    break
        return trial

    def _with_fewer_steps(self, trial: _Trial) -> _Trial:
        """Without the earlier steps that do not matter."""
        at = 0
        while at < len(trial.calls) - 1 and time.monotonic() < self.until:
            steps, calls = list(trial.steps), list(trial.calls)
            del steps[at], calls[at]
            found = self.tried(trial.start, steps, calls)
            if found is None:
                at += 1
            else:
                trial = found
        return trial

    def _reduced(self, base: Program, ir: Any, moves: List[Callable[[Path], Optional[Path]]]) -> Optional[_Trial]:
        """The step on a smaller program, where the difference is still there."""

        def moved(path: Path) -> Path:
            at: Optional[Path] = path
            for move in moves:
                at = None if at is None else move(at)
            if at is None:
                raise Untranslatable("the place is gone")
            return at

        step = self.verdict.step
        if moved_away(step, moved):
            return None
        try:
            calls = [source(step, base, "p", base._raw, moved)]
        except Untranslatable:
            return None
        start = Program(base._library, ir, base.name, base._raw)
        return self.tried(_again(start, base), [step], calls)


def _sort(d: Difference) -> str:
    """What sort of difference it is: a rule that is broken, a cell that is undefined, a field, a value."""
    if d.rule is not None:
        return d.rule
    where = d.words.split(" is ")[0]
    return "undefined" if "⊥" in d.words else "field" if "." in where else "value"


def _again(start: Program, base: Program) -> Program:
    """The program with the names that its tree had before something was left out."""
    if not start._raw:
        start.names = dict(base.names)
        start.text = start.again()
    return start


def moved_away(step: Step, moved: Callable[[Path], Path]) -> bool:
    """Whether a cursor of the step points at what is gone, or at a run of which a part is."""
    for value in step.args.values():
        for v in value if isinstance(value, list) else [value]:
            if not is_cursor(v):
                continue
            try:
                path = moved(anchor(v))
                if kind(v._impl) == "Block":
                    last = [*v._impl._anchor._path, (v._impl._attr, v._impl._range.stop - 1)]
                    length = len(v._impl._range)
                    if (moved(last)[-1][1] or 0) - (path[-1][1] or 0) != length - 1:
                        return True
            except Untranslatable:
                return True
    return False


def _reductions(ir: Any) -> Iterator[Tuple[Any, Callable[[Path], Optional[Path]]]]:
    """Programs with one thing less, and where places are in them."""
    for path in _statements(ir):
        made = _without(ir, path)
        if made is not None:
            yield made, _after_deletion(path)
    for path in _statements(ir):
        for branch in ("body", "orelse"):
            spliced = _spliced(ir, path, branch)
            if spliced is not None:
                made, count = spliced
                yield made, _after_splice(path, branch, count)
    for i in range(len(ir.preds)):
        yield ir.update(preds=ir.preds[:i] + ir.preds[i + 1 :]), list
    used = _mentioned(ir)
    for i, arg in enumerate(ir.args):
        if arg.name not in used:
            yield ir.update(args=ir.args[:i] + ir.args[i + 1 :]), _after_argument(i)


def _statements(ir: Any) -> List[Path]:
    """The places of statements: those that hold the most first."""
    out: List[Path] = []
    pending: List[Tuple[Any, Path]] = [(s, [("body", i)]) for i, s in enumerate(ir.body)]
    while pending:
        s, path = pending.pop(0)
        out.append(path)
        for attr in ("body", "orelse"):
            for i, inner in enumerate(getattr(s, attr, None) or []):
                pending.append((inner, [*path, (attr, i)]))
    return out


def _without(node: Any, path: Path) -> Any:
    """A tree without the statement at a place; nothing where its block would be empty, but for an `else`."""
    (attr, index), rest = path[0], path[1:]
    assert index is not None
    stmts = list(getattr(node, attr))
    if rest:
        inner = _without(stmts[index], rest)
        if inner is None:
            return None
        stmts[index] = inner
    else:
        if len(stmts) == 1 and attr != "orelse":
            return None
        del stmts[index]
    return node.update(**{attr: stmts})


def _spliced(node: Any, path: Path, branch: str) -> Optional[Tuple[Any, int]]:
    """A tree with the statements of a branch in the place of a guard, or of a loop whose variable they do not mention; and how
    many they are."""
    (attr, index), rest = path[0], path[1:]
    assert index is not None
    stmts = list(getattr(node, attr))
    at = stmts[index]
    if rest:
        inner = _spliced(at, rest, branch)
        if inner is None:
            return None
        stmts[index], count = inner
    else:
        inside = getattr(at, branch, None) or []
        if not inside or kind(at) == "For" and any(getattr(n, "name", None) == at.iter for n in walk(inside)):
            return None
        stmts[index : index + 1] = inside
        count = len(inside)
    return node.update(**{attr: stmts}), count


def _after_splice(gone: Path, branch: str, count: int) -> Callable[[Path], Optional[Path]]:
    depth = len(gone) - 1
    attr, index = gone[-1]

    def move(path: Path) -> Optional[Path]:
        if len(path) <= depth or path[:depth] != gone[:depth] or path[depth][0] != attr:
            return path
        at = path[depth][1]
        assert at is not None and index is not None
        if at < index:
            return path
        if at > index:
            return [*path[:depth], (attr, at + count - 1), *path[depth + 1 :]]
        if len(path) == depth + 1 or path[depth + 1][0] != branch:
            return None
        return [*path[:depth], (attr, index + (path[depth + 1][1] or 0)), *path[depth + 2 :]]

    return move


def _after_deletion(gone: Path) -> Callable[[Path], Optional[Path]]:
    depth = len(gone) - 1
    attr, index = gone[-1]

    def move(path: Path) -> Optional[Path]:
        if len(path) <= depth or path[:depth] != gone[:depth] or path[depth][0] != attr:
            return path
        at = path[depth][1]
        assert at is not None and index is not None
        if at == index:
            return None
        return [*path[:depth], (attr, at - (at > index)), *path[depth + 1 :]]

    return move


def _after_argument(gone: int) -> Callable[[Path], Optional[Path]]:
    def move(path: Path) -> Optional[Path]:
        attr, index = path[0]
        if attr != "args" or index is None:
            return path
        return None if index == gone else [(attr, index - (index > gone)), *path[1:]]

    return move


def _mentioned(ir: Any) -> List[Any]:
    """The symbols that anything but the list of arguments mentions."""
    nodes = [*ir.body, *ir.preds]
    for arg in ir.args:
        nodes += extents(arg.type)
    out = [getattr(n, "name", None) for n in walk(nodes)]
    return out


def report(verdict: Verdict, recorder: Optional[Recorder] = None, seconds: float = 5.0, run_c: bool = True) -> Report:
    """What there is to show of a verdict."""
    step = verdict.step
    after = "" if step.after is None else step.after.shown()
    plain = Report(verdict, None, step.before.shown(), after, verdict.difference, None)
    if verdict.condition == "in-place":
        return plain._replace(text=_in_place(step, recorder))
    if step.after is None or verdict.difference is None:
        return plain
    maker = _Maker(verdict, recorder, seconds)
    trial = maker.first()
    if trial is None:
        return plain._replace(text=_in_place(step, recorder)) if step.in_place else plain
    trial = maker.smaller(trial)
    found = trial.difference
    inputs = input_of(trial.before, found.input, _hint(verdict, found), not _is_of_all_data(found))
    text = script(_title(verdict, found), trial.start, trial.steps, trial.calls, inputs)
    c = None
    if run_c:
        try:
            made = loaded(text, recorder)
            c = (made["run"](made["before"], inputs), made["run"](made["after"], inputs))
        except Exception as e:
            c = ({"(the C is not compiled)": f"{type(e).__name__}: {e}"}, {})
    return Report(verdict, text, trial.before.shown(), trial.after.shown(), trial.difference, c)


def _is_of_all_data(found: Difference) -> bool:
    told = re.search(r" is (.*) before and (.*) after$", found.words)
    return told is not None and re.search(r"[a-z]", (told[1] + told[2]).replace("(undefined)", "")) is not None


def _in_place(step: Step, recorder: Optional[Recorder]) -> Optional[str]:
    """A script that shows that a step changes the procedure that it is given. The tree is changed already: what the text was
    is what the procedure is made of again."""
    start = Library().program(step.before.ir)
    start.text = step.before.text
    title = f"Exo's `{step.op}` changes the procedure that it is given.\n"
    try:
        text = in_place_script(title, start, [step], [source(step, step.before, "p", True)])
        return text if loaded(text, recorder)["changed"] else None
    except Exception:
        return None


def _hint(verdict: Verdict, found: Difference) -> Dict[str, Any]:
    """Values that show it: those of the counterexample, and those that a message has."""
    told = {name: int(n) for name, n in re.findall(r"\b(\w+) ?= ?(-?\d+)\b", found.words)}
    return {**verdict.counterexample, **told}


def _title(verdict: Verdict, found: Difference) -> str:
    step = verdict.step
    lines = [f"Exo accepts this `{step.op}`, and `{step.before.name}` means something else afterwards.", ""]
    first = found.words.strip().replace("\\", "/")
    lines += [line.rstrip() for line in first.splitlines()]
    if found.input:
        lines += ["", f"Input: {found.input}{', with other data' if _is_of_all_data(found) else ''}"]
    said = re.search(r"this does not hold: (.*?) \[", verdict.message or "")
    if said is not None:
        lines += ["", f"What does not hold: {said[1]}."]
    return "\n".join(lines).replace('"""', "'''") + "\n"
