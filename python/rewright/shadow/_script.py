"""A step as a Python script for people who have Exo alone: the program, the step, an input, and both versions run as C."""

from __future__ import annotations

import inspect
import os
import re
import tempfile
from fractions import Fraction
from typing import Any, Dict, List, Optional

from ._record import Recorder, Step
from ._text import Program, config_text, extents, kind

__all__ = ["in_place_script", "input_of", "loaded", "script"]

FUTURE = "from __future__ import annotations\n\n"
RUNS = "import itertools\nimport pathlib\nimport re\nimport subprocess\nimport tempfile\n\n"
HEAD = """from exo import *
from exo.libs.externs import *
from exo.libs.memories import *
from exo.stdlib.scheduling import *
"""


def runner() -> str:
    """The part of a script that runs C."""
    with open(os.path.join(os.path.dirname(__file__), "_runner.py"), encoding="utf-8") as file:
        return "# What follows" + file.read().partition("# What follows")[2]


def script(title: str, start: Program, steps: List[Step], calls: List[str], inputs: Dict[str, Any]) -> str:
    """The text: `calls` are the steps from `before` to `after` as Python, each of the one before it, called `p`."""
    words = [f'"""{title}"""\n\n' + FUTURE + RUNS + _definitions(start, steps), start.text or ""]
    lines = [*([] if start.name == "p" else ["p = " + start.name]), *(f"p = {call}" for call in calls[:-1]), "before = p", f"after = {calls[-1]}"]
    if steps[-1].op == "extract_subproc":
        lines.append("after = after[0]")
    words.append("\n".join(lines) + "\n")
    shown = "".join(f"    {key!r}: {value!r},\n" for key, value in inputs.items())
    words.append(f"INPUT = {{\n{shown}}}\n")
    return "\n\n".join(words) + "\n\n" + runner()


def in_place_script(title: str, start: Program, steps: List[Step], calls: List[str]) -> str:
    """The text for a step that changes the procedure that it is given."""
    words = [f'"""{title}"""\n\n' + FUTURE + _definitions(start, steps), start.text or ""]
    lines = [*([] if start.name == "p" else ["p = " + start.name]), *(f"p = {call}" for call in calls[:-1]), "text = str(p)", calls[-1]]
    lines += ["changed = text != str(p)", 'if __name__ == "__main__":', '    print("before:", text, "after:", p, sep="\\n")']
    words.append("\n".join(lines) + "\n")
    return "\n\n".join(words)


def _definitions(start: Program, steps: List[Step]) -> str:
    """What comes before the procedure: all that it and the arguments of the steps mention."""
    library = start._library
    programs, configs, memories = [start], dict(start.configs), {}
    for step in steps:
        for value in step.args.values():
            what = type(value).__name__
            if what == "Procedure":
                programs.append(library.callee(value._loopir_proc))
            elif what == "Config":
                configs[library.config_name(value)] = value
            elif isinstance(value, type):
                memories[library.memory_name(value)] = value
    callees = []
    for program in programs:
        for one in [*all_callees(program), *([] if program is start else [program])]:
            if one not in callees:
                callees.append(one)
    for one in callees:
        configs.update(one.configs)
    lines = [_memory(name, mem) for name, mem in sorted(memories.items())]
    for one in [start, *callees]:
        lines += _imports(one)
    head = HEAD + "".join(line + "\n" for line in dict.fromkeys(lines) if line)
    return "\n\n".join([head, *(config_text(c, name) for name, c in configs.items()), *map(_definition, callees)])


def all_callees(of: Program) -> List[Program]:
    """What a procedure calls, and what that calls, first what others call."""
    out: List[Program] = []
    for callee in of.callees.values():
        for one in [*all_callees(callee), callee]:
            if one not in out:
                out.append(one)
    return out


def _definition(callee: Program) -> str:
    instr, text = callee.ir.instr, callee.text or ""
    if instr is None:
        return text
    return text.replace("@proc\n", f"@instr({instr.c_instr!r}, {instr.c_global!r})\n", 1)


