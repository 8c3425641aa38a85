"""Answers to many questions at once, as the JSON contract has them (docs/json.md).

A single question is a block of one, so that both ways give the same numbers to the last digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bgai.answers import plies_record, values_records
from bgai.cli.looking import Asked
from bgai.cli.question import Question
from bgai.notation.known_plays import KnownPlays
from bgai.notation.playtext import format_play
from bgai.notation.positionid import format_position_ids
from bgai.version import JSON_VERSION

_KNOWN_TEXTS = 200_000
"""Texts of plays that are remembered, at most."""

Answer = dict[str, Any]


class Answers:
    """What one analyst says."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._analyst = asked.analyst
        self._texts = KnownPlays(format_play, _KNOWN_TEXTS)

    def moves(self, questions: Sequence[Question], top: int = 0) -> list[Answer]:
        """The best `top` plays of each question, best first; all if 0.

        A loss is 0 where a play that was looked at less deeply would seem to be better than the best.
        """
        positions = [question.position for question in questions]
        if self._one_by_one(questions):
            return [answer for question in questions for answer in self.moves([question], top)]
        self._asked.say_if_long(positions)
        boards = np.stack([position.board for position in positions])
        ranked = self._analyst.rank(positions)
        plays, order = ranked.plays, ranked.order
        counts = np.diff(plays.offsets)
        owner = np.repeat(np.arange(len(questions)), counts)
        best = ranked.equities[order[plays.offsets[:-1]]]
        if top:
            rank = np.arange(len(order)) - plays.offsets[:-1][owner]
            order = order[rank < top]
            owner, counts = owner[order], np.minimum(counts, top)
        values = values_records(
            {
                "equity": ranked.equities[order],
                "cubeless_equity": ranked.cubeless[order],
                "mwc": ranked.mwc[order],
                "loss": np.maximum(best[owner] - ranked.equities[order], 0.0),
            },
            ranked.outcomes[order],
        )
        texts = self._texts.of(boards[owner], plays.steps[order])
        ids = format_position_ids(plays.successors[order])
        entries = [
            {"play": text, "position_id": position, "plies": plies_record(plies), **value}
            for text, position, plies, value in zip(texts, ids, ranked.plies[order].tolist(), values, strict=True)
        ]
        ends = np.cumsum(counts).tolist()
        return [
            {
                "version": JSON_VERSION,
                "position_id": position,
                "dice": list(question.roll),
                "model": self._analyst.name,
                "settings": self._asked.record,
                "plays": entries[end - count : end],
            }
            for position, question, end, count in zip(
                format_position_ids(boards), questions, ends, counts.tolist(), strict=True
            )
        ]

    def evaluations(self, questions: Sequence[Question]) -> list[Answer]:
        """What each position is worth to the player on roll, before the roll."""
        positions = [question.position for question in questions]
        if self._one_by_one(questions):
            return [answer for question in questions for answer in self.evaluations([question])]
        self._asked.say_if_long(positions)
        found = self._analyst.evaluate_many(positions)
        values = values_records(
            {
                "equity": np.array([one.equity for one in found]),
                "cubeless_equity": np.array([one.cubeless for one in found]),
                "mwc": np.array([np.nan if one.mwc is None else one.mwc for one in found]),
            },
            np.stack([one.outcomes for one in found]),
        )
        ids = format_position_ids(np.stack([position.board for position in positions]))
        return [
            {
                "version": JSON_VERSION,
                "position_id": position,
                "model": self._analyst.name,
                "settings": self._asked.record,
                "plies": plies_record(one.plies),
                **value,
            }
            for position, one, value in zip(ids, found, values, strict=True)
        ]

    def _one_by_one(self, questions: Sequence[Question]) -> bool:
        """Whether each question has to have its time to itself."""
        return len(questions) > 1 and self._analyst.settings.seconds is not None
