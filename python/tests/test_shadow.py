"""Exo beside Rewright: in each schedule of `shadow/wrong.py` Exo is wrong, and is found to be; in those of `shadow/right.py`
nothing is found. Spec: [rule: python.shadow]."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Set

import pytest

import rewright

HERE = Path(__file__).resolve().parent
EXO = HERE.parents[1] / ".deps" / "exo"

#: The families of faults that the numbers in the names of schedules stand for.
FAMILIES = {
    1: "what is known of one copy of a statement is taken to hold for another",
    2: "configuration is read where nobody looks: conditions, bounds, indices",
    3: "values are told apart by their names alone",
    4: "one iteration from the first state is taken for all iterations",
    5: "fission past an initialisation",
    6: "loop variables in extents and windows are left dangling",
    7: "folded buffers lose values that are still read",
    8: "windows show the buffer that a statement changes",
    9: "calls write",
    10: "names are compared as strings",
    11: "no condition is asked for, or only the easy half",
    12: "lower bounds and recomputation",
    13: "numbers as in C, where they are not",
    14: "the procedure that was given is changed",
}


def environment() -> Dict[str, str]:
    """With Exo, and with the Rewright that is under test."""
    assert (EXO / "ready").exists(), "`make test-python` installs Exo there"
    roots = [str(Path(rewright.__file__).resolve().parents[1]), str(EXO)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(roots), "PYTHONDONTWRITEBYTECODE": "1"}


def schedules(name: str) -> List[str]:
    """The names of the schedules in a file."""
    tree = ast.parse((HERE / "shadow" / name).read_text())
    return [d.name for d in tree.body if isinstance(d, ast.FunctionDef)]


def watched(name: str, folder: Path, *options: str) -> Dict[str, Any]:
    """What `pytest -p rewright.shadow` finds in a file, as data and as it prints it."""
    told = folder / "told.json"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "rewright.shadow", *options]
    command += ["--shadow-dir", str(folder), "--shadow-json", str(told), "-c", os.devnull, str(HERE / "shadow" / name)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    found: Dict[str, Any] = json.loads(told.read_text())
    found["printed"] = done.stdout
    for v in found["verdicts"]:
        v["test"] = v["within"].split("::")[1]
    return found


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> Dict[str, Any]:
    """What is found in the schedules in which Exo is wrong."""
    return watched("wrong.py", tmp_path_factory.mktemp("wrong"), "--shadow-seconds", "1")


def test_every_fault_of_exo_is_found(wrong: Dict[str, Any]) -> None:
    made = schedules("wrong.py")
    families = {int(name.split("_")[1]) for name in made}
    assert len(made) >= 30 and families == set(FAMILIES)
    found: Set[str] = {v["test"] for v in wrong["verdicts"] if v["kind"] == "wrong"}
    assert found == set(made)
    assert {v["kind"] for v in wrong["verdicts"]} == {"wrong", "same"}


def test_a_fault_is_shown(wrong: Dict[str, Any]) -> None:
    faults = [v for v in wrong["verdicts"] if v["kind"] == "wrong"]
    # Where Exo's result names what is not there, no input is needed.
    assert all(v["difference"] for v in faults if v["condition"] != "in-place")
    assert sum(v["input"] is not None for v in faults) >= 38
    assert "\nafter:\n" not in wrong["printed"]
    # For the rest Exo makes no C, or none that compiles.
    assert sum(v["shown_in_c"] for v in faults) >= 28
    assert "Exo beside Rewright" in wrong["printed"]


def test_a_script_runs_with_exo_alone(wrong: Dict[str, Any]) -> None:
    faults = [v for v in wrong["verdicts"] if v["kind"] == "wrong"]
    assert all(v["script"] for v in faults)
    first = next(v for v in faults if v["primitive"] == "split_write")
    environ = {**environment(), "PYTHONPATH": os.pathsep.join([str(EXO)])}
    done = subprocess.run([sys.executable, first["script"]], env=environ, capture_output=True, text=True)
    assert done.stdout.endswith("x: 3 before, 4 after\nThey differ.\n") or "They differ." in done.stdout, done.stderr
    assert "rewright" not in Path(first["script"]).read_text().lower()


def test_a_program_is_made_small(wrong: Dict[str, Any]) -> None:
    found = next(v for v in wrong["verdicts"] if v["test"] == "test_11_stage_mem" and v["kind"] == "wrong")
    assert len(found["before"].splitlines()) <= 4


def test_the_steps_that_matter_are_kept(wrong: Dict[str, Any]) -> None:
    # What Exo knows of one copy of a statement is only wrong for the other copy.
    found = next(v for v in wrong["verdicts"] if v["test"] == "test_01_merge_writes" and v["kind"] == "wrong")
    text = Path(found["script"]).read_text()
    assert text.index("p = specialize(") < text.index("after = merge_writes(")
    others = [v for v in wrong["verdicts"] if v["kind"] == "wrong" and not v["test"].startswith("test_01")]
    assert not any("specialize(" in Path(v["script"]).read_text() for v in others)


def test_what_is_right_gives_no_alarm(tmp_path: Path) -> None:
    made = schedules("right.py")
    found = watched("right.py", tmp_path)
    assert len(made) >= 30 and len(found["summary"]) >= 30
    assert {v["test"] for v in found["verdicts"]} == set(made)
    # `replace_all` asks for more than there is, and stops when it is refused.
    assert {v["kind"] for v in found["verdicts"]} <= {"same", "equal", "compared", "refused"}
    assert {v["primitive"] for v in found["verdicts"] if v["kind"] == "refused"} <= {"replace"}
    assert sum(v["kind"] in ("equal", "compared") for v in found["verdicts"]) <= 6
    assert not list(tmp_path.glob("*.py"))


PROGRAM = """
from __future__ import annotations
import sys
from exo import *
from exo.stdlib.scheduling import *

