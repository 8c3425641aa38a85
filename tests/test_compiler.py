"""What compiled kernels promise."""

from __future__ import annotations

import numpy as np

from bgai.kernels.compiler import bare_kernel, kernel


def added_and_taken_away(small: np.float32, large: np.float32) -> np.float32:
    return (small + large) - large


def test_sums_are_added_in_the_order_they_are_written() -> None:
    """Else two compilations of a kernel may give other last digits, and a resumed run other weights."""
    small, large = np.float32(1), np.float32(1e9)
    for compiled in (kernel(added_and_taken_away), bare_kernel(added_and_taken_away)):
        assert compiled(small, large) == added_and_taken_away(small, large) == 0
