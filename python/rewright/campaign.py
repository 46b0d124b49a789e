"""Campaigns: random programs and schedules, held against the interpreter, shared among threads or machines.

Each is cut into parts by seed, and what comes of a part depends on its seeds alone: the result is the same whatever does
the work, and in whatever order. ``client`` is a client of ``dask.distributed``; without one, threads of this process work.
With a ``directory``, parts are written there as they are done, and a campaign that was stopped goes on from there. Spec:
[rule: python.campaigns].
"""

from __future__ import annotations

import json
import os
import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _rewright
from ._audit import Audit, Derivation, audited, read
from ._errors import RewrightError

if TYPE_CHECKING:
    Directory = Union[str, "os.PathLike[str]"]

__all__ = [
    "Audit",
    "AuditReport",
    "CampaignError",
    "ConfluenceReport",
    "Failure",
    "FuzzReport",
    "Mutant",
    "MutantReport",
    "audit",
    "confluence",
    "fuzz",
    "mutants",
]

#: Is told how many parts are done, and how many there are.
Progress = Callable[[int, int], None]
#: A part: what it is called, and what it takes.
Part = Tuple[str, List[Any]]

#: Parts under way for each thread of a cluster: enough that none waits.
AHEAD = 4
#: How often a part is begun again after its worker was lost.
RETRIES = 3


class CampaignError(RewrightError):
    """A campaign cannot go on: its directory holds another one, or parts of it were lost more than once."""


class Failure(NamedTuple):
    """Accepted rewrites that change the meaning, for want of one condition."""

    #: The primitive and the condition that should have refused, as far as can be told: ``fission.commute``.
    name: str
    #: How many were found, and the least seeds that show them.
    found: int
    seeds: Tuple[int, ...]
    #: The smallest program found: before, after, and how they differ.
    text: str
    #: The same as a case of the corpus.
    case: str


class FuzzReport(NamedTuple):
    """What a campaign of random programs has covered. It is true where nothing was found to be wrong."""

    #: How many programs.
    programs: int
    #: By primitive: ``tried``, ``accepted``, ``compared``, ``silent``, ``refused`` by condition, ``held`` by oracle, ….
    rows: Dict[str, Dict[str, Any]]
    #: What is wrong, merged by primitive and condition.
    failures: Tuple[Failure, ...]

    def __bool__(self) -> bool:
        return not self.failures

    @property
    def tried(self) -> int:
        """Applications that had a target."""
        return sum(row["tried"] for row in self.rows.values())

    @property
    def accepted(self) -> int:
        """Applications accepted."""
        return sum(row["accepted"] for row in self.rows.values())

    def __str__(self) -> str:
        lines = [f"{'primitive':<24}{'tried':>8}{'accepted':>10}{'compared':>10}  refused by"]
        for name, row in self.rows.items():
            refused = ", ".join(f"{condition} {n}" for condition, n in row["refused"].items())
            share = row["accepted"] * 100 // max(row["tried"], 1)
            lines.append(f"{name:<24}{row['tried']:>8}{share:>9}%{row['compared']:>10}  {refused}".rstrip())
        lines.append(f"{self.programs} programs, {self.tried} cases, {self.accepted} accepted")
        lines += [f"\n{f.name}: {f.found} wrong, first at seed {f.seeds[0]}\n{f.text}" for f in self.failures]
        return "\n".join(lines)


class Mutant(NamedTuple):
    """A primitive without one of its conditions."""

    primitive: str
    condition: str
    #: The first seed whose program shows that the condition is needed; ``None`` where no program did.
    seed: Optional[int]
    #: How many applications it took.
    tried: int
    #: That program, small.
    text: str


class MutantReport(NamedTuple):
    """Which conditions random programs show to be needed. It is true where they show it of all."""

    mutants: Tuple[Mutant, ...]

    def __bool__(self) -> bool:
        return not self.survivors

    @property
    def survivors(self) -> List[Mutant]:
        """Those that no program told from the primitive itself. A case of the corpus may."""
        return [m for m in self.mutants if m.seed is None]

    def __str__(self) -> str:
        lines = []
        for m in self.mutants:
            found = "no program shows that it is needed" if m.seed is None else f"needed: seed {m.seed}"
            lines.append(f"{m.primitive + '.' + m.condition:<40} {found}, {m.tried} cases")
        return "\n".join(lines)


