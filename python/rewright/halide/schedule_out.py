"""Schedules of the Halide model as calls of Halide's. The loops of each stage are followed, for our `fuse` and `swap` mean the
loop right inside, which Halide's `fuse` and `reorder` name. Spec: [rule: halide.peer.export]."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, List, Tuple

from .tree import Directive, Loop, loops, pure_vars

if TYPE_CHECKING:
    from .exporting import _Exporter

TAILS = {
    "guard": "GuardWithIf", "shift": "ShiftInwards", "round": "RoundUp", "shift-blend": "ShiftInwardsAndBlend",
    "round-blend": "RoundUpAndBlend",
}  # fmt: skip
ALIGNS = {"none": "NoAlign", "start": "AlignStart", "end": "AlignEnd"}
#: Phases: those that change funcs, branches, loops, the places of funcs, the rest. Directives of one phase stay in order.
PHASES = {
    **dict.fromkeys(["inline", "in", "clone-in", "split-rdom", "rfactor"], 0), "specialize": 1, "specialize-fail": 2,
    **dict.fromkeys(["split", "fuse", "swap", "atomic", "traverse", "vectorize", "unroll"], 3), "compute-at": 4,
    "store-at": 5, "hoist-storage": 6, "compute-with": 7,
}  # fmt: skip
Site = Tuple[str, int, int]


def lines(exporter: _Exporter) -> List[str]:
    """The lines of a program that schedule it."""
    nest = _Nest(exporter)
    for d in sorted(exporter.p.schedule, key=lambda d: PHASES.get(d.name, 8)):
        nest.directive(d)
    return nest.finished()


class _Nest:
    def __init__(self, exporter: _Exporter) -> None:
        self.x = exporter
        self.out: List[str] = []
        #: How many stages each func has, its variables, and the loops of a stage, innermost first.
        self.stages = {f.name: len(f.updates) + 1 for f in exporter.p.funcs}
        self.vars = {f.name: list(f.vars) for f in exporter.p.funcs}
        self.loops: Dict[Site, List[str]] = {}
        self.pure: Dict[Tuple[str, int], List[str]] = {}
        self.rvars: Dict[Tuple[str, int, str], str] = dict(exporter.rvars)
        for f in exporter.p.funcs:
            for i in range(len(f.updates) + 1):
                self.loops[f.name, i, 0] = loops(f, i)
                self.pure[f.name, i] = pure_vars(f, i)
        self.branches: Dict[Site, str] = {}
        self.touched: List[Site] = []
        self.computed: List[str] = []
        self.stored: List[str] = []
        self.inlined: List[str] = []

    def no(self, what: str, d: Directive) -> Exception:
        from .exporting import NotCovered

        return NotCovered(f"{what} in `{d}`")

    def stage(self, site: Site) -> str:
        """The stage, or the branch of one."""
        if site in self.branches:
            return self.branches[site]
        func, stage, _ = site
        here = self.x.names[func]
        return here if stage == 0 else f"{here}.update({stage - 1})"

    def loop(self, at: Loop, d: Directive) -> Tuple[Site, str]:
        """The stage of a loop, and its variable."""
        site = (at.func, at.stage, at.spec)
        if at.var not in self.loops.get(site, []):
            raise self.no(f"no loop {at}", d)
        return site, self.variable(at.func, at.stage, at.var)

    def variable(self, func: str, stage: int, var: str) -> str:
        found = self.rvars.get((func, stage, var))
        return found if found is not None else self.x.var(var)

    def new(self, like: Loop, names: List[str]) -> List[str]:
        """New loops made of an old one, of its kind."""
        out = []
        for name in names:
            if (like.func, like.stage, like.var) in self.rvars:
                here = self.x.fresh(name)
                self.out.append(f'{here} = hl.RVar("{name}")')
                self.rvars[like.func, like.stage, name] = here
                out.append(here)
            else:
                out.append(self.x.var(name))
        return out

    def inside(self, at: Loop, d: Directive) -> str:
        here = self.loops[at.func, at.stage, at.spec]
        i = here.index(at.var)
        if i == 0:
            raise self.no(f"no loop inside {at}", d)
        return here[i - 1]

    def directive(self, d: Directive) -> None:
        method: Callable[..., None] = getattr(self, "on_" + d.name.replace("-", "_"))
        funcs = [a for a in d.args[:1] if isinstance(a, str)] + [a.func for a in d.args if isinstance(a, Loop)]
        for f in funcs:
            if f not in self.x.names:
                raise self.no(f"there is no func `{f}`", d)
        method(d, *d.args)

    def expr(self, e: Any) -> str:
        return self.x.expr(e, {})

    # What changes funcs.

    def on_inline(self, d: Directive, func: str) -> None:
        self.inlined.append(func)
        self.out.append(f"{self.x.names[func]}.compute_inline()")

    def wrapped(self, d: Directive, method: str, func: str, into: str, consumers: List[str]) -> None:
        here = self.x.names[into] = self.x.fresh(into)
        args = [self.x.names[c] for c in consumers]
        given = "" if not args else args[0] if len(args) == 1 else f"[{', '.join(args)}]"
        self.out.append(f"{here} = {self.x.names[func]}.{method}({given})")

    def on_in(self, d: Directive, func: str, into: str, *consumers: str) -> None:
        self.wrapped(d, "in_", func, into, list(consumers))
        rank = next((rank for n, rank, _ in self.x.p.inputs if n == func), 0)
        self.vars[into] = list(self.vars[func]) if func in self.vars else [f"_{i}" for i in range(rank)]
        self.stages[into] = 1
        self.loops[into, 0, 0] = list(self.vars[into])
        self.pure[into, 0] = list(self.vars[into])

    def on_clone_in(self, d: Directive, func: str, into: str, *consumers: str) -> None:
        if func not in self.stages:
            raise self.no("an input has no clone", d)
        self.wrapped(d, "clone_in", func, into, list(consumers))
        self.vars[into], self.stages[into] = list(self.vars[func]), self.stages[func]
        for i in range(self.stages[func]):
            self.loops[into, i, 0] = list(self.loops[func, i, 0])
            self.pure[into, i] = list(self.pure[func, i])
        for (f, i, r), here in list(self.rvars.items()):
            if f == func:
                self.rvars[into, i, r] = here

    def on_split_rdom(self, d: Directive, func: str, stage: int, var: str, outer: str, inner: str, factor: Any) -> None:
        self.on_split(d, Loop(func, stage, 0, var), outer, inner, factor, "guard")

    def on_rfactor(self, d: Directive, func: str, stage: int, into: str, *keep: Tuple[str, str]) -> None:
        site = (func, stage, 0)
        before = self.loops.get(site)
        if before is None or any((func, stage, r) not in self.rvars for r, _ in keep):
            raise self.no("no such reduction", d)
        here = self.x.names[into] = self.x.fresh(into)
        pairs = ", ".join(f"({self.rvars[func, stage, r]}, {self.x.var(u)})" for r, u in keep)
        self.out.append(f"{here} = {self.stage(site)}.rfactor([{pairs}])")
        kept, new = [r for r, _ in keep], [u for _, u in keep]
        reduced = [r for r in before if (func, stage, r) in self.rvars and r not in kept]
        self.vars[into], self.stages[into] = [*self.vars[func], *new], 2
        self.loops[into, 0, 0] = self.pure[into, 0] = list(self.vars[into])
        self.pure[into, 1] = [*self.pure[func, stage], *new]
        self.loops[into, 1, 0] = [*reduced, *self.pure[into, 1]]
        for r in reduced:
            self.rvars[into, 1, r] = self.rvars.pop((func, stage, r))
        self.pure[func, stage] = list(self.vars[func])
        self.loops[site] = [*kept, *self.vars[func]]
        # The stages that it makes count as scheduled.
        self.touched += [site, (into, 1, 0)]

    # Branches.

    def on_specialize(self, d: Directive, func: str, *conditions: Any) -> None:
        for i in range(self.stages[func]):
            for j, c in enumerate(conditions):
                here = self.x.fresh(f"{func}_{i}_{j + 1}")
                self.out.append(f"{here} = {self.stage((func, i, 0))}.specialize({self.expr(c)})")
                self.branches[func, i, j + 1] = here
                self.loops[func, i, j + 1] = list(self.loops[func, i, 0])
                self.touched.append((func, i, 0))

    def on_specialize_fail(self, d: Directive, func: str) -> None:
        self.out.append(f'{self.x.names[func]}.specialize_fail("no specialization applies")')

    # Loops.

    def on_loop(self, at: Loop, d: Directive, call: str) -> None:
        site, var = self.loop(at, d)
        self.out.append(f"{self.stage(site)}.{call.format(var)}")
        self.touched.append(site)

    def on_split(self, d: Directive, at: Loop, outer: str, inner: str, factor: Any, tail: str = "guard") -> None:
        site, var = self.loop(at, d)
        o, i = self.new(at, [outer, inner])
        self.out.append(f"{self.stage(site)}.split({var}, {o}, {i}, {self.expr(factor)}, hl.TailStrategy.{TAILS[tail]})")
        here = self.loops[site]
        k = here.index(at.var)
        here[k : k + 1] = [inner, outer]
        self.touched.append(site)

    def on_fuse(self, d: Directive, at: Loop, into: str) -> None:
        site, outer = self.loop(at, d)
        name = self.inside(at, d)
        inner = self.variable(at.func, at.stage, name)
        reduction = (at.func, at.stage, at.var) in self.rvars or (at.func, at.stage, name) in self.rvars
        like = at if (at.func, at.stage, at.var) in self.rvars else Loop(at.func, at.stage, at.spec, name)
        (fused,) = self.new(like, [into]) if reduction else [self.x.var(into)]
        self.out.append(f"{self.stage(site)}.fuse({inner}, {outer}, {fused})")
        here = self.loops[site]
        k = here.index(at.var)
        here[k - 1 : k + 1] = [into]
        self.touched.append(site)

    def on_swap(self, d: Directive, at: Loop) -> None:
        site, outer = self.loop(at, d)
        name = self.inside(at, d)
        self.out.append(f"{self.stage(site)}.reorder({outer}, {self.variable(at.func, at.stage, name)})")
        here = self.loops[site]
        k = here.index(at.var)
        here[k - 1], here[k] = here[k], here[k - 1]
        self.touched.append(site)

    def on_atomic(self, d: Directive, func: str, stage: int) -> None:
        self.out.append(f"{self.stage((func, stage, 0))}.atomic()")
        self.touched.append((func, stage, 0))

    def on_traverse(self, d: Directive, at: Loop, order: str) -> None:
        self.on_loop(at, d, order + "({})")

    def on_vectorize(self, d: Directive, at: Loop) -> None:
        self.on_loop(at, d, "vectorize({})")

    def on_unroll(self, d: Directive, at: Loop) -> None:
        self.on_loop(at, d, "unroll({})")

    # Where funcs are computed and stored.

    def level(self, at: Loop, d: Directive) -> str:
        """A loop for `compute_at`: Halide knows neither stages nor branches there, but the names of loops."""
        if at.spec:
            raise self.no("a place in a branch", d)
        _, var = self.loop(at, d)
        return f"{self.x.names[at.func]}, {var}"

    def on_compute_at(self, d: Directive, func: str, at: Loop) -> None:
        self.computed.append(func)
        self.out.append(f"{self.x.names[func]}.compute_at({self.level(at, d)})")

    def on_store_at(self, d: Directive, func: str, at: Loop) -> None:
        self.stored.append(func)
        self.out.append(f"{self.x.names[func]}.store_at({self.level(at, d)})")

    def on_hoist_storage(self, d: Directive, func: str, at: Loop) -> None:
        self.out.append(f"{self.x.names[func]}.hoist_storage({self.level(at, d)})")

    def on_compute_with(self, d: Directive, func: str, stage: int, at: Loop, align: str = "none") -> None:
        if at.spec:
            raise self.no("a place in a branch", d)
        _, var = self.loop(at, d)
        site = (func, stage, 0)
        other = f"hl.LoopLevel({self.x.names[at.func]}, {var}, {at.stage})"
        self.out.append(f"{self.stage(site)}.compute_with({other}, hl.LoopAlignStrategy.{ALIGNS[align]})")
        self.touched.append(site)

    # Bounds.

    def on_bound(self, d: Directive, func: str, var: str, low: Any, length: Any) -> None:
        self.out.append(f"{self.x.names[func]}.bound({self.x.var(var)}, {self.expr(low)}, {self.expr(length)})")

    def on_bound_extent(self, d: Directive, func: str, var: str, length: Any) -> None:
        self.out.append(f"{self.x.names[func]}.bound_extent({self.x.var(var)}, {self.expr(length)})")

    def on_align_bounds(self, d: Directive, func: str, var: str, modulus: Any, remainder: Any) -> None:
        ends = f"{self.expr(modulus)}, {self.expr(remainder)}"
        self.out.append(f"{self.x.names[func]}.align_bounds({self.x.var(var)}, {ends})")

    def on_slide(self, d: Directive, func: str, var: str) -> None:
        """Halide does so untold with what is stored outside of the loop in which it is computed."""

    def on_fold_storage(self, d: Directive, func: str, var: str, factor: Any) -> None:
        self.out.append(f"{self.x.names[func]}.fold_storage({self.x.var(var)}, {self.expr(factor)})")

    def finished(self) -> List[str]:
        """All lines. What is placed nowhere is computed and stored at the top."""
        for func, count in self.stages.items():
            here = self.x.names[func]
            if func in self.inlined:
                continue
            if func not in self.computed:
                self.out.append(f"{here}.compute_root()")
            elif func not in self.stored:
                self.out.append(f"{here}.store_root()")
            for i in range(1, count):
                if (func, i, 0) not in self.touched:
                    self.out.append(f"{here}.update({i - 1}).unscheduled()")
        return self.out
