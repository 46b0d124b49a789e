"""Arguments of Exo's operations: as Rewright's, and as a line of Python for Exo.

Both work on what Exo's argument processors make of what a user gave: cursors of the procedure at hand, parsed expressions.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Tuple

from ._record import UNSAFE, Step
from ._text import ELEMS, Program, Untranslatable, kind

__all__ = ["Path", "for_rewright", "source"]

#: Exo's path to a node: attributes, with a number where they are lists.
Path = List[Tuple[str, Optional[int]]]
#: Names that others see: they are taken as they are.
PUBLIC = {("rename", "name"), ("extract_subproc", "subproc_name"), ("make_instr", "c_instr"), ("make_instr", "c_global")}


def for_rewright(step: Step, program: Program) -> Dict[str, Any]:
    """The arguments of a step as Rewright takes them, by name."""
    proc = program.procedure()
    if step.op == "partial_eval":
        return _fixed(step, program)
    fresh = new_names(step)
    out: Dict[str, Any] = {}
    for name, value in step.args.items():
        if name in UNSAFE:
            continue
        if name in fresh:
            out[name] = [program.free(n) for n in value] if isinstance(value, list) else program.free(value)
        else:
            out[name] = _Reader(step, program, proc).value(value)
    return out


def _fixed(step: Step, program: Program) -> Dict[str, Any]:
    """What `partial_eval` fixes, by the names of the text."""
    return {program.names[a.name]: step.args[a.name.name()] for a in program.ir.args if a.name.name() in step.args}


def new_names(step: Step) -> List[str]:
    """The arguments that name what is made."""
    from exo import API_scheduling

    op = getattr(API_scheduling, step.op)
    out = []
    for name, processor in zip(list(op.sig.parameters), op.arg_procs):
        of = getattr(processor, "elem_arg_proc", processor)
        if isinstance(of, API_scheduling.NameA) and (step.op, name) not in PUBLIC:
            out.append(name)
    return out


def is_cursor(value: Any) -> bool:
    """Whether a value is one of Exo's cursors."""
    from exo.API_cursors import Cursor

    return isinstance(value, Cursor)


def anchor(cursor: Any) -> Path:
    """The path of the statement, expression or argument that a cursor hangs on; of a block, of its first statement."""
    impl = cursor._impl
    what = kind(impl)
    if what == "Gap":
        return list(impl._anchor._path)
    if what == "Block":
        return [*impl._anchor._path, (impl._attr, impl._range.start)]
    return list(impl._path)


def symbol_at(step: Step, name: str) -> Any:
    """What a name stands for where the step works, as Exo looks it up."""
    from exo.rewrite.LoopIR_scheduling import extract_env

    for value in step.args.values():
        if is_cursor(value):
            impl = value._impl
            node = impl._anchor if kind(impl) == "Gap" else impl[0] if kind(impl) == "Block" else impl
            for sym, _, _ in extract_env(node):
                if str(sym) == name:
                    return sym
    raise Untranslatable(f"`{name}` is not known there")


class _Reader:
    def __init__(self, step: Step, program: Program, proc: Any) -> None:
        self._step = step
        self._program = program
        self._proc = proc

    def value(self, v: Any) -> Any:
        from exo.API import Procedure
        from exo.core.configs import Config
        from exo.core.LoopIR import LoopIR

        library = self._program._library
        if v is None or isinstance(v, (bool, int, str)):
            return v
        if is_cursor(v):
            return self._cursor(v)
        if isinstance(v, list):
            return [self.value(x) for x in v]
        if isinstance(v, tuple) and len(v) == 2 and isinstance(v[0], str):
            return self._program.window(symbol_at(self._step, v[0]), v[1])
        if isinstance(v, LoopIR.expr):
            return self._program.expr(v)
        if isinstance(v, LoopIR.type):
            return ELEMS[kind(v)]
        if isinstance(v, Procedure):
            return library.callee(v._loopir_proc).procedure()
        if isinstance(v, Config):
            return library.config(v)
        if isinstance(v, type):
            return library.memory(v)
        raise Untranslatable(f"an argument of type {type(v).__name__}")

    def _cursor(self, cursor: Any) -> Any:
        from rewright.cursors import wrap

        impl = cursor._impl
        raw = self._node(anchor(cursor))
        if kind(impl) == "Gap":
            raw = raw.move("before" if impl._type.name == "Before" else "after")
        elif kind(impl) == "Block":
            raw = raw.move("as_block")
            if len(impl._range) > 1:
                raw = raw.expand(0, len(impl._range) - 1)
        return wrap(raw)

    def _node(self, path: Path) -> Any:
        at: Any = None
        coord: Any = None
        for attr, index in path:
            if at is None:
                found = self._proc.args() if attr == "args" else self._proc.body()
                at = found[index]._raw
            elif attr in ("body", "orelse"):
                at = at.move(attr).stmts()[index]
            elif attr == "args":
                at = at.args()[index]
            elif attr == "idx":
                if at.kind() in ("Window", "WindowStmt"):
                    coord = at.coords()[index]
                else:
                    at = at.idx()[index]
            elif coord is not None:
                at, coord = coord[1 if attr == "hi" else 0], None
            elif attr == "rhs" and at.kind() == "WindowStmt":
                continue
            elif attr == "type":
                continue
            elif attr == "hi" and at.kind() in ("Alloc", "Arg"):
                at = at.shape()[index]
            else:
                at = at.move(attr)
        if at is None:
            raise Untranslatable("a cursor to a whole procedure")
        return at


