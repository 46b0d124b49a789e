"""Threads, signals, deep programs, memory. Spec: [rule: python.tasks]."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any, List

import pytest

import rewright
from rewright import Procedure


def pigeons(n: int) -> str:
    """A program that is right since n different numbers do not fit below n - 1: of 8 z3 is sure after seconds, of 9 it is not."""
    names = [f"a{k}" for k in range(n)]
    lines = [f"def p({', '.join(f'{a}: index' for a in names)}, x: f32[1]):"]
    lines += [f"    assert 0 <= {a} and {a} < {n - 1}" for a in names]
    lines += [f"    assert {a} < {b} or {b} < {a}" for k, a in enumerate(names) for b in names[:k]]
    return "\n".join(["@proc", *lines, "    x[a0] = 1.0", ""])


def schedule(p: Procedure, size: int) -> Procedure:
    """A schedule of many steps."""
    for x in "ij":
        p = rewright.divide_loop(p, x, size, [x + "o", x + "i"], tail="perfect")
    p = rewright.reorder_loops(p, "ii jo")
    p = rewright.divide_loop(p, "l", 4, ["lo", "li"], tail="cut")
    p = rewright.fission(p, p.find_loop("lo").after(), n_lifts=2)
    return rewright.simplify(p)


def test_threads_schedule_side_by_side(matmul: Procedure) -> None:
    sizes = [2, 4, 8, 16]
    alone = [str(schedule(matmul, size)) for size in sizes]
    together: List[List[str]] = [[], []]
    spans: List[List[float]] = [[], []]
    ready = threading.Barrier(2)

    def work(k: int) -> None:
        ready.wait()
        for _ in range(5):
            for size in sizes:
                spans[k].append(time.monotonic())
                together[k].append(str(schedule(matmul, size)))
        spans[k].append(time.monotonic())

    threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == [alone * 5] * 2
    # Each has taken steps while the other was at it.
    inside = [sum(spans[1 - k][0] < t < spans[1 - k][-1] for t in spans[k]) for k in range(2)]
    assert min(inside) >= 5, inside


def test_the_lock_is_released_while_questions_are_decided() -> None:
    done: List[str] = []

    def decide() -> None:
        rewright.module(pigeons(7))
        done.append("decided")

    thread = threading.Thread(target=decide)
    began, ticks, longest = time.monotonic(), 0, 0.0
    thread.start()
    last = time.monotonic()
    while thread.is_alive():
        time.sleep(0.001)
        now = time.monotonic()
        ticks, longest, last = ticks + 1, max(longest, now - last), now
    taken = time.monotonic() - began
    assert done == ["decided"] and ticks > 20 and longest < max(0.5 * taken, 0.2), (ticks, longest, taken)


def test_ctrl_c_is_heard_while_z3_works() -> None:
    def interrupt(_signal: int, _frame: Any) -> None:
        raise KeyboardInterrupt

    # z3 would take this signal for itself.
    before = signal.signal(signal.SIGINT, interrupt)
    try:
        timer = threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT])
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            rewright.module(pigeons(9))
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    # Nothing is left of it: the next question is decided.
    assert rewright.module(pigeons(4)).p.name() == "p"


def test_deep_programs_need_no_deep_stack() -> None:
    depth, negations = 95, 290
    loops = "".join("    " + " " * k + f"for i{k} in seq(0, {2 if k == depth - 1 else 1}):\n" for k in range(depth))
    value = "-(" * negations + "x[i0]" + ")" * negations
    text = f"@proc\ndef p(x: f32[2]):\n{loops}    {' ' * depth}x[i{depth - 1}] = {value}\n"
    made: List[str] = []

    def work() -> None:
        p = rewright.module(text).p
        q = rewright.divide_loop(p, f"i{depth - 1}", 2, ["a", "b"], tail="perfect")
        q = rewright.reorder_loops(q, f"i{depth - 3} i{depth - 2}")
        assert q.find_loop("b").is_ancestor_of(q.find("x[_] = _")) and p.equiv(q, trials=2).compared == 2
        made.append(str(rewright.simplify(q)))

    work()
    old = threading.stack_size(1 << 18)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(old)
    assert len(made) == 2 and made[0] == made[1]


def resident() -> int:
    """The pages of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1])


def steps(p: Procedure, count: int, fresh: int) -> None:
    """So many steps, in chains of four; after so many chains the definition is read anew."""
    for k in range(count // 4):
        if fresh and k % fresh == 0:
            p = rewright.module(str(p)).matmul
        q = rewright.divide_loop(p, "i", 2 ** (k % 4 + 1), ["io", "ii"], tail="perfect")
        q = rewright.divide_loop(q, "l", 3, ["lo", "li"], tail="cut")
        q = rewright.reorder_loops(q, "ii j")
        q = rewright.rename(q, f"p{k % 8}")
        assert q.find_loop("lo")


def grown(p: Procedure, warm: int, count: int, fresh: int = 0) -> float:
    """By how many bytes a step the process grows."""
    steps(p, warm, fresh)
    gc.collect()
    before = resident()
    steps(p, count, fresh)
    gc.collect()
    return (resident() - before) * 4096 / count


def test_memory_is_given_back(matmul: Procedure) -> None:
    assert grown(matmul, 2_000, 6_000, fresh=25) < 100


@pytest.mark.slow
def test_memory_stays_flat(matmul: Procedure) -> None:
    # The solver keeps some thousand questions for as long as a version is there.
    assert grown(matmul, 50_000, 100_000) < 20
