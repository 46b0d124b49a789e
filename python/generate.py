"""Writes `rewright/primitives.py` from the registry and the pages of the specification, and `rewright/_rewright.pyi`, what
the extension has.

    python python/generate.py          writes them
    python python/generate.py --check  says whether they are up to date
"""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
import textwrap
from pathlib import Path
from typing import Any, Dict, List

HERE = Path(__file__).resolve().parent
# The module that is installed is asked, not the sources beside this file, which have no extension.
sys.path[:] = [path for path in sys.path if Path(path or ".").resolve() != HERE]
PRIMITIVES = HERE / "rewright" / "primitives.py"
STUBS = HERE / "rewright" / "_rewright.pyi"
PAGES = HERE.parent / "spec" / "primitives"

#: For each kind of a parameter: its type, and what it is in words.
KINDS: Dict[str, tuple[str, str]] = {
    "Loop": ("At", "a loop: a cursor, a pattern, or the name of its variable"),
    "LoopPair": ("At", 'two loops, one right inside the other: a cursor to the outer one, or `"i j"`'),
    "Scope": ("At", "a loop or an `if`: a cursor or a pattern"),
    "Stmt": ("At", "a statement: a cursor or a pattern"),
    "Block": ("At", "one statement or several: a cursor or a pattern"),
    "Gap": ("At", "a place between statements: `cursor.before()`, `cursor.after()`"),
    "StmtPair": ("At", 'two statements, one right after the other: a block, or `"s1 ; s2"`'),
    "Accumulation": ("At", "an assignment, and after it a loop that adds to the same cell: a block"),
    "Alloc": ("At", "an allocation: a cursor, a pattern, or the name of the buffer"),
    "Buffer": ("At", "an allocation or a data argument: a cursor, a pattern, or the name of the buffer"),
    "Arg": ("At", "a data argument: a cursor or its name"),
    "Assign": ("At", "an assignment: a cursor, a pattern, or the name of the buffer"),
    "Reduce": ("At", "a reduction: a cursor, a pattern, or the name of the buffer"),
    "Write": ("At", "an assignment or a reduction: a cursor, a pattern, or the name of the buffer"),
    "Call": ("At", "a call: a cursor, a pattern, or the name of the procedure that is called"),
    "WindowStmt": ("At", "a window statement: a cursor, a pattern, or the name of the window"),
    "WriteConfig": ("At", "a write to a configuration field, or a call: a cursor or a pattern"),
    "DataExpr": ("At", "an expression of data: a cursor or a pattern"),
    "Expr": ("At", "an expression: a cursor or a pattern"),
    "Exprs": ("Union[At, Sequence[At]]", "one expression, or several equal ones: cursors or patterns"),
    "Int": ("int", "an integer"),
    "Dim": ("int", "a dimension of the buffer, counted from 0"),
    "Permutation": ("Sequence[int]", "the numbers of the dimensions of the buffer, in another order"),
    "Bool": ("bool", "a truth value"),
    "NewName": ("str", "a name that will be bound"),
    "NewNames": ("Sequence[str]", "{} names that will be bound"),
    "Choice": ("Literal", "one of {}"),
    "Control": ("Text", "an integer expression in the names that are in scope, as text or a number"),
    "Cond": ("str", "a condition in the names that are in scope, as text"),
    "Conds": ("Union[str, Sequence[str]]", "one condition or several, as text"),
    "NewExpr": ("Text", "an expression, as text or a number"),
    "Window": ("str", '`"A[0:4, j]"`, as text'),
    "Config": ("Config", "a configuration class"),
    "Field": ("str", "a field of the configuration class"),
    "Memory": ("Union[Memory, str]", "a memory"),
    "Precision": ("Union[ExoType, str]", 'a type of data: `"f32"`'),
    "Proc": ("Procedure", "a procedure"),
    "Procs": ("Union[Procedure, Sequence[Procedure]]", "one procedure or several"),
    "Version": ("Procedure", "another version of the procedure that is called"),
    "Template": ("str", "the C text of an instruction"),
    "Arguments": ("Sequence[Text]", "the arguments of the call, each as text"),
    "Values": ("int", "values for control arguments: in order, or by name"),
}

