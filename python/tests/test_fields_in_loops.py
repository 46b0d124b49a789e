"""Small loops over configuration fields, set in some iterations and read in others: what the first and the last iterations find in
them, before and after a step. The oracle decides."""

from __future__ import annotations

import collections
import random
from typing import Iterable, List, Optional, Tuple

import pytest

import rewright
from rewright import Procedure, SchedulingError

PROGRAMS = 1500

CONFIG = """@config
class Cfg:
    a: index
    b: index
    on: bool

"""


def indented(lines: Iterable[str]) -> List[str]:
    return ["    " + line for line in lines]


def corner(r: random.Random, counters: List[str]) -> str:
    """Some iterations: often the first, or the last of two."""
    return " and ".join(f"{x} == {r.choice([0, 1, 1, 1, 2])}" for x in counters if r.random() < 0.9) or "p == 1"


def value(r: random.Random, counters: List[str]) -> str:
    x = r.choice(counters)
    return r.choice([x, x, f"2 * {x}", f"{x} + 1", "1", "0"])


def reading(r: random.Random, counters: List[str]) -> List[str]:
    found = [f"if Cfg.a == {r.randint(0, 2)}:", f"    x[{r.choice(['0', counters[0]])}] = {r.randint(1, 3)}.0"]
    # Under a guard of its own: what a condition reads it reads in every iteration.
    return found if r.random() < 0.4 else [f"if {corner(r, counters)}:", *indented(found)]


def setting(r: random.Random, counters: List[str]) -> List[str]:
    kind = r.random()
    set_it = f"Cfg.a = {value(r, counters)}"
    if kind < 0.6:
        return [set_it]
    if kind < 0.7:
        return [f"if {corner(r, counters)}:", *indented([set_it])]
    if kind < 0.8:
        return [f"for k in seq(0, {r.choice(['q', counters[0], 'p'])}):", f"    Cfg.a = {r.choice([*counters, 'k', '1'])}"]
    if kind < 0.9:
        other = r.choice(["x[1] = 4.0", "Cfg.a = 1", f"Cfg.a = {counters[0]}"])
        return ["if Cfg.on:", "    Cfg.on = False", "else:", *indented([other])]
    return [f"if p < {counters[0]}:", *indented([set_it]), "else:", f"    Cfg.a = {value(r, counters)}"]


def piece(r: random.Random, counters: List[str]) -> List[str]:
    lines = reading(r, counters) if r.random() < 0.4 else []
    lines += setting(r, counters) if r.random() < 0.9 else []
    lines += reading(r, counters) if r.random() < 0.3 else []
    return lines or ["pass"]


def program(r: random.Random) -> Tuple[str, str]:
    """What is to be done to `f`, and a text with it."""
    kind = r.choice(["reorder_loops", "fission", "fuse", "reverse_loop", "call_eqv"])
    n = r.choice(["2", "2", "3", "n"])
    head = f"for i in seq(0, {n}):"
    if kind == "reorder_loops":
        inner = [f"for j in seq(0, {r.choice(['2', 'n'])}):", *indented(piece(r, ["i", "j"]))]
        body = [head, *indented(inner)]
    elif kind == "fission":
        body = [head, *indented([*piece(r, ["i"]), "pass", *piece(r, ["i"])])]
    elif kind == "fuse":
        body = [head, *indented(piece(r, ["i"])), f"for j in seq(0, {n}):", *indented(piece(r, ["j"]))]
    elif kind == "reverse_loop":
        body = [head, *indented(piece(r, ["i"]))]
    else:
        around = reading(r, ["i"]) if r.random() < 0.3 else []
        body = ["Cfg.a = 0", "Cfg.b = 0", head, *indented(["one(x[0:4])", *around])]
    if r.random() < 0.4:
        body = [f"Cfg.a = {r.choice(['0', '1', 'p'])}", *body]
    if r.random() < 0.3:
        body += [f"if Cfg.{r.choice('ab')} == 1:", "    x[3] = 5.0"]
    one = "@proc\ndef one(x: [R][4]):\n    x[2] = 1.0\n\n"
    f = "@proc\ndef f(n: size, p: index, q: index, x: R[4]):\n    assert n <= 3 and 0 <= p and p <= 2 and 0 <= q and q <= 2\n"
    return kind, CONFIG + one + f + "\n".join(indented(body)) + "\n"


def version(r: random.Random, one: Procedure, cfg: rewright.Config) -> Procedure:
    """A version that sets fields, and may ask something of one."""
    if r.random() < 0.4:
        one = rewright.add_assertion(one, f"Cfg.{r.choice('ab')} == {r.randint(0, 1)}")
    for _ in range(r.randint(1, 3)):
        at = r.choice(list(one.body()))
        gap = at.before() if r.random() < 0.5 else at.after()
        one = rewright.write_config(one, gap, cfg, r.choice("ab"), r.choice(["0", "1", "Cfg.a", "Cfg.b", "Cfg.a + 1"]))
    return rewright.rename(one, "two")


def step(r: random.Random, kind: str, m: rewright.Module) -> Procedure:
    f = m.f
    if kind == "reorder_loops":
        return rewright.reorder_loops(f, "i j")
    if kind == "fission":
        return rewright.fission(f, f.find("pass").after())
    if kind == "fuse":
        return rewright.fuse(f, f.find_loop("i"), f.find_loop("j"))
    if kind == "reverse_loop":
        return rewright.reverse_loop(f, "i")
    return rewright.call_eqv(f, "one(_)", version(r, m.one, m.Cfg))


def made(seed: int) -> Tuple[str, str, Optional[Procedure], Optional[Procedure]]:
    """What is done, the text, and `f` before and after it: nothing where it is refused."""
    r = random.Random(seed)
    kind, text = program(r)
    m = rewright.module(text)
    try:
        return kind, text, m.f, step(r, kind, m)
    except SchedulingError:
        return kind, text, m.f, None


def test_what_iterations_find_in_fields() -> None:
    seen: collections.Counter[str] = collections.Counter()
    for seed in range(PROGRAMS):
        kind, text, old, new = made(seed)
        seen[f"{kind}: refused" if new is None else f"{kind}: compared"] += 1
        if old is not None and new is not None:
            told = old.equiv(new, trials=60, seed=seed)
            assert told.verdict == "equal", f"seed {seed}, {kind}: {told.difference}, {told.input}\n{text}\n{new}"
    print(dict(seen))
    for kind in ("reorder_loops", "fission", "fuse", "reverse_loop", "call_eqv"):
        assert min(seen[f"{kind}: compared"], seen[f"{kind}: refused"]) > PROGRAMS // 50, seen


if __name__ == "__main__":
    raise SystemExit(pytest.main([__file__, "-q", "-s"]))
