"""Schedules that Exo and Rewright both do, with the same result. They are run by `test_shadow.py`, with Exo and with
`-p rewright.shadow`."""

# ruff: noqa
# mypy: ignore-errors
from __future__ import annotations

from exo import *
from exo.libs.externs import *
from exo.libs.memories import *
from exo.stdlib.scheduling import *



def test_add_loop():
    """The guard around the statement says that the bound is positive."""

    @proc
    def p(n: size, k: index, x: f32):
        if k > 2:
            x = 1.0

    p = add_loop(p, "x = _", "i", "k - 2")


def test_autofission():
    """Out of a guard and out of the loop around it."""

    @proc
    def p(n: size, m: size, x: f32, y: f32[n]):
        for i in seq(0, n):
            if m > 2:
                x = 1.0
                y[i] = x

    p = autofission(p, p.find("x = _").after(), n_lifts=2)


def test_autolift_alloc():
    """No dimension for a loop that does not matter."""

    @proc
    def p(n: size, m: size, x: f32[n], y: f32[m]):
        for i in seq(0, n):
            for j in seq(0, m):
                a: f32
                a = x[i]
                y[j] += a

    p = autolift_alloc(p, "a", 2, keep_dims=True)


def test_bind_config():
    """A guard."""

    @config
    class Cfg:
        k: index
        n: size
        on: bool
        pitch: stride
        scale: f32
        small: i8


    @proc
    def p(n: size, on: bool, x: f32[n]):
        if on:
            x[0] = 1.0
        else:
            x[0] = 2.0


    p = bind_config(p, p.find("if _: _").cond(), Cfg, "on")


def test_bind_expr():
    """The second statement changes the operand only after it has read it."""

    @proc
    def p(x: f32[4], y: f32):
        y = x[1]
        x[1] = x[1] + 1.0

    p = bind_expr(p, [p.find("x[1] #0"), p.find("x[1] #1")], "t")


def test_commute_expr():
    """A product inside a sum."""

    @proc
    def p(x: f32[4], y: f32[4]):
        for i in seq(0, 4):
            x[i] = y[i] + 2.0 * x[i]


    p = commute_expr(p, "2.0 * _")


def test_cut_loop():
    """A cut in an expression of the arguments, within by an assertion."""

    @proc
    def p(n: size, m: size, x: f32[n]):
        assert m < n
        for i in seq(0, n):
            x[i] += 1.0

    p = cut_loop(p, "i", "n - m")


def test_delete_buffer():
    """Another buffer of the same name is used."""

    @proc
    def p(x: f32):
        a: f32
        a: f32
        a = 1.0
        x = a

    p = delete_buffer(p, "a #0")


def test_delete_config():
    """A write that nobody reads."""

    @config
    class Cfg:
        k: index
        n: size
        on: bool
        pitch: stride
        scale: f32
        small: i8


    @proc
    def p(n: size, x: f32[n]):
        Cfg.k = n
        for i in seq(0, n):
            x[i] = 0.0


    p = delete_config(p, "Cfg.k = _")


def test_delete_pass():
    """An allocation that nobody uses stays."""

    @proc
    def p(n: size, x: f32[n]):
        t: f32
        pass
        for i in seq(0, n):
            pass
        x[0] = 1.0


    p = delete_pass(p)


def test_divide_dim():
    """An index that only a guard bounds."""

    @proc
    def p(n: size, x: f32[n]):
        a: f32[8]
        for i in seq(-3, n):
            if 0 <= i and i < 8:
                a[i] = x[i]
                x[i] = a[i] + 1.0

    p = divide_dim(p, "a", 0, 8)


def test_divide_loop():
    """The new names are in use already."""

    @proc
    def p(n: size, x: f32[n, n]):
        for io in seq(0, n):
            for i in seq(0, n):
                x[io, i] = 1.0

    p = divide_loop(p, "i", 4, ["io", "i"], tail="guard")


def test_divide_with_recompute():
    """A buffer outside that every iteration fills before it reads it."""

    @proc
    def p(x: f32[9], y: f32[8]):
        t: f32
        for i in seq(0, 8):
            t = y[i]
            x[i + 1] = t * t

    p = divide_with_recompute(p, "i", "2", 3, ["io", "ii"])


