# case: Two buffers that have nothing to do with each other.
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
        y[i] = 2.0
p = fission(p, "x[_] = _")

# case: The second part reads what the first wrote in the same iteration.
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
        y[i] = x[i]
p = fission(p, "x[_] = _")

# case: The second part reads what the first wrote in an earlier iteration.
# expect: accept
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    for i in seq(0, n):
        x[i + 1] = 1.0
        y[i] = x[i]
p = fission(p, "x[_] = _")

# case: Both parts add to one cell.
# expect: accept
@proc
def p(n: size, x: f32[n], acc: f32):
    for i in seq(0, n):
        acc += x[i]
        acc += 1.0
p = fission(p, "acc += x[_]")

# case: A single iteration crosses nothing, whatever it does.
# exo-refuses
# expect: accept
@proc
def p(x: f32, y: f32[4]):
    for i in seq(0, 1):
        x = y[i]
        y[i] = x + 1.0
        x = y[0]
p = fission(p, "y[_] = _")

# case: Out of two loops at once.
# expect: accept
@proc
def p(n: size, x: f32[n, n], y: f32[n, n]):
    for i in seq(0, n):
        for j in seq(0, n):
            x[i, j] = 1.0
            y[i, j] = x[i, j]
p = fission(p, "x[_] = _", n_lifts=2)

# case: Out of a guard.
# expect: accept
@proc
def p(n: size, x: f32[n]):
    if n > 2:
        x[0] = 1.0
        x[0] = 2.0
p = fission(p, "x[_] = 1.0")

# case: Out of a guard in a loop, and then out of the loop.
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        if i % 2 == 0:
            x[i] = 1.0
            y[i] = x[i]
p = fission(p, "x[_] = _", n_lifts=2)

# case: A guard keeps the iterations apart that would meet.
# exo-refuses
# expect: accept
@proc
def p(n: size, x: f32[n + 4], y: f32[n]):
    for i in seq(0, n):
        if i < 2:
            x[i] = 1.0
        if i >= 2:
            x[i - 2] = y[i]
p = fission(p, "if _: _")

# case: A buffer of the second part is no concern of the first.
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
        t: f32
        t = x[i]
        y[i] = t
p = fission(p, "x[_] = _")

# case: A buffer of the first part that the second does not use, and another of the same name that it does.
# family: 10
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        for k in seq(0, 1):
            t: f32
            t = x[i]
            x[i] = t * t
        for k in seq(0, 1):
            t: f32
            t = x[i]
            y[i] = t
p = fission(p, "for k in _: _")

# case: Both new loops of a parallel one are parallel.
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in par(0, n):
        x[i] = 1.0
        y[i] = x[i]
p = fission(p, "x[_] = _")

# case: The first part is the same in every iteration, and the second only reads what it writes.
# expect: accept
@proc
def p(n: size, x: f32, y: f32[n]):
    for i in seq(0, n):
        x = 1.0
        y[i] = x
p = fission(p, "x = _")

# case: The first part sets a mode, always the same, in which the second runs.
# expect: accept
@config
class Cfg:
    on: bool
@proc
def p(n: size, y: f32[n]):
    for i in seq(0, n):
        Cfg.on = True
        if Cfg.on:
            y[i] = 1.0
p = fission(p, "Cfg.on = _")

# case: The first part is the same in every iteration, but reads what the second writes.
# family: 5
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, x: f32, y: f32[n]):
    for i in seq(0, n):
        x = y[0]
        y[i] = x + 1.0
p = fission(p, "x = _")

# case: The first part sets a cell to the same value in every iteration, and the second changes it.
# family: 5
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, x: f32, y: f32[n]):
    for i in seq(0, n):
        x = 1.0
        y[i] = x
        x = 2.0
p = fission(p, "x = 1.0")

# case: The first part sets a mode, and the second another one.
# family: 5
# expect: refuse commute
# breaks: commute
@config
class Cfg:
    on: bool
