"""The Halide model beside Halide itself: pipelines go out and come back, and both compute the same. Spec:
[rule: halide.peer.import], [rule: halide.peer.export], [rule: halide.peer.diff], [rule: halide.peer.campaign]."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import pytest

from rewright._rewright import halide_case, halide_normal, halide_outcome
from rewright.halide import NotCovered, export, parse
from rewright.halide import difference, shrink

ROOT = Path(__file__).resolve().parents[2]
HALIDE = ROOT / ".deps" / "halide"
CASES = sorted((ROOT / "testsuite" / "corpus" / "halide_typed" / "valid").glob("*.json"))

#: A case of ours, where a vector loop's extent is no constant.
OPEN = {"specialize_twice": "only Halide refuses"}

#: Where an output that is copied into its window lets Halide ask for less of a func than its recording has.
LARGER = {"app_local_laplacian"}

BLUR = """typed pipeline f(k: uint8, a(_0): uint8):
  fun g(x) = a[x] * k + 200;
  fun f(x) = {uint8(select(a[x] > 9, 1, 44)); rdom(r = (0, 3)) in (x) <- f[x] + g[x + r] div 3 if r < 2};
schedule:
  split(<f, x>, xo, xi, 4, shift);
  vectorize(<f, xi>);
  compute-at(g, <f, 1, 0, r>);
realize((0, 4); k = 20, a = (0, 7) {1, 5, 9, 13, 2, 8, 250})
"""


def environment() -> Dict[str, str]:
    paths = [str(HALIDE), *(p for p in sys.path if p)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def missing() -> str:
    """Why Halide cannot be run; nothing where it can."""
    done = subprocess.run(
        [sys.executable, "-c", "import halide, numpy"], env=environment(), capture_output=True, text=True, check=False
    )
    return "" if done.returncode == 0 else f"Halide cannot be imported: {done.stderr.strip().splitlines()[-1]}"


@pytest.fixture(scope="module")
def halide() -> None:
    """Halide, which some tests run in processes of their own: it leaves nothing in this one."""
    why = missing()
    if why:
        print(why)
        pytest.skip(why)


def python(*args: Any, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, *map(str, args)], env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr + done.stdout
    return done.stdout


def command(*args: Any, code: int = 0) -> str:
    return python("-m", "rewright.halide", *args, code=code)


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_texts_are_read_as_they_are_written(path: Path) -> None:
    text = halide_case(path.read_text())
    assert halide_normal(str(parse(text))) == halide_normal(text)


#: Runs each case in both, and takes it out of Halide again.
BOTH = """
import json, sys
from rewright._rewright import halide_case, halide_normal
from rewright.halide import difference, exporting, parse, run, source
import halide as hl
for path in sys.argv[1:]:
    text = halide_case(open(path).read())
    p = parse(text)
    found = difference.diff(p)
    r = run._Run(exporting.export(p))
    r.define(), r.schedule(), exec("\\n".join(r.program.given), r.names)
    back = source.of_pipeline(hl.Pipeline([r.names[f] for f, _ in r.program.outputs]), p.window)
    a, b = run.ours(p), run.ours(back.pipeline)
    boxes = [[r["allocated"] for r in o.get("regions", {}).values()] for o in (a, b)]
    values = [[v["values"] for v in o.get("values", [])] for o in (a, b)]
    same = halide_normal(str(back.pipeline)) == halide_normal(text)
    print(json.dumps([path, found.verdict, str(found), boxes[0] == boxes[1], values[0] == values[1], back.not_covered, same]))