def _imports(one: Program) -> List[str]:
    lines = [_memory(name, mem) for name, mem in sorted(one.memories.items())]
    for name, extern in sorted(one.externs.items()):
        module = type(extern).__module__
        if module not in ("exo.libs.externs", "__main__"):
            lines.append(f"from {module} import {name}")
    return lines


def _memory(name: str, mem: Any) -> str:
    module = mem.__module__
    if module in ("exo.core.memory", "exo.libs.memories"):
        return ""
    if module.startswith("exo."):
        return f"from {module} import {mem.__name__}" + ("" if name == mem.__name__ else f" as {name}")
    try:
        return "\n\n" + inspect.cleandoc("\n" + inspect.getsource(mem)) + "\n"
    except (OSError, TypeError):
        return f"class {name}(DRAM): pass"


def loaded(text: str, recorder: Optional[Recorder]) -> Dict[str, Any]:
    """What a script defines. It raises what the script raises."""
    import runpy

    active = recorder is not None and recorder.active
    handle, path = tempfile.mkstemp(suffix=".py", text=True)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    if recorder is not None:
        recorder.active = False
    try:
        return runpy.run_path(path, run_name="exo_report")
    finally:
        if recorder is not None:
            recorder.active = active
        os.unlink(path)


# Inputs.


def input_of(program: Program, text: Optional[str], hint: Dict[str, Any], data: bool = True) -> Dict[str, Any]:
    """An input for the C: what an input of Rewright says, without its `data` where they are to be others; where there is none,
    one with the values of `hint`."""
    given = dict(word.split("=", 1) for word in text.split()) if text else {}
    control: Dict[str, Any] = {}
    out: Dict[str, Any] = {}
    for arg in program.ir.args:
        name = program.names[arg.name]
        what = kind(arg.type)
        if what in ("Size", "Index", "Int", "Stride"):
            control[name] = int(given.get(name, hint.get(name, 1 if what == "Size" else 0)))
        elif what == "Bool":
            control[name] = given.get(name, str(hint.get(name, False))) == "True"
    for arg in program.ir.args:
        name = program.names[arg.name]
        if name in control:
            out[name] = control[name]
        else:
            shape = [_value(program.expr(e), control) for e in extents(arg.type)]
            out[name] = _array(shape, given.get(name), data)
    out.update((key, _field(value)) for key, value in given.items() if "." in key)
    return out


def _value(text: str, control: Dict[str, Any]) -> int:
    """An extent."""
    return int(eval(text.replace("/", "//"), {"__builtins__": {}}, dict(control)))


def _array(shape: List[int], given: Optional[str], data: bool) -> Dict[str, Any]:
    count = 1
    for n in shape:
        count *= max(n, 0)
    strides = [1] * len(shape)
    for i in range(len(shape) - 1, 0, -1):
        strides[i - 1] = strides[i] * shape[i]
    offset, cells = 0, [str(float(i % 7 + 1)) for i in range(count)]
    if given is not None:
        values, _, layout = given.partition("@")
        found = [_cell(w) for w in re.findall(r"[^\[\],\s]+", values)]
        cells = found if data and len(found) == count else cells
        told = re.match(r"\[([-\d,]*)\]\+(\d+)$", layout)
        if told and told[1]:
            strides, offset = [int(s) for s in told[1].split(",")], int(told[2])
    return {"shape": shape, "cells": [float(c) for c in cells], "strides": strides, "offset": offset}


def _cell(word: str) -> str:
    try:
        return str(float(Fraction(word)))
    except (ValueError, ZeroDivisionError):
        return "0.0"


def _field(word: str) -> Any:
    return word == "True" if word in ("True", "False") else float(_cell(word)) if "/" in word else _number(word)


def _number(word: str) -> Any:
    try:
        return int(word)
    except ValueError:
        return float(_cell(word))
