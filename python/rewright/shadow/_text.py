"""Exo's trees as Rewright's programs: names made unique, everything that a procedure mentions beside it.

Exo's printed text is not read: what is walked is `exo.core.LoopIR`.
"""

from __future__ import annotations

import keyword
import threading
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Set, Tuple

__all__ = ["Library", "Program", "Untranslatable"]

ELEMS = {
    "Num": "R",
    "F16": "f16",
    "F32": "f32",
    "F64": "f64",
    "INT8": "i8",
    "UINT8": "ui8",
    "UINT16": "ui16",
    "INT32": "i32",
}
CONTROL = {"Bool": "bool", "Int": "int", "Index": "index", "Size": "size", "Stride": "stride"}
#: How much operators bind.
LEVELS = {"or": 1, "and": 2, **dict.fromkeys(["==", "<", "<=", ">", ">="], 3), **dict.fromkeys("+-", 4), **dict.fromkeys("*/%", 5)}
LEVELS["neg"] = 6
ATOM = 7
RESERVED = frozenset([*keyword.kwlist, *ELEMS.values(), *CONTROL.values(), "seq", "par", "config", "proc", "instr", "Memory", "_"])


class Untranslatable(Exception):
    """A part of a tree that Rewright's language has no word for."""


def kind(node: Any) -> str:
    """The constructor of a node."""
    return type(node).__name__


class Program:
    """A procedure of Exo at a version, and what it is in Rewright."""

    def __init__(self, library: Library, ir: Any, name: str, raw: bool = False) -> None:
        self._library = library
        #: Whether names stay as they are, even where two things have one.
        self._raw = raw
        #: Exo's tree.
        self.ir = ir
        #: The name of the definition.
        self.name = name
        #: What its names are in the text, by Exo's symbols.
        self.names: Dict[Any, str] = {}
        #: Every name that the text mentions.
        self.taken: Set[str] = set(RESERVED)
        #: The procedures that it calls, by name; memories and configurations likewise.
        self.callees: Dict[str, Program] = {}
        self.memories: Dict[str, Any] = {}
        self.configs: Dict[str, Any] = {}
        self.externs: Dict[str, Any] = {}
        #: The definition, or why there is none.
        self.text: Optional[str] = None
        self.why: Optional[str] = None
        self._made: Any = None
        self._lock = threading.Lock()
        try:
            self._collect()
            self.text = _Writer(self).proc()
        except Untranslatable as e:
            self.why = str(e)

    def again(self) -> Optional[str]:
        """What the text would be if the tree were read now: another one where Exo has changed the tree in place."""
        try:
            return _Writer(self).proc()
        except Untranslatable:
            return None

    def _collect(self) -> None:
        for node in walk(self.ir.body):
            what = kind(node)
            if what == "Call":
                callee = self._library.callee(node.f)
                self.callees[callee.name] = callee
            elif what in ("ReadConfig", "WriteConfig"):
                self.configs[self._library.config_name(node.config)] = node.config
            elif what == "Alloc":
                self._memory(node.mem)
            elif what == "Extern":
                self.externs[node.f.name()] = node.f
        for pred in self.ir.preds:
            for node in walk([pred]):
                if kind(node) == "ReadConfig":
                    self.configs[self._library.config_name(node.config)] = node.config
        for arg in self.ir.args:
            self._memory(arg.mem)
        self.taken.update(self.callees, self.memories, self.configs, self.externs, [self.name])

    def _memory(self, mem: Any) -> None:
        if mem is not None:
            self.memories[self._library.memory_name(mem)] = mem

    def symbol(self, sym: Any) -> str:
        """The name of a symbol; a new one where it has none yet."""
        found = self.names.get(sym)
        if found is None:
            found = sym.name() if self._raw else self.fresh(sym.name())
            self.names[sym] = found
        return found

    def fresh(self, wish: str) -> str:
        """A name that is not mentioned yet, and is from now on."""
        name = self.free(wish)
        self.taken.add(name)
        return name

    def free(self, wish: str) -> str:
        """A name that is not mentioned yet."""
        name, count = wish, 0
        while name in self.taken:
            count += 1
            name = f"{wish}_{count}"
        return name

    def expr(self, e: Any) -> str:
        """An expression that may mention the names of this version."""
        return _Writer(self, closed=True).expr(e)

    def window(self, sym: Any, coords: Iterable[Any]) -> str:
        """A window or a cell: coordinates are expressions, or pairs of ends."""
        w = _Writer(self, closed=True)
        parts = [f"{w.expr(c[0])}:{w.expr(c[1])}" if isinstance(c, tuple) else w.expr(c) for c in coords]
        return f"{w.name(sym)}[{', '.join(parts)}]" if parts else w.name(sym)

    def procedure(self) -> Any:
        """It in Rewright. Raises `Untranslatable`, or what the front end has against it."""
        with self._lock:
            if self._made is None:
                try:
                    self._made = self._read(self.text, self.name)
                except Exception as e:
                    self._made = e
        if isinstance(self._made, Exception):
            raise self._made
        return self._made

    def shown(self) -> str:
        """It for people: as Rewright prints it, where it is a program."""
        try:
            return str(self.procedure())
        except Exception:
            return self.text or ""

    def asserting(self, conditions: List[str]) -> Any:
        """It with further assertions."""
        head, _, rest = (self.text or "").partition("\n")
        head2, _, rest = rest.partition("\n")
        lines = [f"    assert {c}" for c in conditions]
        return self._read("\n".join([head, head2, *lines, rest]), self.name)

    def _read(self, text: Optional[str], name: str) -> Any:
        import rewright

        if text is None:
            raise Untranslatable(self.why or "")
        return rewright.module(text, f"<{self.name}>", self.scope())[name]

    def scope(self) -> Dict[str, Any]:
        """What the names around the definition stand for."""
        out: Dict[str, Any] = {name: callee.procedure() for name, callee in self.callees.items()}
        out.update((name, self._library.memory(mem)) for name, mem in self.memories.items())
        out.update((name, self._library.config(config)) for name, config in self.configs.items())
        return out


