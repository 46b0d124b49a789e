"""Arguments of scheduling operations: what each takes, what it makes of it, and the ``TypeError`` or ``ValueError`` else. Spec:
[rule: python.exo-operations]."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, NoReturn, Optional, Sequence, Tuple, Type, Union

from .. import primitives
from .._errors import InvalidCursorError, SchedulingError
from . import API_cursors as PC
from .API import Procedure
from .API_types import ExoType
from .core.configs import Config
from .core.memory import Memory
from .core.prelude import is_pos_int, is_valid_name
from .frontend.parse_fragment import ParseFragmentError


def is_subclass_obj(x: Any, cls: type) -> bool:
    """Whether it is a class below another."""
    return isinstance(x, type) and issubclass(x, cls)


def _class_of(x: Any) -> str:
    """The class of something in a message, under Exo's name for it."""
    return str(type(x)).replace("'rewright.exo.", "'exo.")


class ArgumentProcessor:
    """What an operation makes of one of its arguments."""

    i: int = 0
    arg_name: str = ""
    f_name: str = ""

    def err(self, message: str, Error: Type[Exception] = TypeError) -> NoReturn:
        """Refuses the argument."""
        raise Error(f"argument {self.i}, '{self.arg_name}' to {self.f_name}: {message}")

    def setdata(self, i: int, arg_name: str, f_name: str) -> None:
        """Says which argument of which operation it is."""
        self.i, self.arg_name, self.f_name = i, arg_name, f_name

    def __call__(self, arg: Any, all_args: Dict[str, Any]) -> Any:
        """What the operation gets; ``all_args`` are the arguments, processed as far as this one."""
        raise NotImplementedError


class CursorArgumentProcessor(ArgumentProcessor):
    """Forwards cursors, those of a list in place."""

    def __call__(self, cur: Any, all_args: Dict[str, Any]) -> Any:
        p = all_args["proc"]
        if isinstance(cur, PC.Cursor):
            cur = p.forward(cur)
        elif isinstance(cur, list):
            for i in range(len(cur)):
                cur[i] = p.forward(cur[i])
        return self._cursor_call(cur, all_args)

    def _cursor_call(self, cur: Any, all_args: Dict[str, Any]) -> Any:
        raise NotImplementedError


