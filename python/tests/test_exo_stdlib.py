"""`rewright.exo.stdlib` does what Exo 1.0.0's standard library does, step by step. Spec: [rule: python.exo-library]."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Dict, Tuple

import pytest
import rewright.exo

HERE = Path(__file__).parent


#: ``import exo`` is ours.
pytestmark = pytest.mark.usefixtures("installed")


def expected() -> Dict[str, Tuple[str, list, str]]:
    from exo_programs.runs import read

    return {name: tuple(found) for name, found in read((HERE / "exo_stdlib.txt").read_text()).items()}


EXPECTED = expected()

#: What comes out otherwise, and why.
OTHERWISE = {
    "vectorize_axpy_pred": "a window of eight lanes goes past the buffer, though the masked lanes are not touched",
    "vectorize_axpy_cutpred": "as above",
    "vectorize_dot_pred": "as above",
    "vectorize_dot_cutpred": "as above",
    "vectorize_matmul_neon": "a cell as a window of one: its rows and its columns do, Exo leaves it to the solver",
    "vectorize_matmul_j": "as above",
    "gemmini_made": "bodies say which registers the C sets",
    "divide_loop_recursive_guard": "Exo takes the `if` around the rest for a loop",
    "inl_copies": "Exo inlines what is read after it was changed: `tmp = x; x = y; y = tmp` becomes `x = y; y = x`",
}

#: Those that differ in nothing but the rows.
ROWS = [name for name in OTHERWISE if name.startswith("gemmini") and name != "gemmini_made"]

#: What comes out is the same, but other steps are tried on the way.
BY_OTHER_STEPS = {
    "vectorize_gemv_j": "a cell is passed as a scalar; the schedule refuses it after `replace`, Exo's `replace` does",
    "library_gemv": "`simplify` takes out the guard of a loop that is divided by 1",
    "library_trmv": "as above",
    "gemmini_inline_div_part": "a configuration that another part sets, too, is lifted by steps that are checked",
    "gemmini_inline_mod_part": "as above",
    "gemmini_product": "`replace` refuses `i8` cells for an instruction on `i32`; Exo's C does",
    "gemmini_product_by_state": "as above",
}


@pytest.mark.parametrize("name", list(EXPECTED))
def test_as_in_exo(name: str) -> None:
    from exo_programs.runs import every_case, run

    found = run(every_case()[name])
    raised, values, steps = EXPECTED[name]
    if name in OTHERWISE:
        assert (found.raised, found.values) != (raised, values), "it is as in Exo now: take it out of the list"
        if name in ROWS:
            assert found.values == [value.replace("[4, 9, 16]", "[4, 8, 16]") for value in values]
        return
    assert (found.raised, found.values) == (raised, values)
    if name in BY_OTHER_STEPS:
        assert lasting(found.steps) != lasting(steps), "the steps are Exo's now: take it out of the list"
    else:
        assert lasting(found.steps) == lasting(steps)


def lasting(steps: str) -> List[str]:
    """Steps without the calls that were tried and are none: which statements are of another kind is seen before that. And
    without what asks for memories after ``replace``, which is a step by itself."""
    each = [step.partition("*") for step in steps.split()]
    others = [step for step in each if step[0] != "replace!" and not step[0].startswith("call_site_mem_aware_replace")]
    return [name for name, _, count in others for _ in range(int(count or 1))]


def test_every_program_has_an_expectation() -> None:
    from exo_programs.runs import every_case

    assert list(every_case()) == list(EXPECTED)


#: What Exo's stdlib has.
NAMES = set((HERE / "exo_names.txt").read_text().split())


def names() -> Dict[str, str]:
    sections = (HERE / "exo_names.txt").read_text().split("== ")[1:]
    return {section.split("\n", 1)[0]: section.split("\n", 1)[1] for section in sections}


@pytest.mark.parametrize("module", list(names()))
def test_every_name_of_exo_is_there(module: str) -> None:
    found = importlib.import_module(f"rewright.exo.{module}")
    missing = [name for name in names()[module].split() if not hasattr(found, name)]
    assert not missing


def test_every_function_is_used_by_a_program() -> None:
    text = "".join(path.read_text() for path in (HERE / "exo_programs").glob("*.py"))
    for module in (
        "_loops",
        "_reductions",
        "_staging",
        "_tidy",
        "_vectorize",
        "rc_wrappers",
        "inspection",
        "higher_order",
    ):
        found = importlib.import_module(f"rewright.exo.stdlib.{module}")
        own = [n for n, f in vars(found).items() if getattr(f, "__module__", "") == found.__name__ and callable(f)]
        unused = [n for n in own if n in NAMES and not n.endswith("_cursors") and n not in text]
        assert not unused, module


def test_calls_are_looked_at_in_the_procedure_that_is_given() -> None:
    """As Exo 1.0.0 does: buffers are those of the arguments of that procedure, whatever the cursor's version has."""
    from rewright.exo import DRAM, proc
    from rewright.exo.API_scheduling import set_memory
    from rewright.exo.platforms.x86 import AVX2
    from rewright.exo.stdlib.stdlib import check_call_site

    @proc
    def g(x: [f32][8] @ AVX2):
        for i in seq(0, 8):
            x[i] = 0.0

    @proc
    def f(x: f32[8] @ DRAM):
        g(x[0:8])

    @proc
    def h(y: f32[8] @ DRAM):
        g(y[0:8])

    call = f.body()[0]
    wide = set_memory(f, "x", AVX2)
    assert not check_call_site(f, call) and check_call_site(wide, wide.body()[0])
    assert check_call_site(wide, call) and not check_call_site(f, wide.body()[0])
    with pytest.raises(KeyError, match="x"):
        check_call_site(h, call)