HEADER = '''"""The primitives: each makes a new version of a procedure, or refuses.

Written by `python/generate.py` from the registry and the pages in `spec/primitives`: changes are made there.
"""

from __future__ import annotations

from typing import Any, Literal, Optional, Sequence, Tuple, Union

from . import _rewright
from ._names import Config, ExoType, Memory
from .cursors import Cursor
from .procedure import Procedure

#: A place in a procedure: a cursor, of this version or an earlier one, or a pattern.
At = Union[str, Cursor]
#: An expression as text, or a number.
Text = Union[str, int, float]


def _apply(name: str, proc: Any, *args: Any) -> Procedure:
    return Procedure(_made(name, proc, args, {})[0])


def _made(name: str, proc: Any, args: Any, named: Any) -> Any:
    if not isinstance(proc, Procedure):
        raise TypeError(f"the first argument of `{name}` is a procedure, not {type(proc).__name__}")
    return _rewright.apply(name, proc._raw, args, named)
'''


def extension() -> Any:
    """The extension, beside this file or the one that is installed."""
    beside = HERE / "rewright" / "_rewright.abi3.so"
    if beside.exists():
        spec = importlib.util.spec_from_file_location("rewright._rewright", beside)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    else:
        from rewright import _rewright as module
    return module


def page_of(name: str) -> tuple[str, Dict[str, str]]:
    """What a page says: how the program changes, and a passage for each condition."""
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    shown = re.search(r"```text\n(.*?)```", text, re.S)
    passages = {}
    for item in re.findall(r"^- (`.*?)(?=^- `|^\S|\Z)", text, re.S | re.M):
        found = re.match(r"`(\w+)`:? ?(.*)", item, re.S)
        if found:
            passages[found[1]] = plain(found[2])
    return (shown[1].rstrip() if shown else ""), passages


def plain(text: str) -> str:
    """A passage without marks of Markdown; blocks of code stay as they are."""
    parts = re.split(r"^ *```\w*\n(.*?)^ *```\n?", text, flags=re.S | re.M)
    out = []
    for k, part in enumerate(parts):
        if k % 2:
            out.append(textwrap.indent(textwrap.dedent(part).rstrip(), "    "))
        else:
            part = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", part)
            part = re.sub(r" ?\(?\[rule: [\w.-]+\]\)?", "", part)
            part = " ".join(part.split())
            if part:
                out.append(part)
    return "\n".join(out)


def filled(text: str, indent: str) -> List[str]:
    """A passage as lines; lines of code, which are indented, are not filled."""
    out: List[str] = []
    for line in text.split("\n"):
        if line.startswith("    "):
            out.append(indent + line)
        else:
            out += textwrap.wrap(line, 100, initial_indent=indent, subsequent_indent=indent)
    return out


def words(param: Dict[str, Any]) -> str:
    """What a parameter takes."""
    said = KINDS[param["kind"]][1]
    if param["kind"] == "Choice":
        return said.format(", ".join(f"`{w!r}`" for w in param["of"]))
    return said.format(param["of"])


def docstring(row: Dict[str, Any]) -> str:
    shown, passages = page_of(row["name"])
    summary = row["summary"][0].upper() + row["summary"][1:]
    out = [f"{summary}.", ""]
    if shown:
        out += shown.split("\n") + [""]
    out += ["Parameters:", "  proc: the procedure"]
    for param in row["params"]:
        out += textwrap.wrap(f"{param['name']}: {words(param)}", 100, initial_indent="  ", subsequent_indent="      ")
    out.append("")
    if row["conditions"]:
        out.append("Refuses with a SchedulingError, whose `condition` says which of these does not hold:")
        for c in row["conditions"]:
            out += textwrap.wrap(f"{c['id']}: {c['sentence']}", 100, initial_indent="  ", subsequent_indent="    ")
            if c["id"] in passages:
                out += filled(passages[c["id"]], "      ")
            if c["advice"]:
                out += filled(f"Or else: {c['advice']}.", "      ")
        out.append("")
    out.append(f"Source: {row['source']}; spec/primitives/{row['name']}.md")
    return "\n".join(line.rstrip() for line in out)


