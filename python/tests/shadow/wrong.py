"""Schedules that Exo 1.0.0 does, and that change what the program means. The number in a name is that of a family of faults:
see `FAMILIES` in `test_shadow.py`. They are run by it, with Exo and with `-p rewright.shadow`."""

# ruff: noqa
# mypy: ignore-errors
from __future__ import annotations

from exo import *
from exo.libs.externs import *
from exo.libs.memories import *
from exo.stdlib.scheduling import *



def test_01_eliminate_dead_code():
    """The copy in the other branch of a specialised statement does not know what the first one knows."""

    @proc
    def p(n: size, x: f32):
        if n > 3:
            x = 1.0
        else:
            x = 2.0

    p = specialize(p, "if _: _", "n > 4")
    p = eliminate_dead_code(p, "if n > 3: _ #1")


def test_01_merge_writes():
    """One cell in the branch where the variables are equal, two in its copy."""

    @proc
    def p(i: index, j: index, x: f32[8]):
        assert 0 <= i and i < 8 and 0 <= j and j < 8
        x[i] = 1.0
        x[j] = 2.0

    p = specialize(p, "x[i] = _ ; x[j] = _", "i == j")
    p = merge_writes(p, "x[i] = 1.0 ; x[j] = 2.0 #1")


def test_01_reorder_stmts():
    """Cells that are apart in one branch, in the copy for the other one."""

    @proc
    def p(i: index, j: index, x: f32[8]):
        assert 0 <= i and i < 8 and 0 <= j and j < 8
        x[i] = 1.0
        x[j] = 2.0

    p = specialize(p, "x[i] = _ ; x[j] = _", "i < j")
    p = reorder_stmts(p, "x[i] = 1.0 ; x[j] = 2.0 #1")


def test_02_fission():
    """The first part changes the condition of the guard."""

    @config
    class Cfg:
        on: bool

    @proc
    def p(x: f32):
        if Cfg.on:
            Cfg.on = False
            x = 1.0

    p = fission(p, p.find("Cfg.on = False").after())


def test_02_autofission():
    """The first part changes the condition of a guard that has an `else`."""

    @config
    class Cfg:
        on: bool

    @proc
    def p(n: size, x: f32, y: f32):
        if Cfg.on:
            Cfg.on = False
            y = 2.0
        else:
            y = 3.0

    p = autofission(p, p.find("Cfg.on = _").after())


def test_02_fission_2():
    """The first branch changes the condition, so that the second part of the other one would run."""

    @config
    class Cfg:
        k: index

    @proc
    def p(x: f32, y: f32):
        if Cfg.k > 3:
            Cfg.k = 2
        else:
            x = 1.0
            y = 2.0

    p = fission(p, p.find("x = _").after())


def test_02_fission_3():
    """The first part of the `else` changes the condition."""

    @config
    class Cfg:
        k: index

    @proc
    def p(x: f32, y: f32):
        if Cfg.k > 3:
            pass
        else:
            Cfg.k = 4
            y = 2.0

    p = fission(p, p.find("Cfg.k = _").after())


def test_03_bind_expr():
    """Another cell, since the configuration changes."""

    @config
    class Cfg:
        k: index

    @proc
    def p(x: f32[4], y: f32[2]):
        assert Cfg.k == 0
        y[0] = x[Cfg.k]
        Cfg.k = 1
        y[1] = x[Cfg.k]

    p = bind_expr(p, [p.find("x[_] #0"), p.find("x[_] #1")], "t")


def test_03_delete_config():
    """The same scalar, which has another value."""

    @config
    class Cfg:
        s: f32

    @proc
    def p(a: f32, x: f32[8]):
        Cfg.s = a
        a = 2.0
        Cfg.s = a
        x[1] = Cfg.s

    p = delete_config(p, "Cfg.s = _ #1")


def test_03_inline_assign():
    """The index of the source is changed."""

    @config
    class Cfg:
        k: index

    @proc
    def p(x: f32[4], y: f32):
        assert Cfg.k == 0
        t: f32
        t = x[Cfg.k]
        Cfg.k = 1
        y = t

    p = inline_assign(p, "t = _")


def test_04_lift_scope():
    """The guard switches itself off."""

    @config
    class Cfg:
        on: bool

    @proc
    def p(x: f32):
        for i in seq(0, 4):
            if Cfg.on:
                x += 1.0
                Cfg.on = False

    p = lift_scope(p, "if _: _")


def test_04_lift_scope_2():
    """The `else` switches the guard on."""

    @config
    class Cfg:
        k: index

    @proc
    def p(x: f32):
        for i in seq(0, 4):
            if Cfg.k > 2:
                x += 1.0
            else:
                Cfg.k = Cfg.k + 1

    p = lift_scope(p, "if _: _")


def test_05_autofission():
    """Each iteration clears a cell, sums into it and stores it."""

    @proc
    def p(n: size, x: f32[n, 4], y: f32[n], s: f32):
        for i in seq(0, n):
            s = 0.0
            for j in seq(0, 4):
                s += x[i, j]
            y[i] = s

    p = autofission(p, p.find("s = _").after())


