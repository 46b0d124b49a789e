"""`python -m rewright.shadow [--all] [--json] [-o DIR] FILE [args]`"""

from __future__ import annotations

import argparse
import json
import os
import runpy
import sys
import traceback
from typing import List, Optional

from ._session import Session, as_json, exo_version, table, told, written


def _arguments(given: List[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m rewright.shadow",
        description="Runs a program with the Exo that is installed here, does each of its scheduling steps in Rewright as well, "
        "and reports the first at which Exo changes what a procedure means. The exit code is 1 where there is one.",
    )
    parser.add_argument("--all", action="store_true", help="goes on after the first")
    parser.add_argument("--json", action="store_true", help="prints everything as JSON; what the program prints goes to stderr")
    parser.add_argument("-o", metavar="DIR", default="shadow", help="where scripts for bug reports are written (shadow)")
    parser.add_argument("--trials", type=int, default=100, metavar="N", help="random inputs where proof does not decide (100)")
    parser.add_argument("--seconds", type=float, default=5.0, metavar="S", help="how long one program is made smaller (5)")
    parser.add_argument("--no-c", action="store_true", help="does not compile and run Exo's C")
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("args", nargs=argparse.REMAINDER, help="what the program is given")
    return parser.parse_args(given)


def _run(file: str, args: List[str]) -> int:
    """Runs a program as Python would; its exit code."""
    sys.argv = [file, *args]
    sys.path[0] = os.path.dirname(os.path.abspath(file))
    try:
        runpy.run_path(file, run_name="__main__")
    except SystemExit as e:
        return e.code if isinstance(e.code, int) else 0 if e.code is None else 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def main(given: Optional[List[str]] = None) -> int:
    """The command; its exit code."""
    told_to = _arguments(sys.argv[1:] if given is None else given)
    if not os.path.isfile(told_to.file):
        print(f"{told_to.file}: there is no such file", file=sys.stderr)
        return 2
    session = Session(told_to.all, told_to.trials)
    try:
        session.start()
    except ImportError as e:
        print(f"Exo is not installed here ({e}): pip install exo-lang", file=sys.stderr)
        return 2
    stdout = sys.stdout
    if told_to.json:
        sys.stdout = sys.stderr
    try:
        code = _run(told_to.file, told_to.args)
    finally:
        sys.stdout = stdout
    session.finish()
    reports = session.reports(told_to.seconds, not told_to.no_c)
    scripts = written(reports, told_to.o)
    if told_to.json:
        json.dump(as_json(session, reports, scripts), sys.stdout, indent=1)
        print()
    else:
        for r, path in zip(reports, scripts):
            print("\n".join(told(r, path)), end="\n\n")
        print(f"Exo {exo_version()}: {session.recorder.count} steps, {len(session.verdicts)} looked at")
        print("\n".join(table(session.summary())))
    return 1 if any(v.is_fault for v in session.verdicts) else code


if __name__ == "__main__":
    sys.exit(main())
