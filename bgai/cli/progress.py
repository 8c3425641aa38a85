"""A line on the terminal that says how far a command is."""

from __future__ import annotations

import sys
import time

_WIDTH = 30
_EVERY = 0.1
"""Seconds between two looks."""


class Progress:
    """A bar on stderr while that is a terminal, else nothing. Used as a context; it wipes itself away."""

    def __init__(self, total: int, unit: str) -> None:
        self._total = total
        self._unit = unit
        self._done = 0
        self._start = time.monotonic()
        self._shown = 0.0
        self._visible = sys.stderr.isatty()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._visible and self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def advance(self, count: int, note: str = "") -> None:
        """So much more is done; `note` stands at the end of the line."""
        self._done += count
        now = time.monotonic()
        if not self._visible or (now - self._shown < _EVERY and self._done < self._total):
            return
        self._shown = now
        sys.stderr.write(f"\r\x1b[K{self._line(now - self._start)}  {note}".rstrip())
        sys.stderr.flush()

    def _line(self, seconds: float) -> str:
        share = min(self._done / self._total, 1.0)
        bar = "#" * round(share * _WIDTH)
        rate = self._done / max(seconds, 1e-9)
        left = (self._total - self._done) / max(rate, 1e-9)
        return (
            f"[{bar:{_WIDTH}}] {100 * share:3.0f}%  {self._done:,}/{self._total:,} {self._unit}"
            f"  {rate:,.0f}/s  {left:.0f} s left"
        )