class AtomicSchedulingOp:
    """An operation: its arguments are processed, then its function is called."""

    def __init__(self, func: Callable[..., Any], arg_procs: Sequence[ArgumentProcessor]) -> None:
        self.sig = inspect.signature(func)
        self.arg_procs = list(arg_procs)
        self.func = func
        # Most calls are plain: their arguments are bound by hand, which takes a tenth of the time.
        self._names = list(self.sig.parameters)
        kinds = {p.kind for p in self.sig.parameters.values()}
        self._is_plain = kinds <= {inspect.Parameter.POSITIONAL_OR_KEYWORD}
        self._defaults = [p.default for p in self.sig.parameters.values()]

    def __str__(self) -> str:
        return f"<AtomicSchedulingOp-{self.func.__name__}>"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        names = self._names[len(args) :]
        rest = [kwargs.get(name, default) for name, default in zip(names, self._defaults[len(args) :])]
        is_whole = len(args) <= len(self._names) and not any(value is inspect.Parameter.empty for value in rest)
        if not (self._is_plain and is_whole and kwargs.keys() <= set(names)):
            return self._call_bound(args, kwargs)
        given = dict(zip(self._names, [*args, *rest]))
        for name, processor in zip(self._names, self.arg_procs):
            given[name] = processor(given[name], given)
        return self.func(*given.values())

    def _call_bound(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        bound = self.sig.bind(*args, **kwargs)
        bound.apply_defaults()
        given = bound.arguments
        for name, processor in zip(list(given), self.arg_procs):
            given[name] = processor(given[name], given)
        return self.func(*bound.args, **bound.kwargs)


def sched_op(arg_procs: Sequence[Any]) -> Callable[[Callable[..., Any]], AtomicSchedulingOp]:
    """Makes an operation of a function: what each argument after the procedure takes."""
    import functools

    def made(of: Any) -> ArgumentProcessor:
        found = of() if is_subclass_obj(of, ArgumentProcessor) else of
        assert isinstance(found, ArgumentProcessor)
        return found

    processors = [made(of) for of in [ProcA, *arg_procs]]

    def build(func: Callable[..., Any]) -> AtomicSchedulingOp:
        names = list(inspect.signature(func).parameters)
        assert len(processors) == len(names), f"{func.__name__}: one processor for each argument"
        for i, (name, processor) in enumerate(zip(names, processors)):
            processor.setdata(i, name, func.__name__)
        operation = AtomicSchedulingOp(func, processors)
        functools.update_wrapper(operation, func)
        operation.__doc__ = _documented(func)
        return operation

    return build


def _documented(func: Callable[..., Any]) -> str:
    """What ``help`` says of an operation: how it is called, and what the primitive of its name asks for."""
    asked = (inspect.getdoc(getattr(primitives, func.__name__, None)) or "").partition("\nRefuses with")
    more = [asked[1].strip("\n") + asked[2]] if asked[1] else []
    return "\n\n".join([f"{func.__name__}{inspect.signature(func)}", inspect.getdoc(func) or "", *more])


def is_atomic_scheduling_op(x: Any) -> bool:
    """Whether it is an operation."""
    return isinstance(x, AtomicSchedulingOp)


class IdA(ArgumentProcessor):
    """Anything."""

    def __call__(self, arg: Any, all_args: Dict[str, Any]) -> Any:
        return arg


class ProcA(ArgumentProcessor):
    """A procedure."""

    def __call__(self, arg: Any, all_args: Dict[str, Any]) -> Any:
        if not isinstance(arg, Procedure):
            self.err("expected a Procedure object")
        return arg


class MemoryA(ArgumentProcessor):
    """A memory."""

    def __call__(self, arg: Any, all_args: Dict[str, Any]) -> Any:
        if not is_subclass_obj(arg, Memory):
            self.err("expected a Memory subclass")
        return arg


class ConfigA(ArgumentProcessor):
    """A configuration."""

    def __call__(self, arg: Any, all_args: Dict[str, Any]) -> Any:
        if not isinstance(arg, Config):
            self.err("expected a Config object")
        arg._use()
        return arg


class ConfigFieldA(ArgumentProcessor):
    """A field of the configuration that another argument is."""

    def __init__(self, config_arg_name: str = "config") -> None:
        self.cfg_arg = config_arg_name

    def __call__(self, arg: Any, all_args: Dict[str, Any]) -> Any:
        config = all_args[self.cfg_arg]
        if not is_valid_name(arg):
            self.err("expected a valid name string")
        if not config.has_field(arg):
            self.err(f"expected '{arg}' to be a field of config '{config.name()}'", ValueError)
        return arg


class NameA(ArgumentProcessor):
    """A name."""

    def __call__(self, arg: Any, all_args: Dict[str, Any]) -> Any:
        if not is_valid_name(arg):
            self.err("expected a valid name")
        return arg


class PosIntA(ArgumentProcessor):
    """An integer of at least 1."""

    def __call__(self, arg: Any, all_args: Dict[str, Any]) -> Any:
        if not is_pos_int(arg):
            self.err("expected a positive integer")
        return int(arg)


class IntA(ArgumentProcessor):
    """An integer."""

    def __call__(self, arg: Any, all_args: Dict[str, Any]) -> Any:
        if not isinstance(arg, int):
            self.err("expected an integer")
        return int(arg)


class BoolA(ArgumentProcessor):
    """A truth value."""

    def __call__(self, arg: Any, all_args: Dict[str, Any]) -> Any:
        if not isinstance(arg, bool):
            self.err("expected a bool")
        return arg


class OptionalA(ArgumentProcessor):
    """What another processor takes, or ``None``."""

    def __init__(self, arg_proc: Any) -> None:
        self.arg_proc = arg_proc() if is_subclass_obj(arg_proc, ArgumentProcessor) else arg_proc

    def setdata(self, i: int, arg_name: str, f_name: str) -> None:
        super().setdata(i, arg_name, f_name)
        self.arg_proc.setdata(i, arg_name, f_name)

    def __call__(self, arg: Any, all_args: Dict[str, Any]) -> Any:
        return None if arg is None else self.arg_proc(arg, all_args)


class DictA(ArgumentProcessor):
    """A dictionary."""

    def __call__(self, arg: Any, all_args: Dict[str, Any]) -> Any:
        if not isinstance(arg, dict):
            self.err("expected a dict")
        return arg


class ListA(ArgumentProcessor):
    """A list of what another processor takes."""

    def __init__(self, elem_arg_proc: Any, list_only: bool = False, length: Optional[int] = None) -> None:
        is_class = is_subclass_obj(elem_arg_proc, ArgumentProcessor)
        self.elem_arg_proc = elem_arg_proc() if is_class else elem_arg_proc
        self.list_only = list_only
        self.fixed_length = length

    def setdata(self, i: int, arg_name: str, f_name: str) -> None:
        super().setdata(i, arg_name, f_name)
        self.elem_arg_proc.setdata(i, arg_name, f_name)

    def __call__(self, arg: Any, all_args: Dict[str, Any]) -> Any:
        if not isinstance(arg, list if self.list_only else (list, tuple)):
            self.err("expected a list" if self.list_only else "expected a list or tuple")
        if self.fixed_length and len(arg) != self.fixed_length:
            self.err(f"expected a list of length {self.fixed_length}")
        return [self.elem_arg_proc(x, all_args) for x in arg]


class ListOrElemA(ListA):
    """A list of what another processor takes, or one of it."""

    def __call__(self, arg: Any, all_args: Dict[str, Any]) -> Any:
        if isinstance(arg, list if self.list_only else (list, tuple)):
            return super().__call__(arg, all_args)
        return [self.elem_arg_proc(arg, all_args)]


class InstrStrA(ArgumentProcessor):
    """The C text of an instruction."""

    def __call__(self, arg: Any, all_args: Dict[str, Any]) -> Any:
        if not isinstance(arg, str):
            self.err("expected an instruction macro (i.e. a string with {} escapes)")
        return arg


_NAME_COUNT = re.compile(r"^([a-zA-Z_]\w*)\s*(\#\s*([0-9]+))?$")


def _named(pattern: Any, form: str) -> Any:
    """A pattern that is a name with a count, in the form of what it stands for."""
    found = _NAME_COUNT.search(pattern) if isinstance(pattern, str) else None
    if found is None:
        return pattern
    count = f" #{found[3]}" if found[3] else ""
    return form.format(found[1]) + count


class NameCountA(ArgumentProcessor):
    """A name, or a name and which of its occurrences: ``"x #2"``."""

    def __call__(self, arg: Any, all_args: Dict[str, Any]) -> Any:
        if not isinstance(arg, str):
            self.err("expected a string")
        found = _NAME_COUNT.search(arg)
        if found is None:
            self.err("expected a name pattern of the form <ident> [# <int>]?: 'x', or 'x #2' for one of its occurrences", ValueError)
        return found[1], int(found[3]) if found[3] else None


class EnumA(ArgumentProcessor):
    """One of some values."""

    def __init__(self, enum_vals: List[Any]) -> None:
        self.enum_vals = enum_vals

    def __call__(self, arg: Any, all_args: Dict[str, Any]) -> Any:
        if arg not in self.enum_vals:
            known = ", ".join(str(v) for v in self.enum_vals)
            self.err(f"expected one of the following values: {known}", ValueError)
        return arg


class TypeAbbrevA(ArgumentProcessor):
    """A precision: a word, or an ``ExoType``."""

    _shorthand = {str(t.value): t for t in ExoType if t.is_numeric()}

    def __call__(self, arg: Any, all_args: Dict[str, Any]) -> Any:
        if not isinstance(arg, (str, ExoType)):
            self.err(f"expected an instance of {ExoType} or {str} specifying the precision")
        if isinstance(arg, ExoType):
            assert arg.is_numeric(), f"{arg} is no precision"
            return arg
        if arg not in self._shorthand:
            known = ", ".join(self._shorthand)
            self.err(
                f"expected an instance of {ExoType} or one of the following strings specifying precision: {known}",
                ValueError,
            )
        return self._shorthand[arg]


class ExprCursorA(CursorArgumentProcessor):
    """An expression; with ``many``, a list of them, or all that a pattern describes."""

    def __init__(self, many: bool = False) -> None:
        self.match_many = many

    def _cursor_call(self, cur: Any, all_args: Dict[str, Any]) -> Any:
        if self.match_many and isinstance(cur, list):
            if all(isinstance(c, PC.ExprCursor) for c in cur):
                return cur
            self.err(f"expected a list of ExprCursor, not {_class_of(cur)}")
        if not self.match_many and isinstance(cur, PC.ExprCursor):
            return cur
        if not self.match_many and isinstance(cur, PC.Cursor):
            self.err(f"expected an ExprCursor, not {_class_of(cur)}")
        if not isinstance(cur, str):
            self.err("expected an ExprCursor or pattern string")
        found = all_args["proc"].find(cur, many=self.match_many)
        for match in found if self.match_many else [found]:
            if not isinstance(match, PC.ExprCursor):
                only = "only ExprCursors" if self.match_many else "an ExprCursor"
                self.err(f"expected pattern to match {only}, not {_class_of(match)}")
        return found


class StmtCursorA(CursorArgumentProcessor):
    """A statement."""

    def __init__(self, many: bool = False) -> None:
        self.match_many = many

    def _cursor_call(self, cur: Any, all_args: Dict[str, Any]) -> Any:
        if isinstance(cur, PC.StmtCursor):
            return cur
        if isinstance(cur, PC.Cursor):
            self.err(f"expected an StmtCursor, not {_class_of(cur)}")
        if not isinstance(cur, str):
            self.err("expected a StmtCursor or pattern string")
        match = all_args["proc"].find(cur)
        if not isinstance(match, PC.StmtCursor):
            self.err(f"expected pattern to match a StmtCursor, not {_class_of(match)}")
        return match


class BlockCursorA(CursorArgumentProcessor):
    """One statement or several, or a certain number of them."""

    def __init__(self, many: bool = False, block_size: Optional[int] = None) -> None:
        self.match_many = many
        self.block_size = block_size

    def _cursor_call(self, cur: Any, all_args: Dict[str, Any]) -> Any:
        if not isinstance(cur, PC.Cursor):
            if not isinstance(cur, str):
                self.err("expected a Cursor or pattern string")
            cur = all_args["proc"].find(cur)
            if not isinstance(cur, (PC.StmtCursor, PC.BlockCursor)):
                self.err(f"expected pattern to match a BlockCursor, not {_class_of(cur)}")
        if not isinstance(cur, (PC.StmtCursor, PC.BlockCursor)):
            self.err(f"expected a StmtCursor or BlockCursor, not {_class_of(cur)}")
        block = cur.as_block()
        if self.block_size and len(block) != self.block_size:
            self.err(f"expected a block of size {self.block_size}, but got a block of size {len(block)}", ValueError)
        return block


class GapCursorA(CursorArgumentProcessor):
    """A gap."""

    def _cursor_call(self, cur: Any, all_args: Dict[str, Any]) -> Any:
        if not isinstance(cur, PC.GapCursor):
            self.err("expected a GapCursor")
        return cur


class _OneOf(StmtCursorA):
    """A statement of some classes; a name stands for a pattern."""

    _classes: Tuple[type, ...] = ()
    _form: Optional[str] = None

    def _cursor_call(self, cur: Any, all_args: Dict[str, Any]) -> Any:
        found = super()._cursor_call(_named(cur, self._form) if self._form else cur, all_args)
        if not isinstance(found, self._classes):
            names = " or ".join(c.__name__ for c in self._classes)
            self.err(f"expected {'an' if names[0] in 'AEIOU' else 'a'} {names}, not {_class_of(found)}")
        return found


class AllocCursorA(_OneOf):
    """An allocation."""

    _classes, _form = (PC.AllocCursor,), "{}: _"


class WindowStmtCursorA(_OneOf):
    """A window statement."""

    _classes = (PC.WindowStmtCursor,)


class ForOrIfCursorA(_OneOf):
    """A loop or an ``if``."""

    _classes, _form = (PC.ForCursor, PC.IfCursor), "for {} in _: _"


class ForCursorA(_OneOf):
    """A loop."""

    _classes, _form = (PC.ForCursor,), "for {} in _: _"


class IfCursorA(_OneOf):
    """An ``if``."""

    _classes = (PC.IfCursor,)


class AssignCursorA(_OneOf):
    """An assignment."""

    _classes = (PC.AssignCursor,)


class AssignOrReduceCursorA(_OneOf):
    """An assignment or a reduction."""

    _classes = (PC.AssignCursor, PC.ReduceCursor)


class CallCursorA(_OneOf):
    """A call; a procedure stands for a call of its name."""

    _classes, _form = (PC.CallCursor,), "{}(_)"

    def _cursor_call(self, cur: Any, all_args: Dict[str, Any]) -> Any:
        return super()._cursor_call(cur.name() if isinstance(cur, Procedure) else cur, all_args)


class ArgCursorA(CursorArgumentProcessor):
    """An argument of the procedure."""

    def _cursor_call(self, cur: Any, all_args: Dict[str, Any]) -> Any:
        if isinstance(cur, PC.ArgCursor):
            return cur
        if not isinstance(cur, str):
            self.err("expected an ArgCursor or a string")
        for arg in all_args["proc"].args():
            if arg.name() == cur:
                return arg
        self.err(f"no argument {cur} found")


class ArgOrAllocCursorA(CursorArgumentProcessor):
    """An allocation or an argument."""

    def _cursor_call(self, cur: Any, all_args: Dict[str, Any]) -> Any:
        if isinstance(cur, str):
            cur = self._found(cur, all_args["proc"])
        if not isinstance(cur, (PC.AllocCursor, PC.ArgCursor)):
            self.err(f"expected either an AllocCursor or an ArgCursor, not {_class_of(cur)}")
        return cur

    def _found(self, pattern: str, proc: Any) -> Any:
        try:
            return proc.find(_named(pattern, "{} : _"))
        except (SchedulingError, InvalidCursorError):
            named = _NAME_COUNT.search(pattern)
            for arg in proc.args():
                if named and arg.name() == named[1]:
                    return arg
        named = _NAME_COUNT.search(pattern)
        name = named[1] if named else None
        self.err(f"could not find a cursor matching {_named(pattern, '{} : _')}, nor an arg cursor with name {name}")


_TWO_NAMES = re.compile(r"^([a-zA-Z_]\w*)\s*([a-zA-Z_]\w*)\s*(\#\s*([0-9]+))?$")


class NestedForCursorA(StmtCursorA):
    """A loop with nothing but a loop inside: a cursor to it, a pattern, or ``"i j"``."""

    def _cursor_call(self, cur: Any, all_args: Dict[str, Any]) -> Any:
        if isinstance(cur, str):
            names = _TWO_NAMES.search(cur)
            if names:
                # Exo takes the first match, whatever number is asked for.
                cur = f"for {names[1]} in _:\n  for {names[2]} in _: _"
            cur = super()._cursor_call(cur, all_args)
        elif not isinstance(cur, PC.Cursor):
            self.err("expected a ForCursor, pattern match string, or 'outer_loop inner_loop' shorthand")
        if not isinstance(cur, PC.ForCursor):
            self.err(f"expected a ForCursor, not {_class_of(cur)}")
        inside = cur.body()
        if len(inside) != 1 or not isinstance(inside[0], PC.ForCursor):
            # Schedules try loops that are not nested, and look at no more than the class: long lines stay whole.
            found = str(inside[0]._raw).replace("@proc\n", "", 1)
            self.err(f"expected the body of the outer loop to be a single loop, but it was a {found}", ValueError)
        return cur


@dataclass(init=False)
class FormattedExprStr:
    """An expression as text, with a hole ``_`` for each of some expressions that cursors point at. That there are enough of them
    is asked where it is used."""

    _expr_str: str
    _expr_holes: Tuple[Any, ...]

    def __init__(self, expr_str: str, *expr_holes: Any) -> None:
        if not isinstance(expr_str, str):
            raise TypeError("expr_str must be a string")
        if not all(isinstance(cursor, PC.ExprCursor) for cursor in expr_holes):
            raise TypeError("Cursor provided to fill a hole must be a ExprCursor")
        self._expr_str = expr_str
        self._expr_holes = expr_holes

    def filled(self) -> str:
        """The text, with the expressions in the holes."""
        parts = re.split(r"\b_\b", self._expr_str)
        if len(parts) > len(self._expr_holes) + 1:
            raise ParseFragmentError(f"String contains more holes than expressions provided: {self._expr_str!r}")
        holes = [f"({cursor._raw.text()}){rest}" for cursor, rest in zip(self._expr_holes, parts[1:])]
        return parts[0] + "".join(holes)


class NewText(str):
    """An expression that a schedule gives."""


class NewExprA(ArgumentProcessor):
    """A new expression, in the names in scope at the place that another argument is: text, a number, or text with holes."""

    def __init__(self, cursor_arg: str, before: bool = True) -> None:
        self.cursor_arg = cursor_arg
        self.before = before

    def __call__(self, arg: Any, all_args: Dict[str, Any]) -> Any:
        if isinstance(arg, (bool, int, float)):
            return arg
        if isinstance(arg, FormattedExprStr):
            return NewText(arg.filled())
        if not isinstance(arg, str):
            self.err("expected a string")
        return NewText(arg)


class CustomWindowExprA(NewExprA):
    """A window of a buffer, as text: ``"A[0:4, j]"``."""

    def __call__(self, arg: Any, all_args: Dict[str, Any]) -> Any:
        if not isinstance(arg, str):
            self.err("expected a string")
        if not is_valid_name(arg) and not re.match(r"(\w+)\[([^\]]+)\]", arg):
            raise ValueError(f"expected windowing string of the form 'name[args]', but got '{arg}'")
        return NewText(arg)


class NewExprOrCustomWindowExprA(NewExprA):
    """A new expression, or a window."""


Processors = Mapping[str, Union[ArgumentProcessor, Type[ArgumentProcessor]]]
