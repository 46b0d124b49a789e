"""``exo.libs.externs``: functions that programs call. Their C in a program is the back end's; ``compile`` and ``globl`` say C of the
same meaning."""

from __future__ import annotations

import re
from typing import Any, Sequence

from ... import externs as _known
from ..core.extern import Extern, Extern_Typecheck_Error

__all__ = ["Extern", "expf", "fmaxf", "relu", "select", "sigmoid", "sin", "sqrt"]


class _Standard(Extern):
    """One of those that there always are; ``body`` is what is to be defined for it, with the type as ``T``."""

    def __init__(self, known: Any, arity: int, body: str = "") -> None:
        super().__init__(known.name())
        self._handle = known._raw
        self._count = arity
        self._body = body

    def of_arity(self, arity: int) -> Any:
        """Its handle: a text that gives it another number of arguments is refused as such."""
        return self._handle

    @property
    def _raw(self) -> Any:
        return self._handle

    def typecheck(self, args: Sequence[Any]) -> Any:
        """The type of the last argument: of `select` that of a value, and not of what is compared."""
        if len(args) != self._count:
            plural = "s" if self._count > 2 else ""
            raise Extern_Typecheck_Error(f"expected {self._count} argument{plural}, got {len(args)}")
        for k, arg in enumerate(args):
            if not arg.type.is_real_scalar():
                raise Extern_Typecheck_Error(f"expected argument {k + 1} to be a real scalar value, but got type {arg.type}")
        return args[-1].type

    def globl(self, prim_type: str) -> str:
        """What stands once in a file that uses it."""
        return re.sub(r"(?<![A-Za-z])T(?![A-Za-z])", prim_type, self._body) or "#include <math.h>"

    def compile(self, args: Sequence[str], prim_type: str) -> str:
        """The C of a call."""
        name = f"_{self.name()}_{prim_type}" if self._body else self.name()
        return f"{name}({', '.join(f'({prim_type})({arg})' for arg in args)})"


sin = _Standard(getattr(_known, "sin"), 1)
expf = _Standard(getattr(_known, "expf"), 1)
sqrt = _Standard(getattr(_known, "sqrt"), 1)
fmaxf = _Standard(getattr(_known, "fmaxf"), 2)
relu = _Standard(getattr(_known, "relu"), 1, "static T _relu_T(T x) { return x > 0 ? x : 0; }")
select = _Standard(getattr(_known, "select"), 4, "static T _select_T(T a, T b, T c, T d) { return a < b ? c : d; }")
sigmoid = _Standard(
    getattr(_known, "sigmoid"), 1, "#include <math.h>\nstatic T _sigmoid_T(T x) { return 1 / (1 + exp(-x)); }"
)
