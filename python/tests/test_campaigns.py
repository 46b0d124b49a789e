"""Campaigns give the same whatever does the work, lose nothing, and count nothing twice. Spec: [rule: python.campaigns]."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest
import rewright
from rewright import campaign
from rewright.campaign import CampaignError

FEW = {"programs": 48, "seed": 5, "part": 4}


def test_parts_do_not_matter() -> None:
    whole = rewright.fuzz(programs=24, seed=7, part=24)
    parts = rewright.fuzz(programs=24, seed=7, part=5)
    assert whole and whole == parts
    assert whole.tried > 100 and whole.accepted > 30
    assert rewright.fuzz(programs=24, seed=8).rows != whole.rows
    assert "24 programs" in str(whole)
    alone = rewright.fuzz(programs=24, seed=7, primitives=["fission"])
    # A third of the programs are prepared by other primitives.
    assert alone.rows["fission"]["tried"] > 4 * whole.rows["fission"]["tried"]


def test_failures_are_merged_and_made_small() -> None:
    found = rewright.fuzz(programs=60, primitives=["fission"], _without=("fission", "commute"))
    assert not found
    (failure,) = [f for f in found.failures if f.name == "fission.commute"]
    assert failure.found >= len(failure.seeds) > 1
    assert "--- before" in failure.text and "# breaks: commute" in failure.case
    assert failure.text in str(found)
    assert found.failures == rewright.fuzz(programs=60, primitives=["fission"], part=7, _without=("fission", "commute")).failures


def test_a_stopped_campaign_goes_on(tmp_path: Path) -> None:
    class Stop(Exception):
        pass

    def stop(done: int, all: int) -> None:
        if done == 5:
            raise Stop

    with pytest.raises(Stop):
        rewright.fuzz(**FEW, directory=tmp_path, progress=stop)
    written = sorted((tmp_path / "parts").iterdir())
    assert len(written) == 5
    times = [path.stat().st_mtime_ns for path in written]
    told: List[Tuple[int, int]] = []
    resumed = rewright.fuzz(**FEW, directory=tmp_path, progress=lambda done, all: told.append((done, all)))
    assert told[0] == (6, 12) and told[-1] == (12, 12) and len(told) == 7
    assert [path.stat().st_mtime_ns for path in written] == times
    assert resumed == rewright.fuzz(**FEW)
    with pytest.raises(CampaignError, match="another campaign"):
        rewright.fuzz(**{**FEW, "seed": 6}, directory=tmp_path)


def test_more_programs_are_added_to_a_directory(tmp_path: Path) -> None:
    rewright.fuzz(programs=8, seed=5, part=4, directory=tmp_path)
    told: List[int] = []
    more = rewright.fuzz(**FEW, directory=tmp_path, progress=lambda done, all: told.append(done))
    assert told[0] == 3 and more == rewright.fuzz(**FEW)


def test_mutants_are_killed_by_seeds() -> None:
    found = campaign.mutants(["fission", "remove_loop"], programs=400)
    killed = [m for m in found.mutants if m.seed is not None]
    assert len(killed) >= 3, str(found)
    assert all(m.text and m.tried > 0 for m in killed)
    assert bool(found) == (len(killed) == len(found.mutants))
    with pytest.raises(ValueError, match="`fisson`"):
        campaign.mutants(["fisson"])


def test_schedules_of_halide_are_confluent() -> None:
    one = campaign.confluence(20, seed=3, inputs=2, verify_every=10, part=20)
    assert one and one == campaign.confluence(20, seed=3, inputs=2, verify_every=10, part=6)
    assert one.coverage["triples"] == 40
    assert sum(one.coverage["verified"].values()) >= 2


def scheduled() -> rewright.Procedure:
    m = rewright.module("@proc\ndef p(n: size, x: f32[n]):\n    for i in seq(0, n):\n        x[i] = 1.0\n")
    return rewright.divide_loop(m.p, "i", 4, ["io", "ii"], tail="guard")


NESTED = """
@proc
def p(n: size, x: f32[4], y: R):
    for i in seq(0, 4):
        for i in seq(0, n):
            y += 1.0
    for i in seq(0, 4):
        t: f32
        t = 1.0
        for i in seq(0, 4):
            t: f32
            t = 2.0
            x[i] = t
    for i in seq(0, 4):
        t: f32
        t = 3.0
        x[i] += t
