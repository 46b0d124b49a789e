"""Each instruction of `exo.platforms.rvv` and `sve_vla` does in C what its body says, in an emulator: with fewer lanes than a
register has, the others keep their values. Spec: [rule: python.exo-platforms]."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Tuple

import numpy as np
import pytest
from rewright.exo import compile_procs_to_strings

#: ``import exo`` is ours.
pytestmark = pytest.mark.usefixtures("installed")


class Machine(NamedTuple):
    """What compiles for a processor, and what runs it."""

    compiler: List[str]
    emulators: List[List[str]]


MACHINES = {
    "rvv": Machine(
        ["clang-19", "--target=riscv64-linux-gnu", "-march=rv64gcv"],
        # What may be overwritten with ones is.
        [["qemu-riscv64", "-cpu", f"rv64,v=true,vlen={bits},rvv_ta_all_1s=true"] for bits in (128, 256)],
    ),
    "sve_vla": Machine(
        ["clang-19", "--target=aarch64-linux-gnu", "-march=armv8.2-a+sve+fp16"],
        [["qemu-aarch64", "-cpu", f"max,sve-default-vector-length={size}"] for size in (32, 256)],
    ),
}

#: The types of C and of numpy.
TYPES = {"f16": ("_Float16", np.float16), "f32": ("float", np.float32), "f64": ("double", np.float64)}

#: Lanes of a register, on the narrowest of the emulators' machines.
LANES = {"rvv": {"f32": 4}, "sve_vla": {"f16": 16, "f32": 8, "f64": 4}}

#: What brings a register in and out.
MOVES = {"rvv": ("rvv_vld_4xf32({}, {}, {n})", "rvv_vst_4xf32({}, {}, {n})")}
MOVES["sve_vla"] = ("sve_vld_{t}_vla({n}, {}, {})", "sve_vst_{t}_vla({n}, {}, {})")


class Case(NamedTuple):
    """A program that calls an instruction, and the types of its arguments, each of so many cells; 0 is a scalar."""

    name: str
    text: str
    arguments: Dict[str, Tuple[str, int]]


def calling(platform: str, f: Any, vl: int) -> Case:
    """Registers are filled, the instruction is called, and all lanes of all registers are stored."""
    typ = next(t for t in TYPES if t in f.name())
    lanes, memory = LANES[platform][typ], "RVV" if platform == "rvv" else "SVE_VLA"
    load, store = (move.replace("{n}", str(lanes)).replace("{t}", typ) for move in MOVES[platform])
    before, passed, after, arguments = [], [], [], {}
    for arg in f.args():
        x = arg.name()
        if x == "vl":
            passed.append(str(vl))
        elif not arg.is_tensor():
            passed.append(x)
            arguments[x] = (typ, 0)
        elif arg.mem().__name__ == memory:
            before.append(f"r_{x}: {typ}[{lanes}] @ {memory}")
            before.append(load.format(f"r_{x}[0:{lanes}]", f"{x}[0:{lanes}]"))
            after.append(store.format(f"{x}[0:{lanes}]", f"r_{x}[0:{lanes}]"))
            passed.append(f"r_{x}[0:{lanes if platform == 'rvv' else vl}]")
            arguments[x] = (typ, lanes)
        else:
            extent = str(arg.shape()[0])
            cells = vl if extent == "vl" else int(extent)
            passed.append(f"{x}[0:{cells}]")
            arguments[x] = (typ, lanes)
    name = f"{f.name()}_of_{vl}"
    parameters = ", ".join(f"{x}: {t}[{n}]" if n else f"{x}: {t}" for x, (t, n) in arguments.items())
    lines = [*before, f"{f.name()}({', '.join(passed)})", *after]
    return Case(name, f"@proc\ndef {name}({parameters}):\n" + "".join(f"    {line}\n" for line in lines), arguments)


def cases(platform: str, module: Any) -> List[Case]:
    """Every instruction with one lane, all but one, and all; with none where that may be."""
    found = []
    for name, f in sorted(vars(module).items()):
        if hasattr(f, "_made"):
            lanes = LANES[platform][next(t for t in TYPES if t in name)]
            none = [0] if platform == "rvv" else []
            found += [calling(platform, f, vl) for vl in (*none, 1, lanes - 1, lanes)]
    return found


def given(case: Case) -> Dict[str, Any]:
    """Small powers of two, and their negations: every result is exact, and no two lanes beside each other are equal."""
    made = {}
    for k, (x, (typ, n)) in enumerate(case.arguments.items()):
        values = [(-1) ** i * 2.0 ** ((i + 2 * k) % 7 - 3) for i in range(max(n, 1))]
        made[x] = np.array(values if n else values[0], TYPES[typ][1])
    return made


def main_of(all_cases: List[Case]) -> str:
    """Calls all of them, and writes what their arguments are then."""
    lines = []
    for case in all_cases:
        names = []
        lines.append("    {")
        for x, value in given(case).items():
            c = TYPES[case.arguments[x][0]][0]
            cells = ", ".join(str(float(v)) for v in np.atleast_1d(value))
            lines.append(f"        {c} {x}[] = {{{cells}}};")
            names.append(x)
        lines.append(f"        {case.name}(0, {', '.join(names)});")
        lines += [f"        fwrite({x}, sizeof {x}, 1, stdout);" for x in names]
        lines.append("    }")
    return '#include "all.h"\n#include <stdio.h>\nint main(void) {\n' + "\n".join(lines) + "\n    return 0;\n}\n"


def read(path: Path, text: str) -> Any:
    """A module of this text."""
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def procedures(folder: Path, platform: str, all_cases: List[Case]) -> Dict[str, Any]:
    """The programs, read as a module."""
    header = f"from __future__ import annotations\nfrom exo import *\nfrom exo.platforms.{platform} import *\n\n\n"
    module = read(folder / f"programs_{platform}.py", header + "\n\n".join(case.text for case in all_cases))
    return {case.name: getattr(module, case.name) for case in all_cases}


def build(folder: Path, machine: Machine, procs: List[Any], main: str) -> None:
    """A program of these procedures, `all`."""
    source, header = compile_procs_to_strings(procs, "all.h")
    for name, text in (("all.c", source), ("all.h", header), ("main.c", main)):
        (folder / name).write_text(text)
    options = ["-O2", "-static", "-Wno-uninitialized", "all.c", "main.c", "-o", "all", "-lm"]
    subprocess.run([*machine.compiler, *options], cwd=folder, check=True)


@pytest.mark.parametrize("platform", MACHINES)
def test_instructions_do_what_their_bodies_say(platform: str, tmp_path: Path) -> None:
    machine = MACHINES[platform]
    for tool in (machine.compiler[0], machine.emulators[0][0]):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    module = importlib.import_module(f"rewright.exo.platforms.{platform}")
    all_cases = cases(platform, module)
    assert len(all_cases) == {"rvv": 8 * 4, "sve_vla": 48 * 3}[platform]
    made = procedures(tmp_path, platform, all_cases)
    build(tmp_path, machine, list(made.values()), main_of(all_cases))
    for emulator in machine.emulators:
        out = subprocess.run([*emulator, "./all"], cwd=tmp_path, check=True, capture_output=True).stdout
        at = 0
        for case in all_cases:
            expected = made[case.name].run(**given(case))
            for x, value in given(case).items():
                got = np.frombuffer(out[at : at + value.nbytes], value.dtype)
                at += value.nbytes
                assert list(got) == list(np.atleast_1d(expected[x])), f"{case.name}: {x}, {emulator[-1]}"
        assert at == len(out)


def test_a_program_that_asks_for_more_lanes_than_there_are_stops(tmp_path: Path) -> None:
    machine = MACHINES["sve_vla"]
    if shutil.which("clang-19") is None or shutil.which("qemu-aarch64") is None:
        pytest.skip("clang-19 and qemu-aarch64 are not all installed")
    from rewright.exo.platforms import sve_vla

    case = calling("sve_vla", sve_vla.sve_vadd_f32_vla, 8)
    build(tmp_path, machine, list(procedures(tmp_path, "sve_vla", [case]).values()), main_of([case]))
    for size, stops in ((32, False), (16, True)):
        emulator = ["qemu-aarch64", "-cpu", f"max,sve-default-vector-length={size}"]
        done = subprocess.run([*emulator, "./all"], cwd=tmp_path, capture_output=True)
        assert (done.returncode != 0) == stops, size


#: A copy in registers; the rest of the loop is what no register is full of.
COPY = """
from __future__ import annotations
from exo import *
from exo.platforms.rvv import *
from exo.stdlib.scheduling import *