def test_05_fission():
    """Each iteration clears a cell, sums into it and stores it."""

    @proc
    def p(n: size, x: f32[n, 4], y: f32[n], s: f32):
        for i in seq(0, n):
            s = 0.0
            for j in seq(0, 4):
                s += x[i, j]
            y[i] = s

    p = fission(p, p.find("s = _").after())


def test_05_sink_alloc():
    """A sum over iterations."""

    @proc
    def p(n: size, x: f32[n], y: f32):
        a: f32
        for i in seq(0, n):
            if i == 0:
                a = 0.0
            a += x[i]
            y = a

    p = sink_alloc(p, "a")


def test_06_autolift_alloc():
    """The bound of the inner loop depends on the outer one."""

    @proc
    def p(n: size, x: f32[n, n]):
        for i in seq(0, n):
            for j in seq(0, i + 1):
                a: f32
                a = x[i, j]
                x[i, j] = a

    p = autolift_alloc(p, "a", 2, keep_dims=True)


def test_06_mult_loops():
    """The variables stand in windows, bounds and extents of the body."""

    @proc
    def p(n: size, x: f32[n, 8]):
        for i in seq(0, n):
            for j in seq(0, 2):
                w = x[i, 4 * j:4 * j + 4]
                t: f32[j + 1]
                for l in seq(0, j + 1):
                    t[l] = w[l]
                    w[l + 1] = t[l]

    p = mult_loops(p, "i j", "k")


def test_07_resize_dim():
    """A cell is overwritten before it is read."""

    @proc
    def p(x: f32):
        a: f32[4]
        a[0] = 1.0
        a[2] = 2.0
        x = a[0]

    p = resize_dim(p, "a", 0, "2", "0", fold=True)


def test_07_resize_dim_2():
    """The right-hand side is exactly a read of a cell that is gone."""

    @proc
    def p(n: size, x: f32[n + 2], y: f32[n + 2]):
        a: f32[n + 2]
        for i in seq(0, n + 2):
            a[i] = x[i]
        for i in seq(0, n):
            y[i] = a[i]

    p = resize_dim(p, "a", 0, "2", "0", fold=True)


def test_07_resize_dim_3():
    """Through a window of a row that is gone."""

    @proc
    def p(x: f32[4]):
        a: f32[4, 2]
        w = a[0, 0:2]
        for i in seq(0, 4):
            a[i, 1] = x[i]
            x[i] = w[1]

    p = resize_dim(p, "a", 0, "2", "0", fold=True)


def test_08_bind_expr():
    """Changed through a window."""

    @proc
    def p(x: f32[4], y: f32[2]):
        w = x[1:3]
        y[0] = x[1]
        w[0] = 2.0
        y[1] = x[1]

    p = bind_expr(p, [p.find("x[1] #0"), p.find("x[1] #1")], "t")


def test_08_divide_with_recompute():
    """A piece reads, through a window, what a later iteration of the one before has written."""

    @proc
    def p(x: f32[9], y: f32[8]):
        for i in seq(0, 7):
            w = x[i:i + 2]
            y[i] = w[1]
            w[0] = 0.0

    p = divide_with_recompute(p, "i", "2", 2, ["io", "ii"])


def test_08_fission():
    """The second part writes the cell through a window of the whole."""

    @proc
    def p(n: size, x: f32[n + 1], y: f32[n]):
        w = x[1:n + 1]
        for i in seq(0, n):
            y[i] = x[i]
            w[i] = 0.0

    p = fission(p, p.find("y[_] = _").after())


def test_08_stage_mem():
    """Written through a window made before."""

    @proc
    def p(x: f32[8]):
        w = x[0:4]
        for i in seq(0, 4):
            x[i] += 1.0
            w[0] = 2.0

    p = stage_mem(p, "for i in _: _", "x[0:4]", "t")


def test_08_reorder_stmts():
    """A window shows the cell."""

    @proc
    def p(x: f32[4], y: f32):
        w = x[1:3]
        w[1] = 1.0
        y = x[2]

    p = reorder_stmts(p, "w[_] = _ ; y = _")


def test_08_merge_writes():
    """The reduction reads the cell, through a window."""

    @proc
    def p(x: f32[8], y: f32):
        w = x[2:6]
        x[3] = y
        x[3] += w[1]


    p = merge_writes(p, "x[_] = _ ; x[_] += _")


def test_09_bind_expr():
    """Changed by a callee."""

    @proc
    def f(t: [f32][2]):
        t[0] = 3.0

    @proc
    def p(x: f32[4], y: f32[2]):
        y[0] = x[1]
        f(x[1:3])
        y[1] = x[1]

    p = bind_expr(p, [p.find("x[1] #0"), p.find("x[1] #1")], "t")


def test_09_stage_mem():
    """A callee writes it through a window."""

    @proc
    def f(t: [f32][4]):
        t[0] = 7.0

    @proc
    def p(x: f32[8], y: f32[4]):
        w = x[0:4]
        for i in seq(0, 4):
            f(w)
            y[i] = x[0]

    p = stage_mem(p, "for i in _: _", "x[0:4]", "t")


