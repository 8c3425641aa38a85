"""A word from any thread that ends looking ahead: what was found at the depths before stands."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray


class Halt:
    """Says, from any thread, that a search is to end."""

    def __init__(self) -> None:
        self._said = threading.Event()
        self._lock = threading.Lock()
        self._flags: list[NDArray[np.int64]] = []

    @property
    def said(self) -> bool:
        """Whether it was said."""
        return self._said.is_set()

    def say(self) -> None:
        """Ends what goes on, within some hundredths of a second, and all that begins later."""
        with self._lock:
            self._said.set()
            for flag in self._flags:
                flag[0] = 1

    @contextmanager
    def reaching(self, flag: NDArray[np.int64]) -> Iterator[None]:
        """Kernels look at this flag, int64[1], meanwhile; it becomes 1."""
        with self._lock:
            self._flags.append(flag)
            if self.said:
                flag[0] = 1
        try:
            yield
        finally:
            with self._lock:
                self._flags = [other for other in self._flags if other is not flag]