def test_a_quiet_replace_refuses_as_a_loud_one() -> None:
    """It says less: that the statements are not the body. What else is wrong comes before that, and is said."""
    from rewright.exo import DRAM, SchedulingError, config, proc
    from rewright.exo.API_scheduling import replace
    from rewright.exo.rewrite.LoopIR_unification import UnificationError

    @config
    class Cfg:
        a: f32

    @proc
    def p(x: f32[8] @ DRAM):
        for i in seq(0, 8):
            x[i] = Cfg.a

    def of_another_class() -> object:
        @config
        class Cfg:
            b: f32

        @proc
        def sets(x: f32[8] @ DRAM):
            for i in seq(0, 8):
                x[i] += Cfg.b

        return sets

    @proc
    def sums(x: f32[8] @ DRAM):
        for i in seq(0, 8):
            x[i] += 1.0

    for quiet in (False, True):
        with pytest.raises(UnificationError) as refused:
            replace(p, p.find_loop("i"), sums, quiet=quiet)
        assert refused.value.rewright_condition == "replace.match" and refused.value.found == "form"
        with pytest.raises(SchedulingError, match="two different configuration classes"):
            replace(p, p.find_loop("i"), of_another_class(), quiet=quiet)


def test_a_cell_is_no_scalar_before_it_is_passed_twice() -> None:
    """As Exo 1.0.0 has it: the first leaves the program as it is, the second ends ``replace_all``."""
    from rewright.exo import SchedulingError, proc
    from rewright.exo.stdlib.scheduling import replace_all

    @proc
    def adds(x: f32, y: f32):
        x += y

    @proc
    def cells(x: f32[8]):
        for i in seq(0, 8):
            x[i] += x[i]

    @proc
    def scalar(x: f32):
        x += x

    assert str(replace_all(cells, [adds])) == str(cells)
    with pytest.raises(SchedulingError, match="aliasing"):
        replace_all(scalar, [adds])


def test_a_producer_is_computed_where_that_keeps_the_meaning() -> None:
    """Exo 1.0.0 fuses without asking: `out[1]` then reads a cell of `bx` that is not computed yet."""
    from rewright.exo import SchedulingError, proc
    from rewright.exo.stdlib.halide_scheduling_ops import halide_compute_at, halide_split

    @proc
    def sums(n: size, inp: f32[n + 2], out: f32[n]):
        bx: f32[n + 2]
        for y in seq(0, n + 2):
            bx[y] = 2.0 * inp[y]
        for y in seq(0, n):
            out[y] = bx[y] + bx[y + 1] + bx[y + 2]

    p = halide_split(sums, "out", "y", "yo", "yi", 3, "guard")
    with pytest.raises(SchedulingError) as refused:
        halide_compute_at(p, "bx", "out", "yo", with_prologue=False)
    assert refused.value.rewright_condition == "fuse.commute"
    whole = sums.add_assertion("n % 3 == 0")
    p = halide_split(whole, "out", "y", "yo", "yi", 3, "perfect")
    q = halide_compute_at(p, "bx", "out", "yo", with_prologue=False)
    assert q != p and q.assumptions() == [] and whole.equiv(q).verdict == "equal"


def test_rests_of_loops_are_interleaved_with_sums_of_their_own() -> None:
    """Exo 1.0.0 takes an `if` or a `pass` for a loop here, and raises an ``AttributeError``."""
    from rewright.exo import DRAM, proc
    from rewright.exo.stdlib.stdlib import divide_loop_recursive, interleave_loop

    @proc
    def dot(n: size, x: f32[n], y: f32[n], s: f32):
        for i in seq(0, n):
            s += x[i] * y[i]

    for factor in (2, 3, 4):
        for tail in ("specialize", "recursive", "cut", "cut_and_guard"):
            p = interleave_loop(dot, dot.find_loop("i"), factor, par_reduce=True, memory=DRAM, tail=tail)
            assert "for ii in seq(0, %d)" % factor not in str(p) and dot.equiv(p).verdict == "equal"
    p = divide_loop_recursive(dot, dot.find_loop("i"), 8, tail="cut_and_guard")
    assert str(p).count("if ") == 3 and dot.equiv(p).verdict == "equal"