@proc
def p(n: size, y: f32[n]):
    for i in seq(0, n):
        Cfg.on = True
        if Cfg.on:
            y[i] = 1.0
        Cfg.on = False
p = fission(p, "Cfg.on = True")

# case: Each iteration clears a cell, sums into it and stores it.
# family: 5
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, x: f32[n, 4], y: f32[n], s: f32):
    for i in seq(0, n):
        s = 0.0
        for j in seq(0, 4):
            s += x[i, j]
        y[i] = s
p = fission(p, "s = _")

# case: The first part of an iteration reads what the second part of an earlier one wrote.
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    for i in seq(0, n):
        y[i] = x[i]
        x[i + 1] = y[i] + 1.0
p = fission(p, "y[_] = _")

# case: The second part writes the cell through a window of the whole.
# family: 8
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    w = x[1:n + 1]
    for i in seq(0, n):
        y[i] = x[i]
        w[i] = 0.0
p = fission(p, "y[_] = _")

# case: A callee changes what the first part reads.
# family: 9
# expect: refuse commute
# breaks: commute
@proc
def clear(d: [f32][2]):
    d[1] = 0.0
@proc
def p(n: size, x: f32[n + 1], y: f32[n]):
    for i in seq(0, n):
        y[i] = x[i]
        clear(x[i:i + 2])
p = fission(p, "y[_] = _")

# case: The second part sets the mode that the first part of the next iteration asks for.
# family: 2
# expect: refuse commute
# breaks: commute
@config
class Cfg:
    on: bool
@proc
def p(n: size, x: f32[n]):
    Cfg.on = True
    for i in seq(0, n):
        if Cfg.on:
            x[i] = 1.0
        Cfg.on = False
p = fission(p, "if _: _")

# case: The bound is lowered in the first part.
# family: 4
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    n: index
@proc
def p(x: f32[8]):
    Cfg.n = 8
    for i in seq(0, Cfg.n):
        Cfg.n = 3
        x[i] = 1.0
p = fission(p, "Cfg.n = 3")

# case: The first part changes the condition of the guard.
# family: 2 11
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    on: bool
@proc
def p(x: f32):
    if Cfg.on:
        Cfg.on = False
        x = 1.0
p = fission(p, "Cfg.on = False")

# case: The first part changes the condition and puts it back.
# exo-refuses
# expect: accept
@config
class Cfg:
    on: bool
@proc
def p(x: f32, y: f32):
    if Cfg.on:
        Cfg.on = False
        x = 1.0
        Cfg.on = True
        y = 1.0
p = fission(p, "Cfg.on = True")

# case: A buffer is defined before the gap and used after it.
# expect: refuse scope
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        t: f32
        t = 1.0
        x[i] = t
p = fission(p, "t = _")

# case: A window is defined before the gap and used after it.
# family: 8
# expect: refuse scope
@proc
def p(n: size, x: f32[n, 4]):
    for i in seq(0, n):
        w = x[i, :]
        w[0] = 1.0
p = fission(p, "w = _")

# case: The gap is at the end of the body.
# expect: refuse inside
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
p = fission(p, "x[_] = _")

# case: The gap is in no loop.
# expect: refuse inside
@proc
def p(x: f32):
    x = 1.0
    x = 2.0
p = fission(p, "x = 1.0")

# case: Two loops up there is no loop.
# expect: refuse inside
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
        y[i] = 2.0
p = fission(p, "x[_] = _", n_lifts=2)

# case: Out of the inner loop it may go, but not out of the outer one, too.
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, x: f32[n + 1], y: f32[n, 8]):
    for i in seq(0, n):
        for j in seq(0, 8):
            x[i] = 1.0
            y[i, j] = x[i + 1]
p = fission(p, "x[_] = _", n_lifts=2)

# case: The gap is in the `else` branch.
# expect: accept
@proc
def p(n: size, x: f32, y: f32):
    if n > 2:
        pass
    else:
        x = 1.0
        y = 2.0