def test_eliminate_dead_code():
    """The same condition again inside, and in an else its opposite."""

    @proc
    def p(n: size, k: index, x: f32):
        if k < 3:
            x = 1.0
        else:
            if k >= 3:
                x = 2.0
            else:
                x = 3.0


    p = eliminate_dead_code(p, "if k >= 3: _")


def test_expand_dim():
    """An index that the extent bounds only by the loop's own bound."""

    @proc
    def p(n: size, m: size, x: f32[n]):
        for i in seq(0, m):
            if i < n:
                a: f32[2]
                a[1] = x[i]
                x[i] = a[1]

    p = expand_dim(p, "a", "n", "i")


def test_extract_subproc():
    """A call."""

    @proc
    def clear(n: size, x: [f32][n]):
        for i in seq(0, n):
            x[i] = 0.0


    @proc
    def p(n: size, x: f32[n, n]):
        for i in seq(0, n):
            clear(i + 1, x[i, 0:i + 1])


    p, q = extract_subproc(p, "clear(_)", "q")


def test_fission():
    """Out of two loops at once."""

    @proc
    def p(n: size, x: f32[n, n], y: f32[n, n]):
        for i in seq(0, n):
            for j in seq(0, n):
                x[i, j] = 1.0
                y[i, j] = x[i, j]

    p = fission(p, p.find("x[_] = _").after(), n_lifts=2)


def test_fold_into_reduce():
    """The cell comes first."""

    @proc
    def p(n: size, x: f32[n], y: f32[n]):
        for i in seq(0, n):
            x[i] = x[i] + y[i]


    p = fold_into_reduce(p, "x[_] = _")


def test_fuse():
    """Bounds that are equal by an assertion."""

    @proc
    def p(n: size, m: size, x: f32[n], y: f32[m]):
        assert n == m
        for i in seq(0, n):
            x[i] = 1.0
        for i in seq(0, m):
            y[i] = 2.0

    p = fuse(p, "i", "i #1")


def test_inline():
    """An instruction."""

    @instr("{dst_data} = load({src_data});")
    def load(dst: [f32][8] @ AVX2, src: [f32][8] @ DRAM):
        assert stride(src, 0) == 1
        for i in seq(0, 8):
            dst[i] = src[i]


    @proc
    def p(x: f32[16], y: f32[8]):
        v: f32[8] @ AVX2
        load(v, x[4:12])
        for i in seq(0, 8):
            y[i] = v[i]


    p = inline(p, "load(_)")


def test_inline_assign():
    """A sum of narrow integers, which goes to a cell of as many bits."""

    @proc
    def p(x: i8, y: ui8):
        t: i8
        t = x + 100.0
        y = t * 2.0 - t

    p = inline_assign(p, "t = _")


def test_inline_window():
    """The configuration changes to what it was."""

    @config
    class Cfg:
        k: index

    @proc
    def p(x: f32[4]):
        assert Cfg.k == 1
        w = x[Cfg.k:Cfg.k + 2]
        Cfg.k = 1
        w[0] = 1.0

    p = inline_window(p, "w = _")


def test_insert_noop_call():
    """A prefetch."""

    @instr("prefetch(&{src_data}, {locality});")
    def prefetch(src: [f32][1] @ DRAM, locality: index):
        pass


    @proc
    def p(n: size, x: f32[n]):
        for i in seq(0, n):
            x[i] = 0.0


    p = insert_noop_call(p, p.find("x[_] = _").before(), prefetch, ["x[i:i + 1]", 3])


def test_insert_pass():
    """Before the first statement of a loop."""

    @proc
    def p(n: size, x: f32):
        for i in seq(0, n):
            x += 2.0


    p = insert_pass(p, p.find("x += _").before())


def test_join_loops():
    """A parallel loop takes in a sequential one whose iterations are apart."""

    @proc
    def p(x: f32[8]):
        for i in par(0, 4):
            x[i] = 1.0
        for i in seq(4, 8):
            x[i] = 1.0

    p = join_loops(p, "i", "i #1")


def test_left_reassociate_expr():
    """A reduction, with a literal among the terms."""

    @proc
    def p(n: size, x: f32[n], y: f64[n]):
        for i in seq(0, n):
            y[i] += 0.5 + (x[i] + y[i])


    p = left_reassociate_expr(p, "0.5 + _")