"""


def test_reference_cases_agree_and_come_back(halide: None) -> None:
    rows: List[Any] = [json.loads(line) for line in python("-c", BOTH, *CASES).splitlines() if line.startswith("[")]
    assert len(rows) == len(CASES) > 60
    for path, verdict, told, boxes, values, not_covered, _ in rows:
        if Path(path).stem in OPEN:
            assert verdict == OPEN[Path(path).stem]
            continue
        assert verdict == "equal" and ("larger" not in told or Path(path).stem in LARGER), (path, told)
        assert boxes and values and not not_covered, path
    # Many come back by the same writing: what Halide writes otherwise are casts of literals and names of its own.
    assert sum(row[-1] for row in rows) >= 35


def test_a_program_runs_and_is_imported(halide: None, tmp_path: Path) -> None:
    text = tmp_path / "f.halide"
    text.write_text(BLUR)
    program = tmp_path / "f.py"
    program.write_text(command("export", text))
    (expected,) = json.loads(halide_outcome(text.read_text()))["values"]
    assert python(program).strip() == f"f {[[int(v) for v in expected['values'][0]]]}"
    back = tmp_path / "back.halide"
    back.write_text(command(program))
    assert command("diff", back).startswith("equal")
    assert "split(<f, x>, xo, xi, 4, shift)" in back.read_text()
    assert "compute-at(g, <f, 1, 0, r>)" in back.read_text()


def test_what_is_serialized_is_imported(halide: None, tmp_path: Path) -> None:
    script = tmp_path / "s.py"
    script.write_text(
        "import halide as hl\n"
        "x, xi = hl.Var('x'), hl.Var('xi')\n"
        "a = hl.ImageParam(hl.UInt(8), 1, 'a')\n"
        "f = hl.Func('f')\n"
        "f[x] = hl.absd(a[x], a[x + 1]) << 1\n"
        "f.split(x, x, xi, 8).prefetch(a, x, x, 2)\n"
        f"hl.serialize_pipeline(hl.Pipeline([f]), {str(tmp_path / 'f.hlpipe')!r})\n"
    )
    python(script)
    text = command(tmp_path / "f.hlpipe")
    assert "fun f(x) = absd(a[x], a[x + 1]) << 1" in text and "split(<f, x>, x_, xi, 8, shift)" in text
    assert "# left out: prefetching of `a`" in text
    assert command(script).replace("# left out", "") == text.replace("# left out", "")


def test_a_func_is_stored_where_it_is_computed(halide: None, tmp_path: Path) -> None:
    """[rule: halide.peer.import]"""
    script = tmp_path / "s.py"
    for store, expected in [("", "store-at(g, <f, xo>)"), (".store_root()", "")]:
        script.write_text(
            "import halide as hl\n"
            "x, xo, xi = hl.Var('x'), hl.Var('xo'), hl.Var('xi')\n"
            "f, g = hl.Func('f'), hl.Func('g')\n"
            "g[x] = x\n"
            "f[x] = g[x] + g[x + 1]\n"
            "f.split(x, xo, xi, 8)\n"
            f"g.compute_at(f, xo){store}\n"
            "pipeline = hl.Pipeline(f)\n"
        )
        text = command(script)
        assert "compute-at(g, <f, xo>)" in text
        assert expected in text and text.count("store-at") == bool(expected)


def test_what_is_not_covered_is_named(halide: None, tmp_path: Path) -> None:
    script = tmp_path / "s.py"
    script.write_text("import halide as hl\nx = hl.Var('x')\nf = hl.Func('f')\nf[x] = hl.reinterpret(hl.Int(32), hl.f32(x))\nf.realize([3])\n")
    done = subprocess.run(
        [sys.executable, "-m", "rewright.halide", str(script)], env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 4 and "`reinterpret` in func `f`" in done.stderr, done.stderr
    with pytest.raises(NotCovered, match="a place in a branch"):
        export(parse("pipeline f(p): fun g(x) = x; fun f(x) = g[x]; schedule: specialize(f, p > 3); compute-at(g, <f, 0, 1, x>);"))


def test_differences_are_told_and_made_small() -> None:
    ours = json.loads(halide_outcome(BLUR))
    assert ours["verdict"] == "equal" and ours["regions"]["g"]["allocated"]
    theirs = json.loads(json.dumps(ours))
    theirs["values"][0]["values"] = [[int(v) for v in part] for part in theirs["values"][0]["values"]]
    assert difference.compared(ours, theirs).verdict == "equal"
    theirs["values"][0]["values"][0][2] += 1
    found = difference.compared(ours, theirs)
    assert found and found.verdict == "other values" and "value 2 of `f`" in found.reason
    theirs["regions"]["g"]["allocated"] = [[1, 2]]
    assert difference.compared(ours, theirs).regions["g"][0] == "larger"
    assert difference.compared(ours, {"refused": "no", "at": "schedule", "rule": "race"}).verdict == "only Halide refuses"

    small = shrink.smallest(parse(BLUR), lambda p: "g[x + r]" in str(p) and "uint8" in str(p))
    assert not small.schedule and "select" not in str(small) and "g[x + r]" in str(small)


def test_the_shift_tail_of_an_update_is_found_wrong_in_halide(halide: None, tmp_path: Path) -> None:
    """`testsuite/corpus/halide` has it as `halide_wrong_shift_while_sliding`."""
    text = tmp_path / "f.halide"
    text.write_text(
        "typed pipeline f():\n  fun g(x) = {x * 2; (x) <- g[x] + 5};\n  fun f(x) = {0; rdom(r = (1, 4)) in (x) <- f[x] + g[r]};\n"
        "schedule:\n  split(<g, x>, xo, xi, 3, shift);\n  compute-at(g, <f, 1, 0, x>);\nrealize((0, 6))\n"
    )
    told = command("diff", text, "--json", code=3)
    found = json.loads(told.splitlines()[-1])
    assert found["verdict"] == "other values" and found["kind"] == "Halide's schedule changes its values"


def test_a_small_campaign(halide: None) -> None:
    told = command("campaign", "--cases", 40, "--seed", 7, "--workers", 2)
    lines = told.splitlines()
    assert lines[0] == "40 pipelines" and any(line.strip().endswith(" equal") for line in lines)
    assert not any("ours is wrong" in line or "crash" in line for line in lines), told
    assert lines[-1].startswith("never reached: ")


def test_a_missing_halide_is_told(tmp_path: Path) -> None:
    (tmp_path / "halide.py").write_text("raise ImportError('there is none')\n")
    text = tmp_path / "f.halide"
    text.write_text(BLUR)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *(p for p in sys.path if p)])}
    done = subprocess.run(
        [sys.executable, "-m", "rewright.halide", "diff", str(text)], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 4 and "pip install halide" in done.stderr, done.stderr