class ConfluenceReport(NamedTuple):
    """What a campaign of Halide's schedules has covered. It is true where every program computes what its algorithm says."""

    #: Counts: ``triples``, ``outcomes``, ``features``, ``accepted``, ``refused``, ``verified``, ``gave_up``.
    coverage: Dict[str, Any]
    #: Seed, what is wrong, and the shrunk pair, of each counterexample.
    counterexamples: Tuple[Dict[str, Any], ...]

    def __bool__(self) -> bool:
        return not self.counterexamples


class AuditReport(NamedTuple):
    """What came of checking derivations, by name. It is true where all of them hold."""

    audits: Dict[str, Audit]

    def __bool__(self) -> bool:
        return all(self.audits.values())


def fuzz(
    programs: int = 1000,
    *,
    seed: int = 0,
    primitives: Sequence[str] = (),
    client: Any = None,
    directory: Optional[Directory] = None,
    part: int = 32,
    progress: Optional[Progress] = None,
    _without: Optional[Tuple[str, str]] = None,
) -> FuzzReport:
    """Applies primitives, all or those named, to the programs of the seeds from ``seed`` on, and compares what is accepted
    with the interpreter. Every failure of one name counts, and the first of them is made small."""
    _whole(programs=programs, seed=seed)
    _positive(part=part)
    named = [primitives] if isinstance(primitives, str) else [str(p) for p in primitives]
    ends = seed + programs
    parts: List[Part] = [(str(at), [at, min(part, ends - at)]) for at in range(seed, ends, part)]
    parameters = {"primitives": named, "without": _without, "seed": seed, "part": part}
    with _Store(directory, "fuzz", parameters) as store:
        done = _run(store, parts, client, progress)
        rows: Dict[str, Dict[str, Any]] = {}
        found: Dict[str, List[int]] = {}
        for told in done:
            _merge(rows, told["rows"])
            for failure in told["failures"]:
                found.setdefault(failure["name"], []).append(failure["seed"])
        names = sorted(found)
        small = _run(store, [(f"small {n}", [min(found[n]), n]) for n in names], client, None)
    failures = [
        Failure(name, len(found[name]), tuple(sorted(set(found[name]))[:10]), told["text"], told["case"])
        for name, told in zip(names, small)
    ]
    return FuzzReport(programs, dict(sorted(rows.items())), tuple(failures))


def mutants(
    primitives: Sequence[str] = (),
    *,
    programs: int = 2000,
    seed: int = 0,
    client: Any = None,
    directory: Optional[Directory] = None,
    progress: Optional[Progress] = None,
) -> MutantReport:
    """For each condition that guards the meaning, of all primitives or of those named: a program that goes wrong without
    it, among those of so many seeds."""
    _whole(programs=programs, seed=seed)
    named = [primitives] if isinstance(primitives, str) else [str(p) for p in primitives]
    known = [(p, c) for p, c in _rewright.conditions() if not named or p in named]
    for name in named:
        if all(p != name for p, _ in known):
            raise ValueError(f"there is no primitive `{name}` that has conditions")
    parameters = {"seed": seed, "programs": programs}
    parts: List[Part] = [(f"{p}.{c}", [p, c]) for p, c in known]
    with _Store(directory, "mutants", parameters) as store:
        done = _run(store, parts, client, progress)
    told = zip(known, done)
    return MutantReport(tuple(Mutant(p, c, one["seed"], one["tried"], one["text"]) for (p, c), one in told))


def confluence(
    schedules: int = 1000,
    *,
    seed: int = 0,
    inputs: int = 5,
    verify_every: int = 25,
    client: Any = None,
    directory: Optional[Directory] = None,
    part: int = 32,
    progress: Optional[Progress] = None,
) -> ConfluenceReport:
    """Random algorithms of the Halide model under random schedules: each must compute what the algorithm says, on so many
    inputs. Of one in ``verify_every`` the bounds are verified by the solver, too; 0 is none."""
    _whole(schedules=schedules, seed=seed, inputs=inputs, verify_every=verify_every)
    _positive(part=part)
    ends = seed + schedules
    parts: List[Part] = [(str(at), [at, min(part, ends - at)]) for at in range(seed, ends, part)]
    parameters = {"seed": seed, "part": part, "inputs": inputs, "verify_every": verify_every}
    with _Store(directory, "confluence", parameters) as store:
        done = _run(store, parts, client, progress)
    coverage: Dict[str, Any] = {}
    for told in done:
        _add(coverage, told["coverage"])
    return ConfluenceReport(coverage, tuple(c for told in done for c in told["counterexamples"]))


