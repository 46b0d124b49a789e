"""Single operations give what Exo 1.0.0 gives. Spec: [rule: python.exo-operations]."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Dict

import pytest

HERE = Path(__file__).parent


#: ``import exo`` is ours.
pytestmark = pytest.mark.usefixtures("installed")


#: Steps that Exo takes and that are refused here, by what their names match, and why: each is wrong there.
REFUSED = {
    r": inline_assign ": "what is written is an argument, or is read where the assignment is not inlined: Exo forgets the write",
    r": partial_eval ": "an assertion would be false: nothing could call what Exo makes",
    r"(gemv|integers): autofission ": "an allocation in the first part is used in the second",
    r"double: autofission 2": "each iteration sets a scalar and reads it",
    r"windows: extract_subproc ": "Exo's call lacks the windows that the statements use",
}

#: Steps of which another program comes.
OTHERWISE = {
    r": stage_mem ": "Exo stores a window of which a part was never loaded",
    r"stencil: simplify": "Exo makes 0 of 1.0 / 3.0",
    r"two_buffers: mult_dim 1": "Exo changes the program itself: the indices of the other buffer, which was multiplied before",
    r"windows: extract_subproc ": "Exo's call lacks the windows that the statements use",
}

#: Refusals of another class.
ANOTHER_CLASS = {
    r": replace ": "where a scalar would be a cell of a window, Exo has not been finished",
    r": autolift_alloc .*'col'": "Exo has no columns for scalars; here the size does not fit",
}


def matching(name: str, table: Dict[str, str]) -> str:
    """The entry of a table for a step, or nothing."""
    return next((pattern for pattern in table if re.search(pattern, name)), "")


def test_steps_are_exos() -> None:
    from exo_programs.steps import digest, every, outcome

    expected = dict(line.split("\t") for line in (HERE / "exo_steps.txt").read_text().splitlines())
    found = {name: digest(outcome(run)) for name, _, _, run in every()}
    assert found.keys() == expected.keys()
    same = Counter[str]()
    used = set()
    wrong = []
    for name, there in expected.items():
        here = found[name]
        accepted, accepts = not there.startswith("!"), not here.startswith("!")
        if here == there:
            same["accepted" if accepted else "refused"] += 1
            continue
        if not accepted and accepts or there.startswith("!!"):
            same["accepted here alone" if accepts else "Exo's own failures"] += 1
            continue
        same["otherwise" if accepted else "another class"] += 1
        table = ANOTHER_CLASS if not accepted else OTHERWISE if accepts else REFUSED
        pattern = matching(name, table)
        used.add(pattern)
        if not pattern:
            wrong.append((name, there, here))
    print(dict(same))
    assert not wrong
    assert used == {*REFUSED, *OTHERWISE, *ANOTHER_CLASS}, "it is as in Exo now: take it out of the list"
    assert not any(here.startswith("!! Rewright") for here in found.values())
    assert same["accepted"] > 1770 and same["refused"] > 2500 and same["otherwise"] < 110
