"""What programs that are made from the Halide model's text need beside Halide itself: `rewright.halide export` writes it in
front of each, so that they need nothing else."""

import halide as hl
import numpy as np

TYPES = {
    "bool": hl.UInt(1), "float32": hl.Float(32), "float64": hl.Float(64),
    **{f"uint{n}": hl.UInt(n) for n in (8, 16, 32, 64)}, **{f"int{n}": hl.Int(n) for n in (8, 16, 32, 64)},
}  # fmt: skip


def cast(t, e):
    """A cast, of a literal too."""
    return hl.cast(TYPES[t], e)


def expr(e):
    """An operand as an expression, whatever it was."""
    return e if isinstance(e, hl.Expr) else hl.Expr(e)


def whole(e):
    """A value as an integer of any size: of those that 64 bits certainly hold."""
    if isinstance(e, int):
        return hl.i64(e)
    e = expr(e)
    if e.type().is_float() or e.type().bits() > 32:
        raise NotImplementedError("exact arithmetic on values of more than 32 bits is not what Halide has")
    return hl.cast(hl.Int(64), e)


def is_float(e):
    """Whether an operand is a number of floating point."""
    return not isinstance(e, int) and expr(e).type().is_float()


def div(a, b):
    """The quotient: Euclidean, of numbers of floating point the usual one."""
    return a / b if is_float(a) or is_float(b) else a // b


def buffer(t, box, values):
    """An input buffer: values over a box, the first dimension fastest."""
    out = hl.Buffer(TYPES[t], [n for _, n in box])
    sizes = [n for _, n in box]
    if t == "uint64":
        # No array shares the memory of such a buffer.
        for i, v in enumerate(values):
            at = []
            for n in sizes:
                at.append(i % n)
                i //= n
            out[tuple(at) if len(at) > 1 else at[0]] = v
    elif values:
        np.array(out, copy=False)[...] = np.array(values, dtype=t).reshape(sizes[::-1])
    out.set_min([m for m, _ in box])
    return out


def windowed(f, tag):
    """A func of its own for the window of an output, so that the output may be stored beyond the window."""
    out, at = hl.Func(f"window_{tag}"), f.args()
    here = f[tuple(at) if len(at) != 1 else at[0]]
    parts = [here[k] for k in range(len(f.types()))] if len(f.types()) > 1 else [here]
    shown = [hl.reinterpret(hl.Int(64), e) if e.type() == hl.UInt(64) else e for e in map(expr, parts)]
    out[tuple(at) if len(at) != 1 else at[0]] = tuple(shown) if len(shown) > 1 else shown[0]
    return out


def buffers(f, window):
    """Where the window of an output goes."""
    out = []
    for t in f.types():
        t = hl.Int(64) if t == hl.UInt(64) else t
        b = hl.Buffer(t, [n for _, n in window])
        b.set_min([m for m, _ in window])
        out.append(b)
    return out


def values(f, made):
    """What the buffers of an output hold: for each of its values a list, the first dimension fastest."""
    out = []
    for t, b in zip(f.types(), made):
        found = np.array(b).flatten()
        out.append((found.view(np.uint64) if t == hl.UInt(64) else found).tolist())
    return out


def strict():
    """The target: each operation on numbers of floating point rounds once, and none is reordered."""
    return hl.get_jit_target_from_environment().with_feature(hl.TargetFeature.StrictFloat)


def realize(outputs, windows, requirements=()):
    """Runs the pipeline of some outputs: ``(func, values)`` of each."""
    shown = [windowed(f, i) for i, f in enumerate(outputs)]
    pipeline = hl.Pipeline(shown)
    for condition in requirements:
        pipeline.add_requirement(condition, "a requirement of the pipeline does not hold")
    made = [buffers(f, w) for f, w in zip(outputs, windows)]
    pipeline.realize([b for bs in made for b in bs], strict())
    return [(f, values(f, bs)) for f, bs in zip(outputs, made)]
