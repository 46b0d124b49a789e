"""C of the model beside Halide 21: the blur and the unsharp mask of Halide's own apps, on images of their size.

    python -P python/bench_halide.py [REWRIGHT [ROUNDS]]

The algorithms are those of the apps. Halide runs them with the apps' schedules, which slide a window over each strip of rows,
and computes each strip of a func before it is used, too; so does ours. The text of ours is what `rewright.halide`
imports. All run on one thread, in turns, in this process; each gives the same image.
"""

from __future__ import annotations

import ctypes
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Tuple

for variable in ["HL_NUM_THREADS", "OMP_NUM_THREADS"]:
    os.environ[variable] = "1"

import halide as hl  # noqa: E402
import numpy as np  # noqa: E402

from rewright.halide import of_pipeline  # noqa: E402

WIDTH, HEIGHT = 1536, 2560

FAST = ["-O3", "-march=native"]

FLAGS = {"C, -O2": ["-O2"], "C, -O3": FAST, "C, -O3, OpenMP": [*FAST, "-fopenmp"], "C, sliding, -O3": FAST, "C, sliding, -O3, OpenMP": [*FAST, "-fopenmp"]}

#: Those with the schedule of the app, which slides.
SLIDING = {"C, sliding, -O3", "C, sliding, -O3, OpenMP"}


class App(NamedTuple):
    """A pipeline of Halide, its image, and what it makes of it."""

    pipeline: Any
    #: Where the input goes.
    parameter: Any
    image: Any
    made: Any
    output: str
    #: The parameters of the C in their order.
    params: List[int]
    #: What is told of the funcs that slide, for which Halide needs not be told.
    slides: str = ""


def placed(func: Any, at: Any, yo: Any, yi: Any, sliding: bool) -> Any:
    """A func computed per strip, or row by row while the strip is made."""
    return func.store_at(at, yo).compute_at(at, yi) if sliding else func.compute_at(at, yo)


def blur(sliding: bool) -> App:
    """The mean of nine points, in strips of eight rows."""
    x, y, yo, yi = (hl.Var(v) for v in ["x", "y", "yo", "yi"])
    image = hl.ImageParam(hl.UInt(16), 2, "image")
    blur_x, blur_y = hl.Func("blur_x"), hl.Func("blur_y")
    blur_x[x, y] = (image[x, y] + image[x + 1, y] + image[x + 2, y]) / hl.u16(3)
    blur_y[x, y] = (blur_x[x, y] + blur_x[x, y + 1] + blur_x[x, y + 2]) / hl.u16(3)
    blur_y.split(y, yo, yi, 8).parallel(yo).vectorize(x, 16)
    placed(blur_x, blur_y, yo, yi, sliding).vectorize(x, 16)
    given = np.random.default_rng(0).integers(0, 65535, (HEIGHT + 2, WIDTH + 2), dtype=np.uint16)
    made = np.zeros((HEIGHT, WIDTH), np.uint16)
    slides = "  fold-storage(blur_x, y, 4);\n  slide(blur_x, y);\n" if sliding else ""
    return App(hl.Pipeline(blur_y), image, given, made, "blur_y", [], slides)


def unsharp(sliding: bool) -> App:
    """The image times its sharpened grey by its grey, in strips of 32 rows."""
    x, y, c, yo, yi = (hl.Var(v) for v in ["x", "y", "c", "yo", "yi"])
    image = hl.ImageParam(hl.Float(32), 3, "image")
    sigma = 1.5
    weights = [math.exp(-i * i / (2 * sigma * sigma)) / (math.sqrt(2 * math.pi) * sigma) for i in range(4)]
    gray, blur_y, blur_x, ratio, output = (hl.Func(f) for f in ["gray", "blur_y", "blur_x", "ratio", "output"])
    padded = hl.BoundaryConditions.repeat_edge(image)

    def seven(at: Callable[[int], Any]) -> Any:
        first, *rest = [hl.f32(w) for w in weights]
        total = first * at(0)
        for i, weight in enumerate(rest, 1):
            total = total + weight * (at(-i) + at(i))
        return total

    gray[x, y] = hl.f32(0.299) * padded[x, y, 0] + hl.f32(0.587) * padded[x, y, 1] + hl.f32(0.114) * padded[x, y, 2]
    blur_y[x, y] = seven(lambda i: gray[x, y + i])
    blur_x[x, y] = seven(lambda i: blur_y[x + i, y])
    ratio[x, y] = (2 * gray[x, y] - blur_x[x, y]) / gray[x, y]
    output[x, y, c] = ratio[x, y] * image[x, y, c]
    output.split(y, yo, yi, 32).vectorize(x, 16).parallel(yo).reorder(x, c, yi, yo)
    for func in [gray, blur_y, ratio]:
        placed(func, output, yo, yi, sliding).vectorize(x, 16)
    given = np.random.default_rng(0).random((3, HEIGHT, WIDTH), dtype=np.float32) + np.float32(0.1)
    # Length and first point of each dimension.
    params = [WIDTH, 0, HEIGHT, 0, 3, 0]
    slides = "  fold-storage(gray, y, 8);\n  slide(gray, y);\n" if sliding else ""
    return App(hl.Pipeline(output), image, given, np.zeros_like(given), "output", params, slides)


