"""``exo.main``: the command ``exocc``, which compiles the procedures of Python files."""

from __future__ import annotations

import argparse
import importlib.machinery
import importlib.util
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, List, Optional

__all__ = ["exocc", "get_procs_from_module", "load_user_code", "main", "write_depfile"]


def main(argv: Optional[List[str]] = None) -> None:
    """The command."""
    from . import __version__, compile_procs

    parser = argparse.ArgumentParser(prog=Path(sys.argv[0]).name, description="Compile an Exo library.")
    parser.add_argument("-o", "--outdir", metavar="OUTDIR", help="output directory for build artifacts")
    parser.add_argument("--stem", help="base name for .c and .h files")
    parser.add_argument("source", nargs="+", help="source file to compile")
    parser.add_argument("--version", action="version", version=f"%(prog)s version {__version__}")
    args = parser.parse_args(argv)
    if len(args.source) > 1 and not args.outdir:
        parser.error("Must provide -o when processing multiple source files.")
    if len(args.source) > 1 and not args.stem:
        parser.error("Must provide --stem when processing multiple source files.")
    name = Path(args.source[0]).stem
    outdir, stem = Path(args.outdir or name), args.stem or name
    outdir.mkdir(parents=True, exist_ok=True)
    procs = [p for file in args.source for p in get_procs_from_module(load_user_code(file))]
    compile_procs(procs, outdir, f"{stem}.c", f"{stem}.h")
    write_depfile(outdir, stem)


exocc = main


def write_depfile(outdir: Path, stem: str) -> None:
    """Writes what the C depends on, for make: the files of the modules that are loaded."""
    files = set()
    for module in list(sys.modules.values()):
        try:
            files.add(inspect.getfile(module))
        except TypeError:
            continue
    deps = " \\\n  ".join(sorted(files))
    (outdir / f"{stem}.d").write_text(f"{outdir / stem}.c {outdir / stem}.h : {deps}")


def get_procs_from_module(user_module: ModuleType) -> List[Any]:
    """The procedures that a module exports, without instructions: those of ``__all__``, or those without underscore."""
    from . import Procedure

    names = user_module.__dict__.get("__all__", dir(user_module))
    found = [getattr(user_module, name) for name in names if not name.startswith("_")]
    return [p for p in found if isinstance(p, Procedure) and not p.is_instr()]


def load_user_code(path: Any) -> ModuleType:
    """The module of a Python file."""
    file = Path(path).resolve(strict=True)
    loader = importlib.machinery.SourceFileLoader(file.stem, str(file))
    spec = importlib.util.spec_from_loader(file.stem, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


if __name__ == "__main__":
    from ._install import install

    install()
    main()