"""


def test_names_are_of_their_scopes() -> None:
    """Of two loops over ``i``, the outer one is ``i_1`` when the record is read again, and the inner one when it is written;
    the loop beside them is over ``i`` in both."""
    p = rewright.module(NESTED).p
    for made in (
        rewright.reorder_loops(p, p.body()[0]),
        rewright.unroll_loop(p, p.body()[0]),
        rewright.unroll_loop(p, p.body()[1].body()[2]),
        rewright.divide_loop(p, p.body()[0].body()[0], 4, ["i", "ii"], tail="cut"),
    ):
        one = rewright.audit(json.loads(json.dumps(made.derivation())))
        assert one, one


SHARED = """
@proc
def p(x: f32[4, 4]):
    zero(x[0, 0])
    t: f32
    t = 2.0
    for i in seq(0, 4):
        for i in seq(0, 4):
            t: f32
            t = 1.0
            x[0, i] = t
            x[1, i] = 2.0
"""


def test_printed_definitions_say_what_variables_are_called() -> None:
    """What is printed of a procedure that is in no text has numbers for names that two variables share.

    Spec: [rule: audit.called]."""
    zero = rewright.module("@proc\ndef zero(x: f32):\n    x = 0.0\n").zero
    p = rewright.module(SHARED, scope={"zero": zero}).p
    inner = p.body()[3].body()[0]
    part, sub = rewright.extract_subproc(p, inner.body()[2], "sub")
    for made in (
        rewright.parallelize_loop(p, inner),
        rewright.fission(p, inner.body()[2].after()),
        rewright.set_precision(p, inner.body()[0], "f64"),
        rewright.stage_mem(p, inner, "x[0, 0:4]", "w"),
        rewright.specialize(p, inner.body()[2], "i < 2"),
        part,
        rewright.rename(sub, "sub2"),
    ):
        record = json.loads(json.dumps(made.derivation()))
        assert "p" in record["called"] and rewright.audit(record), rewright.audit(record)
    names = record["called"]["p"]
    for wrong in (names[:-1], [*names[:-1], "z"], [name.replace("i", "j") for name in names]):
        assert not rewright.audit(redigested({**record, "called": {"p": wrong}}))
    assert not rewright.audit(redigested({**record, "called": {"p": names, "q": []}}))
    assert not rewright.audit(redigested({key: of for key, of in record.items() if key != "called"}))


def redigested(record: Dict[str, Any]) -> Dict[str, Any]:
    """The record with the digest of what is in it."""
    parts = [record["definitions"], record.get("versions", []), record["chains"]]
    text = "".join(json.dumps(of, separators=(",", ":"), ensure_ascii=False) for of in (parts, record.get("called")) if of)
    hashed = 0xCBF29CE484222325
    for byte in text.encode():
        hashed = (hashed ^ byte) * 0x100000001B3 % (1 << 64)
    return {**record, "digest": f"{hashed:016x}"}


def test_what_is_read_off_a_call_goes_on_from_there() -> None:
    """``call.subproc()`` is a procedure without a past; its record has the past of what the call was given."""
    m = rewright.module(
        "@proc\ndef k(x: f32[8]):\n    for i in seq(0, 8):\n        x[i] = 0.0\n\n"
        "@proc\ndef p(x: f32[8]):\n    k(x)\n    for i in seq(0, 8):\n        x[i] += 1.0\n"
    )
    q = rewright.call_eqv(m.p, m.p.body()[0], rewright.rename(rewright.unroll_loop(m.k, m.k.body()[0]), "k1"))
    again = rewright.call_eqv(q, q.body()[0], rewright.rename(q.body()[0].subproc(), "k2"))
    r, _ = rewright.extract_subproc(again, again.body()[1], "sub")
    sub = r.body()[1].subproc()
    tiled = rewright.rename(rewright.divide_loop(sub, sub.body()[0], 4, ["io", "ii"], tail="perfect"), "sub2")
    done = rewright.call_eqv(r, r.body()[1], tiled)
    for made in (again, r, done, rewright.rename(done, "whole")):
        one = rewright.audit(json.loads(json.dumps(made.derivation())))
        assert one, one
    steps = [step["primitive"] for version in done.derivation()["versions"] for step in version["steps"]]
    assert steps.count("unroll_loop") == 2 and "divide_loop" in steps


def test_steps_that_change_nothing_lead_to_what_is_defined() -> None:
    m = rewright.module(
        "@proc\ndef k(x: [f32][8]):\n    for i in seq(0, 8):\n        x[i] = 0.0\n\n@proc\ndef p(x: f32[8]):\n    k(x[0:8])\n"
    )
    q = rewright.call_eqv(m.p, m.p.body()[0], rewright.simplify(m.k))
    again = rewright.call_eqv(q, q.body()[0], rewright.simplify(q.body()[0].subproc()))
    third = rewright.call_eqv(again, again.body()[0], rewright.rename(again.body()[0].subproc(), "k2"))
    for made in (q, again, third):
        one = rewright.audit(json.loads(json.dumps(made.derivation())))
        assert one, one


@pytest.mark.parametrize("after", [0.1, 0.5, 1.0])
def test_a_campaign_hears_ctrl_c(after: float) -> None:
    # Whoever starts the tests may have it ignored.
    code = """
