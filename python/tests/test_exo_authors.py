"""Memories and externs of a program's own: what they are asked, in what order. The expectations are what Exo 1.0.0 does. Spec:
[rule: python.exo-memories]."""

from __future__ import annotations

from typing import Any, List, Tuple

import numpy as np
import pytest
from rewright.exo import DRAM, Extern, Memory, instr, proc
from rewright.exo.API_scheduling import unroll_loop
from rewright.exo.core.extern import Extern_Typecheck_Error
from rewright.exo.core.memory import MemGenError
from rewright.exo.libs.externs import sin


def recording(log: List[Tuple[Any, ...]], is_readable: bool = True) -> Any:
    """A memory that notes what it is asked, and has the ``window`` of all."""

    class NOTED(Memory):
        @classmethod
        def global_(cls) -> str:
            log.append(("global_",))
            return "// noted"

        @classmethod
        def alloc(cls, new_name: str, prim_type: str, shape: Any, srcinfo: Any) -> str:
            log.append(("alloc", new_name, prim_type, shape))
            return f"{prim_type} {new_name}[{' * '.join(shape) or 1}];"

        @classmethod
        def free(cls, new_name: str, prim_type: str, shape: Any, srcinfo: Any) -> str:
            log.append(("free", new_name))
            return ""

        @classmethod
        def can_read(cls) -> bool:
            log.append(("can_read",))
            return is_readable

        @classmethod
        def write(cls, s: Any, lhs: str, rhs: str) -> str:
            log.append(("write", str(s.name), lhs))
            return f"{lhs} = {rhs};"

        @classmethod
        def reduce(cls, s: Any, lhs: str, rhs: str) -> str:
            log.append(("reduce", str(s.name), lhs))
            return f"{lhs} += {rhs};"

    return NOTED


def test_what_a_memory_is_asked() -> None:
    log: List[Tuple[Any, ...]] = []
    noted = recording(log)

    @proc
    def p(y: f32[8], w: [f32][4] @ noted, s: f32 @ noted):
        s = 2.0
        t: f32[2, 4] @ noted
        for i in seq(0, 4):
            t[1, i] = y[i]
            w[i] += t[1, i]

    p.c_code_str()
    assert log == [
        ("global_",),
        ("write", "s", "*s"),
        ("alloc", "t", "float", ["2", "4"]),
        ("write", "t", "t[i + 4]"),
        ("can_read",),
        ("reduce", "w", "w.data[w.strides[0] * i]"),
        ("free", "t"),
    ]


def test_windows_are_asked_for_with_the_buffers_of_the_program() -> None:
    asked: List[Tuple[Any, ...]] = []

    class REGISTERS(DRAM):
        count = 0
        names: List[str] = []

        @classmethod
        def window(cls, basetyp: Any, baseptr: str, indices: Any, strides: Any, srcinfo: Any) -> str:
            cls.count += 1
            cls.names.append(baseptr)
            asked.append((basetyp.is_win(), basetyp.is_real_scalar(), basetyp.basetype().ctype(), list(indices)))
            return f"{baseptr}_{indices[0]}"

    @instr("clear({x_data});")
    def clear(x: [f32][8] @ REGISTERS):
        for i in seq(0, 8):
            x[i] = 0.0

    @proc
    def p(n: size):
        assert n == 2
        t: f32[2, 8] @ REGISTERS
        for k in seq(0, 2):
            clear(t[k, 0:8])

    assert "clear(t_k);" in p.c_code_str()
    # Whether the cells have addresses is asked of a copy: the class knows of the program's buffers alone.
    assert set(REGISTERS.names) == {"t"} and REGISTERS.count == len(REGISTERS.names) <= 2
    assert (False, False, "float", ["k", "0"]) in asked


def test_windows_of_windows_are_structs() -> None:
    asked: List[Tuple[bool, str]] = []

    class SEEN(DRAM):
        @classmethod
        def window(cls, basetyp: Any, baseptr: str, indices: Any, strides: Any, srcinfo: Any) -> str:
            asked.append((basetyp.is_win(), baseptr))
            return str(super().window(basetyp, baseptr, indices, strides, srcinfo))

    @instr("touch({x_data});")
    def touch(x: [f32][8] @ SEEN):
        for i in seq(0, 8):
            x[i] = 0.0

    @proc
    def p(w: [f32][4, 8] @ SEEN):
        touch(w[1, 0:8])

    assert "touch(w.data[w.strides[0]]);" in p.c_code_str()
    assert (True, "w") in asked


def test_after_a_refusal_nothing_is_asked() -> None:
    log: List[Tuple[Any, ...]] = []
    hidden = recording(log, is_readable=False)

    @proc
    def p(y: f32[8]):
        t: f32[8] @ hidden
        y[0] = t[0]
        y[1] = t[1]

    with pytest.raises(MemGenError, match="cannot read"):
        p.c_code_str()
    assert log == [("global_",), ("alloc", "t", "float", ["8"]), ("can_read",)]


