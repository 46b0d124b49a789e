# ruff: noqa: F401, F403
# mypy: implicit-reexport
"""Schedules of matrix products and convolutions on Gemmini. ``gemmini.py`` is what is imported."""

from __future__ import annotations

import typing as _typing

from ..libs.memories import GEMM_ACCUM, GEMM_SCRATCH
from ..stdlib.scheduling import *
from ..stdlib.scheduling import (
    SchedulingError,
    autofission,
    autolift_alloc,
    call_eqv,
    delete_config,
    divide_loop,
    fission,
    inline,
    inline_window,
    loop_hack,
    remove_loop,
    reorder_loops,
    reorder_stmts,
    repeat,
    replace,
    set_memory,
    simplify,
    unroll_loop,
    write_config,
)
from . import _gemmini_instructions as _machine

if _typing.TYPE_CHECKING:
    from typing import Any, List, Optional, Sequence, Tuple


def lift_config(p: Any, config_str: str) -> Any:
    """Moves a write of the state out of every loop around it that lets it: to the start of the body, then before the
    loop. Exo asks for no check of that; here it stays where it means something else outside."""
    config = p.find(config_str)
    while True:
        try:
            p = _brought_to_start(p, config)
            p, config = _out_of_loop(p, config)
        except Exception:  # whatever the reason, it stays where it is
            return p


def _out_of_loop(p: Any, config: Any) -> Tuple[Any, Any]:
    """The version with the first statement of a loop before it, and the statement."""
    try:
        p = fission(p, p.forward(config).after())
    except SchedulingError:
        return _set_before_loop(p, config)
    return remove_loop(p, p.forward(config).parent()), config


def _set_before_loop(p: Any, config: Any) -> Tuple[Any, Any]:
    """The same of a call that sets registers which the rest of the loop sets to the same, too: ``fission`` asks that it
    sets none. The call is made before the loop as well, and then changes nothing inside."""
    call = p.forward(config)
    loop, callee = call.parent(), call.subproc()
    given = {arg.name(): e._raw.text() for arg, e in zip(callee.args(), call.args())}
    for write in callee.body():
        value = write.rhs()._raw.text()
        p = write_config(p, p.forward(loop).before(), write.config(), write.field(), given.get(value, value))
    first = p.forward(loop)
    for _ in callee.body():
        first = first.prev()
    p = replace(p, first.expand(0, len(callee.body()) - 1), callee)
    return delete_config(p, p.forward(call)), p.forward(loop).prev()


def _brought_to_start(p: Any, stmt: Any) -> Any:
    while True:
        try:
            p = reorder_stmts(p, p.forward(stmt).expand(1, 0))
        except Exception:  # it is first, or what is before it must stay there
            return p


old_split = repeat(divide_loop)
old_reorder = repeat(reorder_loops)
old_unroll = repeat(unroll_loop)


def old_fission_after(proc: Any, stmt_pattern: str, n_lifts: int = 1) -> Any:
    """``autofission`` after every statement that a pattern describes."""
    return loop_hack(autofission, lambda p: [stmt.after() for stmt in p.find_all(stmt_pattern)])(proc, n_lifts)


def old_lift_alloc(
    proc: Any, stmt_pat: str, n_lifts: int = 1, mode: str = "row", size: Optional[int] = None, keep_dims: bool = True
) -> Any:
    """``autolift_alloc`` of every allocation that a pattern describes."""
    return loop_hack(autolift_alloc, lambda p: p.find_all(stmt_pat))(proc, n_lifts, mode, size, keep_dims)


def _reordered(p: Any, *pairs: str) -> Any:
    for pair in pairs:
        p = old_reorder(p, pair)
    return p


def _replaced(p: Any, *pairs: Tuple[str, str]) -> Any:
    for loop, instruction in pairs:
        p = replace(p, f"for {loop} in _:_ #0", getattr(_machine, instruction))
    return p


# Convolutions.


