"""A limit on how fast something is done: a few times at once, and then so often a second."""

from __future__ import annotations


class TokenBucket:
    """Holds up to `burst` tokens and gains `rate` of them a second; each command costs one.

    >>> bucket = TokenBucket(rate=2.0, burst=1)
    >>> bucket.take(0.0), bucket.take(0.0), bucket.wait(0.0), bucket.take(0.5)
    (True, False, 0.5, True)
    """

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._tokens = float(burst)
        self._filled = 0.0

    def take(self, now: float) -> bool:
        """Takes a token, if there is one; `now` in seconds of a clock that never goes back."""
        self._fill(now)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def wait(self, now: float) -> float:
        """Seconds until there is a token."""
        self._fill(now)
        return max(0.0, (1 - self._tokens) / self._rate)

    def _fill(self, now: float) -> None:
        self._tokens = min(self._burst, self._tokens + max(0.0, now - self._filled) * self._rate)
        self._filled = max(now, self._filled)