def test_lift_alloc():
    """Out of a loop inside of a parallel one."""

    @proc
    def p(n: size, x: f32[n, 4], y: f32[n, 4]):
        for i in par(0, n):
            for j in seq(0, 4):
                a: f32
                a = x[i, j]
                y[i, j] = a

    p = lift_alloc(p, "a")


def test_lift_scope():
    """A guard out of a guard, each with an `else`."""

    @proc
    def p(n: size, m: size, x: f32):
        if n > 3:
            if m > 3:
                x = 1.0
            else:
                x = 2.0
        else:
            x = 3.0

    p = lift_scope(p, "if m > _: _")


def test_make_instr():
    """Control and strides."""

    @proc
    def copy(n: size, x: [f32][n], y: [f32][n]):
        for i in seq(0, n):
            x[i] = y[i]


    p = make_instr(copy, c_instr="copy({n}, {x_data}, {x.strides[0]}, &{y_data});")


def test_merge_writes():
    """The same cell in other words."""

    @proc
    def p(n: size, m: size, x: f32[n + 1]):
        assert n == m
        x[n] = 1.0
        x[m + 0] += 2.0


    p = merge_writes(p, "x[_] = _ ; x[_] += _")


def test_mult_loops():
    """The order stays the same, so the body may do anything."""

    @proc
    def p(n: size, x: f32[n, 4], acc: f32):
        for i in seq(0, n):
            for j in seq(0, 4):
                acc = acc * x[i, j] + 1.0

    p = mult_loops(p, "i j", "k")


def test_parallelize_loop():
    """Own rows, through a window."""

    @proc
    def p(n: size, m: size, x: f32[n, m]):
        for i in seq(0, n):
            w = x[i, 0:m]
            for j in seq(0, m):
                w[j] += 1.0


    p = parallelize_loop(p, "i")


def test_rearrange_dim():
    """Two dimensions."""

    @proc
    def p(n: size, m: size, x: f32[n, m]):
        a: f32[n, m]
        for i in seq(0, n):
            for j in seq(0, m):
                a[i, j] = x[i, j]
        for i in seq(0, n):
            for j in seq(0, m):
                x[i, j] = a[i, j] + a[i, 0]

    p = rearrange_dim(p, "a", [1, 0])


def test_remove_loop():
    """A call that only writes."""

    @proc
    def clear(d: [f32][4]):
        for k in seq(0, 4):
            d[k] = 0.0

    @proc
    def p(n: size, x: f32[8]):
        for i in seq(0, n):
            clear(x[2:6])

    p = remove_loop(p, "i")


def test_rename():
    """The name of a memory, or of a field."""

    @config
    class Cfg:
        n: size


    @proc
    def p(x: f32):
        Cfg.n = 4
        x = 1.0


    p = rename(p, "Cfg_n")


def test_reorder_loops():
    """Windows of one buffer that show different columns do not meet."""

    @proc
    def p(n: size, m: size, x: f32[n, m, 2], y: f32[n]):
        for i in seq(0, n):
            for j in seq(0, m):
                w = x[i, j, :]
                w[1] = y[i]

    p = reorder_loops(p, "i j")


def test_reorder_stmts():
    """A statement with the next one, by a run that is expanded by name."""

    @proc
    def p(x: f32, y: f32, z: f32):
        x = 1.0
        y = 2.0
        z = 3.0

    p = reorder_stmts(p, p.find("y = _").expand(delta_lo=0, delta_hi=1))


def test_replace():
    """Whole tensors."""

    @proc
    def outer(n: size, m: size, z: f32[n, m], x: f32[n], y: f32[m]):
        for i in seq(0, n):
            for j in seq(0, m):
                z[i, j] += x[i] * y[j]


    @proc
    def p(k: size, a: f32[k], z: f32[k, 3]):
        b: f32[3]
        for j in seq(0, 3):
            b[j] = 1.0
        for q in seq(0, k):
            for r in seq(0, 3):
                z[q, r] += a[q] * b[r]


    p = replace(p, "for q in _: _", outer)