p = fission(p, "x = _")

# case: The guard has an `else`.
# expect: accept
@proc
def p(n: size, x: f32, y: f32):
    if n > 2:
        x = 1.0
        y = 2.0
    else:
        y = 3.0
p = fission(p, "x = _")

# case: Nothing is lifted 0 times.
# expect: argument
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
        y[i] = 2.0
p = fission(p, "x[_] = _", n_lifts=0)

# case: Nothing writes `z`.
# expect: invalid
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
        y[i] = 2.0
p = fission(p, "z[_] = _")

# case: Out of a guard with an `else`, and then out of the loop around it.
# expect: accept
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        if i < 3:
            x[i] = 1.0
            y[i] = 2.0
        else:
            y[i] = 3.0
p = fission(p, p.find("x[_] = _").after(), n_lifts=2)

# case: The other branch writes the field of the condition, but nothing runs after it.
# expect: accept
@config
class Cfg:
    k: index
@proc
def p(x: f32, y: f32):
    if Cfg.k > 3:
        x = 1.0
        y = 2.0
    else:
        Cfg.k = 4
p = fission(p, "x = _")

# case: The first branch changes the condition, so that the second part of the other one would run.
# family: 2
# expect: refuse bounds_stable
# breaks: bounds_stable
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
p = fission(p, "x = _")

# case: The first part of the `else` changes the condition.
# family: 2
# expect: refuse bounds_stable
# breaks: bounds_stable
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
p = fission(p, "Cfg.k = _")

# case: The condition would be asked again, of a field that may not be set any more.
# expect: refuse bounds_stable
# breaks: bounds_stable
@config
class Cfg:
    k: index
    j: index
@proc
def p(x: f32, y: f32):
    if Cfg.k == 0:
        Cfg.k = Cfg.j - Cfg.j
        y = 2.0
p = fission(p, "Cfg.k = _")

# case: a data field that each part sets anew
# exo-refuses
# expect: accept
@config
class Cfg:
    s: f32
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        Cfg.s = x[i]
        y[i] = Cfg.s
        Cfg.s = y[i] + 1.0
        x[i] = Cfg.s
p = fission(p, p.find("y[_] = _").after())

# case: a data field that each part sets anew, through callees
# exo-refuses
# expect: accept
@config
class Cfg:
    s: f32
@proc
def set(v: f32):
    Cfg.s = v
@proc
def scale(z: f32):
    z = z * Cfg.s
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        set(x[i])
        scale(y[i])
        set(y[i])
        scale(x[i])
p = fission(p, p.find("scale(_)").after())

# case: a data field that the second part sets only sometimes
# expect: refuse commute
# breaks: commute
@config
class Cfg:
    s: f32
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        Cfg.s = x[i]
        y[i] = Cfg.s
        if i < 1:
            Cfg.s = 2.0
        x[i] = Cfg.s
p = fission(p, p.find("y[_] = _").after())

# case: a data field that the first part reads before it sets it
# expect: refuse commute
# breaks: commute
@config
class Cfg:
    s: f32
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = Cfg.s
        Cfg.s = 1.0
        Cfg.s = x[i]
        x[i] = Cfg.s + 1.0
p = fission(p, p.find("Cfg.s = 1.0").after())

# case: a data field that the second part sets only sometimes, and nothing reads there
# expect: refuse commute
# breaks: commute
@config
class Cfg:
    s: f32
@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        Cfg.s = x[i]
        y[i] = Cfg.s
        if i < 1:
            Cfg.s = 2.0
p = fission(p, p.find("y[_] = _").after())