def test_10_join_loops():
    """The bodies name the same variable, but not the same buffer."""

    @proc
    def p(x: f32[8]):
        t: f32
        t = 1.0
        for i in seq(0, 4):
            x[i] = t
        t: f32
        t = 2.0
        for i in seq(4, 8):
            x[i] = t

    p = reorder_stmts(p, "for i in _: _\nt: _")
    p = reorder_stmts(p, "for i in _: _\nt = 2.0")
    p = join_loops(p, "i", "i #1")


def test_11_inline_assign():
    """The source is changed."""

    @proc
    def p(x: f32, y: f32):
        t: f32
        t = x
        x = 2.0
        y = t

    p = inline_assign(p, "t = _")


def test_11_inline_assign_2():
    """An argument, which the caller sees."""

    @proc
    def p(x: f32, y: f32):
        y = x
        x = y + 1.0

    p = inline_assign(p, "y = _")


def test_11_lift_scope():
    """A guard out of a guard with an `else`, without one itself."""

    @proc
    def p(n: size, m: size, x: f32):
        if n > 3:
            if m > 3:
                x = 1.0
        else:
            x = 3.0

    p = lift_scope(p, "if m > _: _")


def test_11_lift_scope_2():
    """A guard out of an `else`."""

    @proc
    def p(n: size, m: size, x: f32):
        if n > 3:
            x = 1.0
        else:
            if m > 3:
                x = 2.0

    p = lift_scope(p, "if m > _: _")


def test_11_split_write():
    """The second term reads the cell."""

    @proc
    def p(x: f32):
        x = 1.0 + x


    p = split_write(p, "x = _")


def test_11_stage_mem():
    """A part of it is written: loaded too."""

    @proc
    def p(x: f32[9]):
        for i in seq(0, 8):
            x[i] = 1.0

    p = stage_mem(p, "for i in _: _", "x[0:9]", "t")


def test_11_stage_mem_2():
    """Written under a guard."""

    @proc
    def p(n: size, x: f32[n]):
        for i in seq(0, n):
            if i > 2:
                x[i] = 1.0

    p = stage_mem(p, "for i in _: _", "x[0:n]", "t")


def test_11_sink_alloc():
    """Set by the first iteration."""

    @proc
    def p(n: size, x: f32[n]):
        a: f32
        for i in seq(0, n):
            if i == 0:
                a = x[0]
            x[i] = a

    p = sink_alloc(p, "a")


def test_11_replace():
    """A block that is longer than the body."""

    @proc
    def one(x: [f32][4]):
        x[0] = 1.0


    @proc
    def p(x: f32[4]):
        x[0] = 1.0
        x[1] = 1.0


    p = replace(p, p.body(), one)


def test_11_replace_2():
    """Two buffers for one argument."""

    @proc
    def twice(x: [f32][4]):
        for i in seq(0, 4):
            x[i] = x[i] + x[i]


    @proc
    def p(x: f32[4], y: f32[4]):
        for i in seq(0, 4):
            x[i] = x[i] + y[i]


    p = replace(p, "for i in _: _", twice)


def test_11_replace_3():
    """A window that is larger than the buffer."""

    @proc
    def clear(n: size, x: [f32][8]):
        assert n <= 8
        for i in seq(0, n):
            x[i] = 0.0


    @proc
    def p(n: size, x: f32[n]):
        assert n <= 8
        for i in seq(0, n):
            x[i] = 0.0


    p = replace(p, "for i in _: _", clear)


def test_12_divide_with_recompute():
    """The loop starts at 1."""

    @proc
    def p(x: f32[9]):
        for i in seq(1, 9):
            x[i] = 2.0

    p = divide_with_recompute(p, "i", "2", 4, ["io", "ii"])


def test_12_divide_with_recompute_2():
    """A piece reads what a later iteration of the one before has cleared."""

    @proc
    def p(x: f32[8], y: f32[8]):
        for i in seq(0, 7):
            y[i] = x[i + 1]
            x[i] = 0.0

    p = divide_with_recompute(p, "i", "2", 2, ["io", "ii"])


def test_12_fuse():
    """The second loop begins later."""

    @proc
    def p(n: size, x: f32[n], y: f32[n]):
        for i in seq(0, n):
            x[i] = 1.0
        for i in seq(1, n):
            y[i] = 2.0

    p = fuse(p, "i", "i #1")


def test_14_mult_dim():
    """The last dimension joins the first."""

    @proc
    def p(n: size, m: size, x: f32[n, m]):
        a: f32[n, m, 4]
        for i in seq(0, n):
            for j in seq(0, m):
                for k in seq(0, 4):
                    a[i, j, k] = x[i, j]
                x[i, j] = a[i, j, 0] + a[i, j, 3]

    p = mult_dim(p, "a", 0, 2)


def test_13_simplify():
    """A quotient of constants is one of integers, as in C."""

    @proc
    def p(a: f32, y: f32):
        y = (7.0 / 2.0) * a

    p = simplify(p)
