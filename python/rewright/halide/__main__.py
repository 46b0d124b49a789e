"""``python -m rewright.halide``. Spec: [rule: halide.peer]."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import List, Optional

from . import campaign, diff, export, load, parse, random_pipelines
from .campaign import minimised
from .exporting import NotCovered
from .reading import SyntaxProblem
from .run import HalideMissing

#: As the command `rewright` ends: fine, a difference, wrong input, no answer.
FINE, WRONG_INPUT, DIFFERENCE, NO_ANSWER = 0, 1, 3, 4
COMMANDS = ("import", "export", "diff", "campaign", "worker")


def arguments(given: List[str]) -> argparse.Namespace:
    """The command line; a file alone is imported."""
    if given and given[0] not in COMMANDS and not given[0].startswith("-"):
        given = ["import", *given]
    parser = argparse.ArgumentParser(prog="python -m rewright.halide", description="The Halide model beside Halide itself.")
    commands = parser.add_subparsers(dest="command", required=True)
    p = commands.add_parser("import", help="a pipeline of Halide as a text of the model")
    p.add_argument("file", type=Path, help="a script that builds a pipeline, or what `serialize_pipeline` wrote")
    p.add_argument("--func", help="the output, where a script has several")
    p = commands.add_parser("export", help="a text as a program for Halide")
    p.add_argument("file", type=Path)
    p = commands.add_parser("diff", help="run a text in both: values, regions, refusals")
    p.add_argument("file", type=Path)
    p.add_argument("--json", action="store_true")
    p = commands.add_parser("campaign", help="run random pipelines in both")
    p.add_argument("--cases", type=int, default=100)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--workers", type=int, default=None)
    p.add_argument("--show", type=int, metavar="N", help="print the pipeline of that number, and run it alone")
    p = commands.add_parser("worker")
    p.add_argument("seed", type=int)
    return parser.parse_args(given)


def main(given: Optional[List[str]] = None) -> int:
    """Runs a command; how it ends."""
    args = arguments(sys.argv[1:] if given is None else given)
    try:
        return _COMMANDS[args.command](args)
    except (SyntaxProblem, OSError, UnicodeDecodeError) as e:
        return complain(str(e), WRONG_INPUT)
    except NotCovered as e:
        return complain(f"not covered: {e}", NO_ANSWER)
    except HalideMissing as e:
        return complain(str(e), NO_ANSWER)


def complain(why: str, code: int) -> int:
    """Says why a command ends so."""
    print(f"error: {why}", file=sys.stderr)
    return code


def do_import(args: argparse.Namespace) -> int:
    """Prints the text; what is not covered is in it, as comments, and told."""
    found = load(args.file, args.func)
    print(found, end="")
    for what in found.not_covered:
        print(f"not covered: {what}", file=sys.stderr)
    return NO_ANSWER if found.not_covered else FINE


def do_export(args: argparse.Namespace) -> int:
    """Prints the program."""
    print(export(campaign.of_file(args.file)), end="")
    return FINE


def do_diff(args: argparse.Namespace) -> int:
    """Prints what came of it, and where values differ a smaller pipeline of which they do, too."""
    p = parse(args.file.read_text(encoding="utf-8"))
    found = diff(p)
    small = str(minimised(p, found)) if found else None
    if args.json:
        told = {"verdict": found.verdict, "reason": found.reason, "kind": found.kind, "regions": found.regions}
        print(json.dumps({**told, "smallest": small}))
    else:
        print(found)
        if small is not None:
            print(f"smaller:\n{small}", end="")
    if found or found.verdict.startswith("only"):
        return DIFFERENCE
    return NO_ANSWER if found.verdict in ("not covered", "no answer", "crash") else FINE


def do_campaign(args: argparse.Namespace) -> int:
    """Prints the report."""
    if args.show is not None:
        p = random_pipelines.pipeline(args.seed, args.show)
        print(p, end="")
        print(diff(p))
        return FINE
    report = campaign.campaign(args.cases, args.seed, args.workers)
    print(report)
    return DIFFERENCE if report.wrong else FINE


def do_worker(args: argparse.Namespace) -> int:
    """Answers for a campaign."""
    campaign.work(args.seed)
    return FINE


_COMMANDS = {"import": do_import, "export": do_export, "diff": do_diff, "campaign": do_campaign, "worker": do_worker}

if __name__ == "__main__":
    sys.exit(main())
