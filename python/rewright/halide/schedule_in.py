"""Halide's schedules as directives of the model. A stage of Halide tells its splits and the order of its loops in the end: so the
splits come first here, then swaps that give that order. Spec: [rule: halide.peer.import]."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional, Set, Tuple

from .names import Names
from .tree import Directive, Loop, loops, reads, stages

if TYPE_CHECKING:
    from .import_in import Wire, _Importer

TAILS = {
    0: "round", 1: "guard", 2: "guard", 3: "guard", 4: "guard", 5: "shift", 6: "shift-blend", 7: "round-blend", 8: "guard",
}  # fmt: skip
ALIGNS = {0: "start", 1: "end", 2: "none", 3: "none"}
_TRAVERSALS = {1: "parallel", 2: "vectorize", 3: "unroll"}
_SPLIT, _RENAME, _FUSE, _PURIFY = range(4)


def schedule(importer: _Importer) -> None:
    """Adds the directives of a pipeline, and tells what is not covered."""
    _Schedule(importer).all()


class _Schedule:
    def __init__(self, importer: _Importer) -> None:
        self.x = importer
        self.out = importer.out.pipeline.schedule
        #: The loops of each stage and branch under Halide's names, and what each is called here.
        self.nests: Dict[Tuple[str, int, int], List[Tuple[str, str]]] = {}
        self.outputs = set(importer.wire["output_names"])
        self.late: List[Directive] = []
        #: The names of loops that were made, by stage.
        self.made: Dict[Tuple[str, int, int], Set[str]] = {}
        self.inlined = [n for n, f in importer.made.items() if self.is_inlined(n)]
        for n, f in importer.made.items():
            if self.is_inlined(n) and f.updates:
                self.inlined.remove(n)

    def wire(self, name: str) -> Wire:
        return self.x.funcs[name]

    def is_inlined(self, name: str) -> bool:
        return name not in self.outputs and is_unset(self.wire(name)["func_schedule"]["compute_level"])

    def no(self, what: str) -> None:
        if what not in self.x.out.not_covered:
            self.x.out.not_covered.append(what)

    def left(self, what: str) -> None:
        if what not in self.x.out.left_out:
            self.x.out.left_out.append(what)

    def add(self, name: str, *args: Any) -> None:
        self.out.append(Directive(name, list(args)))

    def here(self, func: str) -> str:
        return self.x.names[func]

    def all(self) -> None:
        self.wrap()
        for name in self.inlined:
            self.add("inline", self.here(name))
        for name in self.x.made:
            if name not in self.inlined:
                self.specialize(name)
        for name in self.x.made:
            if name not in self.inlined:
                self.stages(name)
        for name in self.x.made:
            if name not in self.inlined:
                self.place(name)
        for name in self.x.made:
            if name not in self.inlined:
                self.together(name)
                self.bounds(name)

    def wrap(self) -> None:
        seen: Dict[Tuple[str, str, bool], List[str]] = {}
        for wrapper, of, consumer, clone in self.x.wrappers:
            if any(f["func_schedule"]["wrappers"] for f in [self.wire(wrapper)]):
                self.no(f"a wrapper of the wrapper `{wrapper}`")
            consumers = seen.setdefault((wrapper, of, clone), [])
            if consumer:
                consumers.append(self.here(consumer))
        for (wrapper, of, clone), consumers in seen.items():
            inner = self.here(self.x.images.get(of, of))
            self.add("clone-in" if clone else "in", inner, self.here(wrapper), *consumers)

    # Stages.

    def definitions(self, name: str) -> List[Wire]:
        return [self.wire(name)["init_def"], *self.wire(name)["updates"]]

    def specialize(self, name: str) -> None:
        """One directive for all branches, which all stages have here."""
        found = []
        for i, d in enumerate(self.definitions(name)):
            conditions = []
            for s in d["specializations"]:
                if s["failure_message"]:
                    if i == 0:
                        self.late.append(Directive("specialize-fail", [self.here(name)]))
                    continue
                if s["definition"] and s["definition"]["specializations"]:
                    self.no(f"a specialization inside of another one, of `{name}`")
                self.x.place = f"a specialization of `{name}`"
                conditions.append(self.x.expr(s["condition"], {}))
            found.append(conditions)
        given = [c for c in found if c]
        if not given:
            return
        if any(c != given[0] for c in given):
            self.no(f"specializations of `{name}` that differ from stage to stage")
        self.add("specialize", self.here(name), *given[0])
        self.out.extend(d for d in self.late if d.args == [self.here(name)])

    def branches(self, d: Wire) -> List[Wire]:
        return [s["definition"] for s in d["specializations"] if not s["failure_message"] and s["definition"]]

    def stages(self, name: str) -> None:
        definitions = self.definitions(name)
        count = max(len(self.branches(d)) for d in definitions)
        for i, d in enumerate(definitions):
            self.nest(name, i, 0, d["stage_schedule"])
            branches = self.branches(d) or [d] * count
            for j, b in enumerate(branches):
                self.nest(name, i, j + 1, b["stage_schedule"])

    def nest(self, name: str, stage: int, spec: int, s: Wire) -> None:
        """The directives for the loops of one stage."""
        f = self.x.made[name]
        at = (name, stage, spec)
        foreign = [r["var"] for r in s["rvars"]] + [a for a in self.pure(name, stage)]
        self.nests[at] = list(zip(foreign, loops(f, stage)))
        if s["atomic"] and spec == 0:
            self.add("atomic", self.here(name), stage)
        for split in s["splits"]:
            self.split(at, split)
        self.order(at, [d["var"] for d in s["dims"] if d["var"] != "__outermost"])
        for d in s["dims"]:
            if d["var"] == "__outermost" or d["for_type"] == 0:
                continue
            word = _TRAVERSALS.get(d["for_type"])
            if word is None or d["device_api"] > 1:
                self.no(f"loop `{d['var']}` of `{name}` on another device")
            elif word == "parallel":
                self.add("traverse", self.loop(at, d["var"]), "parallel")
            else:
                self.add(word, self.loop(at, d["var"]))
        for p in s["prefetches"]:
            self.left(f"prefetching of `{self.x.images.get(p['name'], p['name'])}` in `{name}`")
        if s["override_atomic_associativity_test"]:
            self.left(f"that the updates of `{name}` are promised to be associative")

    def pure(self, name: str, stage: int) -> List[str]:
        """The pure variables of a stage under Halide's names."""
        f = self.wire(name)
        if stage == 0:
            return list(f["args"])
        lhs = f["updates"][stage - 1]["args"]
        return [x for x, e in zip(f["args"], lhs) if e["kind"] == "Variable" and e["name"] == x]

    def loop(self, at: Tuple[str, int, int], foreign: str) -> Loop:
        name, stage, spec = at
        found = next((here for there, here in self.nests[at] if there == foreign), None)
        if found is None:
            self.no(f"loop `{foreign}` of `{name}`")
            found = foreign
        return Loop(self.here(name), stage, spec, found)

    def fresh(self, at: Tuple[str, int, int], foreign: str) -> str:
        """The last part of Halide's name, where nothing in the stage is called so."""
        f = self.x.made[at[0]]
        taken = {h for _, h in self.nests[at]} | set(f.vars) | self.made.setdefault(at, set())
        if at[1]:
            taken |= {r for r, _, _ in f.updates[at[1] - 1].rdom}
        base = Names().fresh(foreign.split(".")[-1].split("$")[0])
        name = base
        while name in taken:
            name += "_"
        self.made[at].add(name)
        return name

    def split(self, at: Tuple[str, int, int], s: Wire) -> None:
        nest, kind = self.nests[at], s["split_type"]
        if kind == _RENAME:
            self.nests[at] = [(s["outer"] if there == s["old_var"] else there, here) for there, here in nest]
            return
        if kind == _PURIFY:
            self.no(f"a purified reduction variable of `{at[0]}`")
            return
        if kind == _FUSE:
            self.fuse(at, s)
            return
        old = self.loop(at, s["old_var"])
        k = next((k for k, (there, _) in enumerate(nest) if there == s["old_var"]), None)
        if k is None:
            return
        inner, outer = self.fresh(at, s["inner"]), self.fresh(at, s["outer"])
        nest[k : k + 1] = [(s["inner"], inner), (s["outer"], outer)]
        self.x.place = f"the split of `{s['old_var']}` in `{at[0]}`"
        tail = TAILS[s["tail"]]
        if at[1] == 0:
            # A pure stage has nothing to blend with.
            tail = tail.split("-")[0]
        if s["tail"] in (2, 3, 4):
            self.left(f"that the tail of `{s['old_var']}` in `{at[0]}` is a predicate of loads and stores: it is guarded")
        self.add("split", old, outer, inner, self.x.expr(s["factor"], {}), tail)

    def fuse(self, at: Tuple[str, int, int], s: Wire) -> None:
        """In Halide what is fused need not be neighbours: the inner loop is brought there."""
        nest = self.nests[at]
        names = [there for there, _ in nest]
        if s["inner"] not in names or s["outer"] not in names:
            self.no(f"fusing `{s['inner']}` and `{s['outer']}` in `{at[0]}`")
            return
        target = [n for n in names if n != s["inner"]]
        target.insert(target.index(s["outer"]), s["inner"])
        self.order(at, target)
        into = self.fresh(at, s["old_var"])
        self.add("fuse", self.loop(at, s["outer"]), into)
        nest = self.nests[at]
        k = [there for there, _ in nest].index(s["outer"])
        nest[k - 1 : k + 1] = [(s["old_var"], into)]

    def order(self, at: Tuple[str, int, int], wanted: List[str]) -> None:
        """Swaps of neighbours that give an order of loops, innermost first."""
        nest = self.nests[at]
        if sorted(wanted) != sorted(there for there, _ in nest):
            self.no(f"the loops {', '.join(wanted)} of `{at[0]}`")
            return
        for i in range(len(wanted) - 1, -1, -1):
            k = [there for there, _ in nest].index(wanted[i])
            while k < i:
                self.add("swap", self.loop(at, nest[k + 1][0]))
                nest[k], nest[k + 1] = nest[k + 1], nest[k]
                k += 1

    # Places.

    def level(self, level: Wire, name: str) -> Optional[Loop]:
        """The loop of a level: of the stage that uses the func."""
        func = level["func_name"]
        if func not in self.x.made or func in self.inlined:
            self.no(f"`{name}` at a loop of `{func}`")
            return None
        candidates = []
        for (f, stage, spec), nest in self.nests.items():
            if f == func and spec == 0:
                var = level["var_name"]
                candidates += [Loop(self.here(f), stage, 0, here) for there, here in nest if there.split(".")[-1] == var]
        using = [c for c in candidates if c.stage in self.users(name).get(func, [c.stage])]
        found = (using or candidates)[:1]
        if not found:
            self.no(f"`{name}` at loop `{level['var_name']}` of `{func}`")
            return None
        if len(using) > 1:
            self.no(f"`{name}` at loop `{level['var_name']}` of several stages of `{func}`")
        return found[0]

    def reading(self, name: str) -> Dict[str, List[int]]:
        """By func, the stages that read a func themselves: a wrapper in its place where there is one."""
        made = self.x.made
        wrapped = {(of, c): w for w, of, c, _ in self.x.wrappers}
        out: Dict[str, List[int]] = {}
        for consumer, f in made.items():
            for i, es in enumerate(stages(f)):
                for there, g in made.items():
                    if consumer == there or all(g.name not in reads(e) for e in es):
                        continue
                    seen = wrapped.get((there, consumer)) or wrapped.get((there, "")) or there
                    if seen == consumer:
                        seen = there
                    if seen == name:
                        out.setdefault(consumer, []).append(i)
        for w, of, _, clone in self.x.wrappers:
            if of == name and not clone:
                out[w] = [0]
        return out

    def users(self, name: str) -> Dict[str, List[int]]:
        """The stages that use a func, what is inlined into them included; those of what is computed there, too."""
        out: Dict[str, List[int]] = {}
        todo, seen = [name], set()
        while todo:
            here = todo.pop()
            if here in seen:
                continue
            seen.add(here)
            for consumer, found in self.reading(here).items():
                if consumer in self.inlined:
                    todo.append(consumer)
                    continue
                out[consumer] = sorted({*out.get(consumer, []), *found})
                level = self.wire(consumer)["func_schedule"]["compute_level"]
                if level["func_name"] or self.is_inlined(consumer):
                    todo.append(consumer)
        return out

    def place(self, name: str) -> None:
        s = self.wire(name)["func_schedule"]
        for what, is_there in [("memoization", s["memoized"]), ("a task of its own", s["async"])]:
            if is_there:
                self.left(f"{what} of `{name}`")
        if s["memory_type"]:
            self.left(f"the kind of memory of `{name}`")
        if self.is_inlined(name):
            self.innermost(name)
            return
        compute, store, hoist = s["compute_level"], s["store_level"], s["hoist_storage_level"]
        if not compute["func_name"]:
            return
        at = self.level(compute, name)
        if at is None:
            return
        self.add("compute-at", self.here(name), at)
        # A func that is stored nowhere in particular is stored where it is computed.
        if is_unset(store):
            store = compute
        if is_unset(hoist):
            hoist = store
        if store["func_name"]:
            where = at if same_level(store, compute) else self.level(store, name)
            if where is not None:
                self.add("store-at", self.here(name), where)
        if hoist["func_name"] and not same_level(hoist, store):
            where = self.level(hoist, name)
            if where is not None:
                self.add("hoist-storage", self.here(name), where)

    def innermost(self, name: str) -> None:
        """A func with updates that is inlined is computed in the innermost loop of the stage that uses it."""
        users = [(f, i) for f, found in self.direct(name).items() for i in found]
        if len(users) != 1:
            self.no(f"`{name}`, which has updates, is inlined and used {len(users)} times")
            return
        func, stage = users[0]
        nest = self.nests[func, stage, 0]
        if nest:
            at = Loop(self.here(func), stage, 0, nest[0][1])
            self.add("compute-at", self.here(name), at)
            self.add("store-at", self.here(name), at)

    def direct(self, name: str) -> Dict[str, List[int]]:
        """The stages that use a func themselves or by what is inlined."""
        out: Dict[str, List[int]] = {}
        todo = [name]
        while todo:
            for consumer, found in self.reading(todo.pop()).items():
                if consumer in self.inlined:
                    todo.append(consumer)
                else:
                    out[consumer] = sorted({*out.get(consumer, []), *found})
        return out

    def together(self, name: str) -> None:
        for i, d in enumerate(self.definitions(name)):
            fuse = d["stage_schedule"]["fuse_level"]
            level = fuse and fuse["fuse_level"]
            if not level or not level["func_name"]:
                continue
            stage = max(level["stage_index"], 0)
            nest = self.nests.get((level["func_name"], stage, 0), [])
            found = [here for there, here in nest if there.split(".")[-1] == level["var_name"]]
            if not found:
                self.no(f"`{name}` with loop `{level['var_name']}` of `{level['func_name']}`")
                continue
            aligns = {ALIGNS[a] for a in fuse["align_strategies"]} - {"none"}
            if len(aligns) > 1 or aligns and len(fuse["align_strategies"]) != 1:
                self.no(f"how the loops of `{name}` are aligned with those of `{level['func_name']}`")
                aligns = set()
            at = Loop(self.here(level["func_name"]), stage, 0, found[0])
            self.add("compute-with", self.here(name), i, at, *aligns)

    def bounds(self, name: str) -> None:
        s = self.wire(name)["func_schedule"]
        self.x.place = f"the bounds of `{name}`"
        for b in s["bounds"]:
            low, length, modulus, remainder = (self.end(b[k]) for k in ("min", "extent", "modulus", "remainder"))
            var = self.x.var(b["var"])
            if low is not None:
                self.add("bound", self.here(name), var, low, length)
            elif length is not None:
                self.add("bound-extent", self.here(name), var, length)
            if modulus is not None and remainder is not None:
                self.add("align-bounds", self.here(name), var, modulus, remainder)
            elif modulus is not None:
                self.no(f"the aligned extent of `{var}` of `{name}`")
        for d in s["storage_dims"]:
            if self.end(d["fold_factor"]) is not None:
                self.add("fold-storage", self.here(name), self.x.var(d["var"]), self.end(d["fold_factor"]))
            if self.end(d["alignment"]) not in (None, 1):
                self.left(f"the alignment of the storage of `{name}`")
            if self.end(d["bound"]) is not None:
                self.left(f"the bound of the storage of `{name}`")
        if self.end(s["ring_buffer"]) is not None:
            self.left(f"the ring buffer of `{name}`")

    def end(self, e: Optional[Wire]) -> Any:
        return None if e is None or e["kind"] == "UndefinedExpr" else self.x.expr(e, {})


def is_unset(level: Wire) -> bool:
    """Whether a schedule does not say where: the root has a name."""
    return not level["func_name"] and not level["var_name"]


def same_level(a: Wire, b: Wire) -> bool:
    """Whether two levels are one."""
    return (a["func_name"], a["var_name"]) == (b["func_name"], b["var_name"])
