"""Whether two definitions are the same up to names, affine arithmetic and the order of assertions.

Both are texts of the language, which has Python's syntax. What is found equal is equal; what is not may still be.
"""

from __future__ import annotations

import ast
from typing import Any, Dict, List, Optional, Tuple

__all__ = ["canonical", "same"]

#: A sum: coefficients by product of atoms.
Sum = Dict[Tuple[str, ...], int]
CONTROL = {"int", "index", "size", "bool", "stride"}


def same(one: str, other: str) -> bool:
    """Whether two definitions are the same."""
    return canonical(one) == canonical(other)


def canonical(text: str) -> List[Any]:
    """A form that definitions share which differ in names and affine arithmetic alone."""
    return _Reader().proc(next(d for d in ast.parse(text).body if isinstance(d, ast.FunctionDef)))


class _Reader:
    def __init__(self) -> None:
        self._count = 0
        #: What a name in scope is called, and whether it is control.
        self._scope: Dict[str, Tuple[str, bool]] = {}

    def _bind(self, name: str, control: bool) -> str:
        self._count += 1
        self._scope[name] = (f"${self._count}", control)
        return self._scope[name][0]

    def proc(self, d: ast.FunctionDef) -> List[Any]:
        args = []
        for a in d.args.args:
            word = a.annotation.id if isinstance(a.annotation, ast.Name) else ""
            args.append(self._bind(a.arg, word in CONTROL))
        types = [self._type(a.annotation) for a in d.args.args]
        asserts = sorted(repr(self._expr(s.test)) for s in d.body if isinstance(s, ast.Assert))
        return [args, types, asserts, self._block([s for s in d.body if not isinstance(s, ast.Assert)])]

    def _type(self, t: Optional[ast.expr]) -> Any:
        if isinstance(t, ast.BinOp):
            assert isinstance(t.right, ast.Name)
            shape = self._type(t.left)
            return shape if t.right.id == "DRAM" else (shape, t.right.id)
        if isinstance(t, ast.Subscript):
            return (self._type(t.value), [self._expr(i) for i in _items(t.slice)])
        if isinstance(t, ast.List):
            return ("window", self._type(t.elts[0]))
        assert isinstance(t, ast.Name)
        return t.id

    def _block(self, stmts: List[ast.stmt]) -> List[Any]:
        outer = dict(self._scope)
        out = [self._stmt(s) for s in stmts]
        self._scope = outer
        return out

    def _stmt(self, s: ast.stmt) -> Any:
        if isinstance(s, ast.For):
            assert isinstance(s.iter, ast.Call) and isinstance(s.target, ast.Name) and isinstance(s.iter.func, ast.Name)
            ends = [self._expr(e) for e in s.iter.args]
            outer = dict(self._scope)
            self._bind(s.target.id, True)
            body = self._block(s.body)
            self._scope = outer
            return ("for", s.iter.func.id, ends, body)
        if isinstance(s, ast.If):
            return ("if", self._expr(s.test), self._block(s.body), self._block(s.orelse))
        if isinstance(s, ast.AnnAssign):
            typ = self._type(s.annotation)
            assert isinstance(s.target, ast.Name)
            return ("alloc", self._bind(s.target.id, False), typ)
        if isinstance(s, ast.Assign):
            return self._assign(s.targets[0], s.value)
        if isinstance(s, ast.AugAssign):
            return ("+=", self._expr(s.target), self._expr(s.value))
        if isinstance(s, ast.Pass):
            return ("pass",)
        assert isinstance(s, ast.Expr)
        return ("do", self._expr(s.value))

    def _assign(self, target: ast.expr, value: ast.expr) -> Any:
        rhs = self._expr(value)
        window = isinstance(value, ast.Subscript) and any(isinstance(i, ast.Slice) for i in _items(value.slice))
        if isinstance(target, ast.Name) and (window or target.id not in self._scope):
            return ("window", self._bind(target.id, False), rhs)
        return ("=", self._expr(target), rhs)

    # Expressions: sums where everything in them is control, else as they are written.

    def _control(self, e: ast.expr) -> bool:
        if isinstance(e, ast.Name):
            return self._scope.get(e.id, ("", False))[1]
        if isinstance(e, ast.Constant):
            return isinstance(e.value, int) and not isinstance(e.value, bool)
        if isinstance(e, ast.UnaryOp):
            return isinstance(e.op, ast.USub) and self._control(e.operand)
        if isinstance(e, ast.BinOp):
            return self._control(e.left) and self._control(e.right)
        return isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id == "stride"

    def _expr(self, e: ast.expr) -> Any:
        if self._control(e):
            return _shown(self._sum(e))
        if isinstance(e, ast.Name):
            return self._scope.get(e.id, (e.id, False))[0]
        if isinstance(e, ast.Constant):
            return ("number", e.value if isinstance(e.value, bool) else float(e.value))  # type: ignore[arg-type]
        if isinstance(e, ast.UnaryOp):
            arg = self._expr(e.operand)
            if isinstance(e.op, ast.USub) and isinstance(arg, tuple) and arg[0] == "number":
                return ("number", -arg[1])
            return (type(e.op).__name__, arg)
        if isinstance(e, ast.BinOp):
            return (type(e.op).__name__, self._expr(e.left), self._expr(e.right))
        if isinstance(e, ast.Compare):
            return self._compare(e)
        if isinstance(e, ast.BoolOp):
            return self._all(type(e.op), e)
        if isinstance(e, ast.Attribute):
            return ("field", ast.unparse(e))
        if isinstance(e, ast.Subscript):
            return ("at", self._expr(e.value), [self._expr(i) for i in _items(e.slice)])
        if isinstance(e, ast.Slice):
            return ("slice", *(None if x is None else self._expr(x) for x in (e.lower, e.upper)))
        assert isinstance(e, ast.Call)
        return ("call", ast.unparse(e.func), [self._expr(a) for a in e.args])

    def _all(self, op: type, e: ast.expr) -> Any:
        """What a chain of one connective connects."""
        if isinstance(e, ast.BoolOp) and isinstance(e.op, op):
            inner = [self._all(op, v) for v in e.values]
            return [op.__name__, *(x for one in inner for x in (one[1:] if isinstance(one, list) else [one]))]
        return self._expr(e)

    def _compare(self, e: ast.Compare) -> Any:
        left, right, op = e.left, e.comparators[0], type(e.ops[0])
        if not (self._control(left) and self._control(right)):
            return (op.__name__, self._expr(left), self._expr(right))
        if op in (ast.Gt, ast.GtE):
            left, right, op = right, left, ast.Lt if op is ast.Gt else ast.LtE
        found = _plus(self._sum(left), self._sum(right), -1)
        if op is ast.Lt:
            found, op = _plus(found, {(): 1}, 1), ast.LtE
        shown = _shown(found)
        if op is ast.Eq:
            shown = min(shown, _shown(_plus({}, found, -1)))
        return (op.__name__, shown)

    def _sum(self, e: ast.expr) -> Sum:
        if isinstance(e, ast.Constant):
            assert isinstance(e.value, int)
            return {(): e.value} if e.value else {}
        if isinstance(e, ast.UnaryOp):
            return _plus({}, self._sum(e.operand), -1)
        if isinstance(e, ast.BinOp):
            left, right = self._sum(e.left), self._sum(e.right)
            if isinstance(e.op, ast.Add):
                return _plus(left, right, 1)
            if isinstance(e.op, ast.Sub):
                return _plus(left, right, -1)
            if isinstance(e.op, ast.Mult):
                out: Sum = {}
                for a, x in left.items():
                    for b, y in right.items():
                        out = _plus(out, {tuple(sorted(a + b)): x * y}, 1)
                return out
            return {(f"({_shown(left)} {type(e.op).__name__} {_shown(right)})",): 1}
        if isinstance(e, ast.Name):
            return {(self._scope[e.id][0],): 1}
        assert isinstance(e, ast.Call)
        return {(f"stride({', '.join(str(self._expr(a)) for a in e.args)})",): 1}


def _plus(one: Sum, other: Sum, times: int) -> Sum:
    out = dict(one)
    for atoms, n in other.items():
        out[atoms] = out.get(atoms, 0) + times * n
        if not out[atoms]:
            del out[atoms]
    return out


def _shown(s: Sum) -> str:
    return " + ".join(f"{n}*{'*'.join(atoms)}" for atoms, n in sorted(s.items())) or "0"


def _items(s: ast.expr) -> List[ast.expr]:
    return list(s.elts) if isinstance(s, ast.Tuple) else [s]
