"""Runs the C that `compile_c` writes of a procedure, under Exo and under `rewright.exo` alike."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple, Union

#: The types of cells.
_CELLS: Dict[str, Any] = {
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
    "i8": ctypes.c_int8,
    "ui8": ctypes.c_uint8,
    "ui16": ctypes.c_uint16,
    "i32": ctypes.c_int32,
}

#: As many bytes as any context has.
_CONTEXT = 1 << 16


def c_run(p: Any, *args: Union[bool, int, Tuple[str, Sequence[float]]]) -> List[List[float]]:
    """What is in the buffers after a call: a size, an index or a truth value is given as it is, a buffer as the type of its
    cells and their values, `("f32", [1, 2])`."""
    with tempfile.TemporaryDirectory() as at:
        folder = Path(at)
        p.compile_c(folder, "unit")
        made = ["cc", "-O1", "-march=native", "-w", "-shared", "-fPIC", "-o", str(folder / "unit.so"), str(folder / "unit.c"), "-lm"]
        done = subprocess.run(made, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError("the C does not compile")
        function = getattr(ctypes.CDLL(str(folder / "unit.so")), p.name())
    function.restype = None
    buffers = [(_CELLS[arg[0]] * len(arg[1]))(*arg[1]) for arg in args if isinstance(arg, tuple)]
    left = iter(buffers)
    context = ctypes.create_string_buffer(_CONTEXT)
    function(context, *(next(left) if isinstance(arg, tuple) else _number(arg) for arg in args))
    return [[round(float(cell), 4) for cell in buffer] for buffer in buffers]


def _number(value: Union[bool, int]) -> Any:
    return ctypes.c_bool(value) if isinstance(value, bool) else ctypes.c_int64(value)