class Library:
    """What was translated: each tree once. With `erased`, all data is of type `R`: Exo lets precisions differ at a call until it
    makes C."""

    def __init__(self, erased: bool = False) -> None:
        self.erased = erased
        self._programs: Dict[int, Program] = {}
        self._callees: Dict[int, Program] = {}
        self._callee_names: Set[str] = set()
        self._named: Dict[Tuple[str, int], Tuple[str, Any]] = {}
        self._made: Dict[Tuple[str, str], Any] = {}

    def program(self, ir: Any) -> Program:
        """A procedure at a version."""
        found = self._programs.get(id(ir))
        if found is None or found.ir is not ir:
            found = self._programs[id(ir)] = Program(self, ir, str(ir.name))
        return found

    def as_named(self, ir: Any) -> Program:
        """A procedure at a version, with the names that Exo has."""
        return Program(self, ir, str(ir.name), raw=True)

    def callee(self, ir: Any) -> Program:
        """A procedure that others call: its name is its own."""
        found = self._callees.get(id(ir))
        if found is None or found.ir is not ir:
            name = unused(str(ir.name), self._callee_names)
            self._callee_names.add(name)
            found = self._callees[id(ir)] = Program(self, ir, name)
        if found.text is None:
            raise Untranslatable(f"`{ir.name}`: {found.why}")
        return found

    def _name(self, sort: str, of: Any) -> str:
        """A name for an object: its own where no other object of the sort has it."""
        key = (sort, id(of))
        if key not in self._named:
            taken = {name for (other, _), (name, _) in self._named.items() if other == sort}
            self._named[key] = (unused(str(of.name()), taken), of)
        return self._named[key][0]

    def memory_name(self, mem: Any) -> str:
        """A memory's name."""
        return self._name("memory", mem)

    def config_name(self, config: Any) -> str:
        """A configuration's name."""
        return self._name("config", config)

    def memory(self, mem: Any) -> Any:
        """A memory in Rewright; all that counts is which it is."""
        import rewright

        name = self.memory_name(mem)
        if name in ("DRAM", "DRAM_STACK", "DRAM_STATIC"):
            return getattr(rewright, name)
        text = f"class {name}(Memory):\n    pass\n"
        return self._once("memory", name, lambda: rewright.module(text)[name])

    def config(self, config: Any) -> Any:
        """A configuration in Rewright."""
        import rewright

        name = self.config_name(config)
        return self._once("config", name, lambda: rewright.module(config_text(config, name, self.erased))[name])

    def _once(self, sort: str, name: str, make: Callable[[], Any]) -> Any:
        if (sort, name) not in self._made:
            self._made[sort, name] = make()
        return self._made[sort, name]