@proc
def copy(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = x[i]


def in_registers(p):
    p = rename(divide_loop(p, "i", 4, ["io", "ii"], tail="cut"), "wide")
    for k in range(2):
        move = p.find(f"y[_] = _ #{k}")
        p = bind_expr(p, move.rhs(), f"r{k}")
        made = p.forward(move).prev()
        p = set_memory(expand_dim(p, f"r{k}", 4, "ii"), f"r{k}", RVV)
        p = fission(lift_alloc(p, f"r{k}"), p.forward(made).after())
    return replace_all(p, [rvv_vld_4xf32, rvv_vst_4xf32])
"""


#: Copies of all lengths below 14, of which no cell but these is written.
COPIES = """
#include "all.h"
int main(void) {
    for (int n = 1; n < 14; n++) {
        float x[14] = { 0 }, y[14] = { 0 };
        for (int i = 0; i < n; i++) {
            x[i] = i + 1;
        }
        wide(0, n, x, y);
        for (int i = 0; i < 14; i++) {
            if (y[i] != x[i]) {
                return n;
            }
        }
    }
    return 0;
}
"""


def test_the_rest_of_a_loop_is_a_call(tmp_path: Path) -> None:
    """Of no lanes where nothing is left, and with windows that are within their buffers."""
    machine = MACHINES["rvv"]
    module = read(tmp_path / "programs_copy.py", COPY)
    made = module.in_registers(module.copy)
    assert str(made).count("rvv_vld_4xf32(") == str(made).count("rvv_vst_4xf32(") == 2 and "ii" not in str(made)
    assert module.copy.equiv(made).verdict == "equal"
    if shutil.which(machine.compiler[0]) is None or shutil.which(machine.emulators[0][0]) is None:
        pytest.skip("clang-19 and qemu-riscv64 are not all installed")
    build(tmp_path, machine, [made], COPIES)
    for emulator in machine.emulators:
        subprocess.run([*emulator, "./all"], cwd=tmp_path, check=True)
