"""Schedules written for Exo, run by Exo and by ``rewright.exo``: the processor time of each, and the ratio.

    python python/bench_exo [--exo FOLDER] [NAME ...]

FOLDER is where Exo is installed, if it is not beside Python. Each file is run in a process of its own: by Exo once, by Rewright
several times, of which the fastest counts. Importing is not part of the time. Both make as many lines, or the table ends.
"""

from __future__ import annotations

import argparse
import importlib.machinery
import os
import subprocess
import sys
from pathlib import Path
from typing import List, Optional

SCHEDULES = Path(__file__).resolve().parent / "schedules.py"
RUNS = 5


def is_there(package: str, folder: Optional[str]) -> bool:
    """Whether Python finds a package, beside it or in a folder."""
    # Not the folder of this file, which has no extension.
    path = [folder] if folder else [p for p in sys.path if Path(p or ".").resolve() != SCHEDULES.parents[1]]
    return importlib.machinery.PathFinder.find_spec(package, path) is not None


def output(command: List[str], *arguments: str, exo: Optional[str] = None) -> List[str]:
    """The words that the schedules print."""
    path = [p for p in (os.environ.get("PYTHONPATH"), exo) if p]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
    done = subprocess.run([sys.executable, *command, str(SCHEDULES), *arguments], env=env, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{'rewright.exo' if command else 'Exo'} fails:\n{done.stderr}")
    return done.stdout.split()


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="bench_exo", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--exo", metavar="FOLDER", help="where Exo is installed")
    parser.add_argument("names", metavar="NAME", nargs="*", help="a file of schedules; all, without")
    given = parser.parse_args()
    for package, folder in (("rewright", None), ("exo", given.exo)):
        if not is_there(package, folder):
            parser.error(f"there is no package `{package}`: `make bench-exo` brings both")
    ours = ["-m", "rewright.exo"]
    names = output(ours)
    if wrong := [name for name in given.names if name not in names]:
        parser.error(f"there is no `{wrong[0]}`: {', '.join(names)}")
    print(f"{'':8} {'Exo, once':>11} {'rewright.exo, best of ' + str(RUNS):>25} {'ratio':>7}")
    for name in given.names or names:
        theirs, lines = output([], name, exo=given.exo)
        runs = [output(ours, name) for _ in range(RUNS)]
        if any(made != lines for _, made in runs):
            sys.exit(f"{name}: Exo makes {lines} lines, rewright.exo {runs[0][1]}")
        best = min(float(seconds) for seconds, _ in runs)
        print(f"{name:8} {float(theirs):9.2f} s {best:23.3f} s {float(theirs) / best:7.0f}", flush=True)


if __name__ == "__main__":
    main()
