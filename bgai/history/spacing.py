"""When a problem comes again: the algorithm SM-2 of P. A. Wozniak.

P. A. Wozniak, "Optimization of learning", master's thesis, University of Technology in Poznan, 1990, chapter 3.2,
"Application of a computer to improve the results obtained in working with the SuperMemo method";
https://super-memory.com/english/ol/sm2.htm. The first interval is a day, the second six days, and each further one
the one before times an ease that begins at 2.5, goes up and down with the quality of the answers, and is at least 1.3.
After an answer of a quality below 3 the intervals begin again. Its last rule, to ask what went badly once more on the
same day, is left out: the verdict has shown the right answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import date, timedelta

EASE, LEAST_EASE = 2.5, 1.3
PASSED = 3
"""The least quality of an answer that is not forgotten; the best is 5."""
LONGEST = 36_500
"""Days of an interval, at most."""


@dataclass(frozen=True)
class Schedule:
    """Where a problem stands."""

    due: date
    repetitions: int = 0
    """Good answers since the last bad one."""
    interval: int = 0
    """Days from the last answer to `due`; 0 before the first."""
    ease: float = EASE

    def after(self, quality: int, today: date) -> Schedule:
        """Where it stands after an answer of a quality from 0 to 5."""
        if quality < PASSED:
            return replace(self, due=today + timedelta(days=1), repetitions=0, interval=1)
        short = 5 - quality
        ease = max(LEAST_EASE, self.ease + 0.1 - short * (0.08 + short * 0.02))
        # Rounded first, so that 10 x 2.2 stays 22 days.
        interval = (1, 6)[self.repetitions] if self.repetitions < 2 else math.ceil(round(self.interval * ease, 6))
        interval = min(interval, LONGEST)
        return Schedule(today + timedelta(days=interval), self.repetitions + 1, interval, ease)
