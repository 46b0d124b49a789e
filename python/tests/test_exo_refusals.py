"""What an operation raises decides what a `try` around it does: the classes are Exo 1.0.0's. Spec: [rule: python.exo-operations]."""

from __future__ import annotations

from pathlib import Path
from typing import Dict, Tuple

import pytest

HERE = Path(__file__).parent


#: ``import exo`` is ours.
pytestmark = pytest.mark.usefixtures("installed")


def read(text: str) -> Dict[str, Dict[str, str]]:
    """For each operation, what each call raises."""
    out: Dict[str, Dict[str, str]] = {}
    for section in text.split("== ")[1:]:
        operation, *lines = section.splitlines()
        out[operation] = {call: line.split("\t")[0] for line in lines for call in line.split("\t")[1:]}
    return out


EXPECTED = read((HERE / "exo_refusals.txt").read_text())

#: What Exo has no answer for: it fails on its own data structures.
FAILURES = ("AssertionError", "AttributeError", "IndexError", "NameError")

#: Classes of what Exo raises, or nothing, and of what is raised here, by operation and argument.
OTHERWISE: Dict[Tuple[str, str], Tuple[str, str]] = {
    ("divide_with_recompute 1", "SchedulingError"): ("-", "no iteration is run again"),
    ("set_window 1", "TypeError"): ("-", "Exo fails where nothing is to be changed"),
    ("add_unsafe_guard 1", "-"): ("", "a number is no condition"),
    ("add_unsafe_guard 0", "-"): ("SchedulingError", "what is defined under a condition is not in scope after it"),
    ("add_loop 0", "-"): ("SchedulingError", "what is defined in a loop is not in scope after it"),
    ("extract_subproc 0", "-"): ("SchedulingError", "what is defined in the procedure is not in scope after the call"),
    ("specialize 0", "-"): ("SchedulingError", "what is defined in a branch is not in scope after it"),
    ("delete_config 0", "-"): ("SchedulingError", "an allocation is no write to a field"),
    ("resize_dim 3", "-"): ("SchedulingError", "a truth value is no number"),
    ("expand_dim 1", "-"): ("SchedulingError", "as above"),
    ("expand_dim 2", "-"): ("SchedulingError", "as above"),
    ("cut_loop 1", "-"): ("SchedulingError", "neither a truth value nor data is a bound"),
    ("shift_loop 1", "-"): ("SchedulingError", "as above"),
}


def is_otherwise(operation: str, call: str, there: str, here: str) -> bool:
    """Whether a difference is one that is meant."""
    if there in FAILURES:
        return True
    found, _why = OTHERWISE.get((f"{operation} {call.split(':')[0]}", there), (None, ""))
    return found is not None and found in ("", here)


@pytest.mark.parametrize("operation", list(EXPECTED))
def test_the_classes_are_exos(operation: str) -> None:
    from exo_programs.refusals import attempts

    found = attempts(operation)
    assert found.keys() == EXPECTED[operation].keys()
    differ = {call: (EXPECTED[operation][call], here) for call, here in found.items() if EXPECTED[operation][call] != here}
    assert {call: pair for call, pair in differ.items() if not is_otherwise(operation, call, *pair)} == {}


def test_each_difference_is_one() -> None:
    from exo_programs.refusals import attempts

    left = set(OTHERWISE)
    for operation in {key[0].split()[0] for key in OTHERWISE}:
        for call, here in attempts(operation).items():
            if EXPECTED[operation][call] != here:
                left.discard((f"{operation} {call.split(':')[0]}", EXPECTED[operation][call]))
    assert not left


def test_there_are_many_calls() -> None:
    from exo_programs.refusals import calls

    assert list(calls()) == list(EXPECTED) and sum(map(len, EXPECTED.values())) > 5000


def test_cursors_of_other_procedures() -> None:
    from exo_programs.refusals import caller, foo

    with pytest.raises(NotImplementedError):
        foo.forward(caller.body()[0])
    with pytest.raises(AttributeError):
        foo.forward(3)
    with pytest.raises(TypeError):
        foo.find_loop("i").parent().find(3)


def test_the_window_of_a_window_statement() -> None:
    from exo_programs.refusals import foo

    window = foo.find("v = _")
    found = window.winexpr()
    assert type(found).__name__ == "WindowExprCursor" and found.name() == "w" and window.name() == "v"
    assert [(lo.value(), hi.value()) for lo, hi in found.idx()] == [(0, 4)] and found.parent() == window


def test_what_is_not_fixed() -> None:
    from exo_programs.refusals import foo
    from rewright.exo import SchedulingError

    for wrong in ({"x": 3}, {"a": 1.0}, {"n": 8.0}, {"n": "8"}, {"n": None}, {"b": "x"}, {"n": foo}, {"n": slice(0, 1)}):
        with pytest.raises(SchedulingError):
            foo.partial_eval(**wrong)
    assert "if True:" in str(foo.partial_eval(b=1)) and "x: f32[8]" in str(foo.partial_eval(n=8))
