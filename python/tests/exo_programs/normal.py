"""One text for programs that differ in names and in how index expressions are written."""

from __future__ import annotations

import ast
import re
from typing import Dict, List, Optional, Tuple

Terms = Dict[Tuple[str, ...], int]
#: What keeps its name: types, memories, externs, words.
WORDS = set(
    "seq par stride size index f16 f32 f64 i8 ui8 ui16 i32 R bool int AVX2 AVX512 Neon DRAM_STACK DRAM_STATIC select".split()
)


def normal_form(text: str, fold: bool = False) -> str:
    """A printed procedure with names by order of appearance and index expressions as sums; with quotients of numbers as numbers,
    if they are to be folded."""
    function = ast.parse(re.sub(r"#.*", "", text)).body[0]
    assert isinstance(function, ast.FunctionDef)
    form = _Form(fold)
    for arg in function.args.args:
        form.out.append(f"{form.name(arg.arg)}: {form.typ(arg.annotation)}")
    form.block(function.body, "")
    return "\n".join(form.out)


class _Form:
    def __init__(self, fold: bool) -> None:
        self.fold = fold
        self.names: Dict[str, str] = {}
        self.count = 0
        self.out: List[str] = []

    def fresh(self, name: str) -> str:
        self.names[name] = f"v{self.count}"
        self.count += 1
        return self.names[name]

    def name(self, name: str) -> str:
        if name in WORDS:
            return name
        return self.names[name] if name in self.names else self.fresh(name)

    def block(self, stmts: List[ast.stmt], margin: str) -> None:
        for stmt in stmts:
            self.stmt(stmt, margin)

    def stmt(self, stmt: ast.stmt, margin: str) -> None:
        def put(text: str) -> None:
            self.out.append(margin + text)

        if isinstance(stmt, ast.For):
            assert isinstance(stmt.iter, ast.Call) and isinstance(stmt.target, ast.Name)
            lo, hi = (self.index(bound) for bound in stmt.iter.args)
            put(f"for {self.fresh(stmt.target.id)} in {ast.unparse(stmt.iter.func)}({lo}, {hi}):")
            self.block(stmt.body, margin + "    ")
        elif isinstance(stmt, ast.If):
            put(f"if {self.expr(stmt.test)}:")
            self.block(stmt.body, margin + "    ")
            if stmt.orelse:
                put("else:")
                self.block(stmt.orelse, margin + "    ")
        elif isinstance(stmt, ast.AnnAssign):
            assert isinstance(stmt.target, ast.Name)
            put(f"{self.fresh(stmt.target.id)}: {self.typ(stmt.annotation)}")
        elif isinstance(stmt, ast.Assign):
            put(f"{self.expr(stmt.targets[0])} = {self.expr(stmt.value)}")
        elif isinstance(stmt, ast.AugAssign):
            put(f"{self.expr(stmt.target)} += {self.expr(stmt.value)}")
        elif isinstance(stmt, ast.Expr):
            put(self.expr(stmt.value))
        elif not isinstance(stmt, ast.Assert):
            put(ast.unparse(stmt))

    def typ(self, typ: object) -> str:
        if isinstance(typ, ast.BinOp) and isinstance(typ.op, ast.MatMult):
            memory = ast.unparse(typ.right)
            return self.expr(typ.left) + ("" if memory == "DRAM" else f" @ {memory}")
        assert isinstance(typ, ast.expr)
        return self.expr(typ)

    def expr(self, expr: ast.expr) -> str:
        if isinstance(expr, ast.Name):
            return self.name(expr.id)
        if isinstance(expr, ast.Subscript):
            dims = expr.slice.elts if isinstance(expr.slice, ast.Tuple) else [expr.slice]
            return f"{self.expr(expr.value)}[{', '.join(map(self.dim, dims))}]"
        if isinstance(expr, ast.List):
            return f"[{', '.join(map(self.expr, expr.elts))}]"
        if isinstance(expr, ast.Call):
            callee = expr.func.id if isinstance(expr.func, ast.Name) else self.expr(expr.func)
            return f"{callee}({', '.join(map(self.argument, expr.args))})"
        if isinstance(expr, ast.Compare):
            gap = self.index(ast.BinOp(expr.left, ast.Sub(), expr.comparators[0]))
            return f"{gap} {type(expr.ops[0]).__name__} 0"
        if isinstance(expr, ast.BinOp):
            return f"({self.expr(expr.left)} {type(expr.op).__name__} {self.expr(expr.right)})"
        if isinstance(expr, ast.UnaryOp):
            return f"-{self.expr(expr.operand)}"
        return ast.unparse(expr)

    def argument(self, arg: ast.expr) -> str:
        data = any(
            isinstance(part, ast.Subscript) or isinstance(part, ast.Constant) and isinstance(part.value, float)
            for part in ast.walk(arg)
        )
        return self.expr(arg) if data else self.index(arg)

    def dim(self, dim: ast.expr) -> str:
        if isinstance(dim, ast.Slice):
            assert dim.lower is not None and dim.upper is not None
            return f"{self.index(dim.lower)}:{self.index(dim.upper)}"
        return self.index(dim)

    def index(self, expr: ast.expr) -> str:
        found = sorted((key, factor) for key, factor in self.terms(expr).items() if factor)
        return " + ".join(f"{factor}*{'*'.join(key)}" if key else str(factor) for key, factor in found) or "0"

    def terms(self, expr: ast.expr) -> Terms:
        if isinstance(expr, ast.Constant) and isinstance(expr.value, int):
            return {(): expr.value}
        if isinstance(expr, ast.UnaryOp) and isinstance(expr.op, ast.USub):
            return {key: -factor for key, factor in self.terms(expr.operand).items()}
        if not isinstance(expr, ast.BinOp):
            return {(self.expr(expr),): 1}
        if isinstance(expr.op, (ast.Add, ast.Sub)):
            out = dict(self.terms(expr.left))
            sign = 1 if isinstance(expr.op, ast.Add) else -1
            for key, factor in self.terms(expr.right).items():
                out[key] = out.get(key, 0) + sign * factor
            return out
        if isinstance(expr.op, ast.Mult):
            product: Terms = {}
            for key, factor in self.terms(expr.left).items():
                for other, times in self.terms(expr.right).items():
                    both = tuple(sorted(key + other))
                    product[both] = product.get(both, 0) + factor * times
            return product
        if self.fold and isinstance(expr.op, (ast.FloorDiv, ast.Div, ast.Mod)):
            of, by = self.number(expr.left), self.number(expr.right)
            if of is not None and by:
                return {(): of % by if isinstance(expr.op, ast.Mod) else of // by}
        return {(f"({self.index(expr.left)} {type(expr.op).__name__} {self.index(expr.right)})",): 1}

    def number(self, expr: ast.expr) -> Optional[int]:
        """The value of an expression without variables."""
        found = {key: factor for key, factor in self.terms(expr).items() if factor}
        return found.get((), 0) if set(found) <= {()} else None
