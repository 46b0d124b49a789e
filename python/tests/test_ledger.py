"""The page of a schedule. Spec: [rule: ledger]."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import rewright
from rewright import divide_loop

TEXT = """
@proc
def twice(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 2.0 * x[i]
"""


def scheduled() -> rewright.Procedure:
    return divide_loop(rewright.module(TEXT).twice, "i", 8, ["io", "ii"], tail="guard")


def test_a_page_shows_the_derivation(tmp_path: Path) -> None:
    p = scheduled()
    page = rewright.ledger(p, tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.S)
    assert found
    data = json.loads(found[1])
    (step,) = data["steps"]
    (recorded,) = p.derivation()["chains"][0]["steps"]
    assert step["primitive"] == recorded["primitive"] == "divide_loop"
    asked = [data["conditions"][c]["id"] for c in step["conditions"]]
    assert asked == [c["id"] for c in recorded["conditions"]]
    assert isinstance(step["took"], int)


def test_without_times_it_is_the_same_each_time() -> None:
    page = rewright.ledger(scheduled(), times=False)
    assert page == rewright.ledger(scheduled(), times=False)
    assert p_digest() in page


def p_digest() -> str:
    return str(scheduled().derivation()["digest"])


def test_a_ledger_is_of_a_procedure() -> None:
    with pytest.raises(TypeError, match="of a procedure, not of int"):
        rewright.ledger(3)  # type: ignore[arg-type]
