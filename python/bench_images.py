"""The library's image pipelines beside Halide 21: the blur and the unsharp mask of Halide's own apps.

    python -P python/bench_images.py FOLDER [ROUNDS]

FOLDER is what `rewright-images` wrote. Halide runs its apps' schedules, and for unsharp also the pipeline that ours is, on an image
that has its border already. All run on one thread, in turns, in this process, and their images are compared.
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
from typing import Any, Callable, Dict, List, Tuple

os.environ["HL_NUM_THREADS"] = "1"

import halide as hl  # noqa: E402
import numpy as np  # noqa: E402

WIDTH, HEIGHT = 1536, 2560

FLAGS = ["-O3", "-march=native", "-fPIC", "-shared"]

#: What each runs, and the image that it makes.
Runs = Dict[str, Tuple[Callable[[], Any], Any]]


def window(array: Any) -> Any:
    """An array as the C takes it: its first cell, and the strides of its dimensions in cells."""

    class Window(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("strides", ctypes.c_int64 * array.ndim)]

    strides = [n // array.itemsize for n in array.strides]
    return Window(array.ctypes.data, (ctypes.c_int64 * array.ndim)(*strides))


def ours(folder: Path, name: str, image: Any, shape: Tuple[int, ...]) -> Runs:
    """The C for the processors that there are."""
    runs: Runs = {}
    flags = Path("/proc/cpuinfo").read_text()
    for machine, needs in [("avx512", "avx512bw"), ("avx2", "avx2")]:
        if needs not in flags:
            continue
        library = Path(tempfile.mkdtemp()) / f"{name}.so"
        subprocess.run(["gcc", *FLAGS, folder / machine / f"{name}.c", "-o", library], check=True)
        run, made = getattr(ctypes.CDLL(str(library)), name), np.zeros(shape, image.dtype)
        runs[f"ours, {machine}"] = (called(run, shape[-2:], image, made), made)
    return runs


def called(run: Any, sizes: Tuple[int, ...], image: Any, made: Any) -> Callable[[], Any]:
    extents = [ctypes.c_int64(n) for n in sizes]
    given, out = window(image), window(made)
    # Windows do not keep their arrays alive; this does.
    return lambda *_, arrays=(image, made): run(*extents, given, out)


def in_halide(output: Any, parameter: Any, image: Any, shape: Tuple[int, ...]) -> Tuple[Callable[[], Any], Any]:
    parameter.set(hl.Buffer(image))
    output.compile_jit(hl.get_jit_target_from_environment())
    made = np.zeros(shape, image.dtype)
    buffer = hl.Buffer(made)
    return (lambda *_, array=image: output.realize(buffer), made)


def blur(folder: Path) -> Runs:
    """The mean of nine points."""
    image = np.random.default_rng(0).integers(0, 65535, (HEIGHT + 2, WIDTH + 2), dtype=np.uint16)
    shape = (HEIGHT, WIDTH)
    runs: Runs = {}
    for name in ["Halide, as in its app", "Halide, tiles of 32 by 256"]:
        x, y, xi, yi = (hl.Var(v) for v in ["x", "y", "xi", "yi"])
        given = hl.ImageParam(hl.UInt(16), 2)
        blur_x, blur_y = hl.Func("blur_x"), hl.Func("blur_y")
        blur_x[x, y] = (given[x, y] + given[x + 1, y] + given[x + 2, y]) / hl.u16(3)
        blur_y[x, y] = (blur_x[x, y] + blur_x[x, y + 1] + blur_x[x, y + 2]) / hl.u16(3)
        if "app" in name:
            blur_y.split(y, y, yi, 8).parallel(y).vectorize(x, 16)
            blur_x.store_at(blur_y, y).compute_at(blur_y, yi).vectorize(x, 16)
        else:
            blur_y.tile(x, y, xi, yi, 256, 32).parallel(y).vectorize(xi, 32)
            blur_x.compute_at(blur_y, x).vectorize(x, 32)
        runs[name] = in_halide(blur_y, given, image, shape)
    return {**runs, **ours(folder, "blur", image, shape)}


def unsharp(folder: Path) -> Runs:
    """The image times its sharpened grey by its grey."""
    inner = np.random.default_rng(0).random((3, HEIGHT, WIDTH), dtype=np.float32) + np.float32(0.1)
    image = np.pad(inner, ((0, 0), (3, 3), (3, 3)), mode="edge")
    sigma = 1.5
    weights = [math.exp(-i * i / (2 * sigma * sigma)) / (math.sqrt(2 * math.pi) * sigma) for i in range(4)]
    runs: Runs = {}
    for name in ["Halide, as in its app", "Halide, the border is there"]:
        x, y, c, yi = (hl.Var(v) for v in ["x", "y", "c", "yi"])
        given = hl.ImageParam(hl.Float(32), 3)
        app = "app" in name
        padded, border = (hl.BoundaryConditions.repeat_edge(given), 0) if app else (given, 3)
        gray, blur_y, blur_x, ratio, output = (hl.Func(f) for f in ["gray", "blur_y", "blur_x", "ratio", "output"])

        def seven(at: Callable[[int], Any]) -> Any:
            total = hl.f32(weights[0]) * at(0)
            for i, weight in enumerate(weights[1:], 1):
                total = total + hl.f32(weight) * (at(-i) + at(i))
            return total

        gray[x, y] = hl.f32(0.299) * padded[x, y, 0] + hl.f32(0.587) * padded[x, y, 1] + hl.f32(0.114) * padded[x, y, 2]
        blur_y[x, y] = seven(lambda i: gray[x, y + i])
        blur_x[x, y] = seven(lambda i: blur_y[x + i, y])
        ratio[x, y] = (2 * gray[x, y] - blur_x[x, y]) / gray[x, y]
        output[x, y, c] = ratio[x + border, y + border] * given[x + border, y + border, c]
        output.split(y, y, yi, 32).parallel(y).reorder(x, c, yi, y).vectorize(x, 16)
        for func in [gray, blur_y, ratio]:
            func.store_at(output, y).compute_at(output, yi).vectorize(x, 16)
        runs[name] = in_halide(output, given, inner if app else image, inner.shape)
    return {**runs, **ours(folder, "unsharp", image, inner.shape)}


def timed(runs: Runs, rounds: int) -> Dict[str, float]:
    """The least time of each, in seconds: they take turns."""
    best = {name: math.inf for name in runs}
    for _ in range(rounds):
        for name, (run, _) in runs.items():
            start = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def agree(images: List[Any]) -> bool:
    """The same pixels; of floats, as near as fused products and sums leave them."""
    first, *rest = images
    exact = first.dtype.kind == "u"
    return bool(first.any()) and all(np.allclose(first, other, rtol=0 if exact else 1e-4, atol=0 if exact else 1e-4) for other in rest)


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__)
        return 1
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    fine = True
    for make in [blur, unsharp]:
        runs = make(Path(sys.argv[1]))
        times = timed(runs, rounds)
        same = agree([made for _, made in runs.values()])
        fine &= same
        print(f"{make.__name__}, {WIDTH} x {HEIGHT}: {'the same image' if same else 'OTHER IMAGES'}")
        for name, seconds in times.items():
            print(f"  {name:28}{seconds * 1e3:8.2f} ms {seconds / times['Halide, as in its app']:6.2f}")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
