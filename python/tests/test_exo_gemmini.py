"""Gemmini's instructions under Exo's names: bodies say what the C sets and works by, so that what is accepted is right on the
registers of a model, `gemmini_registers.h`. Spec: [rule: python.exo-platforms]."""

from __future__ import annotations

import importlib.util
import itertools
import random
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import numpy as np
import pytest
from rewright import ProgramError
from rewright.exo import compile_procs_to_strings

HERE = Path(__file__).parent

#: ``import exo`` is ours.
pytestmark = pytest.mark.usefixtures("installed")

HEADER = """from __future__ import annotations
from exo import *
from exo.libs.memories import *
from exo.platforms.gemmini import *
from exo.stdlib.scheduling import *


"""
_NUMBERS = itertools.count()


def module(folder: Path, text: str) -> Any:
    """A module of Exo's language."""
    path = folder / f"gemmini_{next(_NUMBERS)}.py"
    path.write_text(HEADER + text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


#: The arguments: types of numpy and extents. `sc` and `twice` are scales.
ARGUMENTS: Dict[str, Tuple[type, Tuple[int, ...]]] = {
    "A": (np.int8, (33, 64)),
    "B": (np.int8, (33, 80)),
    "D": (np.int32, (16, 20)),
    "E": (np.int32, (16, 24)),
    "W": (np.int32, (1, 16)),
    "O": (np.int8, (16, 16)),
    "P": (np.int8, (16, 40)),
    "S": (np.int8, (4, 16, 16)),
    "T": (np.int8, (4, 8, 16)),
    "R": (np.int32, (2, 16, 16)),
    "sc": (np.float32, (1,)),
    "twice": (np.float32, (1,)),
}
WORDS = {np.int8: "i8", np.int32: "i32", np.float32: "f32"}

#: Every row of the memories is written first, and stored last.
BEGIN = """s: i8[4, 16, 16] @ GEMM_SCRATCH
t: i8[4, 8, 16] @ GEMM_SCRATCH
r: i32[2, 16, 16] @ GEMM_ACCUM
for k in seq(0, 4):
    do_zero_i8(16, 16, s[k, 0:16, 0:16])
    do_zero_i8(8, 16, t[k, 0:8, 0:16])
for k in seq(0, 2):
    do_zero_acc_i32(16, 16, r[k, 0:16, 0:16])"""
END = """for k in seq(0, 4):
    st_i8(16, 16, s[k, 0:16, 0:16], S[k, 0:16, 0:16])
    st_i8(8, 16, t[k, 0:8, 0:16], T[k, 0:8, 0:16])
for k in seq(0, 2):
    st_acc_i32(16, 16, r[k, 0:16, 0:16], R[k, 0:16, 0:16])"""


def parameters() -> str:
    def word(x: str) -> str:
        typ, extents = ARGUMENTS[x]
        return f"{x}: {WORDS[typ]}" + ("" if typ is np.float32 else f"[{', '.join(map(str, extents))}]")

    return ", ".join(word(x) for x in ARGUMENTS)


def program(name: str, calls: List[str]) -> str:
    """A procedure that makes these calls."""
    lines = [line for part in (BEGIN, *calls, END) for line in part.splitlines()]
    return f"@proc\ndef {name}({parameters()}):\n" + "".join(f"    {line}\n" for line in lines) + "\n\n"


class Calls:
    """Random calls of all instructions."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        kinds = (self.configuration, self.rows, self.blocks, self.others, self.sums, self.zeros, self.product, self.store)
        self.kinds: Tuple[Callable[[], str], ...] = kinds

    def one(self) -> str:
        return self.rng.choice(self.kinds)()

    def number(self) -> int:
        return self.rng.choice((1, 2, 7, 8, 16, 16))

    def source(self, rows: int, cols: int) -> str:
        return f"{self.rng.choice('AB')}[{self.part(33, rows)}, {self.part(64, cols)}]"

    def part(self, extent: int, length: int) -> str:
        first = self.rng.randrange(extent - length + 1)
        return f"{first}:{first + length}"

    def tile(self, rows: int, x: str = "s") -> str:
        return f"{x}[{self.rng.randrange(2)}, 0:{rows}, 0:16]"

    def configuration(self) -> str:
        x = self.rng.choice("AB")
        loads = [f"config_ld_i8{u}(stride({x}, 0))" for u in ("", "_id1", "_id2", "_s2_id1")]
        scale, act = self.rng.choice(("sc", "twice")), self.rng.choice(("True", "False"))
        store = f"config_st_acc_i8({scale}, stride({self.rng.choice('OP')}, 0), {act})"
        others = ["config_zero()", "config_ld_acc_i32_vector(True)", "config_matmul()", store]
        return self.rng.choice(loads + others)

    def rows(self) -> str:
        n, m = self.number(), self.number()
        to = self.tile(n, "t" if n <= 8 and self.rng.random() < 0.4 else "s")
        ending = self.rng.choice(("", "_id1", "_id2", "_v2", "_id1_v2", "_id2_v2", "_id1_s2_v2", "_id2_s2_v2"))
        if self.rng.random() < 0.5:
            ending = self.rng.choice(("", "_id1", "_id2"))
            return f"do_ld_i8{ending}({n}, {m}, {self.source(n, m)}, {to})"
        return f"ld_i8{ending}({n}, {m}, {self.source(n, m)}, {to})"

    def blocks(self) -> str:
        n, m = self.number(), self.rng.randint(1, 4)
        names = ["do_ld_i8_block_id1", "do_ld_i8_block_id2", "ld_i8_block", "ld_i8_block_id1", "ld_i8_block_id2"]
        names += [f"ld_i8_block_id{u}{e}" for u in (1, 2) for e in ("_v2", "_s2_v2")]
        x = self.rng.choice("st")
        n = min(n, 8) if x == "t" else n
        to = f"{x}[0:{m}, 0:{n}, 0:16]"
        if self.rng.random() < 0.1:
            return f"zero_block_id2({n}, {m}, {to})"
        return f"{self.rng.choice(names)}({n}, {m}, {self.source(n, 16 * m)}, {to})"

    def others(self) -> str:
        n, m = self.number(), self.number()
        i = self.rng.randrange(8)
        row = f"s[1, {i}, 0:16]"
        x = self.rng.choice("AB")
        vector = self.rng.choice(("ld_i8_vector", "do_ld_i8_vector"))
        return self.rng.choice(
            (
                f"ld_i8_s2({n}, {m}, {self.source(2 * n - 1, m)}, {self.tile(n)})",
                f"do_ld_i8_s2_id1({n}, {m}, {self.source(2 * n - 1, m)}, {self.tile(n)})",
                f"{vector}({x}[{i}, 3:19], {row})",
                f"{self.rng.choice(('zero_i8_vector', 'zero_i8_vector_v2', 'do_zero_i8_vector'))}({row})",
            )
        )

    def sums(self) -> str:
        n, m = self.number(), self.number()
        to = self.tile(n, "r")
        wide = f"{self.rng.choice('DE')}[0:{n}, 2:{2 + m}]"
        return self.rng.choice(
            (
                f"ld_acc_i8({n}, {m}, {self.source(n, m)}, {to})",
                f"ld_acc_i32({n}, {m}, {wide}, {to})",
                f"do_ld_acc_i32({n}, {m}, {wide}, {to})",
                f"{self.rng.choice(('', 'do_'))}ld_acc_i32_vector({n}, W[0:1, 0:16], {to})",
                f"ld_acc_i32_vector_v2({n}, W[0:1, 0:16], {to})",
            )
        )

    def zeros(self) -> str:
        n, m = self.number(), self.number()
        name, x = self.rng.choice((("zero_i8", "s"), ("zero_acc_i32", "r")))
        form = self.rng.choice(("{}", "{}_v2", "do_{}"))
        return f"{form.format(name)}({n}, {m}, {self.tile(n, x)})"

    def product(self) -> str:
        n, m, k = self.number(), self.number(), self.number()
        name = self.rng.choice(("matmul_i8", "matmul_acc_i8"))
        form = self.rng.choice(("{}", "{}_v2", "do_{}", "do_{}"))
        # Every second row, where the array takes one after the other.
        a = self.tile(n) if self.rng.random() < 0.8 else f"t[0:{min(n, 4)}, 1, 0:16]"
        n = n if a.startswith("s") else min(n, 4)
        return f"{form.format(name)}({n}, {m}, {k}, {a}, {self.tile(k)}, {self.tile(n, 'r')})"

    def store(self) -> str:
        n, m = self.number(), self.number()
        to = f"{self.rng.choice('OP')}[0:{n}, 0:{m}]"
        scale, act = self.rng.choice(("sc", "twice")), self.rng.choice(("True", "False"))
        name = self.rng.choice(("st_acc_i8", "st_acc_i8_v2", "st_acc_i8_s2_v2"))
        return self.rng.choice(
            (
                f"do_st_acc_i8({n}, {m}, {self.tile(n, 'r')}, {to})",
                f"do_st_acc_i8({n}, {m}, {self.tile(n, 'r')}, {to})",
                f"{name}({n}, {m}, {scale}, {act}, {self.tile(n, 'r')}, {to})",
                f"st_i8({n}, {m}, {self.tile(n)}, {to})",
            )
        )


def grown(folder: Path, seed: int, length: int, tried: Counter[str]) -> Any:
    """A program of so many random calls that is accepted: what is refused is left out."""
    random_calls, calls, found = Calls(seed), [], None
    while len(calls) < length:
        call = random_calls.one()
        try:
            found = module(folder, program(f"p{seed}", [*calls, call]))
        except ProgramError:
            tried["refused"] += 1
            continue
        tried[call.partition("(")[0]] += 1
        calls.append(call)
    return getattr(found, f"p{seed}")


def rescheduled(p: Any, seed: int, tried: Counter[str]) -> Any:
    """What accepted random steps make of it: calls change places, and configurations go."""
    from exo import SchedulingError
    from exo.stdlib.scheduling import delete_config, reorder_stmts

    rng = random.Random(seed)
    for _ in range(12):
        body = list(p.body())[5:-2]
        k = rng.randrange(len(body) - 1)
        remove = rng.random() < 0.3
        try:
            p = delete_config(p, body[k]) if remove else reorder_stmts(p, body[k].expand(0, 1))
        except SchedulingError:
            tried["step refused"] += 1
            continue
        tried["delete_config" if remove else "reorder_stmts"] += 1
    return p


def given() -> Dict[str, Any]:
    """Small numbers, so that every sum is exact; no two rows beside each other are equal."""
    rng = np.random.default_rng(5)
    made = {x: rng.integers(-3, 4, extents).astype(typ) for x, (typ, extents) in ARGUMENTS.items()}
    return {**made, "sc": np.array([1.0], np.float32), "twice": np.array([2.0], np.float32)}


def run_in_c(folder: Path, procs: List[Any]) -> List[Dict[str, Any]]:
    """What their C leaves in the arguments, on the registers of the model."""
    for name in ("include/gemmini.h", "gemm_malloc.h", "gemm_acc_malloc.h"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(f'#include "{HERE / "gemmini_registers.h"}"\n')
    (folder / "include/gemmini.h").write_text("#pragma once\n" + (HERE / "gemmini_registers.h").read_text())
    for name in ("gemm_malloc.h", "gemm_acc_malloc.h"):
        (folder / name).write_text("#include <include/gemmini.h>\n")
    source, header = compile_procs_to_strings(procs, "all.h")
    lines = ["int main(void) {"]
    for p in procs:
        lines += ["    {", "        gemmini_reset();"]
        for x, value in given().items():
            cells = ", ".join(str(v) for v in value.ravel())
            typ = {np.int8: "int8_t", np.int32: "int32_t", np.float32: "float"}[ARGUMENTS[x][0]]
            lines.append(f"        {typ} {x}[] = {{{cells}}};")
        lines.append(f"        {p.name()}(&context, {', '.join(ARGUMENTS)});")
        lines += [f"        fwrite({x}, sizeof {x}, 1, stdout);" for x in ARGUMENTS]
        lines.append("    }")
    main = "\n".join([*lines, "    return 0;", "}", ""])
    (folder / "all.h").write_text(header)
    (folder / "all.c").write_text(f"{source}\nstatic all_Context context;\n{main}")
    options = ["-O1", "-fno-strict-aliasing", "-w", "-I", ".", "all.c", "-o", "all"]
    subprocess.run(["gcc", *options], cwd=folder, check=True)
    out = subprocess.run(["./all"], cwd=folder, check=True, capture_output=True).stdout
    return list(_arguments(out, len(procs)))


def _arguments(out: bytes, count: int) -> Iterator[Dict[str, Any]]:
    at = 0
    for _ in range(count):
        found = {}
        for x, value in given().items():
            found[x] = np.frombuffer(out[at : at + value.nbytes], value.dtype).reshape(value.shape)
            at += value.nbytes
        yield found
    assert at == len(out)


def differences(p: Any, in_c: Dict[str, Any]) -> Optional[str]:
    """Where the C and the bodies differ."""
    said = p.run(**{x: value[0] if x in ("sc", "twice") else value for x, value in given().items()})
    for x, value in in_c.items():
        if x not in ("sc", "twice") and not np.array_equal(said[x], value):
            at = tuple(int(i[0]) for i in np.nonzero(said[x] != value))
            return f"{x}{list(at)} is {value[at]}, and {said[x][at]} by the bodies\n{p}"
    return None


def test_what_is_accepted_is_right_on_the_registers(tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    from exo.stdlib.scheduling import rename

    tried: Counter[str] = Counter()
    made = [grown(tmp_path, seed, 10, tried) for seed in range(30)]
    stepped = [rename(rescheduled(p, seed, tried), f"q{seed}") for seed, p in enumerate(made)]
    for p, in_c in zip([*made, *stepped], run_in_c(tmp_path, [*made, *stepped])):
        assert differences(p, in_c) is None, differences(p, in_c)
    print(f"calls and steps that were accepted: {dict(tried)}")
    assert len(tried) > 50 and min(tried["reorder_stmts"], tried["delete_config"]) > 5


#: Programs that Exo 1.0.0 takes for right, each with what is wrong: the call that is refused, and the register.
WRONG = {
    "a load has set the register since": (
        ["config_ld_i8(stride(A, 0))", "ld_i8(8, 8, B[0:8, 0:8], s[0, 0:8, 0:16])"],
        "do_ld_i8(8, 8, A[0:8, 0:8], s[1, 0:8, 0:16])",
        "GemminiLd0.src_stride",
    ),
    "a load of one row into many has set it since": (
        ["config_ld_i8(stride(A, 0))", "ld_acc_i32_vector(8, W[0:1, 0:16], r[0, 0:8, 0:16])"],
        "do_ld_i8(8, 8, A[0:8, 0:8], s[1, 0:8, 0:16])",
        "GemminiLd0.factor == 1",
    ),
    "it is set for every second row": (
        ["config_ld_i8_s2_id1(stride(A, 0))"],
        "do_ld_i8_id1(8, 8, A[0:8, 0:8], s[1, 0:8, 0:16])",
        "GemminiLd1.factor == 1",
    ),
    "it is set for every row": (
        ["config_ld_i8_id1(stride(A, 0))"],
        "do_ld_i8_s2_id1(8, 8, A[0:15, 0:8], s[1, 0:8, 0:16])",
        "GemminiLd1.factor == 2",
    ),
    "it is set for rows of another array": (
        ["config_ld_i8_id1(stride(A, 0))"],
        "do_ld_i8_block_id1(8, 4, B[0:8, 0:64], s[0:4, 0:8, 0:16])",
        "GemminiLd1.src_stride == stride(src, 0)",
    ),
    "rows are of bytes, and are loaded as sums": (
        ["config_ld_i8(stride(A, 0))"],
        "do_ld_acc_i32(8, 8, D[0:8, 0:8], r[0, 0:8, 0:16])",
        "GemminiLd0",
    ),
    "blocks lie 8 rows apart": ([], "ld_i8_block_id1(8, 4, A[0:8, 0:64], t[0:4, 0:8, 0:16])", "stride(dst, 0) == 256"),
    "blocks of 8 rows lie 16 apart": ([], "ld_i8_block_id2(8, 4, A[0:8, 0:64], s[0:4, 0:8, 0:16])", "n == 8"),
    "blocks were cleared 8 rows apart": (
        [
            "config_ld_i8_id2(stride(A, 0))",
            "zero_block_id2(8, 4, t[0:4, 0:8, 0:16])",
            "ld_i8_block_id2(8, 4, A[0:8, 0:64], t[0:4, 0:8, 0:16])",
        ],
        "do_ld_i8_block_id2(16, 4, A[0:16, 0:64], s[0:4, 0:16, 0:16])",
        "GemminiLd2.by_rows == False",
    ),
    "the array takes rows that lie one after the other": (
        ["config_matmul()"],
        "do_matmul_i8(4, 8, 8, t[0:4, 1, 0:16], s[0, 0:8, 0:16], r[0, 0:4, 0:16])",
        "stride(A, 0) == 16",
    ),
    "the array has another dataflow": (
        [],
        "do_matmul_i8(8, 8, 8, s[1, 0:8, 0:16], s[0, 0:8, 0:16], r[0, 0:8, 0:16])",
        "GemminiEx.weight_stationary == True",
    ),
    "a store has set the scale since": (
        ["config_st_acc_i8(twice, stride(O, 0), False)", "st_acc_i32(8, 8, r[0, 0:8, 0:16], D[0:8, 0:8])"],
        "do_st_acc_i8(8, 8, r[0, 0:8, 0:16], O[0:8, 0:8])",
        "GemminiSt",
    ),
    "stores go to another array": (
        ["config_st_acc_i8(twice, stride(P, 0), False)"],
        "do_st_acc_i8(8, 8, r[0, 0:8, 0:16], O[0:8, 0:8])",
        "GemminiSt.dst_stride == stride(dst, 0)",
    ),
}


@pytest.mark.parametrize("name", list(WRONG))
def test_what_the_registers_are_not_set_for_is_refused(name: str, tmp_path: Path) -> None:
    before, call, condition = WRONG[name]
    module(tmp_path, program("p", before))
    with pytest.raises(ProgramError) as refused:
        module(tmp_path, program("p", [*before, call]))
    assert "call.assert" in str(refused.value) and condition in str(refused.value)


#: Steps that Exo 1.0.0 takes, each with what comes of it.
STEPS = {
    "loads of every second row": (
        ["config_ld_i8_s2_id1(stride(A, 0))", "do_ld_i8_s2_id1(8, 8, A[0:15, 0:8], s[0, 0:8, 0:16])"]
        + ["config_ld_i8_s2_id1(stride(B, 0))", "do_ld_i8_s2_id1(8, 8, B[0:15, 0:8], s[1, 0:8, 0:16])"],
        "config_ld_i8_s2_id1(_)",
    ),
    "loads of blocks": (
        ["config_ld_i8_id2(stride(A, 0))", "do_ld_i8_block_id2(8, 2, A[0:8, 0:32], s[0:2, 0:8, 0:16])"]
        + ["config_ld_i8_id2(stride(B, 0))", "do_ld_i8_block_id2(8, 2, B[0:8, 0:32], s[0:2, 0:8, 0:16])"],
        "config_ld_i8_id2(_)",
    ),
    "stores": (
        ["config_st_acc_i8(sc, stride(O, 0), False)", "do_st_acc_i8(8, 8, r[0, 0:8, 0:16], O[0:8, 0:8])"]
        + ["config_st_acc_i8(sc, stride(P, 0), False)", "do_st_acc_i8(8, 8, r[0, 0:8, 0:16], P[0:8, 0:8])"],
        "config_st_acc_i8(_)",
    ),
}


@pytest.mark.parametrize("name", list(STEPS))
def test_what_works_by_a_register_stays_where_it_is_set(name: str, tmp_path: Path) -> None:
    from exo import SchedulingError
    from exo.stdlib.scheduling import delete_config, reorder_stmts

    calls, configuration = STEPS[name]
    p = module(tmp_path, program("p", calls)).p
    second = p.find_all(configuration)[1]
    with pytest.raises(SchedulingError, match=r"delete_config\."):
        delete_config(p, second)
    with pytest.raises(SchedulingError, match=r"reorder_stmts\.commute"):
        reorder_stmts(p, second.expand(1, 0))
    with pytest.raises(SchedulingError, match=r"reorder_stmts\.commute"):
        reorder_stmts(p, second.expand(0, 1))


def test_loads_that_configure_themselves_change_places(tmp_path: Path) -> None:
    """As in Exo: nothing reads the register that the last one leaves."""
    from exo.stdlib.scheduling import reorder_stmts

    for first, second in (
        ("ld_i8(8, 8, A[0:8, 0:8], s[0, 0:8, 0:16])", "ld_i8(8, 8, B[0:8, 0:8], s[1, 0:8, 0:16])"),
        ("ld_acc_i32(8, 8, D[0:8, 0:8], r[0, 0:8, 0:16])", "ld_i8(8, 8, B[0:8, 0:8], s[1, 0:8, 0:16])"),
        ("st_acc_i8(8, 8, sc, True, r[0, 0:8, 0:16], O[0:8, 0:8])", "st_i8(8, 8, s[0, 0:8, 0:16], P[0:8, 0:8])"),
    ):
        p = module(tmp_path, program("p", [first, second])).p
        names = [call.subproc().name() for call in list(reorder_stmts(p, p.body()[5:7]).body())[5:7]]
        assert names == [second.partition("(")[0], first.partition("(")[0]]


#: Bodies of loops over `i`, the configuration that is lifted, and whether it may leave the loop. Exo 1.0.0 takes all of them out.
LIFTED = {
    "the scale changes": (["st_acc_i8(16, 16, sc, False, r[0, 0:16, 0:16], O[0:16, 0:16])", "sc = 3.0"], "st_acc_i8", False),
    "another load sets the register": (
        ["ld_i8(8, 16, A[0:8, 0:16], s[0, 0:8, 0:16])", "ld_i8(8, 16, B[0:8, 0:16], s[1, 0:8, 0:16])"],
        "ld_i8",
        False,
    ),
    "another load sets it to the same": (
        ["ld_i8(8, 16, A[0:8, 0:16], s[0, 0:8, 0:16])", "ld_i8_block(8, 2, A[0:8, 8:40], s[1:3, 0:8, 0:16])"],
        "ld_i8",
        True,
    ),
    "another store sets the same scale": (
        [
            "st_acc_i8(8, 16, sc, True, r[0, 0:8, 0:16], O[0:8, 0:16])",
            "st_acc_i8(8, 16, sc, True, r[1, 0:8, 0:16], O[8:16, 0:16])",
        ],
        "st_acc_i8",
        True,
    ),
}


@pytest.mark.parametrize("name", list(LIFTED))
def test_a_configuration_leaves_loops_in_which_it_stays(name: str, tmp_path: Path) -> None:
    from exo.platforms import gemmini
    from exo.stdlib.scheduling import call_eqv, inline, inline_window

    body, call, leaves = LIFTED[name]
    loop = "for i in seq(0, 3):\n" + "\n".join(f"    {line}" for line in body)
    p = module(tmp_path, program("p", [loop])).p
    equal = getattr(gemmini, f"{call}_v2")
    q = inline(call_eqv(p, f"{call}(_)", equal), f"{equal.name()}(_)")
    for window in ("src = _[_]", "dst = _[_]"):
        q = inline_window(q, window)
    q = gemmini.lift_config(q, f"config_{call}(_)")
    inside = "for i in seq(0, 3):" in str(q).partition(f"config_{call}(")[0]
    assert inside != leaves and q.assumptions() == []
    if shutil.which("gcc") is not None:
        from exo.stdlib.scheduling import rename

        for version, in_c in zip((p, q), run_in_c(tmp_path, [p, rename(q, "q")])):
            assert differences(version, in_c) is None, differences(version, in_c)
