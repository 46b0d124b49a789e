"""A run of a program with Exo, watched: steps are noted as they happen, and looked at afterwards.

They are not looked at on a thread beside it: parsing Python on two threads at once fails in some versions of Python, and Exo
parses.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from typing import Any, Dict, List, Optional, Tuple

from ._judge import KINDS, Judge, Verdict
from ._record import Recorder, Step
from ._report import Report, report

__all__ = ["Session"]


class Session:
    """From the first step to the report."""

    def __init__(self, every: bool = False, trials: int = 100) -> None:
        #: Whether to go on after the first step at which Exo is wrong.
        self.every = every
        #: What was found, in the order of the steps.
        self.verdicts: List[Verdict] = []
        self._steps: List[Step] = []
        self.recorder = Recorder(self._steps.append)
        #: The seconds that looking took.
        self.seconds = 0.0
        self._judge = Judge(trials)

    def start(self) -> Session:
        """Begins to watch. Raises `ImportError` where there is no Exo."""
        self.recorder.install()
        return self

    def finish(self) -> List[Verdict]:
        """Ends, and looks at the steps."""
        self.recorder.remove()
        began = time.perf_counter()
        for step in self._steps[len(self.verdicts) :]:
            found = self._looked_at(step)
            self.verdicts.append(found)
            if found.is_fault and not self.every:
                break
        self.seconds += time.perf_counter() - began
        return self.verdicts

    def _looked_at(self, step: Step) -> Verdict:
        try:
            return self._judge.verdict(step)
        except Exception as e:
            return Verdict("skipped", step, message=f"{type(e).__name__}: {e}")

    def __enter__(self) -> Session:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.finish()

    def of_note(self) -> List[Verdict]:
        """What is reported: where one of the two is wrong; else the first step that Exo accepts and Rewright does not. With
        `every`, all of both, once for a line of the program."""
        faults = [v for v in self.verdicts if v.is_fault]
        doubts = [v for v in self.verdicts if v.kind in ("breaks", "rewright refuses", "assumed")]
        if not self.every:
            return (faults or doubts)[:1]
        seen: Dict[Tuple[Any, ...], Verdict] = {}
        for v in [*faults, *doubts]:
            seen.setdefault((v.kind, v.step.op, v.condition, v.step.place, v.step.within), v)
        return list(seen.values())

    def reports(self, seconds: float = 5.0, run_c: bool = True) -> List[Report]:
        """Reports of these, each made small for so many seconds. A promise that is broken, and with it the C, is a fault."""
        out = []
        for v in self.of_note():
            found = report(v, self.recorder, seconds, run_c)
            if v.kind == "breaks" and found.shown_in_c:
                worse = v._replace(kind="wrong")
                self.verdicts[self.verdicts.index(v)] = worse
                found = found._replace(verdict=worse)
            out.append(found)
        return out

    def summary(self) -> Dict[str, Dict[str, int]]:
        """How many steps came out how, by primitive."""
        out: Dict[str, Counter[str]] = {}
        for v in self.verdicts:
            out.setdefault(v.step.op, Counter())[v.kind] += 1
        return {op: dict(counts) for op, counts in sorted(out.items())}


def table(summary: Dict[str, Dict[str, int]]) -> List[str]:
    """The summary as lines."""
    kinds = [k for k in KINDS if any(k in counts for counts in summary.values())]
    rows = [["", "steps", *kinds]]
    for op, counts in summary.items():
        rows.append([op, str(sum(counts.values())), *(str(counts.get(k, "")) for k in kinds)])
    total: Counter[str] = Counter()
    for counts in summary.values():
        total.update(counts)
    rows.append(["all", str(sum(total.values())), *(str(total[k]) for k in kinds)])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:]))]).rstrip() for row in rows]


def as_json(session: Session, reports: List[Report], scripts: List[Optional[str]]) -> Dict[str, Any]:
    """Everything as data."""
    verdicts = [_verdict(v) for v in session.verdicts]
    by_step = {r.verdict.step.number: (r, path) for r, path in zip(reports, scripts)}
    for row in verdicts:
        if row["step"] in by_step:
            r, path = by_step[row["step"]]
            row.update(before=r.before, after=r.after, script=path, c=None if r.c is None else list(r.c), shown_in_c=r.shown_in_c)
            if r.difference is not None:
                row.update(difference=r.difference.words, input=r.difference.input)
    return {
        "exo": exo_version(),
        "steps": session.recorder.count,
        "seconds": {"noting": session.recorder.seconds, "looking": session.seconds},
        "summary": session.summary(),
        "verdicts": verdicts,
    }


def _verdict(v: Verdict) -> Dict[str, Any]:
    return {
        "step": v.step.number,
        "primitive": v.step.op,
        "file": v.step.place[0],
        "line": v.step.place[1],
        "within": v.step.within,
        "procedure": v.step.before.name,
        "kind": v.kind,
        "condition": v.condition,
        "message": v.message,
        "counterexample": {k: x if isinstance(x, (int, bool, str, float)) else str(x) for k, x in v.counterexample.items()},
        "difference": None if v.difference is None else v.difference.words,
        "input": None if v.difference is None else v.difference.input,
    }


def exo_version() -> str:
    """The version of Exo."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("exo-lang")
    except PackageNotFoundError:
        import exo

        return str(getattr(exo, "__version__", "?"))


def written(reports: List[Report], folder: str) -> List[Optional[str]]:
    """Writes the scripts of reports into a folder; where each is."""
    out: List[Optional[str]] = []
    for r in reports:
        if r.text is None or not r.verdict.is_fault:
            out.append(None)
            continue
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, f"{r.verdict.step.number:04}_{r.verdict.step.op}.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(r.text)
        out.append(path)
    return out


def told(r: Report, path: Optional[str]) -> List[str]:
    """A report as lines."""
    v = r.verdict
    file, line = v.step.place
    where = f"{os.path.relpath(file) if os.path.isabs(file) and os.path.exists(file) else file}:{line}"
    within = f", in {v.step.within}" if v.step.within else ""
    out = [f"step {v.step.number}, {where}{within}: {v.step.op}: {KINDS[v.kind]}"]
    if r.difference is not None:
        out += _indented(r.difference.words)
        if r.difference.input is not None:
            out += _indented(f"for {r.difference.input}{', with other data' if r.of_all_data else ''}")
    if v.condition is not None and v.message is not None:
        out += ["    What does not hold:", *_indented(v.message, 8)]
    elif v.message:
        out += _indented(v.message)
    if v.kind != "rewright refuses" and r.after:
        out += ["    Before:", *_indented(r.before, 8), "    Exo's result:", *_indented(r.after, 8)]
    if r.c is not None:
        out.append("    Exo's C:")
        first, second = r.c
        told_ = [k for k in {**first, **second} if first.get(k) != second.get(k)]
        out += [f"        {k}: {first.get(k, '-')} before, {second.get(k, '-')} after" for k in told_ or first]
    if path is not None:
        out.append(f"    Script: {path}")
    return out


def _indented(text: str, by: int = 4) -> List[str]:
    return [" " * by + line for line in text.rstrip("\n").splitlines()]
