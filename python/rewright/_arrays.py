"""Procedures on numpy's arrays: in the interpreter, and compiled."""

from __future__ import annotations

import ctypes
from decimal import Decimal
from fractions import Fraction
from typing import Any, Dict, List, Mapping, Optional, Sequence, Set, Tuple

import numpy as np

from . import _rewright
from ._errors import ArgumentError, CompileError, LimitError

__all__ = ["Compiled", "interpret"]

#: Masked arrays, which have no types in all versions of numpy.
MA: Any = np.ma

#: How much numpy may search for a cell that two arrays share; its types know 0 and -1 alone.
WORK: Any = 100_000

#: The types of numpy that cells have in C. Numpy has no `bf16`: its cells are their 16 bits, or `bfloat16` of ml_dtypes.
DTYPES: Dict[str, Any] = {
    "f16": np.float16,
    "bf16": np.uint16,
    "f32": np.float32,
    "f64": np.float64,
    "i8": np.int8,
    "ui8": np.uint8,
    "ui16": np.uint16,
    "i32": np.int32,
    "R": np.float32,
}


#: The types of numpy that the interpreter gives back: a number of `bf16` is one of `f32`.
RESULTS: Dict[str, Any] = {**DTYPES, "bf16": np.float32}


def _is_bfloat(array: Any) -> bool:
    """Whether an array is one of ml_dtypes' `bfloat16`."""
    return bool(array.dtype.name == "bfloat16" and array.dtype.itemsize == 2)


def _of_bits(bits: Any) -> Any:
    """The numbers of `bf16` that have these bits."""
    return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)


def _bits(value: float) -> int:
    """The bits of the nearest number of `bf16`, ties to even."""
    exact = np.float64(value)
    with np.errstate(over="ignore"):
        near = exact.astype(np.float32)
    bits = int(near.view(np.uint32))
    if exact != exact:
        return bits >> 16 | 64
    if np.isfinite(near) and near != exact:
        # The last bit says that something was left out, so that the second rounding sees no false middle.
        bits = (bits - int(abs(float(near)) > abs(float(exact)))) | 1
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def _plain(array: Any) -> Any:
    """The same cells as numpy knows them: a class of its own may say anything of its shape."""
    return np.ndarray.view(array, np.ndarray)


def _extents(value: Any) -> Tuple[int, ...]:
    """How large an array is; nothing of what is none, which is told of when its cells are looked at."""
    if isinstance(value, np.ndarray):
        return tuple(_plain(value).shape)
    try:
        return np.shape(value) if isinstance(value, list) else ()
    except ValueError:
        return ()


def _sizes(raw: Any, given: Mapping[str, Any], missing: Sequence[str]) -> Dict[str, int]:
    """Sizes that are not given, where an array that is given has one for an extent."""
    out: Dict[str, int] = {}
    for name, _kind, shape, _window in raw.signature():
        if shape is None or name not in given:
            continue
        extents = _extents(given[name])
        if len(extents) == len(shape):
            for extent, size in zip(shape, extents):
                if extent in missing:
                    out.setdefault(extent, size)
    return out