def typed(param: Dict[str, Any]) -> str:
    kind = KINDS[param["kind"]][0]
    if param["kind"] == "Choice":
        kind = f"Literal[{', '.join(map(repr, param['of']))}]"
    if param["default"] is None:
        return f"{param['name']}: {kind}"
    default = param["default"][0]
    if default is None:
        kind = f"Optional[{kind}]"
    return f"{param['name']}: {kind} = {default!r}"


def function(row: Dict[str, Any]) -> str:
    name, params = row["name"], row["params"]
    result, call = "Procedure", f"_apply({', '.join([repr(name), 'proc', *(p['name'] for p in params)])})"
    signature = ["proc: Procedure", *(typed(p) for p in params)]
    if [p["kind"] for p in params] == ["Values"]:
        signature = ["proc: Procedure", "/", "*args: int", "**values: int"]
        call = f"Procedure(_made({name!r}, proc, args, values)[0])"
    lines = [f"return {call}"]
    if name == "extract_subproc":
        result = "Tuple[Procedure, Procedure]"
        args = "".join(f"{p['name']}, " for p in params)
        lines = [f"made, extracted = _made({name!r}, proc, ({args}), {{}})", "return Procedure(made), Procedure(extracted)"]
    doc = docstring(row).replace("\\", "\\\\")
    head = f"def {name}({', '.join(signature)}) -> {result}:"
    if len(head) > 110:
        head = f"def {name}(\n    " + ",\n    ".join(signature) + f",\n) -> {result}:"
    body = [f'"""{doc}\n"""', *lines]
    return head + "\n" + textwrap.indent("\n".join(body), "    ", lambda line: line.strip() != "")


def primitives(module: Any) -> str:
    rows = module.registry()
    names = ",\n".join(f'    "{row["name"]}"' for row in sorted(rows, key=lambda row: str(row["name"])))
    parts = [HEADER, *(function(row) + "\n" for row in rows)]
    return "\n\n".join(parts) + f"\n\n__all__ = [\n{names},\n]\n"


def stub(name: str, of: Any, indent: str) -> str:
    """The stub of a function or a method. What goes in and out is told by the module that users see."""
    params = []
    for param in inspect.signature(of).parameters.values():
        plain = param.name == "self" or param.kind is param.VAR_POSITIONAL
        default = "" if param.default is param.empty else f" = {param.default!r}"
        params.append(str(param.replace(annotation=param.empty, default=param.empty)) + ("" if plain else ": Any" + default))
    text = f"{indent}def {name}({', '.join(params)}) -> Any: ..."
    return text.replace("(self, /", "(self").replace("/: Any", "/")


def stubs(module: Any) -> str:
    out = ['"""The extension. Written by `python/generate.py`."""', "", "from typing import Any", ""]
    for name, found in sorted(vars(module).items()):
        if name.startswith("__"):
            continue
        if isinstance(found, type):
            methods = sorted(n for n, m in vars(found).items() if not n.startswith("__") and callable(m))
            out += ["", f"class {name}:"]
            out += [stub(n, getattr(found, n), "    ") for n in methods]
        elif callable(found):
            out += ["", stub(name, found, "")]
    return "\n".join(out) + "\n"


def main() -> int:
    module = extension()
    texts = {PRIMITIVES: primitives(module), STUBS: stubs(module)}
    if "--check" in sys.argv[1:]:
        old = [path for path, text in texts.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
        for path in old:
            print(f"{path} is out of date: run `python python/generate.py`", file=sys.stderr)
        return 1 if old else 0
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
