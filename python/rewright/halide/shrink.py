"""Smaller pipelines of which the same is true. Spec: [rule: halide.peer.diff]."""

from __future__ import annotations

from copy import deepcopy
from typing import Callable, Iterator, List

from .tree import Expr, Given, Pipeline, children, reads, stages, with_children

#: How many smaller pipelines are tried.
TRIES = 400


def smallest(p: Pipeline, holds: Callable[[Pipeline], bool], tries: int = TRIES) -> Pipeline:
    """A pipeline of which something still holds, though of none of its parts as far as they were tried."""
    left = tries
    progress = True
    while progress and left > 0:
        progress = False
        for q in smaller(p):
            left -= 1
            if holds(q):
                p, progress = q, True
                break
            if left <= 0:
                break
    return p


def smaller(p: Pipeline) -> Iterator[Pipeline]:
    """Pipelines with less in them, those with much less first."""
    if len(p.schedule) > 3:
        half = len(p.schedule) // 2
        for part in (p.schedule[:half], p.schedule[half:]):
            yield _with(p, schedule=part)
    for i in range(len(p.schedule)):
        yield _with(p, schedule=p.schedule[:i] + p.schedule[i + 1 :])
    if len(p.outputs) > 1:
        first = p.func(p.outputs[0])
        if first is not None and p.window is not None:
            yield _with(p, outputs=p.outputs[:1], window=p.window[: len(first.vars)])
    for i in range(len(p.requires)):
        yield _with(p, requires=p.requires[:i] + p.requires[i + 1 :])
    yield from _without_unused(p)
    for i, f in enumerate(p.funcs):
        for k in range(len(f.updates)):
            q = deepcopy(p)
            del q.funcs[i].updates[k]
            yield q
    yield from _windows(p)
    yield from _expressions(p)


def _with(p: Pipeline, **changes: object) -> Pipeline:
    q = deepcopy(p)
    for name, value in changes.items():
        setattr(q, name, deepcopy(value))
    return q


def _without_unused(p: Pipeline) -> Iterator[Pipeline]:
    """What no stage reads and no directive names goes."""
    used = {g for f in p.funcs for es in stages(f) for e in es for g in reads(e) if g != f.name} | set(p.outputs)
    named = {str(a) for d in p.schedule for a in d.args} | {getattr(a, "func", "") for d in p.schedule for a in d.args}
    for i, f in enumerate(p.funcs):
        if f.name not in used and f.name not in named:
            q = deepcopy(p)
            del q.funcs[i]
            yield q
    text = str(_with(p, inputs=[], params=[], given={}, window=None))
    for i, (name, _, _) in enumerate(p.inputs):
        if name not in used and name not in text:
            q = deepcopy(p)
            del q.inputs[i]
            q.given.pop(name, None)
            yield q


def _windows(p: Pipeline) -> Iterator[Pipeline]:
    for d, (low, length) in enumerate(p.window or []):
        for new in ((low, length // 2), (low, length - 1), (0, length)):
            if new != (low, length) and new[1] > 0 and p.window is not None:
                yield _with(p, window=[*p.window[:d], new, *p.window[d + 1 :]])
    for name, v in p.given.items():
        if isinstance(v, Given):
            plain = [type(x)(i % 7) for i, x in enumerate(v.values)]
            if plain != v.values:
                yield _with(p, given={**p.given, name: Given(v.box, plain)})


def _expressions(p: Pipeline) -> Iterator[Pipeline]:
    """An expression for one that it is inside of, or a number."""
    for i, f in enumerate(p.funcs):
        for new in _simpler(f.pure):
            q = deepcopy(p)
            q.funcs[i].pure = deepcopy(new)
            yield q
        for k, u in enumerate(f.updates):
            for new in _simpler(u.rhs):
                q = deepcopy(p)
                q.funcs[i].updates[k].rhs = deepcopy(new)
                yield q
            if u.where is not None:
                q = deepcopy(p)
                q.funcs[i].updates[k].where = None
                yield q
            for d in range(len(u.rdom)):
                q = deepcopy(p)
                del q.funcs[i].updates[k].rdom[d]
                yield q


def _simpler(e: Expr) -> List[Expr]:
    """Ways to make an expression smaller by one step. What no longer fits in type is refused by both."""
    if not isinstance(e, list) or e[0] == "lit":
        return []
    out: List[Expr] = [c for c in children(e) if isinstance(c, list)]
    for k, c in enumerate(children(e)):
        for new in _simpler(c):
            out.append(with_children(e, [*children(e)[:k], new, *children(e)[k + 1 :]]))
    return out
