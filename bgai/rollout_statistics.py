"""What the blocks of a rollout say: means, standard errors and intervals.

A block of 36 trials has stratified first rolls, so its trials are not independent, but blocks are, but for the pairs
of first rolls that the blocks of a square share out among themselves, which makes the error a little smaller than it
is said to be. So everything comes from the means of blocks, `float64[B]` or `float64[B, n]`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

_NORMAL = 1.959964
_FEW = (np.inf, 12.7062, 4.3027, 3.1824, 2.7764, 2.5706)


def student_95(freedom: int) -> float:
    """Half-width of a 95 % interval in standard errors, with so many degrees of freedom."""
    if freedom < len(_FEW):
        return float(_FEW[freedom])
    # Cornish and Fisher's expansion, good to three digits from here on.
    z, n = _NORMAL, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


def error_of(blocks: Values) -> Any:
    """Standard error of the mean over the blocks; infinite for fewer than two."""
    if len(blocks) < 2:
        return np.full(blocks.shape[1:], np.inf)[()]
    return blocks.std(axis=0, ddof=1) / np.sqrt(len(blocks))


def mean_and_error(blocks: Values) -> tuple[float, float]:
    """Of `float64[B]`."""
    return float(blocks.mean()), float(error_of(blocks))
