"""The stages of a longer work on the terminal, a bar for each."""

from __future__ import annotations

from bgai.cli.progress import Progress


class Stages:
    """Shows one bar after the other. Used as a context; it wipes itself away."""

    def __init__(self) -> None:
        self._bar: Progress | None = None
        self._stage = ""
        self._done = 0

    def __enter__(self) -> Stages:
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.__exit__(*error)

    def __call__(self, stage: str, done: int, total: int) -> None:
        """So much of a stage is done; another name, or less than before, begins another bar."""
        if self._bar is None or stage != self._stage or done <= self._done:
            self._bar = Progress(total, stage)
            self._stage, self._done = stage, 0
        self._bar.advance(done - self._done)
        self._done = done
