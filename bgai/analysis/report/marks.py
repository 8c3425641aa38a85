"""The signs of errors, which stand beside words or are explained where they stand alone."""

from __future__ import annotations

from bgai.analysis.decision import Mark

_MARKS: dict[Mark, str] = {"": "", "doubtful": "?!", "bad": "?", "very bad": "??"}


def mark_sign(mark: Mark) -> str:
    """As books write it."""
    return _MARKS[mark]
