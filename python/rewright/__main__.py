"""The command ``rewright``, also as ``python -m rewright``. Spec: [rule: python.command]."""

from __future__ import annotations

import signal
import sys

from . import _rewright


def main() -> None:
    """Runs the command with the arguments of the process, and ends the process as the command ends."""
    # The interpreter only makes a note of Ctrl-C until it runs again, which is when the command has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_rewright.command(["rewright", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