# For people who have Exo alone.


def source(step: Step, program: Program, proc: str, raw: bool, moved: Callable[[Path], Path] = list) -> str:
    """The call as a line of Python, with cursors written as moves from `proc`. With `raw`, new names are as they were given.
    `moved` says where places are now."""
    if step.op == "partial_eval":
        return f"{proc}.partial_eval({', '.join(f'{n}={v!r}' for n, v in _fixed(step, program).items())})"
    from exo import API_scheduling

    defaults = {name: p.default for name, p in getattr(API_scheduling, step.op).sig.parameters.items()}
    fresh = [] if raw else new_names(step)
    words = [proc]
    for name, value in step.args.items():
        if isinstance(value, (bool, int, str)) and value == defaults[name]:
            continue
        if name in fresh:
            value = [program.free(n) for n in value] if isinstance(value, list) else program.free(value)
        words.append(f"{name}={_Source(step, program, proc, moved).value(value)}")
    return f"{step.op}({', '.join(words)})"


class _Source:
    def __init__(self, step: Step, program: Program, proc: str, moved: Callable[[Path], Path]) -> None:
        self._step = step
        self._program = program
        self._root = proc
        self._moved = moved

    def value(self, v: Any) -> str:
        from exo.API import Procedure
        from exo.core.configs import Config
        from exo.core.LoopIR import LoopIR

        library = self._program._library
        if v is None or isinstance(v, (bool, int, str)):
            return repr(v)
        if is_cursor(v):
            return self._cursor(v, self._moved(anchor(v)))
        if isinstance(v, list):
            return f"[{', '.join(self.value(x) for x in v)}]"
        if isinstance(v, tuple) and len(v) == 2 and isinstance(v[0], str):
            return repr(self._program.window(symbol_at(self._step, v[0]), v[1]))
        if isinstance(v, LoopIR.expr):
            return repr(self._program.expr(v))
        if isinstance(v, LoopIR.type):
            return repr(ELEMS[kind(v)])
        if isinstance(v, Procedure):
            return library.callee(v._loopir_proc).name
        if isinstance(v, Config):
            return library.config_name(v)
        if isinstance(v, type):
            return library.memory_name(v)
        raise Untranslatable(f"an argument of type {type(v).__name__}")

    def _cursor(self, cursor: Any, path: Path) -> str:
        impl = cursor._impl
        node = self._node(path)
        if kind(impl) == "Gap":
            return f"{node}.{'before' if impl._type.name == 'Before' else 'after'}()"
        if kind(impl) == "Block":
            more = len(impl._range) - 1
            return f"{node}.expand(0, {more})" if more else f"{node}.as_block()"
        return node

    def _node(self, path: Path) -> str:
        out, window = self._root, False
        for attr, index in path:
            if attr in ("body", "orelse", "args", "idx"):
                out += f".{attr}()[{index}]"
                window = attr == "idx"
            elif attr == "pt" and window:
                window = False
            elif attr in ("lo", "hi") and window:
                out, window = f"{out}[{0 if attr == 'lo' else 1}]", False
            elif attr == "type":
                continue
            elif attr == "hi" and index is not None:
                out += f".shape()[{index}]"
            else:
                out += f".{attr}()"
        return out
