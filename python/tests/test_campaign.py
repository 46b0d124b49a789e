"""Random schedules, drawn by the campaign and printed as Python, give here what they give in Rust: the same texts, the same
refusals, the same derivation. Spec: [rule: python.primitives]."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Tuple

import rewright
from rewright import ArgumentError, InvalidCursorError, SchedulingError

ROOT = Path(__file__).resolve().parents[2]
SEEDS = int(os.environ.get("REWRIGHT_DRAWN", "60"))


def drawn() -> List[Dict[str, Any]]:
    """Schedules, and what comes of them in Rust."""
    # Of the whole workspace, as the tests of Rust are built: alone it would have other features, and all of it be built again.
    subprocess.run(["cargo", "build", "--quiet", "--workspace", "--example", "drawn"], cwd=ROOT, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    command = [str(target / "debug/examples/drawn"), "0", str(SEEDS), "25"]
    found = {**os.environ, "LD_LIBRARY_PATH": str(ROOT / ".deps/z3/lib")}
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, env=found)
    return [json.loads(line) for line in done.stdout.splitlines()]


def came(line: Dict[str, Any], names: Dict[str, Any]) -> Tuple[str, ...]:
    """What comes of a line here: the text and the name of the new version, or what stands against it."""
    named = ", ".join(f"{name}={value}" for name, value in line["args"])
    call = f"rewright.{line['primitive']}({line['of']}, {named})"
    try:
        made = eval(call, {**names, "rewright": rewright})
    except SchedulingError as e:
        return (e.rewright_condition,)
    except ArgumentError:
        return (f"{line['primitive']}.argument",)
    except InvalidCursorError:
        return ("cursor",)
    new = made[0] if isinstance(made, tuple) else made
    names[new.name()] = new
    return (str(new), new.name())


def test_schedules_give_what_they_give_in_rust() -> None:
    made = refused = 0
    for one in drawn():
        m = rewright.module(one["text"])
        names: Dict[str, Any] = {**m, **{name: rewright.module(text)[name] for name, text in one["others"].items()}}
        last = m[one["name"]]
        for line in one["lines"]:
            expected = (line["refused"],) if "refused" in line else (line["text"], line["name"])
            found = came(line, names)
            where = (one["seed"], line["primitive"], line["args"])
            if len(expected) == 1 and expected[0].endswith(".argument"):
                assert found[0].endswith(".argument"), (where, found)
            else:
                assert found == expected, (where, found)
            if len(expected) == 2:
                last, made = names[line["name"]], made + 1
            else:
                refused += 1
        assert isinstance(last, rewright.Procedure)
        assert last.derivation(one["name"])["chains"] == one["chains"], one["seed"]
    assert made > 3 * SEEDS and refused > 3 * SEEDS, (made, refused)