def config_text(config: Any, name: str, erased: bool = False) -> str:
    """The definition of a configuration class."""
    fields = []
    for field, _ in config.fields():
        what = kind(config.lookup_type(field))
        fields.append(f"    {field}: {'R' if erased and what in ELEMS else ELEMS.get(what) or CONTROL[what]}")
    return "\n".join(["@config", f"class {name}:", *(fields or ["    pass"]), ""])


def unused(wish: str, taken: Iterable[str]) -> str:
    """The name, or with a number after it."""
    name, count = wish, 1
    while name in taken:
        count += 1
        name = f"{wish}__{count}"
    return name


def parts(node: Any) -> Iterator[Any]:
    """What a node is made of, types left out."""
    what = kind(node)
    if what in ("Assign", "Reduce"):
        yield from node.idx
        yield node.rhs
    elif what in ("WriteConfig", "WindowStmt"):
        yield node.rhs
    elif what == "If":
        yield node.cond
        yield from node.body
        yield from node.orelse
    elif what == "For":
        yield node.lo
        yield node.hi
        yield from node.body
    elif what in ("Call", "Extern"):
        yield from node.args
    elif what in ("Alloc", "Free"):
        yield from extents(node.type)
    elif what in ("Read", "WindowExpr"):
        yield from node.idx
    elif what == "USub":
        yield node.arg
    elif what == "BinOp":
        yield node.lhs
        yield node.rhs
    elif what == "Interval":
        yield node.lo
        yield node.hi
    elif what == "Point":
        yield node.pt