class Largest(Extern):
    """The largest of its arguments, however many there are."""

    def __init__(self) -> None:
        super().__init__("largest")

    def typecheck(self, args: Any) -> Any:
        if not args:
            raise Extern_Typecheck_Error("expected at least one argument")
        for arg in args:
            if not arg.type.is_real_scalar():
                raise Extern_Typecheck_Error(f"expected data, got {arg.type}")
        return args[0].type

    def globl(self, prim_type: str) -> str:
        return f"static {prim_type} most_{prim_type}({prim_type} a, {prim_type} b) {{ return a > b ? a : b; }}"

    def compile(self, args: Any, prim_type: str) -> str:
        found = args[0]
        for arg in args[1:]:
            found = f"most_{prim_type}({found}, {arg})"
        return str(found)


largest = Largest()


def test_an_extern_of_any_number_of_arguments() -> None:
    @proc
    def p(x: f32[4]):
        for i in seq(0, 2):
            x[i] = largest(x[i], x[i + 2], 1.0) + largest(x[3]) + largest(x[i], 2.0)

    text = str(p).replace("\n", "").replace(" ", "")
    assert "largest(x[i],x[i+2],1.0)+largest(x[3])+largest(x[i],2.0)" in text
    for q in (p, unroll_loop(p, "i")):
        x = np.array([-3.0, 5.0, -2.0, 4.0], dtype=np.float32)
        q.compile()(x)
        assert x.tolist() == [7.0, 14.0, -2.0, 4.0]
    assert [len(call.args()) for call in p.find("largest(_)", many=True)] == [3, 1, 2]


def test_an_extern_looks_at_the_types_of_its_arguments() -> None:
    class Single(Extern):
        def __init__(self) -> None:
            super().__init__("single")

        def typecheck(self, args: Any) -> Any:
            if len(args) != 1 or str(args[0].type) != "f32":
                raise Extern_Typecheck_Error("expected one f32")
            return args[0].type

        def compile(self, args: Any, prim_type: str) -> str:
            return str(args[0])

    single = Single()

    @proc
    def right(x: f32[2]):
        x[0] = single(x[1])

    with pytest.raises(TypeError, match="expected one f32"):

        @proc
        def of_another_type(x: f64[2]):
            x[0] = single(x[1])

    with pytest.raises(TypeError, match="expected one f32"):

        @proc
        def of_two(x: f32[2]):
            x[0] = single(x[0], x[1])

    with pytest.raises(TypeError, match="expected at least one"):

        @proc
        def of_none(x: f32[2]):
            x[0] = largest()


def test_an_extern_of_a_name_that_there_always_is() -> None:
    class Mine(Extern):
        def __init__(self) -> None:
            super().__init__("sin")

        def typecheck(self, args: Any) -> Any:
            return args[0].type

        def globl(self, prim_type: str) -> str:
            return ""

        def compile(self, args: Any, prim_type: str) -> str:
            return f"(({args[0]}) + 100)"

    mine = Mine()

    @proc
    def p(x: f32[2]):
        x[0] = mine(x[0])
        x[1] = sin(x[1])

    x = np.array([1.0, 0.0], dtype=np.float32)
    p.compile()(x)
    assert x.tolist() == [101.0, 0.0] and str(p).count("sin(") == 2
    # In a text it would be the other one.
    with pytest.raises(Exception, match="texts take for another extern"):
        p.derivation()


def test_the_externs_that_there_always_are() -> None:
    from rewright.exo.core.extern import Argument
    from rewright.exo.libs.externs import relu, select

    assert isinstance(sin, Extern) and sin.name() == "sin" and sin.compile(["x"], "float") == "sin((float)(x))"
    assert "float _relu_float(float x)" in relu.globl("float") and sin.globl("float") == "#include <math.h>"
    assert select.typecheck([Argument("f32")] * 4) == Argument("f32").type
    for wrong in ([], [Argument("size")], [Argument("f32")] * 2):
        with pytest.raises(Extern_Typecheck_Error):
            sin.typecheck(wrong)

    with pytest.raises(TypeError):

        @proc
        def p(x: f32[2]):
            x[0] = sin(x[0], x[1])


@pytest.mark.parametrize("method, given", [("alloc", 5), ("write", b"x"), ("global_", ["a"])])
def test_what_is_no_text(method: str, given: Any) -> None:
    """Nothing but text, or ``None``, is a method's answer."""

    class Odd(Memory):
        @classmethod
        def alloc(cls, new_name: str, prim_type: str, shape: Any, srcinfo: Any) -> str:
            return f"{prim_type} {new_name}[4];"

        @classmethod
        def free(cls, new_name: str, prim_type: str, shape: Any, srcinfo: Any) -> Any:
            return None

        @classmethod
        def can_read(cls) -> bool:
            return True

        @classmethod
        def write(cls, s: Any, lhs: str, rhs: str) -> str:
            return f"{lhs} = {rhs};"

    @proc
    def p(y: f32[4] @ DRAM):
        t: f32[4] @ Odd
        t[0] = y[0]
        y[1] = t[0]

    assert "t[0] = y[0];" in p.c_code_str()
    setattr(Odd, method, classmethod(lambda cls, *of: given))
    with pytest.raises(TypeError, match=rf"`{method}` of memory Odd\w* returns .*, which is no string"):
        p.c_code_str()
