# ruff: noqa: F401, F403
# mypy: implicit-reexport
"""Schedules made of schedules."""

from __future__ import annotations

from typing import Any, Callable, Iterable

from .inspection import *
from .inspection import InvalidCursor, InvalidCursorError, SchedulingError, nlr_stmts

__all__ = ["apply", "attempt", "lift_rc", "make_pass", "predicate", "repeate"]

#: What says that a step cannot be made here, as against an error of the schedule.
exo_exceptions_ = {ValueError, TypeError, SchedulingError, InvalidCursorError}

Op = Callable[..., Any]


def attempt(op: Op, errs: Iterable[Any] = exo_exceptions_) -> Op:
    """The schedule that makes a step if it can, and otherwise leaves the procedure alone. With ``rs=True`` it gives a
    pair: the procedure, and whether the step was made. ``errs`` are the exceptions that mean that it was not."""
    refusals = tuple(errs)

    def rewrite(p: Any, *args: Any, rs: bool = False, **kwargs: Any) -> Any:
        try:
            made, done = op(p, *args, **kwargs), True
        except refusals:
            made, done = p, False
        return (made, done) if rs else made

    return rewrite


def apply(op: Op) -> Op:
    """The schedule that makes a step at one cursor after the other: ``apply(unroll_loop)(p, loops)``."""

    def rewrite(proc: Any, cursors: Iterable[Any], *args: Any, **kwargs: Any) -> Any:
        for cursor in cursors:
            proc = op(proc, cursor, *args, **kwargs)
        return proc

    return rewrite


def predicate(op: Op, pred: Callable[..., Any]) -> Op:
    """The schedule that makes a step where ``pred``, which gets the same arguments, is true."""

    def rewrite(proc: Any, *args: Any, **kwargs: Any) -> Any:
        return op(proc, *args, **kwargs) if pred(proc, *args, **kwargs) else proc

    return rewrite


def make_pass(op: Op, trav_start: Callable[..., Any] = nlr_stmts) -> Op:
    """The schedule that makes a step at every statement of a block, or of the whole procedure, in the order that
    ``trav_start`` gives."""

    def rewrite(proc: Any, block: Any = InvalidCursor(), *args: Any, **kwargs: Any) -> Any:
        return apply(op)(proc, trav_start(proc, block), *args, **kwargs)

    return rewrite


def lift_rc(op: Op, attr: str) -> Op:
    """Of a schedule that also gives cursors (``rc=True``), the one that gives only the cursor ``attr`` of them."""

    def rewrite(*args: Any, **kwargs: Any) -> Any:
        proc, cursors = op(*args, **kwargs, rc=True)
        return proc, getattr(cursors, attr)

    return rewrite


def repeate(op: Op) -> Op:
    """The schedule that makes a step again and again until it cannot be made."""
    tried = attempt(op)

    def rewrite(p: Any, *args: Any, **kwargs: Any) -> Any:
        done = True
        while done:
            p, done = tried(p, *args, **kwargs, rs=True)
        return p

    return rewrite
