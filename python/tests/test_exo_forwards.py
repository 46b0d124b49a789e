"""Cursors are followed where Exo 1.0.0 follows them. Spec: [rule: python.exo-procedures]."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent


#: ``import exo`` is ours.
pytestmark = pytest.mark.usefixtures("installed")


#: Steps with which some place goes elsewhere here, by what their names match, and why.
OTHERWISE = {
    r": add_loop (For |Reduce )?.*'guard': True": "what is inside the statement: in Exo the way to it lacks the guard, and leads to something else",
}


def test_cursors_go_where_they_go_in_exo() -> None:
    from exo_programs import steps
    from exo_programs.forwards import digest, every, forwarded

    rows = [line.split("\t") for line in (HERE / "exo_forwards.txt").read_text().splitlines()]
    there = {name: (program, found, [int(k) for k in failed.split(",") if k]) for name, program, found, failed in rows}
    wrong, same, seen = [], 0, set()
    for name, p, run in every():
        made = forwarded(p, run) if name in there else None
        if made is None or steps.digest(made[0]) != there[name][0]:
            continue
        assert "!!" not in made[1]
        _, expected, failed = there[name]
        if digest(made[1], failed) == expected:
            same += 1
            continue
        pattern = next((pattern for pattern in OTHERWISE if re.search(pattern, name)), None)
        seen.add(pattern)
        wrong.extend([name] if pattern is None else [])
    print(f"{same} steps")
    assert not wrong
    assert seen == set(OTHERWISE) and same > 2000