def walk(nodes: Iterable[Any]) -> Iterator[Any]:
    """Every node in these, in no order that counts."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        yield node
        pending.extend(parts(node))


def extents(typ: Any) -> List[Any]:
    """The extents of a type."""
    return list(typ.hi) if kind(typ) == "Tensor" else []


class _Writer:
    """Writes one definition."""

    def __init__(self, program: Program, closed: bool = False) -> None:
        self._program = program
        self._library = program._library
        #: Whether symbols that the text does not mention are errors.
        self._closed = closed
        self._lines: List[str] = []

    def name(self, sym: Any) -> str:
        if self._closed and sym not in self._program.names:
            raise Untranslatable(f"`{sym}` is not known there")
        return self._program.symbol(sym)

    def proc(self) -> str:
        ir = self._program.ir
        args = ", ".join(self._arg(a) for a in ir.args)
        self._lines = ["@proc", f"def {self._program.name}({args}):"]
        self._lines += [f"    assert {self.expr(p)}" for p in ir.preds]
        self._block(ir.body, 1)
        return "\n".join(self._lines) + "\n"

    def _arg(self, a: Any) -> str:
        name, what = self.name(a.name), kind(a.type)
        if what in CONTROL:
            return f"{name}: {CONTROL[what]}"
        return f"{name}: {self._data(a.type)}{self._at(a.mem)}"

    def _at(self, mem: Any) -> str:
        return "" if mem is None else f" @ {self._library.memory_name(mem)}"

    def _data(self, typ: Any) -> str:
        what = kind(typ)
        if what in ELEMS:
            return "R" if self._library.erased else ELEMS[what]
        if what != "Tensor":
            raise Untranslatable(f"a buffer of type {what}")
        elem = self._data(typ.type)
        if typ.is_window:
            elem = f"[{elem}]"
        return f"{elem}[{', '.join(self.expr(e) for e in typ.hi)}]"

    def _block(self, stmts: Any, depth: int) -> None:
        if not stmts:
            raise Untranslatable("an empty block")
        for s in stmts:
            self._stmt(s, depth)

    def _stmt(self, s: Any, depth: int) -> None:
        what, pad = kind(s), "    " * depth
        put = self._lines.append
        if what in ("Assign", "Reduce"):
            put(f"{pad}{self._cell(s)} {'=' if what == 'Assign' else '+='} {self.expr(s.rhs)}")
        elif what == "WriteConfig":
            put(f"{pad}{self._library.config_name(s.config)}.{s.field} = {self.expr(s.rhs)}")
        elif what == "Pass":
            put(f"{pad}pass")
        elif what == "If":
            put(f"{pad}if {self.expr(s.cond)}:")
            self._block(s.body, depth + 1)
            if s.orelse:
                put(f"{pad}else:")
                self._block(s.orelse, depth + 1)
        elif what == "For":
            lo, hi = self.expr(s.lo), self.expr(s.hi)
            mode = "par" if kind(s.loop_mode) == "Par" else "seq"
            put(f"{pad}for {self.name(s.iter)} in {mode}({lo}, {hi}):")
            self._block(s.body, depth + 1)
        elif what == "Alloc":
            put(f"{pad}{self.name(s.name)}: {self._data(s.type)}{self._at(s.mem)}")
        elif what == "Call":
            callee = self._library.callee(s.f)
            put(f"{pad}{callee.name}({', '.join(self.expr(a) for a in s.args)})")
        elif what == "WindowStmt":
            rhs = self.expr(s.rhs)
            put(f"{pad}{self.name(s.name)} = {rhs}")
        else:
            raise Untranslatable(f"a statement {what}")

    def _cell(self, s: Any) -> str:
        name = self.name(s.name)
        return f"{name}[{', '.join(self.expr(i) for i in s.idx)}]" if s.idx else name

    def expr(self, e: Any, least: int = 0) -> str:
        """An expression, in parentheses where it binds less than `least`."""
        text, level = self._expr(e)
        return text if level >= least else f"({text})"

    def _expr(self, e: Any) -> Tuple[str, int]:
        """An expression, and how much it binds. All operations group to the left."""
        if kind(e) == "BinOp":
            level = LEVELS[str(e.op)]
            left = level + 1 if level == LEVELS["=="] else level
            return f"{self.expr(e.lhs, left)} {e.op} {self.expr(e.rhs, level + 1)}", level
        if kind(e) == "USub":
            return f"-{self.expr(e.arg, ATOM)}", LEVELS["neg"]
        text = self._atom(e)
        return text, LEVELS["neg"] if text.startswith("-") else ATOM

    def _atom(self, e: Any) -> str:
        what = kind(e)
        if what == "Read":
            return self._cell(e)
        if what == "Const":
            return self._literal(e)
        if what == "Extern":
            return f"{e.f.name()}({', '.join(self.expr(a) for a in e.args)})"
        if what == "WindowExpr":
            return f"{self.name(e.name)}[{', '.join(self._access(w) for w in e.idx)}]"
        if what == "StrideExpr":
            return f"stride({self.name(e.name)}, {e.dim})"
        if what == "ReadConfig":
            return f"{self._library.config_name(e.config)}.{e.field}"
        raise Untranslatable(f"an expression {what}")

    def _access(self, w: Any) -> str:
        if kind(w) == "Point":
            return self.expr(w.pt)
        return f"{self.expr(w.lo)}:{self.expr(w.hi)}"

    def _literal(self, e: Any) -> str:
        if isinstance(e.val, bool):
            return str(e.val)
        value = float(e.val) if kind(e.type) in ELEMS else e.val
        text = repr(value)
        if isinstance(value, float) and not text.lstrip("-")[:1].isdigit():
            raise Untranslatable(f"the number {text}")
        return text
