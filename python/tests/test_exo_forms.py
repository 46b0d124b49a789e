"""Arithmetic is written operator by operator, as Exo 1.0.0 writes it, and means what the short one does. Spec: [rule: forms]."""

from __future__ import annotations

from typing import Any, Dict

import pytest
import rewright


#: ``import exo`` is ours.
pytestmark = pytest.mark.usefixtures("installed")


@pytest.fixture(scope="module")
def foo() -> Any:
    """Loops over arrays."""
    from exo import proc

    @proc
    def foo(n: size, x: f32[n, 8], y: f32[n, 8]):
        assert n > 2
        for i in seq(0, n):
            for j in seq(0, 8):
                y[i, j] = x[i, j]

    return foo


#: What Exo prints of each step.
LITERAL: Dict[str, str] = {
    "divide_loop(foo, 'i', 4, ['io', 'ii'], tail='cut')": "y[ii + n / 4 * 4, j] = x[ii + n / 4 * 4, j]",
    "divide_loop(foo, 'j', 3, ['jo', 'ji'], tail='guard')": "for jo in seq(0, (8 + 2) / 3):",
    "divide_loop(foo, 'j', 3, ['jo', 'ji'], tail='cut_and_guard')": "if 8 % 3 > 0:",
    "divide_loop(foo, 'i', 1, ['io', 'ii'])": "if 1 * io + ii < n:",
    "divide_loop(foo, 'j', 4, ['jo', 'ji'], perfect=True)": "for jo in seq(0, 2):",
    "shift_loop(foo, 'i', 1)": "for i in seq(1, 1 + (n - 0)):",
    "mult_loops(foo, 'i j', 'k')": "for k in seq(0, n * 8):",
    "stage_mem(foo, 'for j in _: _', 'x[i, 0:8]', 't')": "t[i0] = x[i, i0 + 0]",
    "stage_mem(foo, 'for j in _: _', 'y[i, 0:8]', 't')": "t: f32[8 - 0] @ DRAM",
    "foo.partial_eval(8)": "assert 8 > 2",
}


@pytest.mark.parametrize("step", LITERAL)
def test_arithmetic_is_written_operator_by_operator(step: str, foo: Any) -> None:
    import exo.stdlib.scheduling as operations

    made = eval(step, {**vars(operations), "foo": foo})
    assert LITERAL[step] in str(made)
    # The record says it, so that the step can be made again; and the values are the same.
    assert made.derivation()["chains"][0]["steps"][-1]["literal"] is True
    assert rewright.audit(made)


def test_the_operations_of_rewright_are_short(foo: Any) -> None:
    made = rewright.stage_mem(foo, "for j in _: _", "x[i, 0:8]", "t")
    assert "t: f32[8] @ DRAM" in str(made) and "t[i0] = x[i, i0]" in str(made)
    assert "literal" not in made.derivation()["chains"][0]["steps"][-1]


def test_a_record_of_the_other_form_is_another_one(foo: Any) -> None:
    import json

    from exo.stdlib.scheduling import shift_loop

    record = shift_loop(foo, "i", 1).derivation()
    del record["chains"][0]["steps"][-1]["literal"]
    text = json.dumps([record["definitions"], record.get("versions", []), record["chains"]], separators=(",", ":"), ensure_ascii=False)
    digest = 0xCBF29CE484222325
    for byte in text.encode():
        digest = (digest ^ byte) * 0x100000001B3 % 2**64
    record["digest"] = f"{digest:016x}"
    audit = rewright.audit(record)
    assert not audit and "is not what the rewrite makes" in str(audit.finding)