# case: cells that are loaded at first and stored at last
# expect: accept
@proc
def p(n: size, m: size, A: f32[n, m], C: f32[m]):
    assert m % 4 == 0
    r: f32[m / 4, 4]
    for k in seq(0, n):
        for io in seq(0, m / 4):
            for ii in seq(0, 4):
                r[io, ii] = C[4 * io + ii]
        for io in seq(0, m / 4):
            for ii in seq(0, 4):
                if ii < 3:
                    r[io, ii] += A[k, 4 * io + ii]
                C[4 * io + ii] = r[io, ii]
p = fission(p, p.find_loop("io").after())

# case: cells that are stored at last, after other statements
# expect: accept
@proc
def p(n: size, A: f32[n, 8], C: f32[8]):
    r: f32[8]
    for k in seq(0, n):
        for i in seq(0, 8):
            r[i] = C[i]
        for j in seq(0, 8):
            r[7 - j] += A[k, j]
            C[0] = 1.0
        for i in seq(0, 8):
            C[i] = r[i]
p = fission(p, p.find_loop("i").after())

# case: a store of which the last is enough
# expect: accept
@proc
def p(n: size, A: f32[n], C: f32[8]):
    r: f32
    r = 0.0
    for k in seq(0, n):
        r += A[k]
        for i in seq(0, 8):
            C[i] = r
p = fission(p, p.find("r += _").after())

# case: a load from another cell than that which is stored
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, A: f32[n], C: f32[8]):
    r: f32[8]
    for k in seq(0, n):
        for i in seq(0, 8):
            r[i] = C[7 - i]
        for i in seq(0, 8):
            r[i] += A[k]
            C[i] = r[i]
p = fission(p, p.find_loop("i").after())

# case: copies under a guard
# expect: accept
@proc
def p(n: size, m: size, A: f32[n], C: f32[8]):
    r: f32[8]
    for k in seq(0, n):
        for i in seq(0, 8):
            if i < m:
                r[i] = C[i]
        for i in seq(0, 8):
            if i < m:
                r[i] += A[k]
                C[i] = r[i]
p = fission(p, p.find_loop("i").after())

# case: copies under a guard that are stored under another
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, m: size, A: f32[n], C: f32[8]):
    r: f32[8]
    for i in seq(0, 8):
        r[i] = 0.0
    for k in seq(0, n):
        for i in seq(0, 8):
            if i < m:
                r[i] = C[i]
        for i in seq(0, 8):
            if i < m:
                r[i] += A[k]
                if i < m - 1:
                    C[i] = r[i]
    for i in seq(0, 8):
        C[i] += r[i]
p = fission(p, p.find_loop("i #1").after())

# case: copies under a guard with an else
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, m: size, A: f32[n], C: f32[8]):
    r: f32[8]
    for i in seq(0, 8):
        r[i] = 0.0
    for k in seq(0, n):
        for i in seq(0, 8):
            if i < m:
                r[i] = C[i]
            else:
                r[i] = 1.0
        for i in seq(0, 8):
            r[i] += A[k]
            if i < m:
                C[i] = r[i]
    for i in seq(0, 8):
        C[i] += r[i]
p = fission(p, p.find_loop("i #1").after())

# case: what is assigned under a guard in the last run
# expect: accept
@proc
def p(n: size, m: size, A: f32[n, 8], B: f32[8], C: f32[8]):
    for k in seq(0, n):
        for i in seq(0, 8):
            A[k, i] = 1.0
        for i in seq(0, 8):
            if i < m:
                C[i] = B[i]
            else:
                C[i] = 0.0
p = fission(p, p.find_loop("i").after())

# case: what is assigned under a guard that each run decides anew
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, A: f32[8], B: f32[8]):
    for k in seq(0, n):
        for i in seq(0, 8):
            A[i] = B[i]
        for i in seq(0, 8):
            if i < k:
                B[i] = 2.0
p = fission(p, p.find_loop("i").after())

# case: what is stored under a guard in the last run
# expect: accept
@proc
def p(n: size, m: size, A: f32[n], C: f32[8]):
    r: f32[8]
    for i in seq(0, 8):
        r[i] = 0.0
    for k in seq(0, n):
        for i in seq(0, 8):
            r[i] += A[k]
        for i in seq(0, 8):
            if i < m:
                C[i] = r[i]
            else:
                C[i] = 0.0
