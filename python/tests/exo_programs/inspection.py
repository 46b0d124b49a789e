# ruff: noqa
# mypy: ignore-errors
"""Questions to a procedure."""

from __future__ import annotations

from typing import Any

import exo.stdlib.range_analysis as RA
from exo.stdlib.inspection import *
from exo.stdlib.stdlib import abs_rule, fma_rule

from . import kernels as K
from .runs import Cases


def _inspect1() -> Any:
    p = K.matmul
    s = p.find("C[_] += _")
    l = p.find_loop("l")
    return [
        str(x)
        for x in (
            sorted(get_symbols(p)),
            list(get_symbols(p, s)),
            get_declaration(p, s, "C").name(),
            next(get_unique_names(p)),
            is_stmt(p, s),
            is_loop(p, l),
            is_if(p, l),
            is_loop_bounds_const(p, l),
            loop_body_len(p, l),
            is_single_stmt_loop(p, l),
            get_top_level_stmt(p, s).name(),
            get_enclosing_loop(p, s, 2).name(),
            get_enclosing_loop_by_name(p, s, "i").name(),
            get_enclosing_stmt(p, s.rhs()).name(),
            get_my_stmt(p, s.rhs().lhs()).name(),
            get_index_in_body(p, s),
            get_index_in_body(p, s, False),
            get_parent(p, p.find_loop("i")).name(),
            [c.name() for c in get_parents(p, s)],
            [c.name() for c in get_parents(p, s, p.find_loop("j"))],
            get_inner_loop(p, p.find_loop("i")).name(),
            get_depth(p, s),
            get_depth(p, s.rhs()),
            get_lca(p, p.find_loop("j"), s).name(),
            get_distance(p, s, p.find_loop("i")),
            is_start_of_body(p, s),
            is_end_of_body(p, s),
        )
    ]


def _inspect2() -> Any:
    p = K.asum
    e = p.find("result += _").rhs()
    a = e.args()
    return [
        str(x)
        for x in (
            is_select(p, e),
            is_relu(p, e),
            is_sin(p, e),
            is_builtin(p, e, "select"),
            is_literal(p, a[0]),
            is_literal(p, a[0], 0.0),
            is_literal(p, a[0], 1.0),
            is_unary_minus(p, a[3]),
            are_exprs_equal(p, a[1], a[2]),
            are_exprs_equal(p, a[1], a[3]),
            is_read(p, a[1]),
            is_read(p, a[1], "x"),
            is_read(p, a[1], "y"),
            is_binop(p, e),
            abs_rule(p, e) is not None,
            fma_rule(p, e) is None,
        )
    ]


def _inspect3() -> Any:
    p = K.conv1d
    s = p.find("y[_] += _")
    i = s.rhs().lhs().idx()
    return [
        expr_to_string(i),
        expr_to_string(s.rhs()),
        expr_to_string(s.rhs(), {"k": "3"}),
        str([type(c).__name__ for c in lrn(p, s)]),
        str([type(c).__name__ for c in nlr(p, s)]),
        str([type(c).__name__ for c in rln(p, s)]),
        str([type(c).__name__ for c in nrl(p, s)]),
        str([type(c).__name__ for c in lrn_stmts(p)]),
        str([type(c).__name__ for c in nlr_stmts(p, p.find_loop("i"))]),
        str([type(c).__name__ for c in get_children(p)]),
        str([type(c).__name__ for c in lrn(p)]),
        str(
            [
                is_add(p, i[0]),
                is_sub(p, i[0]),
                is_mul(p, s.rhs()),
                is_div(p, i[0]),
                is_mod(p, i[0]),
                is_reduce(p, s),
                is_assign(p, s),
                is_write(p, s),
                is_access(p, s),
                is_copy(p, p.find("y[_] = _")),
            ]
        ),
    ]


def _inspect4() -> Any:
    p = K.two_stmts
    b = get_bounding_block(p, [p.find("x[_] = _"), p.find("y[_] = _")])
    q = K.bufs
    c = match_parent(q.find("a[_] = _"), q.find("x[_] = _"))
    bb = get_bounding_block(q, [q.find("a[0,_]"), q.find("a[1,_] = _")])
    return [
        str(len(b)),
        str([x.name() for x in c]),
        str(len(bb)),
        str([s.name() for s in get_observed_stmts(q.find("x[_] = _"))]),
    ]


