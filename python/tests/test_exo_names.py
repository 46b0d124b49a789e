"""The names of Exo 1.0.0's modules for users are there, with the names of their parameters. Spec: [rule: python.exo-operations]."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Dict, List

import pytest
import rewright.exo
from rewright.exo._absent import NAMES

HERE = Path(__file__).parent

#: Parameters that are others here, and why.
OTHERWISE = {
    "main": "it may be given its arguments",
}


#: ``import exo`` is ours.
pytestmark = pytest.mark.usefixtures("installed")


def recorded() -> Dict[str, List[str]]:
    """What Exo's modules define, line by line."""
    sections = (HERE / "exo_api.txt").read_text().split("== ")[1:]
    return {section.splitlines()[0]: section.splitlines()[1:] for section in sections}


def bare(line: str) -> str:
    """The name in a line."""
    return line.split("(")[0]


@pytest.mark.parametrize("module", list(recorded()))
def test_what_a_module_of_exos_has(module: str) -> None:
    from exo_programs.names import defined

    expected = {bare(line): line[len(bare(line)) :] for line in recorded()[module]}
    gone = NAMES.get(module, frozenset())
    found = defined(module, sorted({name.split(".")[0] for name in expected} - gone))
    # A name that is not there is found to be none of the kinds that are looked at.
    wanted = {name: what for name, what in expected.items() if name.split(".")[0] not in gone}
    assert {name for name in wanted if name not in found} == set()
    assert {name: (what, found[name]) for name, what in wanted.items() if found[name] != what and name not in OTHERWISE} == {}


def test_all_of_a_module_is_no_more_than_all_of_exos() -> None:
    # The file has what `from exo.… import *` gives under Exo.
    for line in (HERE / "exo_stars.txt").read_text().splitlines():
        module, names = line.split(": ")
        given: Dict[str, object] = {}
        exec(f"from {module} import *", given)
        assert not given.keys() - {"__builtins__", "annotations", *names.split()}, module


@pytest.mark.parametrize("module", list(NAMES))
def test_what_is_left_out_says_why(module: str) -> None:
    try:
        importlib.import_module(f"exo.{module}")
    except ImportError as e:
        assert "syntax trees" in str(e) and not isinstance(e, ModuleNotFoundError)
        return
    for name in NAMES[module]:
        with pytest.raises(ImportError, match=f"'{name}' from 'exo.{module}': it is about Exo's own syntax trees"):
            exec(f"from exo.{module} import {name}", {})


def test_names_of_internals() -> None:
    from exo.API_types import ExoType, loopir_type_to_exotype
    from exo.core.configs import ctyp
    from exo.core.LoopIR import T
    from exo.core.prelude import SrcInfo, extclass, get_srcinfo
    from exo.frontend.pattern_match import get_match_no
    from exo.frontend.pyparser import get_ast_from_python, get_src_locals

    assert loopir_type_to_exotype(T.f32) is ExoType.F32 and loopir_type_to_exotype(T.size) is ExoType.Size
    assert (ctyp(T.f64), ctyp(T.bool), ctyp(T.size)) == ("double", "bool", "int_fast32_t")
    assert (get_match_no("foo #34"), get_match_no("baz # 42 "), get_match_no("foo")) == (34, 42, None)
    with pytest.raises(ValueError):
        get_match_no("foo #bar")
    here = get_srcinfo()
    assert isinstance(here, SrcInfo) and str(here).startswith(__file__) and here.function == "test_names_of_internals"

    @extclass(SrcInfo)
    def is_here(self: SrcInfo) -> bool:
        return self.filename == __file__

    assert getattr(here, "is_here")()
    delattr(SrcInfo, "is_here")
    tree, place = get_ast_from_python(test_what_is_left_out_says_why)
    first = test_what_is_left_out_says_why.__code__.co_firstlineno
    assert place(tree).lineno == first + 1 and place(tree).filename == __file__
    assert get_src_locals(depth=1)["here"] is here


def test_what_r_is_in_c() -> None:
    from exo import proc
    from exo.backend.prec_analysis import get_default_prec, set_default_prec

    @proc
    def p(x: R[4]):
        x[0] = x[1]

    assert "float*" in p.c_code_str().replace("float *", "float*") and str(get_default_prec()) == "f32"
    set_default_prec("f64")
    try:
        assert "double* x" in p.c_code_str().replace("double *x", "double* x")
    finally:
        set_default_prec("f32")
    with pytest.raises(TypeError, match="expected one of the following precision types"):
        set_default_prec("f33")
