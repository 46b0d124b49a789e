# ruff: noqa: F401, F403
# mypy: implicit-reexport
"""Primitives that also give cursors to what they made, when they are asked to with ``rc=True``."""

from __future__ import annotations

import typing as _typing
from dataclasses import dataclass

from .. import *
from ..API_cursors import *
from ..API_cursors import BlockCursor, InvalidCursor
from ..frontend.syntax import *
from ._cursors import Cursors as _Cursors
from ._places import Place as _Place
from .inspection import *
from .scheduling import *
from .scheduling import cut_loop, divide_loop, fission, specialize, stage_mem

if _typing.TYPE_CHECKING:
    from typing import Any


@dataclass
class fission_cursors(_Cursors):
    """The halves of the statement around the gap."""

    scope1: Any
    scope2: Any


def fission_(proc: Any, gap: Any, rc: bool = False) -> Any:
    """``fission`` at a gap. The halves are the one with the statement that the gap is anchored to, and the one after it."""
    gap = proc.forward(gap)
    anchor = gap.anchor()
    proc = fission(proc, gap)
    half = proc.forward(anchor).parent()
    return (proc, fission_cursors(half, half.next())) if rc else proc


@dataclass
class divide_loop_cursors(_Cursors):
    """The two loops, and the one with what is left over, which is an ``InvalidCursor`` where there is none."""

    outer_loop: Any
    inner_loop: Any
    tail_loop: Any


def divide_loop_(proc: Any, loop_cursor: Any, div_const: int, tail: str = "guard", rc: bool = False) -> Any:
    """``divide_loop`` of ``i`` into ``io`` and ``ii``; ``tail="perfect"`` is for a length that the factor divides."""
    loop = proc.forward(loop_cursor)
    perfect = tail == "perfect"
    names = (loop.name() + "o", loop.name() + "i")
    proc = divide_loop(proc, loop, div_const, names, tail="cut" if perfect else tail, perfect=perfect)
    if not rc:
        return proc
    outer = proc.forward(loop)
    rest = InvalidCursor() if perfect or tail == "guard" else outer.next()
    return proc, divide_loop_cursors(outer, outer.body()[0], rest)


@dataclass
class stage_mem_cursors(_Cursors):
    """The new buffer, what fills it, the statements that use it, and what writes it back."""

    alloc: Any
    load_stage: Any
    block: Any
    store_stage: Any


def stage_mem_(proc: Any, block: Any, buff: str, new_buff_name: str, accum: bool = False, rc: bool = False) -> Any:
    """``stage_mem``. The cursors are to the two statements before the block and the one after it, whatever they are where
    nothing had to be read or written back."""
    if not isinstance(block, BlockCursor):
        block = proc.forward(block).as_block()
    first, last = block[0], block[-1]
    proc = stage_mem(proc, block, buff, new_buff_name, accum)
    first, last = proc.forward(first), proc.forward(last)
    load = first.prev()
    found = stage_mem_cursors(load.prev(), load, first.as_block().expand(0, len(block) - 1), last.next())
    return (proc, found) if rc else proc


@dataclass
class cut_loop_cursors(_Cursors):
    """The loop up to the cut, and the one from there."""

    loop1: Any
    loop2: Any


def cut_loop_(proc: Any, loop: Any, expr: Any, rc: bool = False) -> Any:
    """``cut_loop``."""
    proc = cut_loop(proc, loop, expr)
    if not rc:
        return proc
    first = proc.forward(loop)
    return proc, cut_loop_cursors(first, first.next())


@dataclass
class specialize_cursors(_Cursors):
    """The condition."""

    if_stmt: Any


def specialize_(proc: Any, stmt: Any, cond: Any, rc: bool = False) -> Any:
    """``specialize`` of a statement."""
    stmt = proc.forward(stmt)
    place = _Place(stmt)
    proc = specialize(proc, stmt, cond)
    return (proc, specialize_cursors(place.in_version(proc))) if rc else proc