def in_halide(app: App) -> Callable[[], Any]:
    """Compiled for this machine; every operation of floating point is rounded, as in ours."""
    target = hl.get_jit_target_from_environment().with_feature(hl.TargetFeature.StrictFloat)
    app.parameter.set(hl.Buffer(app.image))
    app.pipeline.compile_jit(target)
    made = hl.Buffer(app.made)
    return lambda: app.pipeline.realize(made, target)


def numbers(values: List[int]) -> Any:
    return (ctypes.c_int64 * max(1, len(values)))(*values)


def box(array: Any) -> List[int]:
    """From 0 in each dimension, the last one first."""
    return [end for n in reversed(array.shape) for end in (0, n)]


def in_c(app: App, rewright: str, flags: List[str], folder: Path) -> Callable[[], Any]:
    """The C of the completed program, compiled with these flags."""
    text, unit, library = folder / "app.halide", folder / "app.c", folder / f"{len(list(folder.iterdir()))}.so"
    text.write_text(str(of_pipeline(app.pipeline)) + app.slides)
    unit.write_text(subprocess.run([rewright, "halide", "bounds", "--c", text], check=True, capture_output=True, text=True).stdout)
    exact = ["-std=c11", "-fwrapv", "-ffp-contract=off", "-fPIC", "-shared"]
    subprocess.run(["gcc", *exact, *flags, unit, "-o", library, "-lm"], check=True)
    run = ctypes.CDLL(str(library))[f"run_{app.output}"]
    image, made = (a.ctypes.data_as(ctypes.c_void_p) for a in [app.image, app.made])
    given = (numbers(app.params), numbers(box(app.made)), image, numbers(box(app.image)), made)
    return lambda: run(*given)


def timed(runs: Dict[str, Callable[[], Any]], rounds: int) -> Dict[str, float]:
    """The least time of each, in seconds: they take turns."""
    best = {name: math.inf for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def table(make: Callable[[bool], App], rewright: str, rounds: int) -> Tuple[List[Tuple[str, float, float]], bool]:
    """Each one's time and what it is of Halide's with the app's schedule; whether all images are the same."""
    apps: Dict[str, App] = {}
    runs: Dict[str, Callable[[], Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, sliding in [("Halide, as in its app", True), ("Halide, strip by strip", False)]:
            apps[name] = make(sliding)
            runs[name] = in_halide(apps[name])
        for name, flags in FLAGS.items():
            apps[name] = make(name in SLIDING)
            runs[name] = in_c(apps[name], rewright, flags, Path(folder))
        times = timed(runs, rounds)
    first, *rest = [a.made for a in apps.values()]
    same = bool(first.any()) and all(np.array_equal(first, other) for other in rest)
    reference = times["Halide, as in its app"]
    return [(name, t, t / reference) for name, t in times.items()], same


def main() -> int:
    rewright = sys.argv[1] if len(sys.argv) > 1 else "target/release/rewright"
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    fine = True
    for make in [blur, unsharp]:
        rows, same = table(make, rewright, rounds)
        fine &= same
        print(f"{make.__name__}, {WIDTH} x {HEIGHT}: {'the same image' if same else 'OTHER IMAGES'}")
        for name, seconds, ratio in rows:
            print(f"  {name:24}{seconds * 1e3:8.2f} ms {ratio:6.2f}")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