def audit(
    derivations: Iterable[Derivation],
    *,
    trials: int = 20,
    statements: int = 2_000_000,
    client: Any = None,
    directory: Optional[Directory] = None,
    progress: Optional[Progress] = None,
) -> AuditReport:
    """Checks derivations: those of procedures, records, and files. Each is made again step by step, every condition is
    asked again, and versions are compared on ``trials`` inputs, whose runs take ``statements`` statements at most."""
    _whole(trials=trials, statements=statements)
    texts: Dict[str, str] = {}
    for k, of in enumerate(derivations):
        name, text = read(of)
        texts[name if name not in texts else f"{name} ({k})"] = text
    parts: List[Part] = [(name, [text]) for name, text in texts.items()]
    with _Store(directory, "audit", {"trials": trials, "statements": statements, "of": _digest(texts)}) as store:
        done = _run(store, parts, client, progress)
    return AuditReport({name: audited(told) for name, told in zip(texts, done)})


# What a worker does.


def _work(kind: str, parameters: Dict[str, Any], version: str, name: str, args: List[Any]) -> Any:
    """What comes of one part."""
    if version != _rewright.version():
        raise CampaignError(f"this worker has Rewright {_rewright.version()}, and the campaign {version}")
    if kind == "fuzz":
        without = parameters["without"] and tuple(parameters["without"])
        if name.startswith("small "):
            return _rewright.smallest(parameters["primitives"], without, *args)
        return _rewright.trials(parameters["primitives"], without, args[0], args[1], False)
    if kind == "mutants":
        return _mutant(parameters, *args)
    if kind == "confluence":
        return _rewright.confluence(args[0], args[1], parameters["inputs"], parameters["verify_every"])
    return _rewright.audit(args[0], parameters["trials"], parameters["statements"])


def _mutant(parameters: Dict[str, Any], primitive: str, condition: str) -> Dict[str, Any]:
    without = (primitive, condition)
    told = _rewright.trials([primitive], without, parameters["seed"], parameters["programs"], True)
    tried = sum(row["tried"] for row in told["rows"].values())
    for failure in told["failures"]:
        small = _rewright.smallest([primitive], without, failure["seed"], failure["name"])
        return {"seed": failure["seed"], "tried": tried, "text": small["text"]}
    return {"seed": None, "tried": tried, "text": ""}


# Sharing out.


class _Store:
    """What is done of a campaign: in memory, and in a directory where there is one."""

    def __init__(self, directory: Optional[Directory], kind: str, parameters: Dict[str, Any]) -> None:
        self.kind, self.parameters = kind, parameters
        self.directory = None if directory is None else os.fspath(directory)
        self.done: Dict[str, Any] = {}

    def __enter__(self) -> _Store:
        if self.directory is None:
            return self
        parts = os.path.join(self.directory, "parts")
        os.makedirs(parts, exist_ok=True)
        plan = {"kind": self.kind, "rewright": _rewright.version(), **self.parameters}
        path = os.path.join(self.directory, "campaign.json")
        if os.path.exists(path):
            found = _read(path)
            if found != json.loads(json.dumps(plan)):
                raise CampaignError(f"{self.directory} holds another campaign: {json.dumps(found)}")
        else:
            _write(path, plan)
        for entry in os.scandir(parts):
            if entry.name.endswith(".json"):
                part = _read(entry.path)
                self.done[part["name"]] = part["came"]
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def add(self, name: str, came: Any) -> None:
        """Keeps what came of a part."""
        self.done[name] = came
        if self.directory is not None:
            path = os.path.join(self.directory, "parts", _digest(name) + ".json")
            _write(path, {"name": name, "came": came})


def _read(path: str) -> Any:
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except ValueError as e:
        raise CampaignError(f"{path} is not what a campaign wrote ({e}): delete it, and its part is done again") from None