p = fission(p, p.find_loop("i #1").after())

# case: what is stored under a guard that changes from run to run
# expect: refuse commute
# breaks: commute
@config
class Cfg:
    k: index
@proc
def p(n: size, A: f32[n], C: f32[8]):
    r: f32[8]
    for i in seq(0, 8):
        r[i] = 0.0
    Cfg.k = 8
    for k in seq(0, n):
        for i in seq(0, 8):
            r[i] += A[k]
        if k > 0:
            Cfg.k = 4
        for i in seq(0, 8):
            if i < Cfg.k:
                C[i] = r[i]
p = fission(p, p.find("if k > 0: _").after())

# case: one copy of many cells
# expect: refuse commute
@proc
def p(n: size, A: f32[n], C: f32[8]):
    r: f32
    for k in seq(0, n):
        for i in seq(0, 8):
            r = C[i]
        for i in seq(0, 8):
            r += A[k]
            C[i] = r
p = fission(p, p.find_loop("i").after())

# case: many copies of one cell
# expect: refuse commute
@proc
def p(n: size, A: f32[8], C: f32[8]):
    r: f32[8]
    for k in seq(0, n):
        for i in seq(0, 8):
            r[i] = C[0]
        for i in seq(0, 8):
            r[i] += A[i]
            C[0] = r[i]
p = fission(p, p.find_loop("i").after())

# case: a copy of another iteration is changed before the store
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, A: f32[n], C: f32[8]):
    r: f32[8]
    for k in seq(0, n):
        for i in seq(0, 8):
            r[i] = C[i]
        for i in seq(0, 8):
            r[0] += A[k]
            C[i] = r[i]
p = fission(p, p.find_loop("i").after())

# case: a copy is changed through a window
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, A: f32[n], C: f32[8]):
    r: f32[8]
    w = r[0:4]
    for k in seq(0, n):
        for i in seq(0, 8):
            r[i] = C[i]
        for i in seq(0, 8):
            w[0] += A[k]
            C[i] = r[i]
p = fission(p, p.find_loop("i").after())

# case: a copy is changed after the store
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, A: f32[n], C: f32[8]):
    r: f32[8]
    for k in seq(0, n):
        for i in seq(0, 8):
            r[i] = C[i]
        for i in seq(0, 8):
            r[i] += A[k]
            C[i] = r[i]
        r[0] = 0.0
p = fission(p, p.find_loop("i").after())

# case: copies in another precision
# expect: refuse commute
@proc
def p(n: size, A: f32[n], C: f32[8]):
    r: f64[8]
    for k in seq(0, n):
        for i in seq(0, 8):
            r[i] = C[i]
        for i in seq(0, 8):
            r[i] += A[k]
            C[i] = r[i]
p = fission(p, p.find_loop("i").after())

# case: fewer cells are stored than loaded
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, A: f32[n], C: f32[8], y: f32[n]):
    r: f32[8]
    for k in seq(0, n):
        for i in seq(0, 8):
            r[i] = C[i]
        y[k] = r[7]
        r[7] = 1.0
        for i in seq(0, 4):
            r[i] += A[k]
            C[i] = r[i]
p = fission(p, p.find_loop("i").after())

# case: the first part reads what the last store wrote
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, A: f32[n], C: f32[8]):
    r: f32
    r = 0.0
    for k in seq(0, n):
        r += A[k] + C[3]
        for i in seq(0, 8):
            C[i] = r
p = fission(p, p.find("r += _").after())

# case: a store that adds
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, A: f32[n], C: f32[8]):
    r: f32
    r = 0.0
    for k in seq(0, n):
        r += A[k]
        for i in seq(0, 8):
            C[i] += r
p = fission(p, p.find("r += _").after())