def split_fission_dim(conv: Any) -> Any:
    """Tiles a convolution by 16 columns and channels, and stages its input and weights before the loops of the kernel."""
    conv = old_split(conv, "ocol", 16, ["ocol_o", "ocol_i"], tail="cut_and_guard")
    conv = old_split(conv, "och", 16, ["och_o", "och_i"], perfect=True)
    conv = old_split(conv, "kch", 16, ["kch_o", "kch_i"], perfect=True)
    conv = old_reorder(conv, "ocol_i och_o")
    conv = old_lift_alloc(conv, "res : _", n_lifts=3)
    conv = old_fission_after(conv, "res[_] = _", n_lifts=3)
    conv = old_fission_after(conv, "for krow in _:_", n_lifts=3)
    conv = _reordered(conv, "och_i krow", "och_i kcol", "och_i kch_o", "ocol_i krow", "ocol_i kcol", "ocol_i kch_o")
    conv = simplify(old_reorder(conv, "och_o krow"))
    conv = old_lift_alloc(conv, "i_s : _", n_lifts=6)
    conv = old_lift_alloc(conv, "w_s : _", n_lifts=1)
    conv = old_lift_alloc(conv, "w_s : _", n_lifts=1, mode="col")
    conv = _reordered(conv, "och_o kcol", "och_o kch_o")
    conv = old_lift_alloc(conv, "w_s : _", n_lifts=3)
    conv = old_fission_after(conv, "w_s = _", n_lifts=5)
    return old_fission_after(conv, "i_s = _", n_lifts=5)


def replace_div_part(conv: Any) -> Any:
    """Puts instructions into the part of a convolution with whole tiles."""
    conv = _replaced(conv, ("ocol_i", "ld_acc_i32_vector"))
    conv = _reordered(conv, "och_i kch_i", "och_o kch_i")
    conv = _replaced(conv, ("kch_i", "ld_i8_block_id1"))
    conv = old_reorder(conv, "kch_o ocol_i")
    conv = _replaced(conv, ("ocol_i", "ld_i8_block_id2"))
    conv = old_reorder(conv, "kch_i och_i")
    return _replaced(conv, ("ocol_i", "matmul_acc_i8"), ("ocol_i", "st_acc_i8"))


def replace_mod_part(conv: Any) -> Any:
    """Puts instructions into the part of a convolution with the columns that are left over."""
    conv = _replaced(conv, ("ocol_i", "ld_acc_i32_vector"))
    conv = old_reorder(conv, "och_i kch_i")
    conv = _replaced(conv, ("kch_i", "ld_i8_block_id1"), ("ocol_i", "ld_i8_block_id2"))
    conv = old_reorder(conv, "kch_i och_i")
    return _replaced(conv, ("ocol_i", "matmul_acc_i8"), ("ocol_i", "st_acc_i8"))


def _by_state(p: Any, call: str, equal: str, windows: Sequence[str]) -> Any:
    """Inlines a call as a write of the state and the work by it, and the windows that come of that."""
    p = call_eqv(p, f"{call}(_)", getattr(_machine, equal))
    p = inline(p, f"{equal}(_)")
    for window in windows:
        p = inline_window(p, f"{window}[_]")
    return p


def inline_vector(conv: Any) -> Any:
    """Inlines the load of the bias."""
    return _by_state(conv, "ld_acc_i32_vector", "ld_acc_i32_vector_v2", ["src = bias", "dst = res"])


def inline_ld_id1(conv: Any) -> Any:
    """Inlines the load of the weights."""
    return _by_state(conv, "ld_i8_block_id1", "ld_i8_block_id1_s2_v2", ["src = weights", "dst = w_s"])


def inline_matmul(conv: Any) -> Any:
    """Inlines the product."""
    return _by_state(conv, "matmul_acc_i8", "matmul_acc_i8_v2", ["A = i_s", "B = w_s", "C = res"])


def inline_st(conv: Any) -> Any:
    """Inlines the store."""
    return _by_state(conv, "st_acc_i8", "st_acc_i8_s2_v2", ["src = res", "dst = output"])


def inline_div_part(conv: Any) -> Any:
    """Takes the writes of the state out of the loops of the part with whole tiles."""
    conv = lift_config(inline_vector(conv), "config_ld_acc_i32_vector(_)")
    conv = lift_config(inline_ld_id1(conv), "config_ld_i8_id1(_)")
    conv = lift_config(inline_matmul(conv), "config_matmul(_)")
    return lift_config(inline_st(conv), "config_st_acc_i8(_)")


def inline_mod_part(conv: Any) -> Any:
    """Takes out the writes of the state of the other part: the state is the same."""
    conv = inline_st(inline_matmul(inline_ld_id1(inline_vector(conv))))
    for name in ("ld_acc_i32_vector", "ld_i8_id1", "matmul", "st_acc_i8"):
        conv = delete_config(conv, f"config_{name}(_) #1")
    return simplify(conv)


