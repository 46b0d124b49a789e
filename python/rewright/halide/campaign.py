"""Random pipelines in both systems, counted by what came of them. Each is run in a process of its own kind, so that none stops the
campaign. Spec: [rule: halide.peer.campaign]."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from . import difference, random_pipelines, reading, shrink
from .exporting import FUNCTIONS
from .schedule_out import TAILS
from .tree import BINARY, BOUNDARIES, DIRECTIVES, TYPES, Pipeline, stages, walk

#: Seconds that one pipeline may take, its smaller ones when something is wrong included.
PATIENCE = 60.0
#: How many cases of each kind are shown.
SHOWN = 3


@dataclass
class Report:
    """What a campaign found."""

    cases: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    kinds: Counter[Tuple[str, str]] = field(default_factory=Counter)
    regions: Counter[str] = field(default_factory=Counter)
    #: The parts of pipelines that ran in both.
    reached: Counter[str] = field(default_factory=Counter)
    #: Number, difference and pipeline of what is at odds, and of some regions that are larger than Halide's.
    at_odds: List[Tuple[int, str, str]] = field(default_factory=list)
    larger: List[Tuple[int, str]] = field(default_factory=list)
    examples: Dict[str, List[int]] = field(default_factory=dict)

    def add(self, number: int, found: Dict[str, Any]) -> None:
        """Counts one case."""
        self.cases += 1
        verdict, kind = found["verdict"], found["kind"]
        self.verdicts[verdict] += 1
        if verdict != "equal":
            self.kinds[verdict, kind] += 1
            self.examples.setdefault(f"{verdict}: {kind}", []).append(number)
        if verdict in ("other values", "ours is wrong", "crash"):
            self.at_odds.append((number, f"{verdict}: {found['reason']}", found.get("small", "")))
        for f, (word, a, b) in found["regions"].items():
            self.regions[word] += 1
            if word in ("larger", "otherwise"):
                self.larger.append((number, f"{f}: {difference.box(a)} here, {difference.box(b)} in Halide"))
        if verdict == "equal":
            self.reached.update(found["parts"])

    def never(self) -> List[str]:
        """Parts of the language that ran in both in no case."""
        return [part for part in parts_known() if part not in self.reached]

    @property
    def wrong(self) -> List[Tuple[int, str, str]]:
        """Where our own program is not our algorithm."""
        return [x for x in self.at_odds if x[1].startswith("ours is wrong")]

    def __str__(self) -> str:
        lines = [f"{self.cases} pipelines"]
        for verdict, n in self.verdicts.most_common():
            lines.append(f"{n:>7} {verdict}")
            for (v, kind), k in self.kinds.most_common():
                if v == verdict:
                    some = ", ".join(map(str, self.examples[f"{v}: {kind}"][:SHOWN]))
                    lines.append(f"{k:>15} {kind} (such as {some})")
        lines.append("regions: " + ", ".join(f"{n} {word}" for word, n in self.regions.most_common()))
        lines += [f"  case {n}: {what}" for n, what in self.larger[: 3 * SHOWN]]
        for n, what, text in self.at_odds[: 4 * SHOWN]:
            lines += [f"case {n}: {what}", *("    " + line for line in text.splitlines())]
        lines.append("never reached: " + (", ".join(self.never()) or "nothing"))
        return "\n".join(lines)


def parts_known() -> List[str]:
    """What pipelines are made of."""
    out = [f"directive {d}" for d in DIRECTIVES] + [f"tail {t}" for t in TAILS] + [f"type {t}" for t in TYPES]
    out += [f"boundary {b}" for b in BOUNDARIES] + [f"function {f}" for f in sorted(FUNCTIONS)]
    return out + [f"operator {op}" for op in BINARY] + [f"{x}" for x in ("let", "tuple", "where", "require", "scatter")]


def parts(p: Pipeline) -> List[str]:
    """What a pipeline is made of."""
    out = {f"directive {d.name}" for d in p.schedule} | {f"type {t}" for _, _, t in p.inputs}
    out |= {f"tail {d.args[4]}" for d in p.schedule if d.name == "split" and len(d.args) > 4}
    out |= {"require"} if p.requires else set()
    for f in p.funcs:
        for u in f.updates:
            out |= {"where"} if u.where is not None else set()
            out |= {"scatter"} if any(isinstance(e, list) for e in u.lhs) else set()
        for e in (e for es in stages(f) for top in es for e in walk(top) if isinstance(e, list)):
            head = e[0]
            if head in FUNCTIONS:
                out.add(f"function {head}")
            elif head in BINARY:
                out.add(f"operator {head}")
            elif head == "boundary":
                out.add(f"boundary {e[1]}")
            elif head in ("cast", "saturating_cast"):
                out.add(f"type {e[1]}")
            elif head in ("let", "tuple"):
                out.add(head)
    return sorted(out)


def case(seed: int, number: int, small: bool = True) -> Dict[str, Any]:
    """What comes of the pipeline of that number."""
    p = random_pipelines.pipeline(seed, number)
    found = difference.diff(p)
    out = {"verdict": found.verdict, "reason": found.reason, "kind": found.kind, "regions": found.regions, "parts": parts(p)}
    if found and small:
        out["small"] = str(minimised(p, found))
    return out


def minimised(p: Pipeline, found: difference.Difference) -> Pipeline:
    """A smaller pipeline at odds in the same way."""

    def holds(q: Pipeline) -> bool:
        other = difference.diff(q)
        return (other.verdict, other.kind) == (found.verdict, found.kind)

    return shrink.smallest(p, holds)


def campaign(cases: int, seed: int, workers: Optional[int] = None, tell: Callable[[int], None] = lambda n: None) -> Report:
    """Runs that many pipelines, in as many processes as there are processors or as are given."""
    workers = workers or os.cpu_count() or 1
    report = Report()
    shares = [range(w, cases, workers) for w in range(workers)]
    found: Dict[int, Dict[str, Any]] = {}
    with ThreadPoolExecutor(workers) as pool:

        def share(numbers: range) -> None:
            for number, result in _Worker(seed).results(numbers):
                found[number] = result
                tell(len(found))

        list(pool.map(share, shares))
    for number in sorted(found):
        report.add(number, found[number])
    return report


class _Worker:
    """A process that runs one pipeline after the other. One that is lost costs the pipeline that it had."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def results(self, numbers: range) -> Iterator[Tuple[int, Dict[str, Any]]]:
        process = None
        for number in numbers:
            process = process if process is not None and process.poll() is None else self.start()
            line = self.ask(process, number)
            if line is None:
                process.kill()
                process.wait()
                why = f"the process ended with {process.returncode}" if process.returncode != -9 else "no answer in time"
                yield number, {"verdict": "crash", "reason": why, "kind": why, "regions": {}, "parts": []}
                process = None
            else:
                yield number, json.loads(line)
        if process is not None and process.stdin is not None:
            process.stdin.close()
            process.wait()

    def start(self) -> Any:
        command = [sys.executable, "-m", "rewright.halide", "worker", str(self.seed)]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)

    def ask(self, process: Any, number: int) -> Optional[str]:
        import threading

        timer = threading.Timer(PATIENCE, process.kill)
        timer.start()
        try:
            process.stdin.write(f"{number}\n")
            process.stdin.flush()
            return process.stdout.readline() or None
        except BrokenPipeError:
            return None
        finally:
            timer.cancel()


def work(seed: int) -> None:
    """Answers numbers on the standard input with results on the standard output."""
    out = os.fdopen(os.dup(1), "w")
    # What Halide says of itself is not part of the answer.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for line in sys.stdin:
        out.write(json.dumps(case(seed, int(line))) + "\n")
        out.flush()


def of_file(path: Path) -> Pipeline:
    """The pipeline of a text."""
    return reading.parse(path.read_text(encoding="utf-8"))
