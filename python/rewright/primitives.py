"""The primitives: each makes a new version of a procedure, or refuses.

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


def reorder_loops(proc: Procedure, nested_loops: At) -> Procedure:
    """Swaps a loop with the one right inside it.

    for i in seq(a, b):            for j in seq(c, d):
        for j in seq(c, d):   ~>       for i in seq(a, b):
            s                              s

    Parameters:
      proc: the procedure
      nested_loops: two loops, one right inside the other: a cursor to the outer one, or `"i j"`

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      nested: the inner loop is all there is in the outer one
          (form) The inner loop is all there is in the outer one. Breaks without it: `for i: x[i] = 0.0;
          for j: s`.
          Or else: `fission` takes what else is in the outer loop out of it.
      bounds: the bounds of both loops are the same in every iteration
          The bounds of both loops are the same in every iteration, whatever the body does to fields;
          `i` is not in `c` or `d`. Otherwise an iteration may decide how many there are:
              for i in seq(0, 4):
                  for j in seq(0, Cfg.n):
                      if i == 0 and j == 0:
                          Cfg.n = 3
                      x[i] += 1.0
      bodies_commute: iterations that change places do not touch what the other changes
          For `i < i'` and `j' < j`, the body at `(i, j)` commutes with the body at `(i', j')`: exactly
          these pairs change places. So they do where both write one value, `x[i + j] = 1.0`. A parallel
          inner loop comes outside, so all its iterations must be apart, for any `i`.
              for i in seq(0, n):
                  for j in seq(0, m):
                      x[i + j] = y[i]
      readable: what is evaluated anew is set, and no other thread writes it
          `c` and `d` are now evaluated where the outer loop does not run, `a` and `b` inside the other
          loop. Their fields are set, or the outer loop runs; and no thread around writes one:
              for k in par(0, 4):
                  if k == 0:
                      Cfg.n = 3
                  for i in seq(k, 1):          # runs in thread 0 only
                      for j in seq(0, Cfg.n):
                          x[k] += 1.0

    Source: ASPLOS'25 App. A.1; spec/primitives/reorder_loops.md
    """
    return _apply('reorder_loops', proc, nested_loops)


def divide_loop(
    proc: Procedure,
    loop_cursor: At,
    div_const: int,
    new_iters: Sequence[str],
    tail: Literal['guard', 'cut', 'cut_and_guard', 'perfect'] = 'guard',
    perfect: bool = False,
) -> Procedure:
    """Splits a loop into two nested ones, the inner one of constant length.

    for i in seq(0, I): s
    ~> perfect          for io in seq(0, I / c):
                            for ii in seq(0, c): s[i ↦ c * io + ii]
    ~> guard            for io in seq(0, (I + c - 1) / c):
                            for ii in seq(0, c):
                                if c * io + ii < I: s[i ↦ c * io + ii]
    ~> cut              for io in seq(0, I / c):
                            for ii in seq(0, c): s[i ↦ c * io + ii]
                        for ii in seq(0, I % c): s[i ↦ ii + c * (I / c)]
    ~> cut_and_guard    as cut, with the last loop inside `if I % c > 0:`

    Parameters:
      proc: the procedure
      loop_cursor: a loop: a cursor, a pattern, or the name of its variable
      div_const: an integer
      new_iters: 2 names that will be bound
      tail: one of `'guard'`, `'cut'`, `'cut_and_guard'`, `'perfect'`
      perfect: a truth value

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      lower_bound: the loop starts at 0, where nothing is added to the new variables
          The loop starts at 0, by whatever is known. It decides whether `a` is added: without it `for i
          in seq(2, 4)` would run other iterations.
      divides: the length of the loop is a multiple of the factor
          (perfect) `I` is a multiple of `c`, or the loop does not run: `I = 5, c = 4` would lose one.
          Or else: `tail="cut"` puts what is left over into a loop of its own, `tail="guard"` guards it;
          or assert that nothing is left over.
      not_negative: the length of the loop is not negative
          (cut, cut_and_guard) `I ≥ 0`. The remainder of a negative `I` is not negative, so the tail
          would run: `seq(0, n - 3)` with `n = 1`, `seq(8, n)` with `n = 7`. Breaks without it: `for i
          in seq(0, n - 3)` with `n = 2`.
      bounds_stable: the bounds are the same wherever they are evaluated
          `a` is evaluated wherever `i` is used, where it is what it was before the loop. But for
          perfect, `I` is evaluated again. For a guard it is as before the loop at the start of each
          iteration and after the last; for a tail it is so before the tail, and in the body wherever
          `i` is used. The start of an iteration is not enough there:
              for i in seq(0, Cfg.n):      # Cfg.n = 7
                  Cfg.n = 1
                  x[i] += 1.0              # in the tail: x[ii + 4 * (Cfg.n / 4)]
                  Cfg.n = 7
      readable: what is evaluated anew is set, and no other thread writes it
          The iterations of a parallel loop now read the fields of `a`, and but for perfect those of
          `I`, so none of them may write one, not even what it holds:
              for i in par(0, Cfg.n):      # Cfg.n = 7
                  x[i] = 1.0
                  if i == 0:
                      Cfg.n = 7

    Source: ASPLOS'25 App. A.1; spec/primitives/divide_loop.md
    """
    return _apply('divide_loop', proc, loop_cursor, div_const, new_iters, tail, perfect)


def divide_with_recompute(
    proc: Procedure,
    loop_cursor: At,
    outer_hi: Text,
    outer_stride: int,
    new_iters: Sequence[str],
) -> Procedure:
    """Splits a loop into overlapping pieces, whose common iterations run again.

    for i in seq(0, I): s     ~>    for io in seq(0, N):
                                        for ii in seq(0, c + (I - N * c)): s[i ↦ c * io + ii]

    Parameters:
      proc: the procedure
      loop_cursor: a loop: a cursor, a pattern, or the name of its variable
      outer_hi: an integer expression in the names that are in scope, as text or a number
      outer_stride: an integer
      new_iters: 2 names that will be bound

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      lower_bound: the loop starts at 0
          The loop starts at 0: `for i in seq(1, 9)` would run iteration 0 as well.
      covered: the pieces begin within the loop, and there is one if the loop runs
          `N * c ≤ I`, and `N ≥ 1` if the loop runs: with `N = 0` nothing would run, with `N = 3, c = 6,
          I = 10` cells beyond the end would be touched.
      bounds_stable: the loop writes no field that its bound or the number of pieces reads
          The body writes no field that `N` or `I` reads: `if i == 0: Cfg.n = 4` in `for i in seq(0,
          Cfg.n)`. Breaks without it: `for i in seq(0, Cfg.n): Cfg.n = 2`.
      sequential: the loop is not parallel
          The loop is not parallel: `for i in par(0, 8): x[i] = 1.0` would write a cell in two threads.
      idempotent: running an iteration again changes nothing
          Where pieces overlap (`N ≥ 2` and `N * c < I`), running an iteration again changes nothing:
          `x[i] += 1.0` would count twice.
      apart: no iteration reads what a later one changes
          Where pieces overlap by more than one iteration (`N ≥ 2` and `N * c + 1 < I`), no iteration
          reads what a later one changes. When it runs again after later ones, it then reads what it
          read before; what later ones wrote over its own results they write over again. So recurrences
          `x[i + 1] = x[i] * y[i]` are admitted, and
              for i in seq(0, 8):
                  y[i] = x[i + 1]
                  x[i] = 0.0
          is not with `c = 3`, `N = 2`. It is with `N * c = 7`: the iteration that two pieces share is
          the last of one and the first of the next, runs twice in a row, and `idempotent` says that the
          second time changes nothing. The papers ask for an idempotent body only, which is not enough
          for this program.
      readable: what is evaluated anew is set, and no other thread writes it
          The fields of `N` are set, and no parallel loop around this one writes one: `N = Cfg.n` in
          `for k in par(0, 2): if k == 0: Cfg.n = 2; for i in seq(0, 8): s`.

    Source: ASPLOS'25 App. A.1; spec/primitives/divide_with_recompute.md
    """
    return _apply('divide_with_recompute', proc, loop_cursor, outer_hi, outer_stride, new_iters)


def mult_loops(proc: Procedure, nested_loops: At, new_iter_name: str) -> Procedure:
    """Makes one loop of two nested ones, the inner one of constant length.

    for i in seq(0, I):            for k in seq(0, c * I):
        for j in seq(0, c):   ~>       s[i ↦ k / c, j ↦ k % c]
            s

    Parameters:
      proc: the procedure
      nested_loops: two loops, one right inside the other: a cursor to the outer one, or `"i j"`
      new_iter_name: a name that will be bound

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      nested: the inner loop is all there is in the outer one
          (form) The inner loop is all there is in the outer one. Breaks without it: `for i: x[i] = 0.0;
          for j: s`.
          Or else: `fission` takes what else is in the outer loop out of it.
      zero_based: a loop starts at 0, where nothing is added to what stands for its variable
          A loop starts at 0, the inner one in every iteration. It decides whether its lower bound is
          added: without it, in `for i in seq(1, 3): for j in seq(0, 4)` row 0 would run. Breaks without
          it: `for i in seq(2, 4): for j in seq(0, 4): s`.
      constant: the length of the inner loop is a positive number
          (form) The length of the inner loop is a number, at least 1, whatever its bounds are: one
          divides by it. `seq(i, i + 3)` is of length 3.
      bounds_stable: the lower bounds are the same wherever they are evaluated
          A lower bound that is added has the value that it has before its loop wherever the loop's
          variable is used: `Cfg.n = 4` in the body of `for i in seq(Cfg.n, 2): for j in seq(0, 2)`.
          Breaks without it: `for i in seq(Cfg.n, 4): for j in seq(0, 2): Cfg.n = 1; x[i] = 1.0`.
      readable: what is evaluated anew is set, and no other thread writes it
          And no thread of the loops writes a field of it, since all of them now read it. Breaks without
          it: `for i in par(Cfg.n, 4): for j in par(0, 1): x[i] = 0.0; if i == 0: Cfg.n = 0` where it is
          0.
      inner_parallel: the inner loop is parallel if the outer one is
          The inner loop is parallel if the outer one is. The threads of the outer loop below are apart,
          those of the new one are not:
              for i in par(0, n):
                  for j in seq(0, 4):
                      x[i] += y[j]

    Source: ASPLOS'25 App. A.1; spec/primitives/mult_loops.md
    """
    return _apply('mult_loops', proc, nested_loops, new_iter_name)


def cut_loop(proc: Procedure, loop_cursor: At, cut_point: Text) -> Procedure:
    """Splits a loop in two at a value of its variable.

    for i in seq(a, b): s     ~>    for i in seq(a, e): s
                                    for i in seq(e, b): s

    Parameters:
      proc: the procedure
      loop_cursor: a loop: a cursor, a pattern, or the name of its variable
      cut_point: an integer expression in the names that are in scope, as text or a number

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      between: the cut is between the bounds of the loop
          `a ≤ e ≤ b`, or `a ≥ e ≥ b`, where nothing runs. `e = 5` for `seq(0, 3)` would run two
          iterations more.
      bounds_stable: the iterations before the cut change neither the cut nor the upper bound
          The first of the new loops leaves `e` and `b`, which are evaluated after it, as they were.
          What later iterations do to them does not matter. Breaks without it: `for i in seq(0, Cfg.n):
          Cfg.n = 1`.
              for i in seq(0, Cfg.n):      # Cfg.n = 7; as before when all has run, but not at a cut at 3
                  x[i] = 1.0
                  Cfg.n = i + 1
      readable: what is evaluated anew is set, and no other thread writes it
          The fields of `e` are set, and no parallel loop around this one writes one: `e = Cfg.n` in
          `for k in par(0, 2): if k == 0: Cfg.n = 2; for i in seq(0, 8): s`.

    Source: ASPLOS'25 App. A.1; spec/primitives/cut_loop.md
    """
    return _apply('cut_loop', proc, loop_cursor, cut_point)


def join_loops(proc: Procedure, loop1_cursor: At, loop2_cursor: At) -> Procedure:
    """Makes one loop of two with the same body, one of which ends where the other begins.

    for i in seq(a, b): s          for i in seq(a, d): s
    for i in seq(c, d): s     ~>

    Parameters:
      proc: the procedure
      loop1_cursor: a loop: a cursor, a pattern, or the name of its variable
      loop2_cursor: a loop: a cursor, a pattern, or the name of its variable

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      adjacent: the second loop stands right after the first
          (form) The second loop stands right after the first.
          Or else: `reorder_stmts` brings the two together.
      same_body: both loops have the same body
          The bodies are the same but for the names they bind. A name that is bound outside must be the
          same variable, not only spelled alike. Breaks without it: `for i in seq(0, 4): x[i] = 0.0; for
          i in seq(4, 8): x[i] = 1.0`.
      meet: the first loop ends where the second begins
          `b = c`; and `a ≤ b ≤ d`, or `a ≥ b ≥ d`, where nothing runs: `seq(0, 3)` and `seq(4, 8)`
          leave a hole, `seq(4, 2)` and `seq(2, 8)` would give `seq(4, 8)`. Breaks without it: `seq(0,
          4)` and `seq(5, 8)`; or `seq(4, 2)` and `seq(2, 8)`.
      bounds_stable: the first loop does not change the bounds of the second
          The first loop leaves `c` and `d` as they were: `Cfg.n = 6` in the first of `seq(0, 4)` and
          `seq(4, Cfg.n)`. Breaks without it: `for i in seq(0, 4): Cfg.n = 4; for i in seq(4, Cfg.n):
          Cfg.n = 4`.
      apart: no two iterations of the joined parallel loop touch a place that one changes
          If the first loop is parallel, all iterations of the joined one are apart:
              for i in par(0, 1):
                  x += 1.0
              for i in par(1, 2):
                  x += 1.0

    Source: ASPLOS'25 App. A.1; spec/primitives/join_loops.md
    """
    return _apply('join_loops', proc, loop1_cursor, loop2_cursor)


def shift_loop(proc: Procedure, loop_cursor: At, new_lo: Text) -> Procedure:
    """Gives a loop another first value.

    for i in seq(a, b): s     ~>    for i in seq(e, e + b - a): s[i ↦ i - e + a]

    Parameters:
      proc: the procedure
      loop_cursor: a loop: a cursor, a pattern, or the name of its variable
      new_lo: an integer expression in the names that are in scope, as text or a number

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      bounds_stable: the old and the new lower bound are the same wherever they are evaluated
          `a` and `e`, which the body now reads, are as before the loop wherever `i` is used. The start
          of an iteration is not enough:
              for i in seq(Cfg.n, 6):      # Cfg.n = 0
                  Cfg.n = 1
                  x[i] += 1.0              # e = 1: x[i - 1 + Cfg.n]
                  Cfg.n = 0
      readable: what is evaluated anew is set, and no other thread writes it
          The fields of `e` are set; no parallel loop around this one, nor this one, writes a field that
          is now read in its iterations:
              for i in par(Cfg.n, 8):      # Cfg.n = 1
                  x[i] = 1.0
                  if i == 1:
                      Cfg.n = 1

    Source: ASPLOS'25 App. A.1; spec/primitives/shift_loop.md
    """
    return _apply('shift_loop', proc, loop_cursor, new_lo)


def reverse_loop(proc: Procedure, loop_cursor: At) -> Procedure:
    """Runs the iterations of a loop from the last to the first.

    for i in seq(a, b): s     ~>    for i in seq(a, b): s[i ↦ a + b - 1 - i]

    Parameters:
      proc: the procedure
      loop_cursor: a loop: a cursor, a pattern, or the name of its variable

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      bounds_stable: the bounds are the same wherever they are evaluated
          `a` and `b`, which the body now reads, are as before the loop where each iteration starts, in
          whatever order they run, and wherever `i` is used. The order of the program is not enough: the
          last iteration comes first.
              for i in seq(0, Cfg.n):      # Cfg.n = 4
                  x[i] = 1.0               # x[Cfg.n - 1 - i], from the second on with Cfg.n = 8
                  if i == 3:
                      Cfg.n = 8
      iterations_commute: no iteration touches what another one changes
          Each iteration commutes with each other one. The last one changes, too: a cell or field that
          several iterations write must be left at one value by all of them. Breaks without it: `x[i +
          1] = x[i]`, `s = x[i]`, `Cfg.k = i`.
      readable: what is evaluated anew is set, and no other thread writes it
          No parallel loop around this one, nor this one, writes a field that is now read in its
          iterations:
              for i in par(0, Cfg.n):      # Cfg.n = 8
                  x[i] = 1.0
                  if i == 1:
                      Cfg.n = 8

    Source: loop reversal, of any textbook on loop transformations; spec/primitives/reverse_loop.md
    """
    return _apply('reverse_loop', proc, loop_cursor)


def fission(proc: Procedure, gap_cursor: At, n_lifts: int = 1) -> Procedure:
    """Splits a loop or guard in two at a gap in its body.

    for i in seq(a, b):            for i in seq(a, b): s1
        s1                    ~>   for i in seq(a, b): s2
        s2

    if e:                          if e: s1
        s1                    ~>   if e: s2
        s2                         else: t
    else: t

    if e: s                        if e: s
    else:                     ~>   else: t1
        t1                         if e: pass
        t2                         else: t2

    Parameters:
      proc: the procedure
      gap_cursor: a place between statements: `cursor.before()`, `cursor.after()`
      n_lifts: an integer

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      inside: the gap is between statements of a loop or guard
          (form) The gap is between statements of a loop or guard.
      scope: nothing that the first part defines is used in the second
          (form) Nothing that `s1` defines is used in `s2`. Breaks without it: `t: f32; t = 1.0; x[i] =
          t`.
          Or else: `lift_alloc` takes an allocation out of the loop first.
      bounds_stable: what runs first does not change the bounds of the loop, or the condition
          What runs before the second statement leaves the bounds, or the condition, as they were, and
          their fields set: `Cfg.on = False; x = 1.0` in `if Cfg.on`. Of a gap in an `else` that is the
          first branch too: `if Cfg.on: Cfg.on = False` would have the second part of its `else` run.
          Breaks without it: `for i in seq(0, Cfg.n): Cfg.n = 1; x[i] = 1.0`; `if Cfg.n > 0: Cfg.n = 0`
          with `else: x = 1.0; y = 1.0`, split between the last two.
      commute: the first part of an iteration may run before the second part of an earlier one
          For `i' < i`, `s1` in iteration `i` commutes with `s2` in iteration `i'`. Or `s1` does not
          mention `i`, is idempotent, and `s2` changes nothing that it reads or writes: then only its
          first run does anything. An initialisation is not of that kind when `s2` adds to what it
          clears:
              for i in seq(0, n):
                  s = 0.0
                  for j in seq(0, 4):
                      s += x[i, j]
                  y[i] = s
          Or `s1` copies cells, `r[e] = c[f]` in sequential loops and guards without `i` and without
          `else`, which `s2` copies back at its end, `c[f] = r[e]` in loops of the same bounds and
          guards of the same conditions: run again, `s1` finds what it left. Both buffers have one type,
          neither is a window of the other, two iterations have one `e` exactly if they have one `f`,
          and what comes before the store in its loops changes no cell of `c`, and of `r` the cell `e`
          alone. Or `s2` assigns, in sequential loops and guards without `i`, cells of buffers that `s1`
          does not touch and `s2` does not read: then only its last run does anything. What places
          depend on is no field in either. So a cell that each iteration loads, adds to and stores is
          loaded once, and stored once:
              for k in seq(0, n):                      for k in seq(0, n): r = c
                  r = c                                for k in seq(0, n): r += x[k]
                  r += x[k]                      ~>    for k in seq(0, n): c = r
                  c = r

    Source: ASPLOS'25 App. A.1; spec/primitives/fission.md
    """
    return _apply('fission', proc, gap_cursor, n_lifts)


def autofission(proc: Procedure, gap_cursor: At, n_lifts: int = 1) -> Procedure:
    """Splits loops and guards at a gap, and removes the loops that are not needed.

    for i in seq(0, n):            x = 1.0
        x = 1.0               ~>   for i in seq(0, n):
        y[i] = x                       y[i] = x

    Parameters:
      proc: the procedure
      gap_cursor: a place between statements: `cursor.before()`, `cursor.after()`
      n_lifts: an integer

    Source: Exo; spec/primitives/autofission.md
    """
    return _apply('autofission', proc, gap_cursor, n_lifts)


def remove_loop(proc: Procedure, loop_cursor: At) -> Procedure:
    """Runs the body of a loop once, under a guard if the loop may not run.

    for i in seq(a, b): s     ~>    s                where the loop certainly runs
                                    if b > a: s      elsewhere

    Parameters:
      proc: the procedure
      loop_cursor: a loop: a cursor, a pattern, or the name of its variable

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      independent: the loop variable does not occur in the body
          (form) `i` does not occur in `s`.
      runs: the loop runs at least once, where there is no guard
          The loop runs at least once, by whatever is known. It decides which of the two forms is made:
          `for i in seq(0, n - 1): x = 1.0` with `n = 1` writes nothing. The bounds are evaluated as
          often as before, and nothing new is read.
      idempotent: running the body again changes nothing
          Running `s` again changes nothing, unless the loop runs only once. What it changes it
          overwrites, for sure, and it reads none of it:
              for i in seq(0, n):
                  if k > 0:
                      x = 0.0
                  x += 1.0

    Source: ASPLOS'25 App. A.1; spec/primitives/remove_loop.md
    """
    return _apply('remove_loop', proc, loop_cursor)


def add_loop(
    proc: Procedure,
    block_cursor: At,
    iter_name: str,
    hi_expr: Text,
    guard: bool = False,
) -> Procedure:
    """Runs statements again and again, or in the first of several iterations.

    s     ~>    for i in seq(0, hi): s                    (guard = False)
          ~>    for i in seq(0, hi): if i == 0: s         (guard = True)

    Parameters:
      proc: the procedure
      block_cursor: one statement or several: a cursor or a pattern
      iter_name: a name that will be bound
      hi_expr: an integer expression in the names that are in scope, as text or a number
      guard: a truth value

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      scope: nothing that the statements define is used after them
          (form) Nothing that `s` defines is used after it.
      positive: the loop runs at least once
          `hi ≥ 1`: with `hi = n - 1` and `n = 1` nothing would run.
      idempotent: running the statements again changes nothing
          Without the guard, and unless `hi = 1`, running `s` again changes nothing: `x += 1.0` would
          count twice.
      readable: what is evaluated anew is set, and no other thread writes it
          The fields of `hi` are set, and no parallel loop around `s` writes one: `hi = Cfg.n` in `for k
          in par(0, 2): if k == 0: Cfg.n = 2; x[k] = 1.0`.

    Source: ASPLOS'25 App. A.1; spec/primitives/add_loop.md
    """
    return _apply('add_loop', proc, block_cursor, iter_name, hi_expr, guard)


def unroll_loop(proc: Procedure, loop_cursor: At) -> Procedure:
    """Writes out the iterations of a loop that runs a fixed number of times.

    for i in seq(2, 4): s         ~>    s[i ↦ 2]
                                        s[i ↦ 3]

    for i in seq(n, n + 2): s     ~>    s[i ↦ n]
                                        s[i ↦ n + 1]

    Parameters:
      proc: the procedure
      loop_cursor: a loop: a cursor, a pattern, or the name of its variable

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      constant: the bounds of the loop are a fixed number apart, and not too large a one
          (form) The bounds are a fixed number apart, whatever the values of the variables and fields in
          them, and at most 4096.
      bounds_stable: the lower bound is the same wherever it is evaluated
          The lower bound has the value that it has before the loop wherever `i` is used:
              for i in seq(Cfg.n, Cfg.n + 2):
                  x[i] = 1.0
                  Cfg.n = 4

    Source: ASPLOS'25 App. A.1; spec/primitives/unroll_loop.md
    """
    return _apply('unroll_loop', proc, loop_cursor)


def reorder_stmts(proc: Procedure, block_cursor: At) -> Procedure:
    """Swaps two statements that stand one after the other.

    s1
    s2    ~>    s2
                s1

    Parameters:
      proc: the procedure
      block_cursor: two statements, one right after the other: a block, or `"s1 ; s2"`

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      scope: the second statement does not use what the first defines
          (form) `s2` does not use what `s1` defines.
      commute: neither statement touches a place that the other changes
          Neither touches a place that the other changes; but both may add to one cell, or write one
          value to it: `x[i] = y[i]; x[j] = y[j]`. Places are cells, whatever window or argument shows
          them, and fields, wherever they are read: in an index, a bound, an extent, a window's offset,
          a callee's assertion. Breaks without it: `x = 1.0; y = x`.
              Cfg.n = 2
              w = x[Cfg.n:4]
      unread: no register that both set is read afterwards before it is set again
          Each may set a register: a field of a class without direct access, as two loads do that
          configure themselves. The last to run decides what it holds, and nothing may read that before
          it is set again. The versions are equivalent modulo the register, unless it is set again in
          any case. Breaks without it: `load(z, x); load(w, y); mvin(v, y)`, where `mvin` relies on what
          the second load has set.

    Source: ASPLOS'25 App. A.2; spec/primitives/reorder_stmts.md
    """
    return _apply('reorder_stmts', proc, block_cursor)


def commute_expr(proc: Procedure, expr_cursors: Union[At, Sequence[At]]) -> Procedure:
    """Swaps the operands of sums and products.

    commute_expr(p, expr_cursors)
    a + b  ~>  b + a
    a * b  ~>  b * a

    Parameters:
      proc: the procedure
      expr_cursors: one expression, or several equal ones: cursors or patterns

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      operator: each expression is a sum or a product
          (form): each expression is a sum or a product.

    Source: ASPLOS'25 App. A.2; spec/primitives/commute_expr.md
    """
    return _apply('commute_expr', proc, expr_cursors)


def left_reassociate_expr(proc: Procedure, expr: At) -> Procedure:
    """Moves the parentheses of a sum or product to the left; may round differently.

    left_reassociate_expr(p, expr)
    a + (b + c)  ~>  (a + b) + c
    a * (b * c)  ~>  (a * b) * c

    Parameters:
      proc: the procedure
      expr: an expression: a cursor or a pattern

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      operator: the expression is a sum or a product whose right operand is another
          (form): the expression is a sum or a product whose right operand is another.
      precision: the right-hand side is all floating, or all integer
          all floating or all integer. `y = a + (b + y)` with `a, b: i32` and `y: f64` adds `a + b` in
          32 bits afterwards, and wraps. Breaks without it: `x: f32; x = a + (b + y)` with `a, b: i32`,
          where `a + b` now wraps.

    Source: Exo; spec/primitives/left_reassociate_expr.md
    """
    return _apply('left_reassociate_expr', proc, expr)


def specialize(proc: Procedure, block: At, conds: Union[str, Sequence[str]]) -> Procedure:
    """Repeats statements under each of several conditions and under none.

    s     ~>    if e1: s
                elif e2: s
                else: s

    Parameters:
      proc: the procedure
      block: one statement or several: a cursor or a pattern
      conds: one condition or several, as text

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      scope: nothing that the statements define is used after them
          (form) Nothing that `s` defines is used after it.
      readable: what is evaluated anew is set, and no other thread writes it
          The fields of the conditions are set, and no parallel loop around `s` writes one:
              for k in par(0, 2):
                  if k == 0:
                      Cfg.on = True
                  x[k] = 1.0               # specialised to Cfg.on

    Source: ASPLOS'25 App. A.3; spec/primitives/specialize.md
    """
    return _apply('specialize', proc, block, conds)


def fuse(proc: Procedure, stmt1: At, stmt2: At) -> Procedure:
    """Makes one loop or guard of two that follow one another.

    for i in seq(a, b): s          for i in seq(a, b):
    for j in seq(a, b): t     ~>       s
                                       t[j ↦ i]

    if e: s else: s'               if e:
    if f: t else: t'          ~>       s; t
                                   else:
                                       s'; t'

    Parameters:
      proc: the procedure
      stmt1: a loop or an `if`: a cursor or a pattern
      stmt2: a loop or an `if`: a cursor or a pattern

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      adjacent: the second statement stands right after the first
          (form) The second statement stands right after the first.
          Or else: `reorder_stmts` brings the two together.
      same_sort: both statements are loops, or both are guards
          (form) Both are loops, or both are guards.
      bounds: both loops have the same bounds, or both guards the same condition
          The second loop's bounds after the first loop are those of the first before it; the second
          condition after the first guard is the first condition before it. They may be written
          differently. `if Cfg.on: Cfg.on = False` and `if Cfg.on: y = 2.0` do not have the same
          condition. Breaks without it: `seq(0, n)` and `seq(1, n)`; `if Cfg.b: Cfg.b = False` and `if
          Cfg.b: …`.
      commute: iterations of the first loop commute with earlier ones of the second
          For `i' < i`, `s` in iteration `i` commutes with `t` in iteration `i'`: these change places.
          If the first loop is parallel, `s` and `t` in different iterations are apart, and so are the
          iterations of a sequential second loop. Breaks without it: `for i: x[i] = …` and `for i: y[i]
          = x[i + 1]`.
              for i in seq(0, n):
                  x[i] = 1.0
              for i in seq(0, n):
                  y[i] = x[i + 1]
          `s` may write cells again that `t` has read, with the value that they have, if `t` reads only
          what `s` has computed in its own iteration (rule: conditions.loop-fusion-again): so a producer
          whose pieces overlap, as `divide_with_recompute` makes them, is fused with its consumer,
          without a switch that turns checking off.

    Source: ASPLOS'25 App. A.3; spec/primitives/fuse.md
    """
    return _apply('fuse', proc, stmt1, stmt2)


def lift_scope(proc: Procedure, scope_cursor: At) -> Procedure:
    """Swaps a loop or guard with the loop or guard right around it.

    for i: for j: s                 ~>  for j: for i: s
    for i: if e: s else: t          ~>  if e: (for i: s) else: (for i: t)
    if e: for i: s                  ~>  for i: if e: s
    if e: (for i: s) else: for j: t ~>  for i: if e: s else: t
    if e: (if f: s else: t) else: u ~>  if f: (if e: s else: u) else: (if e: t else: u)
    if e: u else: (if f: s else: t) ~>  if f: (if e: u else: s) else: (if e: u else: t)

    Parameters:
      proc: the procedure
      scope_cursor: a loop or an `if`: a cursor or a pattern

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      only_statement: there is nothing else in the block of the outer statement
          (form) There is nothing else in the block of the outer statement.
      no_else: otherwise the guard around the loop does nothing, or has a loop of the same mode
          In its other branch, the guard around a loop does nothing, or has a loop of the same mode and
          nothing else: anything else would run in every iteration, `x[0] += 2.0` for one. The loop that
          is pointed at may be in either branch. Breaks without it: `if e: (for i in seq(0, 2): s) else:
          x += 1.0`.
      stable: the condition is the same in every iteration of the loop
          The condition does not depend on the loop variable, and is at the start of every iteration
          what it is before the loop:
              for i in seq(0, 4):
                  if Cfg.on:
                      x += 1.0
                      Cfg.on = False
      bounds: the bounds of both loops are the same, and the same in every iteration
          , `bodies_commute` Of two loops, one in the other, as for `reorder_loops`. Two loops in two
          branches have the same bounds where the branch of the one that goes is taken: `if m == n: (for
          i in seq(0, n): s) else: for j in seq(0, m): t` have not. Without `bounds`: `if e: (for i in
          seq(0, 2): s) else: for j in seq(0, 3): t`.
      bodies_commute: iterations that change places do not touch what the other changes
      readable: what is evaluated anew is set, and no other thread writes it
          Conditions and bounds are now evaluated where they may not have been: the condition before a
          loop that may not run, or in every thread of a parallel one; the bounds of a loop whose guard
          fails; the inner condition where the outer one fails. Their fields are set there, and no
          thread writes one:
              if Cfg.on:
                  for k in par(0, 2):
                      x[k] = 1.0
                      if k == 0:
                          Cfg.on = True

    Source: ASPLOS'25 App. A.3; spec/primitives/lift_scope.md
    """
    return _apply('lift_scope', proc, scope_cursor)


def simplify(proc: Procedure, ordered: bool = False) -> Procedure:
    """Shortens expressions and removes what never runs, all over the procedure.

    simplify(p)
    x[(4 * io + ii) / 4] = 1.0 * y    ~>   x[io] = y         where 0 <= ii < 4
    (4 * io + ii) / 8                   ~>   io / 2            where 0 <= ii < 4
    for i in seq(n, n): s             ~>
    if i < n: s else: t               ~>   s                 where i < n
    if e: pass                        ~>

    Parameters:
      proc: the procedure
      ordered: a truth value

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      equal: each control expression has the value of the one it stands for
          each control expression has the value of the one it stands for. `x[i % 4]` with `i = 5`.
      decided: each branch that goes is never taken
          , `never_runs`: as for. Without `never_runs`: `for i in seq(0, n)`.
      never_runs: each loop that goes has no iterations
      precision: where data changes, all is floating or all is integer
          data changes only where all is floating or all is integer. In `y = c + (a + 0.0) / a` with `a:
          i8` and `c, y: f32` the literal makes the quotient one of floating-point numbers. Breaks
          without it: `y = c + (a + 0.0) / b` with `a, b: i8` and `c, y: f32`, where the quotient
          becomes one of integers.

    Source: ASPLOS'25 App. A.6; spec/primitives/simplify.md
    """
    return _apply('simplify', proc, ordered)


def eliminate_dead_code(proc: Procedure, stmt_cursor: At) -> Procedure:
    """Removes a loop that never runs, or the branch that is never taken.

    eliminate_dead_code(p, stmt_cursor)
    for i in seq(a, b): s   ~>   pass            when a >= b
    if e: s else: t         ~>   s               when e always holds
    if e: s else: t         ~>   t               when e never holds

    Parameters:
      proc: the procedure
      stmt_cursor: a loop or an `if`: a cursor or a pattern

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      never_runs: the loop has no iterations
          the loop has no iterations, each time it is reached. `for j in seq(0, i)` has none in the
          first iteration only. Breaks without it: `for i in seq(0, n): x = 1.0`.
      decided: the condition always holds, or never does
          the condition always holds, or never does. `if Cfg.first` holds before the loop that clears it
          in each iteration. Breaks without it: `if n > 3: x = 1.0`.

    Source: ASPLOS'25 App. A.6; spec/primitives/eliminate_dead_code.md
    """
    return _apply('eliminate_dead_code', proc, stmt_cursor)


def rewrite_expr(proc: Procedure, expr_cursor: At, new_expr: Text) -> Procedure:
    """Replaces an expression by one of the same value; data may round differently.

    rewrite_expr(p, expr_cursor, new_expr)
    e  ~>  e'

    Parameters:
      proc: the procedure
      expr_cursor: an expression: a cursor or a pattern
      new_expr: an expression, as text or a number

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      value: the expression is a value, and not passed by reference
          (form): the expression is a value, and not a buffer or a cell that a callee gets by reference.
      equal: both expressions have the same value
          as above. `x[i]` to `x[i + 1]`; `0.5 * a + 0.5 * a` to `a` with `a: i8`, where the halves are
          0.
      reads: the new expression reads only cells that the right-hand side reads already
          every cell that `e'` reads is read by the right-hand side already, and within the bounds of
          the window through which it is read. Without it, `0.0` becomes `t - t` after `t: f32`, which
          has no value.
      fields: the new expression reads no other fields, but such as were written on the way
          every control field that `e'` reads is read by the operand already, or was written on the way
          there and no parallel loop is around, or is read by an assertion and nothing has written it.
          Without it, `y[0]` becomes `y[Cfg.at]` in `for i in par(0, n): x[i] = y[0]; if i == 0: Cfg.at
          = 0`, and iterations race. Breaks without it: `x[0]` to `x[Cfg.i]` in `for i in par(0, n): x…;
          if i == 0: Cfg.i = 0`.

    Source: ASPLOS'25 App. A.6; spec/primitives/rewrite_expr.md
    """
    return _apply('rewrite_expr', proc, expr_cursor, new_expr)


def merge_writes(proc: Procedure, block_cursor: At) -> Procedure:
    """Makes one write of two to the same cell; sums may round differently.

    merge_writes(p, block_cursor)
    x[i] = a;  x[i] = b    ~>   x[i] = b
    x[i] += a; x[i] = b    ~>   x[i] = b
    x[i] = a;  x[i] += b   ~>   x[i] = a + b
    x[i] += a; x[i] += b   ~>   x[i] += a + b

    Parameters:
      proc: the procedure
      block_cursor: two statements, one right after the other: a block, or `"s1 ; s2"`

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      writes: both statements are assignments or reductions
          (form): both statements are assignments or reductions.
      same_cell: both statements write the same cell
          both write one cell, by the solver. `x[1] = a; x[2] = b` loses a write. Breaks without it:
          `x[i] = a; x[j] = b`.
      not_read: the second value does not depend on the cell
          evaluating `b` does not read the cell. `x = 1.0; x = x + 1.0`.
      precision: where the values are added, all is floating or all is integer
          (last two forms): all floating or all integer. `x: f32; x = 0.5; x += a` with `a: i8` makes
          the literal an integer; `x: i32; x = a; x += a` with `a = 0.5` cuts off twice, and the sum
          once.

    Source: ASPLOS'25 App. A.6; spec/primitives/merge_writes.md
    """
    return _apply('merge_writes', proc, block_cursor)


def split_write(proc: Procedure, stmt: At) -> Procedure:
    """Writes the terms of a sum one after the other; may round differently.

    split_write(p, stmt)
    x[i] = a + b    ~>   x[i] = a;  x[i] += b
    x[i] += a + b   ~>   x[i] += a; x[i] += b

    Parameters:
      proc: the procedure
      stmt: an assignment or a reduction: a cursor, a pattern, or the name of the buffer

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      sum: the right-hand side is a sum
          (form): the right-hand side is a sum.
      not_read: the second term does not depend on the cell
          evaluating `b` does not read the cell. `x = 1.0 + x` would double 1.0.
      precision: all that is read and written is floating, or all is integer
          all floating or all integer. `x = 0.5 + a` with `x: f32, a: i8`: the literal alone is a half.
          Breaks without it: `x: f32; x = 0.5 + a` with `a: i8`, as the literal beside `a` is an
          integer.

    Source: Exo; spec/primitives/split_write.md
    """
    return _apply('split_write', proc, stmt)


def fold_into_reduce(proc: Procedure, assign: At) -> Procedure:
    """Makes a reduction of an assignment that adds to its own cell; may round differently.

    fold_into_reduce(p, assign)
    x[i] = x[i] + e       ~>   x[i] += e
    x[i] = e + x[i]       ~>   x[i] += e
    x[i] = x[i] - e       ~>   x[i] += -e
    x[i] = a + x[i] - b   ~>   x[i] += a - b

    Parameters:
      proc: the procedure
      assign: an assignment: a cursor, a pattern, or the name of the buffer

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      term: a term of the right-hand side reads the buffer that is written
          (form): a term that is not subtracted reads the buffer that is written, by any name.
      same_cell: it reads the cell that is written
          it reads the cell that is written. `x[i] = x[i + 1] + 1.0` is no reduction. Breaks without it:
          `x[i] = x[j] + 1.0`.
      precision: all that is read and written is floating, or all is integer
          all floating or all integer. `x = x + 0.5 * a` with `x: f32, a: i8`: beside `a` alone the
          literal is 0. `x: i32; x = x + a` with `a: f32`: the sum is cut off, and not `a`. Breaks
          without it: `x: f32; x = x + 0.5 * a` with `a: i8`, as the literal beside `a` alone is an
          integer.

    Source: Exo; spec/primitives/fold_into_reduce.md
    """
    return _apply('fold_into_reduce', proc, assign)


def lift_reduce_constant(proc: Procedure, block_cursor: At) -> Procedure:
    """Multiplies a sum by a constant once, after the loop; may round differently.

    lift_reduce_constant(p, block_cursor)
    x[j] = 0.0                        x[j] = 0.0
    for i in seq(a, b):               for i in seq(a, b):
        x[j] += c * e         ~>          x[j] += e
                                      x[j] = c * x[j]

    Parameters:
      proc: the procedure
      block_cursor: an assignment, and after it a loop that adds to the same cell: a block

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      zero: the first statement assigns zero
          the first statement assigns zero. Otherwise that value is multiplied as well. Breaks without
          it: `x = 1.0`.
      scaled: the second statement is a loop with a reduction by a multiple of something outside
          (form): the second statement is a loop with a reduction into the buffer by a product, of which
          a factor is a literal or is read in the names outside the loop.
      same_cell: the reductions are into the cell, which is the same after the loop
          the reductions are into the cell, and its indices mean the same cell after the loop. `x[i] +=
          a * y[i]`; `x[Cfg.at] = 0.0` where the loop writes `Cfg.at`. Breaks without it: `x[i] += c *
          e`.
      same_factor: the factor is the same in each of them and after the loop
          the factor is the same in every reduction and after the loop. `x += a[Cfg.at] * y[i]; Cfg.at =
          1`. Breaks without it: `x += c[i] * e`.
      only: nothing else in the loop touches the cell
          nothing else in the loop touches the cell, not even through a window. `x += a * y[i]; z[i] =
          x`. Breaks without it: `x += c * e; y[i] = x`.
      unchanged: the loop does not change the factor
          the loop does not change the factor. `x += a * y[i]; a = 3.0`. Breaks without it: `x += c * e;
          c = 2.0`.
      evaluated: the loop reads the factor in any case, or it is a literal
          the loop reads the factor in any case, or it is a literal. Where no iteration runs, the sum is
          0, and the factor may have no value or be out of bounds. Breaks without it: a factor without a
          value, and `for i in seq(0, n - 1)` with `n = 1`.
      precision: all that is read and written is floating, or all is integer
          all floating or all integer. `x: i32; x += 2.0 * y[i]` with `y: f32` cuts off each product.
          Breaks without it: `x: i8; x += c * e` with `c, e: f32`, where each product is cut off.

    Source: Exo; spec/primitives/lift_reduce_constant.md
    """
    return _apply('lift_reduce_constant', proc, block_cursor)


def insert_pass(proc: Procedure, gap_cursor: At) -> Procedure:
    """Puts a `pass` between statements.

    insert_pass(p, gap_cursor)
    s1; s2  ~>  s1; pass; s2

    Parameters:
      proc: the procedure
      gap_cursor: a place between statements: `cursor.before()`, `cursor.after()`

    Source: Exo; spec/primitives/insert_pass.md
    """
    return _apply('insert_pass', proc, gap_cursor)


def delete_pass(proc: Procedure) -> Procedure:
    """Deletes every `pass`, and the loops and guards that hold nothing else.

    delete_pass(p)
    s1; pass; for i in seq(a, b): pass; s2   ~>   s1; s2

    Parameters:
      proc: the procedure

    Source: Exo; spec/primitives/delete_pass.md
    """
    return _apply('delete_pass', proc)


def rename(proc: Procedure, name: str) -> Procedure:
    """Gives the procedure another name.

    rename(p, name)
    def p(…): s   ~>   def name(…): s

    Parameters:
      proc: the procedure
      name: a name that will be bound

    Source: Exo; spec/primitives/rename.md
    """
    return _apply('rename', proc, name)


def add_assertion(proc: Procedure, assertion: str) -> Procedure:
    """Adds a precondition: the new version admits fewer inputs.

    p.add_assertion(assertion)
    def p(…): s   ~>   def p(…): assert e; s

    Parameters:
      proc: the procedure
      assertion: a condition in the names that are in scope, as text

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      satisfiable: the assertion does not contradict those that are there
          (form) It does not contradict what is assumed already: sizes are at least 1, extents of
          arguments are not negative, and the earlier assertions hold. A version that admits no input
          would be related to anything, and every later condition would hold; that is a slip of the pen,
          so it is refused where the solver can prove it.

    Source: Exo; spec/primitives/add_assertion.md
    """
    return _apply('add_assertion', proc, assertion)


def partial_eval(proc: Procedure, /, *args: int, **values: int) -> Procedure:
    """Fixes control arguments to values: the new version takes fewer arguments.

    p.partial_eval(n=8)
    def p(n: size, x: f32[n]): s   ~>   def p(x: f32[8]): s[n ↦ 8]

    Parameters:
      proc: the procedure
      values: values for control arguments: in order, or by name

    Source: Exo; spec/primitives/partial_eval.md
    """
    return Procedure(_made('partial_eval', proc, args, values)[0])


def delete_buffer(proc: Procedure, buf_cursor: At) -> Procedure:
    """Removes an allocation that is not used.

    a: T
    s      ~>  s

    Parameters:
      proc: the procedure
      buf_cursor: an allocation: a cursor, a pattern, or the name of the buffer

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      unused: nothing mentions the buffer
          (form) Nothing in the scope of `a` mentions it: not even a write whose value is never read, a
          window, or `stride(a, 0)`. Breaks without it: `a: f32; a = 1.0; y = a`, of which a program
          with an unbound name is left.

    Source: ASPLOS'25 App. A.5; spec/primitives/delete_buffer.md
    """
    return _apply('delete_buffer', proc, buf_cursor)


def expand_dim(proc: Procedure, buf_cursor: At, alloc_dim: Text, indexing_expr: Text) -> Procedure:
    """Gives a buffer one more dimension, of which one place is used.

    a: T[n, …]              a: T[size, n, …]
    s[a[i, …]]      ~>      s[a[e, i, …]]

    Parameters:
      proc: the procedure
      buf_cursor: an allocation: a cursor, a pattern, or the name of the buffer
      alloc_dim: an integer expression in the names that are in scope, as text or a number
      indexing_expr: an integer expression in the names that are in scope, as text or a number

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      positive: the size of the new dimension is at least 1
          `size` is at least 1. Breaks without it: `expand_dim(p, "a", "n - 3", "0")` with `n = 2`.
      in_bounds: the place in the new dimension is within it wherever the buffer is used
          `0 ≤ e < size` at every use, windows that are only made included; guards around the use count.
          Breaks without it: `size = 4, e = i` in `for i in seq(0, 5)`.
      stable: the place in the new dimension is the same at every use of the buffer
          `e` has the same value at every use as at the allocation: `a = 1.0; Cfg.k = 1; x = a` with `e
          = Cfg.k` reads another place. Breaks without it: `e = Cfg.k` and `a[0] = 1.0; Cfg.k = 1; y =
          a[0]`.
      readable: what is evaluated anew is set, and no other thread writes it
          The fields of `size` and `e` are set, and no thread writes them. Breaks without it: `e =
          Cfg.k` in `for i in par(0, 2): if i == 0: Cfg.k = 0; y[i] = a`.
      windows: every use of the buffer can be expressed in its new shape
          (form) Where the buffer is passed as a whole, its extents read no field, which may have
          another value there. A tensor may be asked for: behind one place, `a[e, 0:n]` is as dense as
          `a` was. Breaks without it: `f(a)` after `Cfg.k = 2` for `a: f32[Cfg.k]`, of which `a[e,
          0:Cfg.k]` is another part.

    Source: ASPLOS'25 App. A.5; spec/primitives/expand_dim.md
    """
    return _apply('expand_dim', proc, buf_cursor, alloc_dim, indexing_expr)


def rearrange_dim(proc: Procedure, buf_cursor: At, permute_vector: Sequence[int]) -> Procedure:
    """Puts the dimensions of a buffer in another order.

    a: T[n, m, k]           a: T[k, n, m]            # permute_vector = [2, 0, 1]
    s[a[i, j, l]]   ~>      s[a[l, i, j]]

    Parameters:
      proc: the procedure
      buf_cursor: an allocation: a cursor, a pattern, or the name of the buffer
      permute_vector: the numbers of the dimensions of the buffer, in another order

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      windows: every use of the buffer can be expressed in its new shape
          (form) The dimensions that a window keeps stay in order; `a` is passed as a whole only where
          nothing changes places. Breaks without it: `f(a[0:2, 0:3])` for `def f(x: [f32][2, 3])`, whose
          dimensions would change places.
      strides: no stride that the program asks for changes
          No stride that can be told changes: `f(a[0, 0:4])` for `def f(x: [f32][4]): assert stride(x,
          0) == 1`.

    Source: ASPLOS'25 App. A.5; spec/primitives/rearrange_dim.md
    """
    return _apply('rearrange_dim', proc, buf_cursor, permute_vector)


def divide_dim(proc: Procedure, alloc_cursor: At, dim_idx: int, quotient: int) -> Procedure:
    """Splits a dimension of a buffer into rows of constant length.

    a: T[12, m]             a: T[3, 4, m]            # dim_idx = 0, quotient = 4
    s[a[i, j]]      ~>      s[a[i / 4, i % 4, j]]

    Parameters:
      proc: the procedure
      alloc_cursor: an allocation: a cursor, a pattern, or the name of the buffer
      dim_idx: a dimension of the buffer, counted from 0
      quotient: an integer

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      divides: the extent is a multiple of the quotient
          The extent is a multiple of the quotient, by an assertion if need be: `a: f32[6]` by 4 would
          lose `a[4]` and `a[5]`. Breaks without it: `a: f32[6]` by 4, of which `a[5]` would be `a[1,
          1]` of one row.
          Or else: `resize_dim` makes the extent a multiple first.
      one_row: a window that keeps the dimension is within one row of the new ones
          A window that keeps the dimension is within one of the new rows, of which it keeps the
          columns: `a[2:6]` is not.
      windows: every use of the buffer can be expressed in its new shape
          (form) `a` is not passed as a whole. Breaks without it: `f(a)` for `def f(x: [f32][12])`.

    Source: ASPLOS'25 App. A.5; spec/primitives/divide_dim.md
    """
    return _apply('divide_dim', proc, alloc_cursor, dim_idx, quotient)


def mult_dim(proc: Procedure, alloc_cursor: At, hi_dim_idx: int, lo_dim_idx: int) -> Procedure:
    """Makes one dimension of a buffer out of two.

    a: T[n, m, 4]           a: T[4 * n, m]           # hi_dim_idx = 0, lo_dim_idx = 2
    s[a[i, j, k]]   ~>      s[a[4 * i + k, j]]

    Parameters:
      proc: the procedure
      alloc_cursor: an allocation: a cursor, a pattern, or the name of the buffer
      hi_dim_idx: a dimension of the buffer, counted from 0
      lo_dim_idx: a dimension of the buffer, counted from 0

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      constant: the extent of the lower dimension is a number
          (form) The extent of the lower dimension is a number: otherwise the index is not quasi-affine.
      windows: every use of the buffer can be expressed in its new shape
          (form) A window keeps of the two at most the lower one, and then none between them. Breaks
          without it: `f(a[0:2, 0])`, whose cells are 4 apart in the new dimension.
      strides: no stride that the program asks for changes
          No stride that can be told changes: those of dimensions between the two do. Breaks without it:
          in the example, `stride(a, 1)`.

    Source: ASPLOS'25 App. A.5; spec/primitives/mult_dim.md
    """
    return _apply('mult_dim', proc, alloc_cursor, hi_dim_idx, lo_dim_idx)


def unroll_buffer(proc: Procedure, alloc_cursor: At, dimension: int) -> Procedure:
    """Makes a buffer out of each place of a dimension of constant extent.

    a: T[2, m]              a_0: T[m]                # dimension = 0
                    ~>      a_1: T[m]
    s[a[1, j]]              s[a_1[j]]

    Parameters:
      proc: the procedure
      alloc_cursor: an allocation: a cursor, a pattern, or the name of the buffer
      dimension: a dimension of the buffer, counted from 0

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      constant: the extent of the dimension is a number
          (form) The extent is a number.
      constant_index: every index in the dimension is a number
          (form) Every index in the dimension is a number, once sums are simplified. Breaks without it:
          `for i in seq(0, 2): a[i] = 0.0`.
      windows: every use of the buffer can be expressed in its new shape
          (form) No window keeps the dimension, and nothing asks for its stride. Breaks without it:
          `f(a)`, `w = a[0:2]`.
      strides: no stride that the program asks for changes
          No stride that can be told changes: those of the dimensions before it do. Breaks without it:
          `a: f32[3, 2]` along dimension 1, with `f(a[0:3, 0])` for `def f(x: [f32][3]): assert
          stride(x, 0) == 2`.

    Source: ASPLOS'25 App. A.5; spec/primitives/unroll_buffer.md
    """
    return _apply('unroll_buffer', proc, alloc_cursor, dimension)


def lift_alloc(proc: Procedure, alloc_cursor: At, n_lifts: int = 1) -> Procedure:
    """Moves an allocation to before the loops or guards around it.

    for i in seq(0, n):             a: T[sz]
        a: T[sz]             ~>     for i in seq(0, n):
        s                               s

    Parameters:
      proc: the procedure
      alloc_cursor: an allocation: a cursor, a pattern, or the name of the buffer
      n_lifts: an integer

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      extents: the extents have the same value at the new place
          The extents do not mention the loops' variables, and have the value that they have inside:
          `for i: a: f32[Cfg.n]; a[Cfg.n - 1] = 0.0; Cfg.n = Cfg.n + 1`.
      nonnegative: the extents are not negative at the new place
          The extents are not negative outside, where the guard may not hold or the loop may not run:
          `if n > 4: a: f32[n - 4]`.
      readable: what is evaluated anew is set, and no other thread writes it
          The fields in the extents are set outside, and no thread writes them there. Breaks without it:
          `a: f32[Cfg.n]` in `for i in par(0, 2): if i == 0: Cfg.n = 4; if k < 0: a: f32[Cfg.n]`.
      parallel: iterations of a parallel loop do not meet in the buffer
          Iterations of a parallel loop, which had a buffer each, do not meet in the one they share:
          `for i in par(0, n): a: f32; a = x[i]; y[i] = a`. After `expand_dim` by the loop they do not.

    Source: ASPLOS'25 App. A.5; spec/primitives/lift_alloc.md
    """
    return _apply('lift_alloc', proc, alloc_cursor, n_lifts)


def sink_alloc(proc: Procedure, alloc_cursor: At) -> Procedure:
    """Moves an allocation into the loop or guard after it that uses the buffer.

    a: T[sz]
    t                               t
    for i in seq(0, n):     ~>      for i in seq(0, n):
        s                               a: T[sz]
                                        s

    Parameters:
      proc: the procedure
      alloc_cursor: an allocation: a cursor, a pattern, or the name of the buffer

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      only_inside: nothing but the body of the loop or guard uses the buffer
          (form) Nothing else uses the buffer, not even `stride(a, 0)` in the guard.
      no_carry: no iteration needs what an earlier one has left in the buffer
          For `i' < i`, in whatever states they run: no cell that iteration `i'` changes is read or
          added to by iteration `i` before it writes the cell itself. Iterations of a parallel loop do
          not meet anyway, but where a race is open: `c: f32`, then `for i in par(0, 8): if i == 0: c =
          a[i] else: b[i] = c`. Values can be carried by guards, sums, windows and fields:
              for i in seq(0, n):
                  if Cfg.on:           # only in the first iteration
                      a = x[i]
                  Cfg.on = False
                  x[i] = a
      extents: the extents have the value that they had, in every iteration
          They have there, in every iteration, the value that they had: `Cfg.n = 1` after `a:
          f32[Cfg.n]`, in between or in the body. Breaks without it: `a: f32[Cfg.n]; for i: a[3] = 0.0;
          Cfg.n = 1` with `Cfg.n = 4` before.
      readable: what is evaluated anew is set, and no other thread writes it
          Their fields are still set there, and no parallel loop that the allocation comes into writes
          one. Breaks without it: `a: f32[Cfg.n]` before `for i in par(0, 2): if i == 0: Cfg.n = 4`,
          whether `Cfg.n` was 4 or not.

    Source: ASPLOS'25 App. A.5; spec/primitives/sink_alloc.md
    """
    return _apply('sink_alloc', proc, alloc_cursor)


def reuse_buffer(proc: Procedure, buf_cursor: At, replace_cursor: At) -> Procedure:
    """Uses a buffer that is no longer needed instead of a new one.

    a: T[sz]                a: T[sz]
    …                       …
    b: T[sz]        ~>      s[b ↦ a]
    s

    Parameters:
      proc: the procedure
      buf_cursor: an allocation: a cursor, a pattern, or the name of the buffer
      replace_cursor: an allocation: a cursor, a pattern, or the name of the buffer

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      in_scope: the buffer to reuse is in scope where the other one is allocated
          (form) `a` is in scope at the allocation of `b`.
      same_type: the buffers have the same element type, number of dimensions and memory
          The same element type, number of dimensions and memory: a value that goes through an `i8` on
          its way is another one. Breaks without it: `a: i8; b: f32`.
      same_shape: the buffers have the same extents
          The extents have equal values, by an assertion if need be; the same text may have two values:
          `a: f32[Cfg.n]; Cfg.n = 4; b: f32[Cfg.n]`. Breaks without it: `a: f32[n]; b: f32[n + 1]`.
      dead: nothing needs the values of the buffer to reuse after the other one
          After the scope of `b` no cell of `a` is read or added to before it is written, in this
          iteration or a later one, by whatever name: `if n > 1: (b: f32; b = 2.0); x = a`. Breaks
          without it: `a = 1.0; for i: b: f32; b = 2.0; y = b` with `y = a` afterwards, or before `b` in
          the loop.
      apart: no cell of the buffer to reuse is needed once the other one's is changed
          In the scope of `b`, nothing changes `a`, by whatever name, `b = 1.0; a = 2.0; x = b`; no cell
          of `a` is read once the cell of `b` at the same indices has been changed; and no callee gets
          both. So `b` may be computed from `a` cell by cell, in place, but not in another order:
              for i in seq(0, 8):
                  b[i] = a[i] + 1.0        # as a[i] = a[i] + 1.0
              for i in seq(0, 8):
                  b[i] = a[7 - i]          # not as a[i] = a[7 - i]
      parallel: iterations of parallel loops do not come to share a cell
          No parallel loop lies between the two allocations: its iterations had a `b` each. Those in the
          scope of `b` are still free of races: `for i in par(1, n): b[i - 1] = a[i]`. Breaks without
          it: `a: f32; for i in par(0, n): b: f32; b = x[i]; y[i] = b`.

    Source: ASPLOS'25 App. A.5; spec/primitives/reuse_buffer.md
    """
    return _apply('reuse_buffer', proc, buf_cursor, replace_cursor)


def resize_dim(
    proc: Procedure,
    buf_cursor: At,
    dim_idx: int,
    size: Text,
    offset: Text,
    fold: bool = False,
) -> Procedure:
    """Gives a dimension of a buffer another extent, where fewer or folded cells are enough.

    a: T[_, …]              a: T[size, …]
    s[a[i, …]]      ~>      s[a[i - off, …]]                 # fold = False
    s[a[i, …]]      ~>      s[a[(i - off) % size, …]]        # fold = True

    Parameters:
      proc: the procedure
      buf_cursor: an allocation: a cursor, a pattern, or the name of the buffer
      dim_idx: a dimension of the buffer, counted from 0
      size: an integer expression in the names that are in scope, as text or a number
      offset: an integer expression in the names that are in scope, as text or a number
      fold: a truth value

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      positive: the new extent is at least 1
          The new extent is at least 1. Breaks without it: `resize_dim(p, "a", 0, "n - 3", "0")` with `n
          = 2`.
      in_bounds: every index is within the new extent
          (not fold) Every index, and every interval of a window, is within the new extent where it
          stands. Breaks without it: `a[3]` in a buffer of 3.
      stable: the offset is the same at every use of the buffer
          The offset has the same value at every use: `a[4] = 1.0; Cfg.k = 1; x = a[4]` with `off =
          Cfg.k`. Breaks without it: `off = Cfg.k` and `a[4] = 1.0; Cfg.k = 1; y = a[4]`.
      order: after a cell has been changed, none is touched that lies a whole turn or more below it; or
        none that lies so far above
          (fold) As in conditions, conditions.buffer-order: after a cell has been changed, none is
          touched that is `size` or more below it, the other indices being equal; or none that is `size`
          or more above it, where accesses go downwards. App. A.5 says "never more than SZ earlier than
          the largest access so far", which also forbids harmless pairs of reads. What is accessed
          through windows and by callees counts:
              w = a[0, 0:2]
              for i in seq(0, 4):          # folded to 2
                  a[i, 1] = x[i]
                  x[i] = w[1]
      parallel: no parallel loop touches a buffer that is folded
          (fold) No parallel loop in the scope of the buffer touches it: there is no order. Breaks
          without it: `for i in par(0, 4): a[i] = 0.0` folded to 2.
      readable: what is evaluated anew is set, and no other thread writes it
          The fields of `size` and `off` are set, and no thread writes them. Breaks without it: `off =
          Cfg.k` in `for i in par(0, 2): if i == 0: Cfg.k = 0; y[i] = a[i]`.
      windows: every use of the buffer can be expressed in its new shape
          (form) No window keeps a folded dimension, and where the buffer is passed as a whole the
          callee takes a window. Breaks without it: `w = a[0:2]` folded to 1.
      strides: no stride that the program asks for changes
          No stride that can be told changes: those of the dimensions before `dim_idx` do. Breaks
          without it: the last of two dimensions is resized, with `f(a[0:3, 0])` for `def f(x:
          [f32][3]): assert stride(x, 0) == 4`.

    Source: ASPLOS'25 App. A.5; spec/primitives/resize_dim.md
    """
    return _apply('resize_dim', proc, buf_cursor, dim_idx, size, offset, fold)


def inline_window(proc: Procedure, winstmt_cursor: At) -> Procedure:
    """Uses the buffer itself instead of a window of it.

    w = a[lo:hi, j]
    s[w[i]]         ~>      s[a[lo + i, j]]

    Parameters:
      proc: the procedure
      winstmt_cursor: a window statement: a cursor, a pattern, or the name of the window

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      stable: the coordinates of the window are the same at every use of it
          The coordinates have at every use the values they had where the window was made (E-7): `w =
          x[Cfg.k:4]; Cfg.k = 0; w[0] = 1.0`. Breaks without it: `w = x[Cfg.i:Cfg.i + 2]; Cfg.i = 0;
          w[0] = 1.0`.
      readable: what is evaluated anew is set, and no other thread writes it
          No parallel loop around a use writes a field of the coordinates. Breaks without it: `w =
          x[Cfg.k:4]` before `for i in par(0, 2): if i == 0: Cfg.k = 0; y[i] = w[i]`, whether `Cfg.k`
          was 0 or not.

    Source: ASPLOS'25 App. A.6; spec/primitives/inline_window.md
    """
    return _apply('inline_window', proc, winstmt_cursor)


def bind_expr(
    proc: Procedure,
    expr_cursors: Union[At, Sequence[At]],
    new_name: str,
    cse: bool = False,
) -> Procedure:
    """Computes an expression into a new scalar first.

                    t: T
    s       ~>      t = e
                    s[e ↦ t]

    Parameters:
      proc: the procedure
      expr_cursors: one expression, or several equal ones: cursors or patterns
      new_name: a name that will be bound
      cse: a truth value

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      bounds: the cells that the expression reads exist where it is computed
          Where the first of the statements may not evaluate `e`, the cells that it reads exist there,
          and the fields in its indices are set: `if n > 4: y[0] = x[4]`, bound before the guard
          together with another occurrence. Breaks without it: `if n > 4: y[0] = x[4]; y[1] = x[4]`
          bound before the `if`.
      parallel: the expression is not read where another thread changes what it reads
          And a parallel loop around the place is still free of races: another iteration may write the
          cell, or a field, which was not read. Breaks without it: `for i in par(0, 2): if i == 0: x[0]
          = 1.0; if k < 0: y[0] = x[0]; y[1] = x[0]`.
      unchanged: what the expression reads is not changed before its last occurrence
          What `e` reads, fields in its indices included, is not changed before its last occurrence, by
          whatever name. What the last statement writes itself comes after it has read: `y = x; x = x +
          1.0`. Breaks without it: `y = x; x = 2.0; z = x` with both occurrences.
      by_value: no callee changes an occurrence that is passed to it
          An occurrence that is passed by reference is not changed by the callee: `f(x[0])` for `def
          f(a: f32): a = 1.0`.
      precision: a buffer of the precision of the expression holds what is used of its value
          As in buffers: `y: i32 = a * b` with `a, b: i8` is refused, `y: i8 = a * b` is not. Breaks
          without it: `y = a * b` with `y: i32` and `a, b: i8`, of which C computes the product as
          `int`.

    Source: ASPLOS'25 App. A.5; spec/primitives/bind_expr.md
    """
    return _apply('bind_expr', proc, expr_cursors, new_name, cse)


def inline_assign(proc: Procedure, alloc_cursor: At) -> Procedure:
    """Puts the value of an assignment in the place of the reads that follow.

    x[i] = e
    s               ~>      s[x[i] ↦ e]

    Parameters:
      proc: the procedure
      alloc_cursor: an assignment: a cursor, a pattern, or the name of the buffer

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      local: the buffer is allocated by the procedure
          `x` is allocated by the procedure: arguments are seen by the caller, and windows show what
          others see.
      only_reads: all that touches the cell in the rest of the block are reads of the same form
          What is left of `s` touches the cell no more, by whatever name: `x += 2.0`, `f(x)`, a window,
          an index that may be equal. Breaks without it: `x = 1.0; x += 2.0; y = x`; `x = 1.0; f(x)`.
      dead: nothing needs the cell after the block
          Nothing after the block reads or adds to the cell before it is written: `if n > 1: x = 2.0`,
          with `y = x` after it; nor a later iteration.
      unchanged: what the value reads is not changed before the last read of the cell
          What `e` reads is not changed before the last read that is replaced: `x = a; a = 2.0; y = x`;
          nor by a callee that is passed it, which is then passed it once: `x = a; f(a, x)`.
      precision: the value is the same where the cell was read
          The cell holds the value of `e`, which is the same in the statements where it is put, or
          differs in bits that these do not use: as in buffers. `t: i8; t = x + 1.0; y = t` for `y: i8`,
          but not for `y: i32`, and not for `y = t / 2.0`. Breaks without it: `x: f32` and `e` in `f64`.

    Source: ASPLOS'25 App. A.6; spec/primitives/inline_assign.md
    """
    return _apply('inline_assign', proc, alloc_cursor)


def stage_mem(
    proc: Procedure,
    block_cursor: At,
    win_expr: str,
    new_buf_name: str,
    accum: bool = False,
    load: bool = False,
) -> Procedure:
    """Lets statements use a part of a buffer through a new buffer.

                    t: T[hi - lo]
                    for k in seq(0, hi - lo): t[k] = a[lo + k]          # load
    s       ~>      s[a[i] ↦ t[i - lo]]                                 # win_expr = a[lo:hi]
                    for k in seq(0, hi - lo): a[lo + k] = t[k]          # store

    Parameters:
      proc: the procedure
      block_cursor: one statement or several: a cursor or a pattern
      win_expr: `"A[0:4, j]"`, as text
      new_buf_name: a name that will be bound
      accum: a truth value
      load: a truth value

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      nonnegative: the window does not end before it begins
          No kept dimension of the window ends before it begins, as `a[4:n]` does with `n = 2`. It may
          be empty: `a[0:i]` in `for i in seq(0, n)`.
      readable: what is evaluated anew is set, and no other thread writes it
          The fields of the window are set before `s`, and no thread writes them. Breaks without it:
          `a[Cfg.k:4]` around `for i in par(0, 2): if i == 0: Cfg.k = 0; y[i] = a[i]`, whether `Cfg.k`
          was 0 or not.
      inside: every use of the buffer is within the window or apart from it
          Each use of `a` by its name is within the window or has no cell in it; the latter stay as they
          are: `a[0:8]` around `a[i] = a[i + 8]`. Breaks without it: `a[0:4]` around `for i in seq(0,
          5): a[i] = 0.0`.
      apart: nothing else touches the cells of the window
          What else `s` does, after its uses have been replaced, touches no cell of the window; or does
          not change one, when `s` only reads the window. This is about the root: windows made before,
          callees, other names. Breaks without it: `w = a[0:4]` before, and `w[0] = 1.0` in `s`.
      windows: a window of what is staged is not used after the statements
          A window that `s` makes of what is staged is not used after `s`, nor is a window of it.
      stable: the coordinates of the window do not change
          The coordinates have the same values at each use, and at the store, as before `s`: `a[Cfg.k] =
          1.0; Cfg.k = 0`. Breaks without it: `a[Cfg.k:Cfg.k + 2]` around `a[Cfg.k] = 1.0; Cfg.k = 0`.
      strides: no stride that the program asks for changes
          Strides that can be told through the uses that are replaced are those of `t`. Breaks without
          it: `a[0:4, 0]` around `f(a[0:4, 0])` for `def f(x: [f32][4]): assert stride(x, 0) == 8`.
      bounds: the window is within the buffer, or its extents can be asked for
          Where cells are asked for, the extent of `a` is still what its type says: not after `a:
          f32[Cfg.n]; Cfg.n = 1`. Breaks without it: `a: f32[Cfg.n]` and `Cfg.n = 100` before `s`.
      parallel: iterations of a parallel loop do not meet in the window
          Parallel loops around `s` are still free of races: `a[0:n]` around the body of `for i in
          par(0, n): a[i] = 0.0` would be stored by every iteration.
      accumulates: the statements only add to the window
          (accum) `s` does nothing to the window but add to it. Breaks without it: `a[0] = 1.0`.

    Source: ASPLOS'25 App. A.5; spec/primitives/stage_mem.md
    """
    return _apply('stage_mem', proc, block_cursor, win_expr, new_buf_name, accum, load)


def autolift_alloc(
    proc: Procedure,
    alloc_cursor: At,
    n_lifts: int = 1,
    mode: Literal['row', 'col'] = 'row',
    size: Optional[int] = None,
    keep_dims: bool = False,
) -> Procedure:
    """Moves an allocation out of loops, with a dimension for each when asked to.

    for i in seq(0, n):              a: T[n + 1, sz]         # keep_dims = True, mode = "row"
        a: T[sz]             ~>      for i in seq(0, n):
        s[a[j]]                          s[a[i, j]]

    Parameters:
      proc: the procedure
      alloc_cursor: an allocation: a cursor, a pattern, or the name of the buffer
      n_lifts: an integer
      mode: one of `'row'`, `'col'`
      size: an integer
      keep_dims: a truth value

    Source: Exo; spec/primitives/autolift_alloc.md
    """
    return _apply('autolift_alloc', proc, alloc_cursor, n_lifts, mode, size, keep_dims)


def inline(proc: Procedure, call_cursor: At) -> Procedure:
    """Puts the body of a procedure in place of a call.

    inline(p, call_cursor)
    f(e, A[lo:hi, j])    ~>    x = A[lo:hi, j]
                               s[k ↦ e]

    Parameters:
      proc: the procedure
      call_cursor: a call: a cursor, a pattern, or the name of the procedure that is called

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      stable: no control argument reads a field that the callee changes
          No control argument that the body uses reads a field that the body changes: it would be
          evaluated again, afterwards. Breaks without it: `f(Cfg.k, y)` for `def f(k: index, x: f32[4]):
          Cfg.k = 0; x[k] = 1.0`.
      precision: no buffer of integers is passed for one of `R`, or conversely
          (form) No buffer of integers is passed for one of `R`, or conversely. (Floats of another
          precision than `f32`, in which `R` is computed, are rounded otherwise, which is recorded.)
          Breaks without it: see replace.

    Source: ASPLOS'25 App. A.4; spec/primitives/inline.md
    """
    return _apply('inline', proc, call_cursor)


def replace(proc: Procedure, block_cursor: At, subproc: Procedure, quiet: bool = False) -> Procedure:
    """Puts a call in place of statements that are the body of a procedure or instruction.

    replace(p, block_cursor, subproc, quiet=False)
    s    ~>    f(e, A[lo:hi, j])

    Parameters:
      proc: the procedure
      block_cursor: one statement or several: a cursor or a pattern
      subproc: a procedure
      quiet: a truth value

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      match: the statements are the body of the procedure for some arguments
          (form) The body of `f`, with the arguments put in, is congruent to `s`.
      commute: statements that stand in another order commute
          Statements that stand in another order in `f` commute, swap by swap. Breaks without it: `y =
          x; x = 1.0` by `def f(x: f32, y: f32): x = 1.0; y = x`.
      stable: no argument reads a field that the procedure changes
          No argument reads a field that `f` changes: `s` reads it each time, the call once. Breaks
          without it: `Cfg.k = 0; x[Cfg.k] = 1.0` by `def f(k: index, x: f32[4]): Cfg.k = 0; x[k] =
          1.0`.
      readable: what is evaluated anew is set, and no other thread writes it
          The fields that the arguments read are set at the place, and no other thread writes them: `s`
          may read them only in a loop that does not run. Breaks without it: `for i in seq(0, n): if i <
          Cfg.k: …` by `def f(n: size, k: size, …)` where `n` may be no number.
      sizes: the sizes that are passed are at least 1
          , `windows`, `asserts` What `f` asks of its callers holds at the place,. Here a window must be
          all there, though `s` may touch only a part of it. Without `sizes`: `for i in seq(0, n - 1):
          …` for `n = 1`. Without `windows`: `for i in seq(0, n): x[i] = 0.0` for `x: f32[n]` by `def
          f(n: size, x: [f32][8])`. Without `asserts`: `def f(x: [f32][8]): assert stride(x, 0) == 1`
          for a column.
      windows: the parts of buffers that are passed exist
      asserts: the assertions of the procedure hold
      bounds: the procedure accesses only what it is given
          Nothing goes wrong in the body that does not in `s`: `f` is accepted by the front end, or at
          least the body is where it is called. `s` may go past what is passed as a window, within the
          buffer. Breaks without it: `def f(x: [f32][4]): x[4] = 1.0`, of which no front end would have
          approved.
      precision: no buffer of integers is passed for one of `R`, or conversely
          (form) No buffer of integers is passed for one of `R`, or conversely. (Floats of another
          precision than `f32`, in which `R` is computed, are rounded otherwise, which is recorded.) The
          step by itself is the same over the reals, but others would follow that are right over the
          reals alone: `x = a; x += b` of a byte becomes a call of `f` over `R`, `f` becomes `x = a + b`
          there, `call_eqv` and `inline` bring it back, and 2.5 and 2.5 give 5, not 4.
      aliasing: what the procedure changes is passed to it once
          (form) What `f` changes is passed to it once.
      same: a field that the procedure sets first holds the value already, where it may be read
        afterwards
          , `unread`, `parallel` Where `f` begins with writes that `s` lacks: what is asked of each of
          them, before `s`, by write_config.
      unread: neither the statements nor what follows them read a field that the procedure sets first,
        before it is overwritten
      parallel: no other thread touches a field that only the procedure sets

    Source: ASPLOS'25 App. A.4; spec/primitives/replace.md
    """
    return _apply('replace', proc, block_cursor, subproc, quiet)


def replace_all(proc: Procedure, subprocs: Union[Procedure, Sequence[Procedure]]) -> Procedure:
    """Puts calls in place of all statements that are the body of one of some procedures.

    replace_all(p, subprocs)

    Parameters:
      proc: the procedure
      subprocs: one procedure or several

    Source: Exo; spec/primitives/replace_all.md
    """
    return _apply('replace_all', proc, subprocs)


def call_eqv(proc: Procedure, call_cursor: At, eqv_proc: Procedure) -> Procedure:
    """Calls another version of a procedure; equivalent modulo the fields that the versions are.

    call_eqv(p, call_cursor, eqv_proc)
    f(e, …)    ~>    g(e, …)

    Parameters:
      proc: the procedure
      call_cursor: a call: a cursor, a pattern, or the name of the procedure that is called
      eqv_proc: another version of the procedure that is called

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      equivalent: the new callee is a version that stands for the one that is called
          `g` stands for `f`.
      same: a field holds the same after either, where it may be read afterwards
          Of the fields modulo which they are equivalent, those that certainly hold the same value after
          either may be read. Breaks without it: `g` is `f` after `write_config`, and the caller reads
          the field.
      unread: no field in which they differ is read afterwards before it is overwritten
          None of the others is read afterwards before it is overwritten, nor by `g` or a version
          between the two when a loop calls it again. Breaks without it: `g` is `f` after `bind_config`,
          and the caller reads the field.
      asserts: what the new callee asserts holds at the call
          The preconditions of `g`, and of the versions between the two, hold at the call. Breaks
          without it: `g` is `f` after `add_assertion`.
      bounds: nothing goes wrong in the new callee that does not in the old one
          Where steps are taken back, nothing goes wrong in `g` at this call: the version that is called
          may have been good for more. Breaks without it: `f` is `g` after `inline` of `h(x)`, which
          asserts `stride(x, 0) == 1`, and is called for a column: `f` asks for nothing.
      parallel: no other thread touches what only the new callee does
          Parallel loops around the call stay free of races: `g` may write a field that `f` does not.
          Breaks without it: `g` is `f` after `write_config`, in `for i in par(0, n): f(x[i])`.
      aliasing: what the new callee changes is passed to it once
          (form) What `g` changes is passed to it once.

    Source: ASPLOS'25 App. A.4; spec/primitives/call_eqv.md
    """
    return _apply('call_eqv', proc, call_cursor, eqv_proc)


def extract_subproc(
    proc: Procedure,
    block: At,
    subproc_name: str,
    include_asserts: bool = True,
) -> Tuple[Procedure, Procedure]:
    """Makes a procedure of statements, and calls it in their place.

    p, q = extract_subproc(p, block, subproc_name, include_asserts=True)
    s    ~>    name(n, x)        def name(n: size, x: f32[n]): s

    Parameters:
      proc: the procedure
      block: one statement or several: a cursor or a pattern
      subproc_name: a name that will be bound
      include_asserts: a truth value

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      scope: nothing that the statements define is used afterwards
          (form) Nothing that `s` defines is used afterwards.
      asserts: the preconditions of the new procedure hold where it is called
          (form) The preconditions hold at the call.
      aliasing: what the new procedure changes is passed to it once
          (form) What `s` changes goes by one name in it.

    Source: ASPLOS'25 App. A.4; spec/primitives/extract_subproc.md
    """
    made, extracted = _made('extract_subproc', proc, (block, subproc_name, include_asserts, ), {})
    return Procedure(made), Procedure(extracted)


def make_instr(proc: Procedure, c_instr: str, c_global: str = '') -> Procedure:
    """Gives a procedure the C text that its calls become.

    make_instr(p, c_instr, c_global="")

    Parameters:
      proc: the procedure
      c_instr: the C text of an instruction
      c_global: the C text of an instruction

    Source: Exo; spec/primitives/make_instr.md
    """
    return _apply('make_instr', proc, c_instr, c_global)


def insert_noop_call(proc: Procedure, gap_cursor: At, instr: Procedure, args: Sequence[Text]) -> Procedure:
    """Calls a procedure that does nothing that is needed.

    insert_noop_call(p, gap_cursor, instr, args)
    s1; s2    ~>    s1; f(e, …); s2

    Parameters:
      proc: the procedure
      gap_cursor: a place between statements: `cursor.before()`, `cursor.after()`
      instr: a procedure
      args: the arguments of the call, each as text

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      noop: the procedure reads and writes no field, and nothing needs the cells that it changes
          `f` and what it calls read and write no field, and nothing that follows needs the cells that
          `f` changes: none is read or added to before it is overwritten, and each is overwritten or
          ceases to exist. Breaks without it: `def f(x: f32): x = 0.0` before `y = x`.
      sizes: the sizes that are passed are at least 1
          The sizes that are passed are at least 1. Breaks without it: `f(n - 1)` for `n = 1`.
      windows: the parts of buffers that are passed exist
          What is passed exists, and has the extents that `f` declares. Breaks without it: `f(x[n:n +
          1])`.
      asserts: the assertions of the procedure hold
          The assertions of `f` hold at the gap. Breaks without it: `assert n % 8 == 0`.
      bounds: the procedure accesses only what it is given
          `f` accesses no more than it is given. Breaks without it: `def f(x: [f32][4]): x[4] = 1.0`.
      aliasing: what the procedure changes is passed to it once
          (form) What `f` changes is passed to it once.
      readable: what is evaluated anew is set, and no other thread writes it
          The fields that the arguments read are set there, and no other thread writes them. Breaks
          without it: `f(Cfg.n)` where another thread writes `Cfg.n`.
      threads: no other iteration of a parallel loop touches what the procedure changes or changes what
        it reads
          In a parallel loop around the gap, no buffer that is there outside of the loop is touched by
          `f` and changed by it or by the loop. Breaks without it: `t = 0.0` in each iteration.

    Source: Exo; spec/primitives/insert_noop_call.md
    """
    return _apply('insert_noop_call', proc, gap_cursor, instr, args)


def set_memory(proc: Procedure, cursor: At, memory_type: Union[Memory, str]) -> Procedure:
    """Puts a buffer into another memory.

    set_memory(p, cursor, memory_type)
    a: T @ M    ~>    a: T @ MEM

    Parameters:
      proc: the procedure
      cursor: an allocation or a data argument: a cursor, a pattern, or the name of the buffer
      memory_type: a memory

    Source: ASPLOS'25 App. A.7; spec/primitives/set_memory.md
    """
    return _apply('set_memory', proc, cursor, memory_type)


def set_precision(proc: Procedure, cursor: At, typ: Union[ExoType, str]) -> Procedure:
    """Gives a buffer another precision; equal over the reals.

    set_precision(p, cursor, typ)
    a: T[n]    ~>    a: U[n]

    Parameters:
      proc: the procedure
      cursor: an allocation or a data argument: a cursor, a pattern, or the name of the buffer
      typ: a type of data: `"f32"`

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      floating: both types stand for real numbers, up to rounding, or the first is `R`
          `T` and `U` are among `R`, `f16`, `bf16`, `f32` and `f64`, or equal; or `T` is `R`. `R` is no
          type of the machine, so that the schedule says which one its numbers have there, also `i8` or
          `i32`: what is written is then cut off and wraps, which over the real numbers is nothing
          (`rounded`). A type that the program names is another matter: `t: f32; t = 0.5` with `t: i8`,
          or `t: i8; t = t + t` with `t: i32`. Breaks without it: `t: f32; t = 0.5; y = t` with `t: i8`.

    Source: ASPLOS'25 App. A.7; spec/primitives/set_precision.md
    """
    return _apply('set_precision', proc, cursor, typ)


def parallelize_loop(proc: Procedure, loop_cursor: At) -> Procedure:
    """Lets the iterations of a loop run at once.

    parallelize_loop(p, loop_cursor)
    for i in seq(lo, hi): s    ~>    for i in par(lo, hi): s

    Parameters:
      proc: the procedure
      loop_cursor: a loop: a cursor, a pattern, or the name of its variable

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      races: no two iterations touch a place that one of them changes
          No two iterations touch a cell or field that one of them changes. A reduction is a change.
          Breaks without it: `for i in seq(0, n): s += x[i]`.

    Source: ASPLOS'25 App. A.7; spec/primitives/parallelize_loop.md
    """
    return _apply('parallelize_loop', proc, loop_cursor)


def set_window(proc: Procedure, cursor: At, is_window: bool = True) -> Procedure:
    """Makes a data argument a window, or a dense tensor.

    set_window(p, cursor, is_window=True)
    def p(a: T[n])    ~>    def p(a: [T][n])

    Parameters:
      proc: the procedure
      cursor: a data argument: a cursor or its name
      is_window: a truth value

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      asserts: what callees assert holds for windows too
          (form) What callees assert holds for windows too: a tensor's strides are known, a window's may
          be any.

    Source: ASPLOS'25 App. A.7; spec/primitives/set_window.md
    """
    return _apply('set_window', proc, cursor, is_window)


def bind_config(proc: Procedure, var_cursor: At, config: Config, field: str) -> Procedure:
    """Writes a value to a configuration field first, and reads it there; equivalent modulo the field.

    bind_config(p, var_cursor, config, field)
    s[e]    ~>    Cfg.f = e
                  s[Cfg.f]

    Parameters:
      proc: the procedure
      var_cursor: an expression: a cursor or a pattern
      config: a configuration class
      field: a field of the configuration class

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      same: the field holds the value already, where it may be read afterwards
          The field holds what is written, as for `write_config`. It decides which of the two is
          claimed; where it does not hold, `unread` must. Breaks without it: `x[0] = x[1]` with `y[0] =
          Cfg.f` after it.
      unread: nothing but the expression reads the field before it is overwritten
          Neither `s` nor anything afterwards reads `Cfg.f` before it is overwritten. Breaks without it:
          `if Cfg.f == 0: x[0] = 1.0` after the statement.
      positive: the value for a size is at least 1
          What is written to a size is set and at least 1. Breaks without it: `for i in seq(0, n - 1):
          s`.
      parallel: no other thread touches the field
          Parallel loops around the place stay free of races. Breaks without it: in `for i in par(0, n):
          x[i] = a`.
      precision: a field of this type holds the value unchanged
          A field of this type holds the value unchanged. Breaks without it: `y = x` with `x, y: i32`
          and a field of type `i8`.

    Source: ASPLOS'25 App. A.8; spec/primitives/bind_config.md
    """
    return _apply('bind_config', proc, var_cursor, config, field)


def delete_config(proc: Procedure, stmt_cursor: At) -> Procedure:
    """Removes a write to a configuration field, or a call that writes fields alone; equivalent modulo them.

    delete_config(p, stmt_cursor)
    s1; Cfg.f = e; s2    ~>    s1; s2
    s1; set(e); s2       ~>    s1; s2

    Parameters:
      proc: the procedure
      stmt_cursor: a write to a configuration field, or a call: a cursor or a pattern

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      fields: a call that is removed changes fields alone
          A call changes no buffer. Breaks without it: `clear(x)`.
      same: the field holds the value already, where it may be read afterwards
          The field is certainly set and holds the value that is written, by whatever is known: after
          `Cfg.f = 3`, or under `if Cfg.f == n`. It decides which of the two is claimed; where it does
          not hold, `unread` must. `Cfg.f = Cfg.g - Cfg.g; Cfg.f = 0` is not of that kind, since `Cfg.g`
          may never have been set. Of data the same expression must have been written before, in a block
          around the place, itself or by a call that leaves it there, and nothing that may have been run
          since, all of a loop around it among that, may change the field or what the expression reads.
          Breaks without it: `Cfg.f = 1; Cfg.f = 2; if Cfg.f == 2: x[0] = 1.0`.
      unread: nothing afterwards reads the field before it is overwritten
          Nothing afterwards reads `Cfg.f` before it is overwritten. Breaks without it: `Cfg.f = 1; if
          Cfg.f == 1: x[0] = 1.0`.

    Source: ASPLOS'25 App. A.8; spec/primitives/delete_config.md
    """
    return _apply('delete_config', proc, stmt_cursor)


def write_config(proc: Procedure, gap_cursor: At, config: Config, field: str, rhs: Text) -> Procedure:
    """Writes a value to a configuration field; equivalent modulo the field.

    write_config(p, gap_cursor, config, field, rhs)
    s1; s2    ~>    s1; Cfg.f = e; s2

    Parameters:
      proc: the procedure
      gap_cursor: a place between statements: `cursor.before()`, `cursor.after()`
      config: a configuration class
      field: a field of the configuration class
      rhs: an expression, as text or a number

    Refuses with a SchedulingError, whose `condition` says which of these does not hold:
      same: the field holds the value already, where it may be read afterwards
          The field is certainly set, as is what `e` reads, and holds the value that is written. It
          decides which of the two is claimed; where it does not hold, `unread` must. Of data, as for
          `delete_config`. Breaks without it: `Cfg.f = 1` before `if Cfg.f == 2: x[0] = 1.0`.
      unread: nothing afterwards reads the field before it is overwritten
          Nothing afterwards reads `Cfg.f` before it is overwritten; in a loop, `e` does not read it
          either. Breaks without it: before `if Cfg.f == 0: x[0] = 1.0`.
      positive: the value for a size is at least 1
          What is written to a size is set and at least 1. Breaks without it: `Cfg.n = n - 1`.
      bounds: the cells that the value reads exist
          The cells that `e` reads exist, and the fields in their indices are set. Breaks without it:
          `Cfg.scale = x[n]`.
      parallel: no other thread writes what the value reads, or touches the field
          Parallel loops around the place stay free of races. Breaks without it: in `for i in par(0, n):
          x[i] = 0.0`.

    Source: ASPLOS'25 App. A.8; spec/primitives/write_config.md
    """
    return _apply('write_config', proc, gap_cursor, config, field, rhs)


__all__ = [
    "add_assertion",
    "add_loop",
    "autofission",
    "autolift_alloc",
    "bind_config",
    "bind_expr",
    "call_eqv",
    "commute_expr",
    "cut_loop",
    "delete_buffer",
    "delete_config",
    "delete_pass",
    "divide_dim",
    "divide_loop",
    "divide_with_recompute",
    "eliminate_dead_code",
    "expand_dim",
    "extract_subproc",
    "fission",
    "fold_into_reduce",
    "fuse",
    "inline",
    "inline_assign",
    "inline_window",
    "insert_noop_call",
    "insert_pass",
    "join_loops",
    "left_reassociate_expr",
    "lift_alloc",
    "lift_reduce_constant",
    "lift_scope",
    "make_instr",
    "merge_writes",
    "mult_dim",
    "mult_loops",
    "parallelize_loop",
    "partial_eval",
    "rearrange_dim",
    "remove_loop",
    "rename",
    "reorder_loops",
    "reorder_stmts",
    "replace",
    "replace_all",
    "resize_dim",
    "reuse_buffer",
    "reverse_loop",
    "rewrite_expr",
    "set_memory",
    "set_precision",
    "set_window",
    "shift_loop",
    "simplify",
    "sink_alloc",
    "specialize",
    "split_write",
    "stage_mem",
    "unroll_buffer",
    "unroll_loop",
    "write_config",
]
