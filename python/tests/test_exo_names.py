"""The names of Exo 1.0.0's modules for users are there, with the names of their parameters. Spec: [rule: python.exo-operations]."""

from __future__ import annotations

from pathlib import Path
from typing import Dict, Iterator, List

import pytest
import rewright.exo

HERE = Path(__file__).parent

#: What is made of Exo's own syntax trees, which nothing here has: programs are asked by cursors.
TREES = """
API: FindBefore FindDup
API_cursors: lift_cursor
API_types: loopir_type_to_exotype
core.configs: ctyp reverse_config_lookup
core.prelude: extclass get_srcinfo
frontend.parse_fragment: BuildEnv BuildEnv_after ParseFragment parse_fragment
frontend.pattern_match: PatternMatch get_match_no match_pattern
frontend.pyparser: Parser SizeStub get_ast_from_python get_src_locals pattern str_to_mem
rewrite.LoopIR_unification: BufVar DoReplace Get_Live_Variables Unification normalize sanitize_str solve sub
"""

#: Parameters that are others here, and why.
OTHERWISE = {
    "main": "it may be given its arguments",
}


@pytest.fixture(scope="module", autouse=True)
def installed() -> Iterator[None]:
    """``import exo`` is ours."""
    rewright.exo.install()
    yield
    rewright.exo.uninstall()


def recorded() -> Dict[str, List[str]]:
    """What Exo's modules define, line by line."""
    sections = (HERE / "exo_api.txt").read_text().split("== ")[1:]
    return {section.splitlines()[0]: section.splitlines()[1:] for section in sections}


def left_out() -> Dict[str, List[str]]:
    """The names that are not here, by module."""
    lines = [line.split(":") for line in TREES.strip().splitlines()]
    return {module: names.split() for module, names in lines}


def bare(line: str) -> str:
    """The name in a line."""
    return line.split("(")[0]


@pytest.mark.parametrize("module", list(recorded()))
def test_what_a_module_of_exos_has(module: str) -> None:
    from exo_programs.names import defined

    expected = {bare(line): line[len(bare(line)) :] for line in recorded()[module]}
    gone = left_out().get(module, [])
    found = defined(module, sorted({name.split(".")[0] for name in expected} - set(gone)))
    # A name that is not there is found to be none of the kinds that are looked at.
    wanted = {name: what for name, what in expected.items() if name.split(".")[0] not in gone}
    assert {name for name in wanted if name not in found} == set()
    assert {name: (what, found[name]) for name, what in wanted.items() if found[name] != what and name not in OTHERWISE} == {}


def test_what_is_left_out_is_not_there() -> None:
    import importlib

    for module, names in left_out().items():
        found = importlib.import_module(f"exo.{module}")
        assert [name for name in names if hasattr(found, name)] == []
        assert set(names) <= {bare(line) for line in recorded()[module]}
