"""The 21 different rolls of `bgai.dice.ROLLS`, for loops over all of them."""

from __future__ import annotations

import numpy as np

from bgai.dice import ROLLS

ROLL_COUNT = len(ROLLS)

DICE = np.array(ROLLS, dtype=np.int64)
"""int64[21, 2], the larger die first."""

WEIGHTS = np.array([1.0 if high == low else 2.0 for high, low in ROLLS]) / 36.0
"""float64[21], the chance of each."""
