"""Halide's own apps as programs of its Python package, imported with their schedules and run in both. The others are among the
reference cases. Spec: [rule: halide.peer.import], [rule: halide.peer.diff]."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Dict, List, Tuple

import pytest

from test_halide import command, halide

__all__ = ["halide"]

APPS = Path(__file__).resolve().parent / "halide_apps"

Box = List[Tuple[int, int]]


def box(ends: Box) -> str:
    return ", ".join(f"({first}, {count})" for first, count in ends)


def given(name: str, ends: Box) -> str:
    """A buffer of numbers that single precision holds."""
    numbers, count = random.Random(name), 1
    for _, n in ends:
        count *= n
    return f"{name} = {box(ends)} {{{', '.join(repr(numbers.randrange(1, 256) / 256) for _ in range(count))}}}"


#: The window, the ends of images that boundary conditions read with what else are numbers, and the inputs.
RUNS: Dict[str, Tuple[Box, Dict[str, float], Dict[str, Box]]] = {
    "unsharp": (
        [(0, 13), (0, 10), (0, 3)],
        {"image_0_len": 13, "image_0_min": 0, "image_1_len": 10, "image_1_min": 0, "image_2_len": 3, "image_2_min": 0},
        {"image": [(0, 13), (0, 10), (0, 3)]},
    ),
    "conv_layer": (
        [(0, 19), (0, 5), (0, 3), (0, 2)],
        {},
        {"bias": [(0, 19)], "input": [(0, 4), (0, 7), (0, 5), (0, 2)], "weights": [(0, 19), (0, 3), (0, 3), (0, 4)]},
    ),
    "bilateral_grid": (
        [(0, 13), (0, 9)],
        {"input_0_len": 13, "input_0_min": 0, "input_1_len": 9, "input_1_min": 0, "r_sigma": 0.1},
        {"input": [(0, 13), (0, 9)]},
    ),
}


@pytest.mark.parametrize("app", RUNS)
def test_an_app_is_the_same_in_both(halide: None, app: str, tmp_path: Path) -> None:
    window, ends, inputs = RUNS[app]
    values = [*(f"{name} = {n}" for name, n in ends.items()), *(given(name, b) for name, b in inputs.items())]
    text = tmp_path / "app.halide"
    text.write_text(f"{command(APPS / f'{app}.py')}realize({box(window)}; {', '.join(values)})\n")
    told = command("diff", text)
    assert told.startswith("equal") and told.count("region of") >= 2
    assert "larger" not in told and "neither" not in told