import signal, rewright.campaign as campaign
signal.signal(signal.SIGINT, signal.default_int_handler)
print("begun", flush=True)
try:
    campaign.confluence(schedules=1 << 20, seed=1)
except KeyboardInterrupt:
    print("heard")
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None and run.stdout.readline() == "begun\n"
        time.sleep(after)
        run.send_signal(signal.SIGINT)
        timer = threading.Timer(60, run.kill)
        timer.start()
        assert run.stdout.read() == "heard\n"
        timer.cancel()


def test_derivations_are_audited(tmp_path: Path) -> None:
    p = scheduled()
    one = rewright.audit(p)
    assert one and one.steps == 1 and one.conditions > 0 and one.compared > 0
    changed = json.loads(json.dumps(p.derivation()).replace("1.0", "2.0"))
    assert not rewright.audit(changed)
    (tmp_path / "p.json").write_text(json.dumps(p.derivation()))
    many = campaign.audit([p, changed, tmp_path / "p.json"])
    assert [bool(a) for a in many.audits.values()] == [True, False, True] and not many
    with pytest.raises(rewright.ArgumentError, match="no derivation"):
        rewright.audit({})
    with pytest.raises(TypeError):
        rewright.audit(3)  # type: ignore[arg-type]


def test_numbers_are_looked_at() -> None:
    for wrong in (-1, 1 << 60):
        with pytest.raises(ValueError):
            rewright.fuzz(programs=wrong)
    with pytest.raises(TypeError):
        rewright.fuzz(programs="many")  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        rewright.fuzz(part=0)
    with pytest.raises(rewright.ArgumentError, match="no primitive `fisson`"):
        rewright.fuzz(primitives=["fisson"])
    assert rewright.fuzz(programs=0).tried == 0


def test_a_worker_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    killed: List[int] = []
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, worker_dashboard_address=None
    ) as cluster, distributed.Client(cluster) as client:
        told: List[int] = []

        def progress(done: int, all: int) -> None:
            told.append(done)
            if done == 4 and not killed:
                pids: Any = client.run(os.getpid)
                killed.append(next(iter(pids.values())))
                os.kill(killed[0], signal.SIGKILL)

        found = rewright.fuzz(**FEW, client=client, directory=tmp_path, progress=progress)
        found_mutants = campaign.mutants(["remove_loop"], programs=400, client=client)
    assert killed and told == list(range(1, 13))
    assert len(list((tmp_path / "parts").iterdir())) == 12
    assert found == rewright.fuzz(**FEW)
    assert found_mutants == campaign.mutants(["remove_loop"], programs=400)
