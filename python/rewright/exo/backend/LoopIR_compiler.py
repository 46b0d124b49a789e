"""``exo.backend.LoopIR_compiler``: the C of procedures."""

from __future__ import annotations

from typing import Any, List, Tuple

from .._absent import absent
from ..API import compile_procs_to_strings

__all__ = ["run_compile"]

__getattr__ = absent(__name__)


def run_compile(proc_list: List[Any], h_file_name: str) -> Tuple[str, str]:
    """The C of procedures: source and header."""
    return compile_procs_to_strings(proc_list, h_file_name)