def test_resize_dim():
    """Windows move, and a whole buffer becomes a window."""

    @proc
    def f(n: size, t: [f32][n]):
        assert stride(t, 0) == 1
        for i in seq(0, n):
            t[i] = 1.0

    @proc
    def p(x: f32[8]):
        a: f32[8]
        f(4, a[2:6])
        w = a[3:5]
        w[1] = 2.0
        for i in seq(2, 6):
            x[i] = a[i]

    p = resize_dim(p, "a", 0, "4", "2")


def test_reuse_buffer():
    """In the same iteration of a parallel loop."""

    @proc
    def p(n: size, x: f32[n]):
        for i in par(0, n):
            a: f32
            a = x[i]
            x[i] = a
            b: f32
            b = x[i]
            x[i] = b + b

    p = reuse_buffer(p, "a", "b")


def test_rewrite_expr():
    """An index, by what the loops say."""

    @proc
    def p(n: size, x: f32[4 * n]):
        for io in seq(0, n):
            for ii in seq(0, 4):
                x[4 * io + ii] = x[4 * ((4 * io + ii) / 4) + ii]


    p = rewrite_expr(p, "(4 * io + ii) / 4", "io")


def test_set_memory():
    """A memory that the file declares."""

    class Scratch(Memory):
        @classmethod
        def can_read(cls):
            return False


    @proc
    def p(x: f32[4]):
        t: f32[4]
        t[0] = x[0]
        x[1] = t[0]


    p = set_memory(p, "t", Scratch)


def test_set_precision():
    """An allocation of reals."""

    @proc
    def p(n: size, x: f32[n]):
        t: R[n]
        for i in seq(0, n):
            t[i] = x[i]
        for i in seq(0, n):
            x[i] = 2.0 * t[i]


    p = set_precision(p, "t", "f32")


def test_set_window():
    """The stride of a window is its own."""

    @proc
    def p(n: size, m: size, x: f32[n, m]):
        assert stride(x, 1) == 1
        for i in seq(0, n):
            x[i, 0] = 1.0


    p = set_window(p, "x")


def test_shift_loop():
    """The new begin moves with the loop around it."""

    @proc
    def p(n: size, x: f32[n, n]):
        for i in seq(0, n):
            for j in seq(i, n):
                x[i, j] = 1.0

    p = shift_loop(p, "j", "2 * i")


def test_simplify():
    """The parts of a loop that was cut, each with its own range."""

    @proc
    def p(x: f32[8]):
        for i in seq(0, 8):
            if i < 4:
                x[i] = 1.0
            else:
                x[i] = 2.0

    p = cut_loop(p, "i", 4)
    p = simplify(p)


def test_sink_alloc():
    """A reduction from a fresh start."""

    @proc
    def p(n: size, m: size, x: f32[n, m], y: f32[n]):
        s: f32
        for i in seq(0, n):
            s = 0.0
            for j in seq(0, m):
                s += x[i, j]
            y[i] = s

    p = sink_alloc(p, "s")


def test_specialize():
    """The condition asks for the variable of the loop around."""

    @proc
    def p(n: size, x: f32[n]):
        for i in seq(0, n):
            x[i] += 1.0

    p = specialize(p, "x[_] += _", "i == 0 or i == n - 1")


def test_split_write():
    """The second term reads a neighbour."""

    @proc
    def p(n: size, x: f32[n + 1]):
        for i in seq(0, n):
            x[i] = 1.0 + x[i + 1]


    p = split_write(p, "x[_] = _")


def test_stage_mem():
    """A reduction that starts from zero."""

    @proc
    def p(n: size, x: f32[n, n], y: f32[n]):
        for i in seq(0, n):
            for j in seq(0, n):
                y[i] += x[i, j]

    p = stage_mem(p, "for j in _: _", "y[i]", "t", accum=True)


def test_unroll_buffer():
    """After the loop over it is unrolled."""

    @proc
    def p(x: f32[3]):
        a: f32[3]
        for i in seq(0, 3):
            a[i] = x[i]
        for i in seq(0, 3):
            x[i] = a[i]

    p = unroll_loop(p, "i")
    p = unroll_loop(p, "i")
    p = unroll_buffer(p, "a", 0)


