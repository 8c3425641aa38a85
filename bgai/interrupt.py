"""Ctrl-C while the program is loading, before any command can take care of it: one line instead of a traceback.

For the command alone. A program that imports the library keeps its own ways.
"""

from __future__ import annotations

import os
import sys
from types import TracebackType

INTERRUPTED = 130
"""The exit code, as shells know it."""

_COMMAND = ("bgai", "bgai.exe", "-m")
"""What `sys.argv` begins with while the command is loading; `-m` as long as the package of that module is imported."""


def say_interrupted() -> None:
    """The line; it begins anew, because a terminal has shown `^C`."""
    print("\nbgai: interrupted", file=sys.stderr)


def _hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        say_interrupted()
        sys.exit(INTERRUPTED)
    sys.__excepthook__(kind, error, trace)


if os.path.basename(sys.argv[0] if sys.argv else "") in _COMMAND:
    sys.excepthook = _hook
