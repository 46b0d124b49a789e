"""The Halide model beside Halide itself: pipelines in, out, and run in both.

``python -m rewright.halide FILE`` imports a pipeline of Halide's Python package as a text of the model; ``export FILE`` makes a
program for Halide of a text; ``diff FILE`` runs both; ``campaign`` does so for random pipelines. Halide is needed for all but
``export``: ``pip install halide==21.0.0``. Spec: [rule: halide.peer].
"""

from __future__ import annotations

from .difference import Difference, diff
from .exporting import NotCovered, export
from .import_in import Imported
from .reading import SyntaxProblem, parse
from .source import load, of_pipeline
from .tree import Pipeline

__all__ = [
    "Difference",
    "Imported",
    "NotCovered",
    "Pipeline",
    "SyntaxProblem",
    "diff",
    "export",
    "load",
    "of_pipeline",
    "parse",
]
