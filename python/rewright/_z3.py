"""Where the extension finds z3: in the package ``z3-solver``, if nothing else is said. Spec: [rule: python.z3]."""

from __future__ import annotations

import os
import sys


def find() -> None:
    """Sets ``REWRIGHT_Z3``, which the extension reads when a question first needs z3, unless it is set.

    Without the library the extension could only end the process: so it is an error to import it.
    """
    if os.environ.get("REWRIGHT_Z3"):
        return
    for folder in sys.path:
        path = os.path.join(folder, "z3", "lib", "libz3.so")
        if os.path.exists(path):
            os.environ["REWRIGHT_Z3"] = os.path.abspath(path)
            return
    import ctypes.util

    if ctypes.util.find_library("z3") is None:
        raise ImportError("rewright needs the z3 library: pip install z3-solver, or set REWRIGHT_Z3 to its path")