@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
        x[i] = 2.0 + x[i]
        y[i] = x[n - 1 - i]

print("given", sys.argv[1:])
p = divide_loop(p, "i", 4, ["io", "ii"], tail="guard")
try:
    p = fission(p, p.find("x[_] = 2.0 + _").after(), n_lifts=3)
except SchedulingError:
    pass
q = fission(p, p.find("x[_] = 2.0 + _").after(), n_lifts=3, unsafe_disable_checks=True)
p = split_write(p, "x[_] = 2.0 + _")
p = split_write(q, "x[_] = 2.0 + _")
"""


def command(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """The command on a program, with an argument."""
    (folder / "program.py").write_text(PROGRAM)
    told = [sys.executable, "-m", "rewright.shadow", *options, "program.py", "word"]
    return subprocess.run(told, cwd=folder, env=environment(), capture_output=True, text=True)


def test_the_command_stops_at_the_first(tmp_path: Path) -> None:
    done = command(tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith("given ['word']\n")
    assert "program.py:21: split_write: Exo accepts" in done.stdout
    assert done.stdout.count("Exo accepts") == 1
    assert [p.name for p in sorted((tmp_path / "shadow").iterdir())] == ["0004_split_write.py"]


def test_the_command_goes_on(tmp_path: Path) -> None:
    done = command(tmp_path, "--all", "--json", "--no-c")
    found = json.loads(done.stdout)
    kinds = [(v["primitive"], v["kind"]) for v in found["verdicts"]]
    assert kinds == [
        ("divide_loop", "same"),
        ("fission", "refused"),
        ("fission", "assumed"),
        ("split_write", "wrong"),
        ("split_write", "wrong"),
    ]
    assert found["verdicts"][3]["condition"] == "split_write.not_read"
    assert found["verdicts"][1]["condition"] == "fission.commute"


def test_nothing_is_found_without_exo(tmp_path: Path) -> None:
    roots = str(Path(rewright.__file__).resolve().parents[1])
    (tmp_path / "program.py").write_text("pass\n")
    told = [sys.executable, "-m", "rewright.shadow", str(tmp_path / "program.py")]
    done = subprocess.run(told, env={**os.environ, "PYTHONPATH": roots}, capture_output=True, text=True)
    assert done.returncode == 2 and "pip install exo-lang" in done.stderr


def test_the_page_shows_what_comes(tmp_path: Path) -> None:
    page = (HERE.parents[1] / "spec" / "shadow.md").read_text()
    program, shown = (page.split(f"```{kind}\n")[1].split("```")[0] for kind in ("python", "text"))
    (tmp_path / "update.py").write_text(program)
    # As long as it takes: a busy machine makes less of the program smaller in five seconds.
    told = [sys.executable, "-m", "rewright.shadow", "--seconds", "60", "update.py"]
    done = subprocess.run(told, cwd=tmp_path, env=environment(), capture_output=True, text=True)
    assert done.stdout == shown