def test_unroll_loop():
    """An inner loop of the same name keeps its variable."""

    @proc
    def p(n: size, x: f32[n + 2]):
        for i in seq(0, 2):
            x[i] = 0.0
            for i in seq(0, n):
                x[i] += 1.0

    p = unroll_loop(p, "i")


def test_write_config():
    """A callee reads it, after another writes it."""

    @config
    class Cfg:
        k: index
        n: size
        on: bool
        pitch: stride
        scale: f32
        small: i8


    @proc
    def put(n: index):
        Cfg.k = n


    @proc
    def get(x: f32[4]):
        if Cfg.k == 2:
            x[0] = 1.0


    @proc
    def p(x: f32[4]):
        put(2)
        get(x)


    p = write_config(p, p.find("put(_)").before(), Cfg, "k", 3)


def test_partial_eval():
    """Sizes are fixed, one after the other and at once."""

    @proc
    def p(n: size, m: size, x: f32[n, m], y: f32[n]):
        assert n % 4 == 0
        for i in seq(0, n):
            for j in seq(0, m):
                y[i] += x[i, j]

    q = p.partial_eval(m=3)
    q = p.partial_eval(8, 3)
    q = divide_loop(q, "i", 4, ["io", "ii"], perfect=True)


def test_precisions_at_calls():
    """Exo lets precisions differ at a call until it makes C."""

    @proc
    def callee(n: size, x: [R][n], y: R):
        for i in seq(0, n):
            x[i] = y + 1.0

    @proc
    def p(n: size, x: f32[n], y: f64, z: R[n]):
        for i in seq(0, n):
            t: R
            t = x[i] * y
            z[i] = t
        callee(n, x[0:n], y)

    p = divide_loop(p, "i", 4, ["io", "ii"], tail="guard")
    p = bind_expr(p, [p.find("x[_]")], "xx")
    p = set_precision(p, "t", "f32")
    p = inline(p, "callee(_)")
    p = simplify(p)


def test_simplify_decimals():
    """Exo adds decimal fractions in floating point."""

    @proc
    def p(a: f32, y: f32, x1: f32[3]):
        y = (0.1 + 0.2) * a * x1[2]

    p = simplify(p)


def test_matrix_product():
    """A product for AVX2, with Exo's instructions and library."""
    from exo.platforms.x86 import (
        AVX2,
        mm256_broadcast_ss,
        mm256_fmadd_ps,
        mm256_loadu_ps,
        mm256_storeu_ps,
    )

    @proc
    def sgemm(M: size, N: size, K: size, A: f32[M, K], B: f32[K, N], C: f32[M, N]):
        assert M % 6 == 0
        assert N % 16 == 0
        for k in seq(0, K):
            for i in seq(0, M):
                for j in seq(0, N):
                    C[i, j] += A[i, k] * B[k, j]

    p = rename(sgemm, "sgemm_avx2")
    p = divide_loop(p, "i", 6, ["io", "ii"], perfect=True)
    p = divide_loop(p, "j", 16, ["jo", "ji"], perfect=True)
    p = reorder_loops(p, "ii jo")
    p = reorder_loops(p, "k io")
    p = reorder_loops(p, "k jo")
    p = divide_loop(p, "ji", 8, ["jv", "jl"], perfect=True)
    p = stage_mem(p, "for k in _: _", "C[6*io:6*io+6, 16*jo:16*jo+16]", "c")
    p = simplify(p)
    p = divide_dim(p, "c", 1, 8)
    p = set_memory(p, "c", AVX2)
    for _ in range(2):
        p = divide_loop(p, "i1", 8, ["v", "l"], perfect=True)
    p = simplify(p)
    for buffer, read in (("b", "B[_]"), ("a", "A[_]")):
        p = bind_expr(p, [p.find(read)], buffer)
        p = expand_dim(p, buffer, 8, "jl")
        p = lift_alloc(p, buffer, n_lifts=1)
        p = fission(p, p.find(f"{buffer}[_] = _").after(), n_lifts=1)
        p = set_memory(p, buffer, AVX2)
    p = simplify(p)
    for instr in (mm256_loadu_ps, mm256_storeu_ps, mm256_broadcast_ss, mm256_fmadd_ps):
        p = replace_all(p, instr)
    p = unroll_loop(p, "jv")
    p = unroll_loop(p, "ii")
    p = simplify(p)
