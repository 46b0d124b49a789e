"""``python -m rewright.exo FILE [args]``: runs a program of Exo's on Rewright."""

from __future__ import annotations

import os
import runpy
import sys


def main() -> None:
    """Runs the file that the first argument names, with the others as its arguments."""
    from ._install import install

    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print("usage: python -m rewright.exo FILE [args]", file=sys.stderr)
        raise SystemExit(2 if len(sys.argv) < 2 else 0)
    if not os.path.isfile(sys.argv[1]):
        print(f"python -m rewright.exo: there is no file {sys.argv[1]}", file=sys.stderr)
        raise SystemExit(2)
    install()
    del sys.argv[0]
    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    # Python, too, has a program's file by its whole path, and places in messages are in that file.
    runpy.run_path(os.path.abspath(sys.argv[0]), run_name="__main__")


main()
