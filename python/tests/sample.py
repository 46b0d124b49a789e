"""A schedule in Python, as `mypy --strict` reads it: `test_types.py`."""

from typing import List, Optional

import rewright
from rewright import ExoType, Procedure, SchedulingError
from rewright.cursors import BlockCursor, Cursor, ForCursor


def loops(p: Procedure) -> List[ForCursor]:
    """The loops at the top."""
    return [c for c in p.body() if isinstance(c, ForCursor)]


def tile(p: Procedure, loop: ForCursor, size: int) -> Procedure:
    """Divides a loop."""
    name = loop.name()
    try:
        return rewright.divide_loop(p, loop, size, [name + "o", name + "i"], tail="perfect")
    except SchedulingError as e:
        values: List[str] = [f"{x} = {v}" for x, v in e.counterexample.items()]
        print(e.rewright_condition, values, e.advice)
        return rewright.divide_loop(p, loop, size, [name + "o", name + "i"], tail="guard")


def inspect(p: Procedure) -> Optional[ExoType]:
    """The type of the first argument that has one."""
    body: BlockCursor = p.body()
    first: Cursor = body[0]
    rest: BlockCursor = body[1:]
    print(len(rest), first.parent(), p.c_code_str(), p.derivation()["chains"])
    made, extracted = rewright.extract_subproc(p, first, "part")
    print(made.name(), extracted.name(), rewright.machines.AVX512, rewright.externs.sin.name())
    return next((a.type() for a in p.args() if a.is_tensor()), None)