# case: a store that reads what it stores
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, A: f32[n], C: f32[8]):
    r: f32
    r = 0.0
    for k in seq(0, n):
        r += A[k]
        for i in seq(0, 7):
            C[i] = r + C[i + 1]
            C[i + 1] = r
p = fission(p, p.find("r += _").after())

# case: where the store goes depends on a field
# expect: refuse commute
# breaks: commute
@config
class Cfg:
    at: index
@proc
def p(n: size, A: f32[n], C: f32[8]):
    r: f32
    r = 0.0
    Cfg.at = 0
    for k in seq(0, n):
        r += A[k]
        Cfg.at = 1 - Cfg.at
        if Cfg.at == 0:
            C[0] = r
        else:
            C[1] = r
p = fission(p, p.find("Cfg.at = _ #1").after())

# case: many copies of one cell, which differ when they are read
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, A: f32[8], C: f32[8], y: f32[8]):
    r: f32[8]
    for k in seq(0, n):
        for i in seq(0, 8):
            r[i] = C[0]
        for i in seq(0, 8):
            r[i] += A[i]
            y[i] = r[i]
            C[0] = r[i]
p = fission(p, p.find_loop("i").after())

# case: a load of another cell in each iteration
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, A: f32[n], C: f32[n]):
    r: f32
    for k in seq(0, n):
        r = C[k]
        r += A[k]
        C[k] = r
p = fission(p, p.find("r = _").after())

# case: a cell that was stored is changed in a later iteration of the store
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, A: f32[n], C: f32[8], y: f32[8]):
    r: f32[8]
    for k in seq(0, n):
        for i in seq(0, 8):
            r[i] = C[i]
        for i in seq(0, 8):
            r[i] += A[k]
            y[i] = r[i]
            C[7 - i] = 0.0
            C[i] = r[i]
p = fission(p, p.find_loop("i").after())

# case: beside the load there is a sum
# expect: refuse commute
# breaks: commute
@proc
def p(n: size, A: f32[n], C: f32[8], y: f32[8]):
    r: f32[8]
    for k in seq(0, n):
        for i in seq(0, 8):
            r[i] = C[i]
            y[i] += r[i]
        for i in seq(0, 8):
            r[i] += A[k]
            C[i] = r[i]
p = fission(p, p.find_loop("i").after())

# case: copies of integers that lose digits when they are stored
# expect: refuse commute
@proc
def p(n: size, A: i8[n], C: i8[4], y: i32[4]):
    r: i32[4]
    for k in seq(0, n):
        for i in seq(0, 4):
            r[i] = C[i]
        for i in seq(0, 4):
            r[i] += A[k]
            y[i] = r[i]
            C[i] = r[i]
p = fission(p, p.find_loop("i").after())

# case: where the store goes is a field that the first part changes
# expect: refuse commute
# breaks: commute
@config
class Cfg:
    at: index
@proc
def p(n: size, A: f32[n], C: f32[2]):
    r: f32
    r = 0.0
    Cfg.at = 0
    for k in seq(0, n):
        r += A[k]
        Cfg.at = k % 2
        C[Cfg.at] = r
p = fission(p, p.find("Cfg.at = _ #1").after())

# case: a first part that lowers a flag, and does something when it is lowered
# expect: refuse commute
# breaks: commute
@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool

@proc
def p(x: f32, y: f32[2]):
    for i in seq(0, 2):
        if Cfg.flag:
            Cfg.flag = False
        else:
            x = 1.0
        y[i] = x
p = fission(p, p.find("y[_] = _").before())

# case: a first part that depends on a flag which it leaves alone
# expect: accept
@config
class Cfg:
    a: index
    b: index
    n: size
    flag: bool

@proc
def p(x: f32, y: f32[2]):
    for i in seq(0, 2):
        if Cfg.flag:
            x = 1.0
        y[i] = x
p = fission(p, p.find("y[_] = _").before())
