"""Random schedules: directives drawn along the loops that are there, so that most are accepted. Spec:
[rule: halide.peer.campaign]."""

from __future__ import annotations

import random
from typing import Dict, List, Tuple

from .tree import Directive, Func, Loop, Pipeline, loops, pure_vars, reads, stages

TAILS = ["guard", "guard", "shift", "round", "shift-blend", "round-blend"]
Site = Tuple[str, int, int]


def scheduled(p: Pipeline, rng: random.Random) -> List[Directive]:
    """A schedule for a pipeline."""
    return _Scheduler(p, rng).schedule()


class _Scheduler:
    def __init__(self, p: Pipeline, rng: random.Random) -> None:
        self.p, self.rng = p, rng
        self.out: List[Directive] = []
        self.funcs: Dict[str, Func] = {f.name: f for f in p.funcs}
        self.nests: Dict[Site, List[str]] = {}
        self.pure: Dict[Site, List[str]] = {}
        self.serial: Dict[Site, List[str]] = {}
        self.users: Dict[str, List[Tuple[str, int]]] = {}
        self.gone: List[str] = []
        self.number = 0
        for f in p.funcs:
            for i, es in enumerate(stages(f)):
                self.nests[f.name, i, 0] = loops(f, i)
                self.pure[f.name, i, 0] = pure_vars(f, i)
                for g in {g for e in es for g in reads(e)} - {f.name}:
                    self.users.setdefault(g, []).append((f.name, i))

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def add(self, name: str, *args: object) -> None:
        self.out.append(Directive(name, list(args)))

    def fresh(self, base: str) -> str:
        self.number += 1
        return f"{base}{self.number}"

    def schedule(self) -> List[Directive]:
        for name in list(self.funcs):
            if name not in self.p.outputs:
                self.change(name)
        for name in list(self.funcs):
            if name not in self.gone and self.chance(0.12):
                self.specialize(name)
        for site in list(self.nests):
            if site[0] not in self.gone:
                for _ in range(self.rng.choice([0, 0, 1, 1, 2, 3])):
                    self.loop(site)
        for name in reversed(list(self.funcs)):
            if name not in self.p.outputs and name not in self.gone and self.chance(0.6):
                self.place(name)
        if self.chance(0.08):
            self.together()
        for name in self.funcs:
            if name not in self.gone and self.chance(0.12):
                self.bound(name)
        return self.out

    def change(self, name: str) -> None:
        """What changes funcs: at most one of it for each."""
        f, users = self.funcs[name], self.users.get(name, [])
        kind = self.rng.random()
        if kind < 0.12 and (not f.updates or self.chance(0.1)):
            self.add("inline", name)
            self.gone.append(name)
            for g in [g for es in stages(f) for e in es for g in reads(e)]:
                self.users.setdefault(g, []).extend(users)
        elif kind < 0.19 and users:
            into, consumer = self.fresh("w"), self.rng.choice(users)[0]
            if consumer in self.gone:
                return
            clone = self.chance(0.4)
            self.add("clone-in" if clone else "in", name, into, *([consumer] if clone or self.chance(0.7) else []))
            new = Func(into, f.vars, f.pure, f.updates if clone else [])
            self.funcs = {**{n: g for n, g in self.funcs.items() if n != self.p.outputs[0]}, into: new}
            self.funcs[self.p.outputs[0]] = self.p.func(self.p.outputs[0])  # type: ignore[assignment]
            self.users[into] = [u for u in users if u[0] == consumer]
            for i in range(len(new.updates) + 1):
                self.nests[into, i, 0], self.pure[into, i, 0] = loops(new, i), pure_vars(new, i)
        elif kind < 0.3:
            self.factor(name)

    def factor(self, name: str) -> None:
        f = self.funcs[name]
        found = [i for i, u in enumerate(f.updates) if u.rdom]
        if not found:
            return
        i = self.rng.choice(found)
        rdom = [r for r, _, _ in f.updates[i].rdom]
        site = (name, i + 1, 0)
        r = self.rng.choice(rdom)
        if self.chance(0.4):
            o, n = self.fresh("ro"), self.fresh("ri")
            self.add("split-rdom", name, i + 1, r, o, n, self.rng.choice([2, 3]))
            k = self.nests[site].index(r)
            self.nests[site][k : k + 1] = [n, o]
            rdom, r = [o, n, *(q for q in rdom if q != r)], o
        into, u = self.fresh("h"), self.fresh("u")
        self.add("rfactor", name, i + 1, into, (r, u))
        kept = [x for x in self.nests[site] if x in rdom and x != r]
        self.nests[into, 0, 0] = self.pure[into, 0, 0] = [*f.vars, u]
        self.nests[into, 1, 0] = [*kept, *self.pure[site], u]
        self.pure[into, 1, 0] = [*self.pure[site], u]
        self.nests[site] = [r, *f.vars]
        self.pure[site] = list(f.vars)

    def specialize(self, name: str) -> None:
        if not self.p.params:
            return
        self.add("specialize", name, [self.rng.choice(["<", ">", "="]), "k", self.rng.randint(1, 6)])
        for (f, i, j), nest in list(self.nests.items()):
            if f == name and j == 0:
                self.nests[f, i, 1], self.pure[f, i, 1] = list(nest), list(self.pure[f, i, 0])
        if self.chance(0.1):
            self.add("specialize-fail", name)

    def loop(self, site: Site) -> None:
        nest, rng = self.nests[site], self.rng
        if not nest:
            return
        x = rng.choice(nest)
        at = Loop(*site, x)
        pure = x in self.pure[site]
        kind = rng.random()
        if kind < 0.4:
            o, i = self.fresh(x[0] + "o"), self.fresh(x[0] + "i")
            tail = rng.choice(TAILS) if pure and site[1] else rng.choice(TAILS[:4]) if pure else "guard"
            factor = "k" if dict(self.p.params).get("k") == "int32" and self.chance(0.08) else rng.choice([2, 3, 4, 8])
            self.add("split", at, o, i, factor, tail)
            k = nest.index(x)
            nest[k : k + 1] = [i, o]
            if pure:
                self.pure[site] += [o, i]
            if pure and self.chance(0.5) and factor != "k":
                self.add(rng.choice(["vectorize", "unroll"]), Loop(*site, i))
        elif kind < 0.6 and nest.index(x) > 0:
            k = nest.index(x)
            if pure or nest[k - 1] in self.pure[site] or self.chance(0.1):
                self.add("swap", at)
                nest[k - 1], nest[k] = nest[k], nest[k - 1]
        elif kind < 0.7 and nest.index(x) > 0:
            k = nest.index(x)
            both = pure == (nest[k - 1] in self.pure[site])
            if both or self.chance(0.1):
                q = self.fresh("q")
                self.add("fuse", at, q)
                if pure and both:
                    self.pure[site].append(q)
                nest[k - 1 : k + 1] = [q]
        elif kind < 0.9:
            if pure or self.chance(0.1):
                self.add("traverse", at, rng.choice(["parallel", "parallel", "serial"]))
        elif site[1] and not pure and site[2] == 0 and self.chance(0.6):
            self.add("atomic", site[0], site[1])
            self.add("traverse", at, "parallel")

    def place(self, name: str) -> None:
        """At a loop of what uses it: more often so that the loop is around all uses."""
        users = [u for u in self.users.get(name, []) if u[0] not in self.gone]
        if not users:
            return
        func, stage = self.rng.choice(users)
        nest = self.nests.get((func, stage, 0), [])
        if not nest or len(set(users)) > 1 and self.chance(0.9):
            return
        k = self.rng.randrange(len(nest))
        self.add("compute-at", name, Loop(func, stage, 0, nest[k]))
        if self.chance(0.7):
            outer = nest[self.rng.randrange(k, len(nest))]
            self.add("store-at", name, Loop(func, stage, 0, outer))
            if self.chance(0.1):
                self.add("hoist-storage", name, Loop(func, stage, 0, nest[-1]))
        if self.chance(0.12):
            self.add("fold-storage", name, self.rng.choice(self.funcs[name].vars), self.rng.choice([2, 3, 4, 8]))

    def together(self) -> None:
        """Two funcs that stand side by side."""
        names = [n for n in self.funcs if n not in self.gone]
        a, b = self.rng.choice(names), self.rng.choice(names)
        if a == b:
            return
        at = self.nests[b, 0, 0]
        shared = [x for x in at if x in self.nests[a, 0, 0]]
        if shared:
            words = [] if self.chance(0.6) else [self.rng.choice(["start", "end"])]
            self.add("compute-with", a, 0, Loop(b, 0, 0, self.rng.choice(shared)), *words)

    def bound(self, name: str) -> None:
        x = self.rng.choice(self.funcs[name].vars)
        kind = self.rng.random()
        if kind < 0.25:
            self.add("bound", name, x, self.rng.randint(-4, 0), self.rng.randint(8, 20))
        elif kind < 0.4:
            self.add("bound-extent", name, x, self.rng.randint(6, 16))
        else:
            m = self.rng.choice([2, 3, 4, 8])
            self.add("align-bounds", name, x, m, self.rng.randrange(m))
