"""Answers to many questions at once, as the JSON contract has them (docs/json.md).

A single question is a block of one, so that both ways give the same numbers to the last digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.board import Board
from bgai.cli.question import Question
from bgai.evaluator import Evaluator
from bgai.notation.playtext import format_play
from bgai.notation.positionid import format_position_ids
from bgai.outcomes import NAMES, Outcomes, equity, invert
from bgai.plays import Steps, legal_plays_batch
from bgai.version import JSON_VERSION

DECIMALS = 6
"""A `float32` chance is good to seven digits."""

_KNOWN_TEXTS = 200_000
"""Texts of plays that are remembered, at most."""

Answer = dict[str, Any]


class Answers:
    """What one network says."""

    def __init__(self, evaluator: Evaluator, model: str) -> None:
        self._evaluator = evaluator
        self._model = model
        self._texts: dict[bytes, str] = {}

    def moves(self, questions: Sequence[Question], top: int = 0) -> list[Answer]:
        """The best `top` plays of each question, best first; all if 0. Equal ones keep the generator's order."""
        boards = np.stack([question.board for question in questions])
        rolls = np.array([question.roll for question in questions], dtype=np.int64)
        plays = legal_plays_batch(boards, rolls)
        seen_by_opponent = self._evaluator.evaluate(plays.successors)
        equities = -equity(seen_by_opponent)
        counts = np.diff(plays.offsets)
        owner = np.repeat(np.arange(len(questions)), counts)
        order = np.lexsort((-equities, owner))
        best = equities[order[plays.offsets[:-1]]]
        if top:
            rank = np.arange(len(order)) - plays.offsets[:-1][owner]
            order = order[rank < top]
            owner, counts = owner[order], np.minimum(counts, top)
        values = _values(invert(seen_by_opponent[order]), equities[order])
        losses = _rounded(best[owner].astype(np.float64) - equities[order])
        texts = self._play_texts(boards[owner], plays.steps[order])
        ids = format_position_ids(plays.successors[order])
        entries = [
            {"play": text, "position_id": position, "equity": value[0], "loss": loss, **_chances(value)}
            for text, position, value, loss in zip(texts, ids, values, losses, strict=True)
        ]
        ends = np.cumsum(counts).tolist()
        return [
            {
                "version": JSON_VERSION,
                "position_id": position,
                "dice": list(question.roll),
                "model": self._model,
                "plays": entries[end - count : end],
            }
            for position, question, end, count in zip(
                format_position_ids(boards), questions, ends, counts.tolist(), strict=True
            )
        ]

    def evaluations(self, boards: Sequence[Board]) -> list[Answer]:
        """What each position is worth to the player on roll, before the roll."""
        positions = np.stack(boards)
        outcomes = self._evaluator.evaluate(positions)
        return [
            {
                "version": JSON_VERSION,
                "position_id": position,
                "model": self._model,
                "equity": value[0],
                **_chances(value),
            }
            for position, value in zip(format_position_ids(positions), _values(outcomes, equity(outcomes)), strict=True)
        ]

    def _play_texts(self, boards: Board, steps: Steps) -> list[str]:
        """`format_play` of boards `int8[M, 26]` and steps `int8[M, 4, 2]`.

        A text depends only on the steps and on which of them hit, and the same few come again and again.
        """
        ends = steps[..., 1].astype(np.int64)
        hits = (ends > 0) & (np.take_along_axis(boards, ends, axis=1) == -1)
        keys = np.concatenate([steps.reshape(-1, 8), hits.astype(np.int8)], axis=1)
        data, width = keys.tobytes(), keys.shape[1]
        if len(self._texts) > _KNOWN_TEXTS:
            self._texts.clear()
        texts = []
        for number in range(len(keys)):
            key = data[number * width : (number + 1) * width]
            text = self._texts.get(key)
            if text is None:
                text = self._texts[key] = format_play(boards[number], steps[number])
            texts.append(text)
        return texts


def _values(outcomes: Outcomes, equities: NDArray[np.float32]) -> list[list[float]]:
    """Equity and the five chances of each, rounded."""
    return _rounded(np.concatenate([equities[:, None], outcomes], axis=1))


def _chances(value: list[float]) -> dict[str, float]:
    return dict(zip(NAMES, value[1:], strict=True))


def _rounded(numbers: NDArray[Any]) -> list[Any]:
    # Adding 0 turns -0.0 into 0.0.
    rounded: list[Any] = (np.round(numbers.astype(np.float64), DECIMALS) + 0.0).tolist()
    return rounded
