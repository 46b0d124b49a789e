"""C that memories and externs of Python write, and the style of units. Spec: [rule: python.exo-memories], [rule: c.style]."""

from __future__ import annotations

import importlib.util
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from rewright import CompileError
from rewright.exo import DRAM, Extern, Memory, compile_procs_to_strings, config, instr, proc
from rewright.exo.core.configs import ConfigError
from rewright.exo.core.memory import MemGenError, StaticMemory, generate_offset
from rewright.exo.libs import memories
from rewright.exo.libs.externs import relu, select, sin
from rewright.procedure import RewrightWarning


class _Twice(Extern):
    def __init__(self) -> None:
        super().__init__("twice")

    def typecheck(self, args):
        if len(args) != 1 or not args[0].type.is_real_scalar():
            raise TypeError("one scalar")
        return args[0].type

    def globl(self, prim_type):
        return f"static {prim_type} twice_{prim_type}({prim_type} x) {{ return 2 * x; }}"

    def compile(self, args, prim_type):
        return f"twice_{prim_type}({args[0]})"


twice = _Twice()


@proc
def doubled(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = twice(x[i])


def test_externs_write_their_c() -> None:
    code = doubled.c_code_str()
    assert code.count("static float twice_float(float x)") == 1
    assert "x[i] = twice_float(x[i]);" in code
    x = np.arange(3, dtype=np.float32)
    doubled.compile()(3, x)
    assert x.tolist() == [0, 2, 4]


def test_steps_work_around_externs() -> None:
    from rewright.exo.API_scheduling import bind_expr, divide_loop

    p = divide_loop(doubled, "i", 4, ["io", "ii"])
    p = bind_expr(p, "twice(_)", "t")
    assert "t = twice(x[4 * io + ii])" in str(p)
    assert type(p.find("twice(_)")).__name__ == "ExternFunctionCursor"


def test_arity_is_checked() -> None:
    with pytest.raises(TypeError):

        @proc
        def wrong(x: f32):
            x = twice(x, x)


def test_standard_externs_are_known_by_any_name() -> None:
    sine = sin

    @proc
    def p(x: f32[4]):
        x[0] = sine(x[1]) + relu(x[2]) + select(x[0], x[1], x[2], x[3])

    assert "sinf(x[1])" in p.c_code_str()


class COUNTED(DRAM):
    """Counts what it allocates."""

    live = 0

    @classmethod
    def global_(cls):
        return "#define MINE 1"

    @classmethod
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        cls.live += 1
        dims = "".join(f"[{s}]" for s in shape)
        return f"{prim_type} {new_name}{dims}; // {cls.live}"

    @classmethod
    def free(cls, new_name, prim_type, shape, srcinfo):
        cls.live -= 1
        return f"// {new_name} is gone"

    @classmethod
    def window(cls, basetyp, baseptr, indices, strides, srcinfo):
        return baseptr + "".join(f"[{i}]" for i in indices)

    @classmethod
    def write(cls, s, lhs, rhs):
        return f"STORE({lhs}, {rhs});"


def test_methods_have_state_and_derive() -> None:
    @proc
    def p(n: size, x: f32[8]):
        for i in seq(0, 8):
            t: f32[8] @ COUNTED
            t[i] = x[i]
            x[i] = t[i]
        u: f32[2, 3] @ COUNTED
        u[1, 2] = 0.0
        u[0, 0] += 1.0

    code = p.c_code_str()
    assert "float t[8]; // 1" in code and "float u[2][3]; // 1" in code
    assert "STORE(" in code and "// u is gone" in code and code.count("#define MINE 1") == 1
    assert COUNTED.live == 0


class NOWHERE(Memory):
    @classmethod
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        raise MemGenError(f"there is no room for {new_name}")

    @classmethod
    def free(cls, new_name, prim_type, shape, srcinfo):
        return ""

    @classmethod
    def can_read(cls):
        return False


def test_refusals_are_mem_gen_errors() -> None:
    @proc
    def allocated():
        t: f32[4] @ NOWHERE

    @proc
    def written(x: f32[4] @ NOWHERE):
        x[0] = 1.0

    @proc
    def reduced(x: f32[4] @ NOWHERE):
        x[0] += 1.0

    @proc
    def read(x: f32[4], y: f32[4] @ NOWHERE):
        x[0] = y[0]

    with pytest.raises(MemGenError, match="no room for t"):
        allocated.c_code_str()
    for p in (written, reduced, read):
        with pytest.raises(MemGenError, match="NOWHERE"):
            p.c_code_str()

    @proc
    def static(n: size):
        t: f32[n] @ memories.DRAM_STATIC

    with pytest.raises(MemGenError):
        static.c_code_str()

    @proc
    def narrow():
        t: f32[7] @ memories.AVX512

    with pytest.raises(MemGenError, match="16-wide"):
        narrow.c_code_str()


def test_an_error_of_a_method_is_what_is_raised() -> None:
    class Broken(DRAM):
        @classmethod
        def alloc(cls, new_name, prim_type, shape, srcinfo):
            return 1 // 0

    @proc
    def p():
        t: f32[4] @ Broken

    with pytest.raises(ZeroDivisionError):
        p.c_code_str()


def test_registers_are_handed_out_one_by_one() -> None:
    class Regs(StaticMemory):
        @classmethod
        def alloc(cls, new_name, prim_type, shape, srcinfo):
            k = cls.find_free_chunk()
            cls.mark(k)
            cls.of[new_name] = k
            return f"#define {new_name} r{k}"

        @classmethod
        def free(cls, new_name, prim_type, shape, srcinfo):
            cls.unmark(cls.of.pop(new_name))
            return f"#undef {new_name}"

        @classmethod
        def can_read(cls):
            return False

    Regs.of = {}
    Regs.init_state(1)

    @proc
    def one_after_the_other():
        for i in seq(0, 2):
            t: f32[4] @ Regs
        for i in seq(0, 2):
            u: f32[4] @ Regs

    code = one_after_the_other.c_code_str()
    assert "#define t r0" in code and "#define u r0" in code

    @instr("touch({r_data});")
    def touch(r: [f32][4] @ Regs):
        for i in seq(0, 4):
            r[i] = 0.0

    @proc
    def after_its_use():
        t: f32[4] @ Regs
        touch(t)
        u: f32[4] @ Regs
        w = u[0:4]
        touch(w)
        v: f32[4] @ Regs
        touch(v[0:4])

    code = after_its_use.c_code_str()
    assert [line.split()[1:] for line in code.splitlines() if line.strip().startswith("#")][-6:] == [
        ["t", "r0"], ["t"], ["u", "r0"], ["u"], ["v", "r0"], ["v"]
    ]  # fmt: skip

    @proc
    def both():
        t: f32[4] @ Regs
        w = t[0:4]
        u: f32[4] @ Regs
        touch(u)
        touch(w)

    with pytest.raises(MemGenError, match="more than 1 chunks"):
        both.c_code_str()


def test_offsets() -> None:
    assert generate_offset(["i", "j"], ["n", "1"]) == "(i) * n + j"
    assert generate_offset(["i + 1", "0"], ["2 * n", "1"]) == "(i + 1) * (2 * n)"
    assert generate_offset(["0"], ["1"]) == "0"


def test_several_procedures_are_one_unit() -> None:
    source, header = compile_procs_to_strings([doubled], "unit.h")
    assert '#include "unit.h"' in source and "void doubled(" in header


def test_what_the_back_end_refuses_has_exos_class() -> None:
    @proc
    def mixed(x: f32[4], y: f64[4]):
        x[0] = x[1] + y[1]

    with pytest.raises(TypeError):
        mixed.c_code_str()

    @config(readwrite=False)
    class Hidden:
        scale: f32

    @proc
    def hidden(x: f32[4]):
        Hidden.scale = 1.0

    with pytest.raises(ConfigError):
        hidden.c_code_str()


def test_functions_take_the_context_and_windows_have_exos_names() -> None:
    @proc
    def windowed(n: size, x: [f32][n]):
        for i in seq(0, n):
            x[i] = 1.0

    source, header = compile_procs_to_strings([windowed, doubled], "kernels.hpp")
    assert "void doubled(void *ctxt, int_fast32_t n, float *x);" in header
    assert "void windowed(void *ctxt, int_fast32_t n, struct exo_win_1f32 x);" in header
    assert '#include "kernels.hpp"' in source

    @config
    class Cfg:
        scale: f32

    @proc
    def scaled(x: f32[4]):
        for i in seq(0, 4):
            x[i] = x[i] * Cfg.scale

    header = compile_procs_to_strings([scaled], "lib.h")[1]
    assert "(lib_Context *ctxt" in header and "} lib_Context;" in header


@config
class Zeta:
    scale: f32
    rows: size


@config
class Alpha:
    on: bool


@config(readwrite=False)
class Hidden:
    scale: f32


@pytest.mark.parametrize(
    "name, context, guard",
    [
        ("MyLib.h", "MyLib_Context", "MYLIB_H"),
        ("my-lib.h", "my_lib_Context", "MY_LIB_H"),
        ("a.b.h", "a_b_Context", "A_B_H"),
        ("x y.h", "x_y_Context", "X_Y_H"),
        ("low__.h", "low___Context", "LOW___H"),
        # In Exo, these are no identifiers.
        ("9x.h", "x9x_Context", "X9X_H"),
    ],
)
def test_headers_of_any_name(name: str, context: str, guard: str) -> None:
    @proc
    def scaled(x: f32[4]):
        x[0] = Zeta.scale

    source, header = compile_procs_to_strings([scaled], name)
    assert source.startswith(f'#include "{name}"\n')
    assert f"typedef struct {context} {{" in header and f"({context} *ctxt" in header
    assert header.startswith(f"#ifndef {guard}\n#define {guard}\n")


def test_the_context_is_exos() -> None:
    """Configurations by name, each a struct with one; and no pointer to it is to const, whatever a function does."""

    @proc
    def both(x: f32[4]):
        x[0] = Zeta.scale
        if Alpha.on:
            x[1] = 0.0

    source, header = compile_procs_to_strings([both], "u.h")
    context = " ".join(header[header.index("typedef") :].split())
    assert context.startswith(
        "typedef struct u_Context { struct Alpha { bool on; } Alpha; "
        "struct Zeta { float scale; int_fast32_t rows; } Zeta; } u_Context;"
    )
    assert "const u_Context" not in source + header

    @instr("set({a_data});")
    def set_hidden(a: f32):
        Hidden.scale = a

    @proc
    def hidden(x: f32):
        set_hidden(x)

    header = compile_procs_to_strings([hidden], "u.h")[1]
    assert "} u_Context;" in header and "(u_Context *ctxt, " in header


def test_two_externs_of_one_name_are_two() -> None:
    def made(code: str) -> Extern:
        class _Named(Extern):
            def __init__(self) -> None:
                super().__init__("named")

            def typecheck(self, args: Any) -> Any:
                if len(args) != 1:
                    raise TypeError
                return args[0].type

            def globl(self, prim_type: str) -> str:
                return ""

            def compile(self, args: Any, prim_type: str) -> str:
                return f"({args[0]}{code})"

        return _Named()

    one, two = made(" * 2"), made(" * 3")

    def reader(h: Extern) -> Any:
        @proc
        def p(x: f32[4]):
            for i in seq(0, 4):
                x[i] = h(x[i])

        return p

    first, second = reader(one), reader(two)
    for p, times in ((first, 2), (second, 3), (first, 2)):
        x = np.arange(4, dtype=np.float32)
        p.compile()(x)
        assert x.tolist() == [0.0, times, 2.0 * times, 3.0 * times]
    assert not first.equiv(second)

    @proc
    def both(x: f32[4]):
        for i in seq(0, 4):
            x[i] = one(x[i]) + two(x[i])

    code = both.c_code_str()
    assert "* 2" in code and "* 3" in code


@instr("f({n:>3}, {n!r}, {t_data:>8});")
def formatted(n: index, t: f32[8]):  # type: ignore[name-defined]  # noqa: F405, F821
    pass


@instr("g({t_data:5}.data);")
def followed(t: f32[8]):  # type: ignore[name-defined]  # noqa: F405, F821
    pass


def test_values_with_formats() -> None:
    @proc
    def caller(t: f32[8]):  # type: ignore[no-untyped-def]  # noqa
        for j in seq(0, 3):  # type: ignore[name-defined]  # noqa: F821
            formatted(2 * j + 2, t)

    c = caller.c_code_str()
    # One pair of parentheses, as without a format; and the words in braces are none of the C.
    assert "f((2 * j + 2), '(2 * j + 2)'," in c and "t_1" not in c
    assert followed.get_instr() == "g({t_data:5}.data);"


@config
class Mode:
    a: index  # type: ignore[name-defined]  # noqa: F405, F821


@instr("copy8({y_data}, {x_data});")
def copied(x: [f32][8], y: [f32][8]):  # type: ignore  # noqa
    for i in seq(0, 8):  # type: ignore[name-defined]  # noqa: F405, F821
        y[i] = x[i]


@instr("copy8({y_data}, {x_data});")
def abstract(x: [R][8], y: [R][8]):  # type: ignore  # noqa
    for i in seq(0, 8):  # type: ignore[name-defined]  # noqa: F405, F821
        y[i] = x[i]


def test_an_instruction_that_does_something_else_is_none() -> None:
    """In Exo the C of ``copy8`` stands for a body that writes a field, and for one of `f64`."""
    from rewright.exo.stdlib.scheduling import divide_loop, rename, set_precision, unroll_loop, write_config

    writes = write_config(copied, copied.find("for i in _: _").before(), Mode, "a", "3")
    assert not writes.is_instr()

    @proc
    def caller(x: f32[8], y: f32[8]):  # type: ignore  # noqa
        Mode.a = 1
        writes(x[0:8], y[0:8])
        if Mode.a == 3:
            y[0] = 0.0

    assert "copy8" not in caller.c_code_str() and "Mode.a = 3;" in caller.c_code_str()
    assert not set_precision(copied, "x", "f64").is_instr() and not rename(writes, "w").is_instr()
    assert set_precision(abstract, "x", "f32").is_instr()
    assert unroll_loop(divide_loop(copied, "i", 4, ["io", "ii"], perfect=True), "io").is_instr()


@pytest.mark.parametrize("name", ["DRAM_STACK", "DRAM_STATIC", "AVX2", "AVX512", "AMX_TILE", "GEMM_SCRATCH", "GEMM_ACCUM", "MDRAM"])
@pytest.mark.parametrize("prim_type", ["float", "double", "int8_t", "uint8_t", "uint16_t", "int32_t", "_Float16"])
def test_a_memory_takes_a_shape_or_says_that_it_does_not(name: str, prim_type: str) -> None:
    memory = getattr(memories, name)
    shapes = [(), ("16",), ("n",), ("(n + 1)",), ("0",), ("16", "16"), ("n", "16"), ("16", "n"), ("2", "8", "16"), ("n", "2", "n")]
    for shape in shapes:
        try:
            declared = memory.alloc("buffer", prim_type, shape, "here")
        except MemGenError as refused:
            assert str(refused)
            continue
        finally:
            getattr(memory, "reset_allocations", lambda: None)()
        assert "buffer" in declared


def test_a_public_function_that_gets_another_name_is_warned_of() -> None:
    from rewright.exo.stdlib.scheduling import rename

    @proc
    def copies(x: f32[8], y: f32[8]):
        for i in seq(0, 8):
            y[i] = x[i]

    @proc
    def calls(x: f32[8], y: f32[8]):
        copies(x, y)

    with pytest.warns(RewrightWarning, match="the function of `read` is called `read_1` in C"):
        source = rename(copies, "read").c_code_str()
    assert "void read_1(" in source
    # What no one else calls is no matter.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert calls.c_code_str() and copies.c_code_str()


#: Programs of processors, and the memory that another processor has not.
ELSEWHERE = {
    "neon": ("neon_vld_4xf32(r[0:4], x[0:4])", "Neon", "aarch64"),
    "rvv": ("rvv_vld_4xf32(r[0:4], x[0:4], 4)", "RVV", "riscv64"),
}


@pytest.mark.parametrize("platform", list(ELSEWHERE))
@pytest.mark.usefixtures("installed")
def test_what_is_of_another_processor_is_not_compiled_for_this_one(platform: str, tmp_path: Path) -> None:
    from platform import machine

    load, memory, processor = ELSEWHERE[platform]
    if machine() in (processor, "arm64"):
        pytest.skip("this machine has these registers")
    path = tmp_path / "elsewhere.py"
    path.write_text(
        f"from __future__ import annotations\nfrom exo import *\nfrom exo.platforms.{platform} import *\n\n\n"
        f"@proc\ndef p(x: f32[4]):\n    r: f32[4] @ {memory}\n    {load}\n"
    )
    spec = importlib.util.spec_from_file_location(f"elsewhere_{platform}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(CompileError) as refused:
        module.p.compile()
    assert str(refused.value) == (
        f"this machine has no {memory}: `compile_c` writes the C, which a compiler for {processor} takes"
    )


def test_what_is_said_of_a_buffer_that_a_step_made_has_a_place() -> None:
    """That of what it stands before, as in Exo."""
    from rewright.exo.platforms.neon import Neon
    from rewright.exo.stdlib.scheduling import bind_expr, expand_dim, set_memory, stage_mem, unroll_buffer

    line = sys._getframe().f_lineno

    @proc
    def doubled(x: f32[8], y: f32[8]):
        for i in seq(0, 8):
            y[i] += 2.0 * x[i]

    loop, statement = line + 4, line + 5
    bound = bind_expr(doubled, doubled.find("x[_]"), "r")
    staged = stage_mem(doubled, "for i in _: _", "x[0:8]", "r")
    unrolled = unroll_buffer(expand_dim(bound, "r", 1, "0"), "r: _", 0)
    for p, name, at in ((bound, "r", statement), (staged, "r", loop), (unrolled, "r_0", statement)):
        with pytest.raises(MemGenError) as refused:
            set_memory(p, name, Neon).c_code_str()
        assert str(refused.value).startswith(f"{__file__}:{at}:"), refused.value


class _Tiles(Memory):
    """Registers that are numbers."""

    unused = list(range(4))
    taken: dict[str, int] = {}

    @classmethod
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        cls.taken[new_name] = cls.unused.pop(0)
        return ""

    @classmethod
    def free(cls, new_name, prim_type, shape, srcinfo):
        cls.unused.insert(0, cls.taken.pop(new_name))
        return ""

    @classmethod
    def can_read(cls):
        return False

    @classmethod
    def window(cls, basetyp, baseptr, indices, strides, srcinfo):
        return f"{cls.taken[baseptr]}"


@instr('__asm__("zero {{za{t_data}.s}}");')
def zero_tile(t: [f32][16] @ _Tiles):
    for i in seq(0, 16):
        t[i] = 0.0


@proc
def two_tiles():
    a: f32[16] @ _Tiles
    b: f32[16] @ _Tiles
    zero_tile(a[0:16])
    zero_tile(b[0:16])


def test_a_number_is_a_part_of_a_word() -> None:
    code = two_tiles.c_code_str()
    assert '__asm__("zero {za0.s}");' in code and '__asm__("zero {za1.s}");' in code