def set_gemm_memories(conv: Any) -> Any:
    """Puts sums into the accumulator, input and weights into the scratchpad; also those of a second part, if there is
    one."""
    places: List[Tuple[str, Any]] = [("res", GEMM_ACCUM), ("i_s", GEMM_SCRATCH), ("w_s", GEMM_SCRATCH)]
    for name, memory in places:
        conv = set_memory(conv, name, memory)
    try:
        for name, memory in places:
            conv = set_memory(conv, f"{name} #1", memory)
    except Exception:  # there is no second part
        return conv
    return conv


# Matrix products.


def tile_outer_loops(gemmini: Any) -> Any:
    """Tiles a product by 16 rows and four times 16 columns."""
    gemmini = divide_loop(gemmini, "i", 16, ["i", "i_in"], perfect=True)
    gemmini = old_reorder(gemmini, "i_in j")
    gemmini = divide_loop(gemmini, "j", 64, ["j", "j_in"], perfect=True)
    gemmini = divide_loop(gemmini, "j_in", 16, ["j_in_o", "j_in_i"], perfect=True)
    return old_reorder(gemmini, "j_in_o j_in_i")


def fission_outer_blocks(gemmini: Any) -> Any:
    """Parts clearing, adding up and storing."""
    gemmini = old_fission_after(gemmini, "res[_] = 0.0 #0", n_lifts=3)
    gemmini = old_fission_after(gemmini, "for k in _:_ #0", n_lifts=3)
    return _reordered(gemmini, "j_in_i j_in_o", "i_in k", "j_in_i k", "j_in_o k")


def fission_inner_blocks(gemmini: Any) -> Any:
    """Tiles the sum by four times 16, and stages both factors."""
    gemmini = divide_loop(gemmini, "k", 64, ["ko", "k"], perfect=True)
    gemmini = divide_loop(gemmini, "k", 16, ["k", "ki"], perfect=True)
    gemmini = old_lift_alloc(gemmini, "a : i8", n_lifts=3)
    gemmini = old_lift_alloc(gemmini, "a : _ #0", n_lifts=1, mode="col")
    gemmini = old_lift_alloc(gemmini, "a : _", n_lifts=2)
    gemmini = _reordered(gemmini, "ki j_in_o", "ki j_in_i")
    gemmini = old_lift_alloc(gemmini, "b : i8", n_lifts=2)
    gemmini = old_lift_alloc(gemmini, "b : i8", n_lifts=1, mode="col")
    gemmini = old_lift_alloc(gemmini, "b : _", n_lifts=3)
    gemmini = old_fission_after(gemmini, "a[_] = _", n_lifts=5)
    gemmini = old_fission_after(gemmini, "b[_] = _", n_lifts=5)
    return _reordered(gemmini, "j_in_i i_in", "ki i_in", "k i_in", "j_in_i ki", "j_in_o ki", "j_in_i i_in")


def replace_gemmini_calls(gemmini: Any) -> Any:
    """Puts instructions into a product."""
    return _replaced(
        gemmini,
        ("i_in", "zero_acc_i32"),
        ("i_in", "ld_i8_block_id1"),
        ("ki", "ld_i8_block_id2"),
        ("i_in", "matmul_acc_i8"),
        ("i_in", "st_acc_i8"),
    )


def matmul_tile(gemmini: Any) -> Any:
    """Tiles the loops over tiles."""
    gemmini = divide_loop(gemmini, "j", 4, ["jo", "ji"], perfect=True)
    gemmini = divide_loop(gemmini, "i", 8, ["io", "i"], perfect=True)
    gemmini = divide_loop(gemmini, "io", 2, ["ioo", "io"], perfect=True)
    return _reordered(gemmini, "i jo", "io jo")


def inline_lift_config(gemmini: Any) -> Any:
    """Takes the writes of the state out of the loops of a product."""
    for call, equal, windows, config in (
        ("zero_acc_i32", "zero_acc_i32_v2", ["dst = res"], "config_zero()"),
        ("ld_i8_block_id1", "ld_i8_block_id1_v2", ["src = A", "dst = a"], "config_ld_i8_id1()"),
        ("ld_i8_block_id2", "ld_i8_block_id2_v2", ["src = B", "dst = b"], "config_ld_i8_id2()"),
        ("matmul_acc_i8", "matmul_acc_i8_v2", ["A = a", "B = b", "C = res"], "config_matmul()"),
        ("st_acc_i8", "st_acc_i8_v2", ["src = res", "dst = C"], "config_st_acc_i8(_)"),
    ):
        gemmini = lift_config(_by_state(gemmini, call, equal, windows), config)
    return gemmini