def _ranges() -> Any:
    p = K.bounds_loop
    s = p.find("x[_] = _")
    e = s.idx()[0]
    return [
        str(RA.infer_range(e, p.find_loop("j")).get_size()),
        str(RA.infer_range(e, p.find_loop("j")).get_bounds()),
        str(RA.infer_range(e, p.find_loop("i")).get_bounds()),
        str(RA.infer_range(e, p.find_loop("i")).get_size()),
        str(RA.bounds_inference(p.find_loop("j"), "x", 0).get_bounds()),
        str(RA.constant_bound(e, {"i": (0, 3), "j": (0, 5)})),
        str(RA.constant_bound(e, {"j": (0, 5)})),
        str(RA.constant_bound(7, {})),
        str(RA.index_range_analysis(e, {"i": (1, 2), "j": (3, 4)})),
    ]


def _ranges2() -> Any:
    p = K.blur
    l = [c for c in p.find_loop("y", many=True)][1]
    b = RA.bounds_inference(l, "blur_x", 0, include=["R"])
    return [str(b.get_bounds()), str(b.get_size()), str(b)]


def _inspect5() -> Any:
    p, s = K.matmul, K.matmul.find("C[_] += _")
    scopes = [get_enclosing_scope(p, s, ForCursor), get_enclosing_scope(p, s.rhs(), (IfCursor, StmtCursor))]
    names = [c.name() for c in [*scopes, get_nth_inner_loop(p, p.find_loop("i"), 0)]]
    return [*names, str(issubclass(CursorNavigationError, Exception))]


def _range_operators() -> Any:
    e = K.bounds_loop.find("x[_] = _").idx()[0]
    over = lambda **env: RA.index_range_analysis(e, env)
    both, some, none = over(i=(1, 6), j=(2, 3)), over(j=(2, 3)), over()
    made = [
        both + 2,
        2 + both,
        both - 1,
        1 - both,
        -both,
        both * 3,
        3 * both,
        both * -2,
        both // 2,
        both % 4,
        both % 100,
    ]
    made += [some + 2, some - both, -some, some * 3, some // 2, some % 8, both + some, some + some, none - some]
    made += [both | over(i=(0, 0), j=(0, 9)), some | over(j=(7, 8)), some | both, over(i=(None, 4), j=(0, 1))]
    out = [f"{r}; {r.get_bounds()}; {r.get_size()}" for r in made]
    return out + [str(0 * both), str(both * 0)]


CASES: Cases = {
    "expr_to_string_more": lambda: [
        expr_to_string(K.asum.find("select(_)").args()[0]),
        expr_to_string(K.dot.find("x[_] * y[_]"), {"x": 5, "i": "j + 1"}),
        str([c.name() for c in (get_enclosing_loop(K.matmul, K.matmul.find("C[_] += _")),)]),
        str([get_index_in_body(K.bufs, s) for s in K.bufs.body()]),
        str([get_index_in_body(K.bufs, s, from_top=False) for s in K.bufs.find_loop("i").body()]),
        str([s.name() for s in get_bounding_block(K.bufs, [K.bufs.find("a[1, _] = _"), K.bufs.find("a[0, _] = _")])]),
        str(get_enclosing_stmt(K.conv1d, K.conv1d.find("w[_]").idx()[0], 2).name()),
    ],
    "range_operators": _range_operators,
    "inspect5": _inspect5,
    "inspect1": _inspect1,
    "inspect2": _inspect2,
    "inspect3": _inspect3,
    "inspect4": _inspect4,
    "inspect_err1": lambda: get_enclosing_if(K.axpy, K.axpy.find("y[_] += _")),
    "inspect_err2": lambda: get_enclosing_loop_by_name(K.axpy, K.axpy.find("y[_] += _"), "z"),
    "inspect_err3": lambda: get_declaration(K.axpy, K.axpy.find("y[_] += _"), "z"),
    "inspect_err4": lambda: get_inner_loop(K.axpy, K.axpy.find_loop("i")),
    "inspect_err5": lambda: check_is_loop(K.axpy, K.axpy.find("y[_] += _")),
    "inspect_err6": lambda: list(get_observed_stmts(K.axpy)),
    "inspect_err7": lambda: get_lca(K.bufs, K.bufs.find_loop("i"), K.bufs.find("a : _")),
    "inspect_err8": lambda: expr_to_string(K.neg.find("-x[_]")),
    "ranges": _ranges,
    "ranges2": _ranges2,
}