def _write(path: str, what: Any) -> None:
    """Writes a file that is whole or not there."""
    draft = f"{path}.{os.getpid()}"
    with open(draft, "w", encoding="utf-8") as file:
        json.dump(what, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)


def _digest(of: Any) -> str:
    import hashlib

    return hashlib.sha256(json.dumps(of, sort_keys=True).encode()).hexdigest()[:24]


def _run(store: _Store, parts: List[Part], client: Any, progress: Optional[Progress]) -> List[Any]:
    """What came of each part, in their order."""
    pending = [(name, args) for name, args in parts if name not in store.done]
    done = len(parts) - len(pending)
    came = _threads(store, pending) if client is None else _cluster(store, pending, client)
    for name, told in came:
        store.add(name, told)
        done += 1
        if progress is not None:
            progress(done, len(parts))
    return [store.done[name] for name, _ in parts]


def _threads(store: _Store, pending: List[Part]) -> Iterator[Tuple[str, Any]]:
    # Not a pool's futures: whoever waits for those holds a lock of each, and a Ctrl-C that is heard meanwhile leaves them held.
    run, over = _rewright.Run(), threading.Event()
    came: SimpleQueue[Tuple[str, Any, Optional[BaseException]]] = SimpleQueue()
    waiting, of = iter(pending), (store.kind, store.parameters, _rewright.version())

    def works() -> None:
        run.join()
        for name, args in waiting:
            try:
                came.put((name, _work(*of, name, args), None))
            except BaseException as error:
                came.put((name, None, error))
                return
            if over.is_set():
                return

    workers = [threading.Thread(target=works, daemon=True) for _ in range(os.cpu_count() or 1)]
    try:
        for worker in workers:
            worker.start()
        for _ in pending:
            name, told, error = came.get()
            if error is not None:
                raise error
            yield name, told
    finally:
        over.set()
        run.end()
        for worker in workers:
            if worker.ident is not None:
                worker.join()


def _cluster(store: _Store, pending: List[Part], client: Any) -> Iterator[Tuple[str, Any]]:
    from distributed import as_completed

    waiting = iter(pending)
    run = f"{store.kind}-{_digest([store.parameters, os.urandom(8).hex()])}"
    names: Dict[str, str] = {}
    lost: Dict[str, BaseException] = {}

    def submit() -> Iterator[Any]:
        for name, args in waiting:
            key = f"rewright-{run}-{_digest(name)}"
            names[key] = name
            of = (store.kind, store.parameters, _rewright.version(), name, args)
            yield client.submit(_work, *of, key=key, pure=False, retries=RETRIES)

    more = submit()
    ahead = max(AHEAD * sum(client.nthreads().values()), AHEAD)
    queue: Any = as_completed([future for _, future in zip(range(ahead), more)])  # type: ignore[no-untyped-call]
    for future in queue:
        name = names[future.key]
        error = future.exception() if future.status in ("error", "cancelled", "lost") else None
        if error is None:
            yield name, future.result()
        else:
            lost[name] = error
        queue.update([following for _, following in zip(range(1), more)])
    for name, error in lost.items():
        raise CampaignError(f"{len(lost)} parts have no result, the first is `{name}`: {error}") from error


# Merging.


def _merge(rows: Dict[str, Dict[str, Any]], more: Dict[str, Dict[str, Any]]) -> None:
    for name, row in more.items():
        _add(rows.setdefault(name, {}), row)


def _add(to: Dict[str, Any], more: Dict[str, Any]) -> None:
    """Adds numbers, also those in tables."""
    for key, value in more.items():
        if isinstance(value, dict):
            _add(to.setdefault(key, {}), value)
        else:
            to[key] = to.get(key, 0) + value


def _whole(**numbers: int) -> None:
    for name, n in numbers.items():
        if isinstance(n, bool) or not isinstance(n, int):
            raise TypeError(f"`{name}` is a number, not {type(n).__name__}")
        if not 0 <= n < 1 << 53:
            raise ValueError(f"`{name}` is {n}, which is not from 0 to 2**53 - 1")


def _positive(**numbers: int) -> None:
    _whole(**numbers)
    for name, n in numbers.items():
        if n == 0:
            raise ValueError(f"`{name}` is 0")