def _bound(raw: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Dict[str, Any]:
    """Arguments by name, as Python binds them; sizes may be left out where arrays tell them."""
    names = [row[0] for row in raw.signature()]
    if len(args) > len(names):
        raise ArgumentError(f"{raw.name()}: takes {len(names)} arguments, and {len(args)} are given")
    out = dict(zip(names, args))
    for name, value in named.items():
        if name not in names:
            raise ArgumentError(f"{raw.name()}: there is no argument `{name}`; it has {', '.join(names)}")
        if name in out:
            raise ArgumentError(f"{raw.name()}: `{name}` is given twice")
        out[name] = value
    missing = [name for name in names if name not in out]
    if missing:
        out.update(_sizes(raw, out, missing))
        missing = [name for name in names if name not in out]
    if missing:
        raise ArgumentError(f"{raw.name()}: there is no value for {', '.join(missing)}")
    return out


def _control(name: str, value: Any) -> int:
    try:
        number = int(value.__index__() if not isinstance(value, np.bool_) else value)
    except (AttributeError, TypeError):
        kind = type(value).__name__
        raise ArgumentError(f"`{name}` is an integer or a truth value, and {kind} is given") from None
    if not -(1 << 63) <= number < 1 << 63:
        raise ArgumentError(f"`{name}` is {number}, which has more than 64 bits")
    return number


def _number(value: Any) -> str:
    """A number as the interpreter reads it, exactly."""
    if isinstance(value, Fraction):
        below = value.denominator
        for prime in (2, 5):
            while below % prime == 0:
                below //= prime
        if below != 1:
            raise ArgumentError(f"{value} is no decimal fraction, which inputs are")
        digits = 0
        while (value * 10**digits).denominator != 1:
            digits += 1
        whole = str(abs(int(value * 10**digits))).rjust(digits + 1, "0")
        sign = "-" if value < 0 else ""
        return sign + (whole if digits == 0 else f"{whole[:-digits]}.{whole[-digits:]}")
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    try:
        exact = Decimal(float(value))
    except (TypeError, ValueError):
        raise ArgumentError(f"{value!r} is no number") from None
    if not exact.is_finite():
        raise ArgumentError(f"{value} is no number of the interpreter")
    return format(exact, "f")


def _text(cells: Any) -> str:
    """Nested lists as the interpreter reads them; what is masked is not set."""
    if isinstance(cells, list):
        return "[" + ",".join(_text(c) for c in cells) + "]"
    return "_" if cells is None or cells is MA.masked else _number(cells)


def interpret(
    raw: Any,
    args: Sequence[Any],
    named: Mapping[str, Any],
    domain: str,
    steps: Optional[int],
    fields: Mapping[str, Any],
) -> Dict[str, Any]:
    """Runs a procedure in the interpreter."""
    values = _bound(raw, args, named)
    inputs: List[str] = []
    for name, kind, shape, _window in raw.signature():
        value = values[name]
        if shape is None:
            number = _control(name, value)
            inputs.append(f"{name}={bool(number) if kind == 'bool' else number}")
        else:
            try:
                array = MA.asanyarray(value, dtype=object) if MA.isMaskedArray(value) else np.asarray(value)
            except ValueError as e:
                raise ArgumentError(f"{raw.name()}: `{name}` is no array: {e}") from None
            if 0 in array.shape:
                raise ArgumentError(f"{raw.name()}: the array for `{name}` has no element")
            if kind == "bf16" and not MA.isMaskedArray(array) and array.dtype == np.uint16:
                array = _of_bits(array)
            is_short = array.dtype == np.float16 or _is_bfloat(array)
            cells = array.astype(np.float64).tolist() if is_short else array.tolist()
            inputs.append(f"{name}={_text(cells)}")
    for name, value in fields.items():
        inputs.append(f"{name}={value if isinstance(value, (bool, np.bool_)) else _number(value)}")
    if steps is not None and not 0 <= steps < 1 << 63:
        raise ArgumentError(f"{steps} is no number of statements")
    left = _rewright.run(raw, inputs, domain, steps)
    return {name: _result(value, domain) for name, value in left.items()}


def _result(value: Any, domain: str) -> Any:
    if not isinstance(value, dict):
        return value
    if "shape" not in value:
        return _cell(value["cells"][0], domain)
    dtype = RESULTS[value["type"]] if domain == "machine" else object
    cells = value["cells"]
    data = np.empty(len(cells), dtype=dtype)
    for k, cell in enumerate(cells):
        data[k] = 0 if cell is None else _cell(cell, domain)
    mask = [cell is None for cell in cells]
    data = data.reshape(value["shape"])
    return MA.array(data, mask=np.reshape(mask, value["shape"])) if any(mask) else data


def _cell(text: str, domain: str) -> Any:
    if domain == "exact":
        if text == "(too large)":
            raise LimitError("a number has too many digits for exact arithmetic; `domain='machine'` rounds it")
        return Fraction(text)
    if domain == "symbolic":
        return text
    if text == "-0":
        return -0.0
    try:
        return int(text)
    except ValueError:
        return float(text)


class Compiled:
    """A compiled procedure: a function of arrays, which it changes. Arrays have the types of the program, and those that
    are no windows lie densely."""

    def __init__(self, built: Any) -> None:
        self._built = built
        self._raw = built.proc()
        try:
            self._library = ctypes.CDLL(built.path())
        except OSError as e:
            raise CompileError(f"{self._raw.name()}: what was compiled cannot be loaded: {e}") from None
        self._entry = getattr(self._library, built.entry())
        self._entry.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        self._entry.restype = None
        self._signature: List[Tuple[str, str, Optional[List[str]], bool]] = self._raw.signature()
        self._strided: List[bool] = built.strided()
        self._fields: List[Tuple[str, str]] = built.fields()
        self._written: Set[str] = set(built.written())

    def c_code_str(self) -> str:
        """The C source."""
        return str(self._built.source())

    def __call__(self, *args: Any, fields: Optional[Dict[str, Any]] = None, **named: Any) -> None:
        """Calls it. ``fields`` holds the configuration fields, and has their new values afterwards."""
        values = _bound(self._raw, args, named)
        control: List[Tuple[str, int]] = []
        integers: List[int] = []
        arrays: List[Tuple[str, Any]] = []
        for (name, kind, shape, _window), strided in zip(self._signature, self._strided):
            if shape is None:
                number = _control(name, values[name])
                control.append((name, number))
                integers.append(int(bool(number)) if kind == "bool" else number)
            else:
                array = self._array(name, kind, values[name])
                arrays.append((name, array))
                if strided:
                    integers.extend(s // array.itemsize for s in array.strides)
        state = {} if fields is None else fields
        known = {name for name, _ in self._fields}
        mentioned = set(self._built.mentioned())
        for name in state:
            if name not in known | mentioned:
                raise ArgumentError(f"{self._raw.name()}: there is no field `{name}`; it has {', '.join(sorted(known))}")
        # What is not given is 0, in C as well.
        passed = {name: kind for name, kind in self._fields if kind not in DTYPES}
        for name in sorted(mentioned):
            if name in passed or (name not in known and name in state):
                control.append((name, _control(name, state.get(name, 0))))
        shapes = [(x, list(a.shape), [s // a.itemsize for s in a.strides]) for x, a in arrays]
        self._built.check(control, shapes)
        self._apart(arrays)
        cells = [self._field(name, kind, state) for name, kind in self._fields]
        data = [a.ctypes.data for _, a in arrays] + [c.ctypes.data for c in cells]
        pointers = (ctypes.c_void_p * max(len(data), 1))(*data)
        ctl = (ctypes.c_int64 * max(len(integers), 1))(*integers)
        self._entry(pointers, ctl)
        for (name, kind), cell in zip(self._fields, cells):
            if fields is not None:
                number = _of_bits(cell)[0] if kind == "bf16" else cell[0]
                fields[name] = bool(number) if kind == "bool" else number.item()

    def _array(self, name: str, kind: str, value: Any) -> Any:
        dtype = DTYPES[kind]
        if isinstance(value, (int, float, np.number)) and name not in self._written:
            value = self._scalar(name, dtype, _bits(float(value)) if kind == "bf16" else value)
        if kind == "bf16" and isinstance(value, np.ndarray) and _is_bfloat(value):
            value = value.view(np.uint16)
        if not isinstance(value, np.ndarray):
            raise ArgumentError(f"{self._raw.name()}: `{name}` is an array of {np.dtype(dtype)}")
        if value.dtype != dtype:
            raise ArgumentError(
                f"{self._raw.name()}: `{name}` is an array of {np.dtype(dtype)}, and {value.dtype} is given"
            )
        if MA.isMaskedArray(value):
            raise ArgumentError(f"{self._raw.name()}: the array for `{name}` is masked, which C does not know")
        value = _plain(value)
        if not value.flags.aligned:
            raise ArgumentError(f"{self._raw.name()}: the array for `{name}` is not aligned")
        if not value.flags.writeable and name in self._written:
            raise ArgumentError(f"{self._raw.name()}: the array for `{name}` is read-only, and is written")
        if not _is_window(value):
            raise ArgumentError(f"{self._raw.name()}: the strides of `{name}` are no windows'")
        return value

    def _scalar(self, name: str, dtype: Any, value: Any) -> Any:
        """A number for an argument that is only read."""
        try:
            return np.array(value, dtype=dtype)
        except (OverflowError, ValueError):
            raise ArgumentError(f"{self._raw.name()}: `{name}` is {value}, which is no {np.dtype(dtype)}") from None

    def _apart(self, arrays: Sequence[Tuple[str, Any]]) -> None:
        """Two arguments do not share memory, if one of them is written."""
        for k, (x, a) in enumerate(arrays):
            for y, b in arrays[:k]:
                if x not in self._written and y not in self._written:
                    continue
                try:
                    shared = np.shares_memory(a, b, max_work=WORK)
                except np.exceptions.TooHardError:
                    shared = True
                if shared:
                    raise ArgumentError(f"{self._raw.name()}: the arrays for `{y}` and `{x}` overlap")

    def _field(self, name: str, kind: str, state: Mapping[str, Any]) -> Any:
        dtype = DTYPES.get(kind, np.int64)
        value = state.get(name, 0)
        try:
            return np.array([_bits(float(value)) if kind == "bf16" else value], dtype=dtype)
        except (OverflowError, TypeError, ValueError):
            raise ArgumentError(f"{self._raw.name()}: the field `{name}` is {value!r}, and a {kind} is asked for") from None


def _is_window(array: Any) -> bool:
    """Whether no two elements share memory, as in a window of rows."""
    if 0 in array.shape:
        return True
    reach = 0
    for stride, extent in sorted((s, n) for n, s in zip(array.shape, array.strides) if n > 1):
        if stride <= reach or stride % array.itemsize:
            return False
        reach += stride * (extent - 1)
    return True
