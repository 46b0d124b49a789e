"""Exo under test: a program runs with the Exo that is installed, and each of its scheduling steps is done in Rewright as well.

``python -m rewright.shadow FILE`` reports the first step at which Exo changes what a procedure means, with an input that
shows it; ``pytest -p rewright.shadow`` does so for a whole suite. Nothing of the program changes. Spec: [rule: python.shadow].
"""

from __future__ import annotations

from typing import Any, Optional

from ._judge import KINDS, Difference, Verdict
from ._record import Step
from ._report import Report
from ._session import Session

__all__ = ["KINDS", "Difference", "Report", "Session", "Step", "Verdict", "watch"]

_watching: Optional[Session] = None


def watch(every: bool = True, trials: int = 100) -> Session:
    """A session, for ``with``: steps of Exo within it are looked at; afterwards ``verdicts``, ``reports()``, ``summary()``."""
    return Session(every, trials)


# What pytest calls.


def pytest_addoption(parser: Any) -> None:
    """The options."""
    group = parser.getgroup("shadow", "Exo beside Rewright")
    group.addoption("--shadow-dir", metavar="DIR", default="shadow", help="where scripts for bug reports are written")
    group.addoption("--shadow-json", metavar="FILE", default=None, help="where everything is written as JSON")
    group.addoption("--shadow-seconds", type=float, metavar="S", default=2.0, help="how long one program is made smaller")
    group.addoption("--shadow-trials", type=int, metavar="N", default=100, help="random inputs where proof does not decide")


def pytest_configure(config: Any) -> None:
    """Begins."""
    global _watching
    try:
        _watching = Session(True, config.getoption("--shadow-trials")).start()
    except ImportError as e:
        import pytest

        raise pytest.UsageError(f"Exo is not installed here ({e}): pip install exo-lang") from None


def pytest_runtest_logstart(nodeid: str) -> None:
    """Steps from here on belong to this test."""
    if _watching is not None:
        _watching.recorder.within = nodeid


def pytest_runtest_logfinish() -> None:
    """Steps from here on belong to no test."""
    if _watching is not None:
        _watching.recorder.within = None


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What was found, and how many steps came out how, by primitive."""
    global _watching
    if _watching is None:
        return
    import json

    from ._session import as_json, table, told, written

    session, _watching = _watching, None
    option = terminalreporter.config.getoption
    session.finish()
    reports = session.reports(option("--shadow-seconds"))
    scripts = written(reports, option("--shadow-dir"))
    terminalreporter.section("Exo beside Rewright")
    for r, path in zip(reports, scripts):
        for line in told(r, path):
            terminalreporter.write_line(line)
        terminalreporter.write_line("")
    for line in table(session.summary()):
        terminalreporter.write_line(line)
    if option("--shadow-json"):
        with open(option("--shadow-json"), "w", encoding="utf-8") as file:
            json.dump(as_json(session, reports, scripts), file, indent=1)
