"""A whole match or session: who played, what was agreed, and every game's events.

This is what the file formats are read into and written from.

    >>> from bgai.events import Double, Pass, Play, StartGame
    >>> from bgai.match_rules import Rules
    >>> events = [StartGame((3, 1)), Play(0, ((8, 5), (6, 5))), Double(1), Pass(0)]
    >>> record = MatchRecord.of(("Ann", "Ben"), Rules(length=7), events)
    >>> record.games[0].result
    EndOfGame(winner=1, value=1, cube=1, how='drop')
    >>> record.final.score
    (0, 1)
    >>> MatchRecord.from_dict(record.to_dict()) == record
    True
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bgai.errors import RuleError
from bgai.events import EndOfGame, Event, StartGame, event_from_dict
from bgai.match import apply
from bgai.match_rules import Rules
from bgai.match_state import MatchState, new_match

FORMAT = 1
"""Number of the form that `to_dict` writes."""


@dataclass(frozen=True)
class GameRecord:
    """One game."""

    events: tuple[Event, ...]
    """From its `StartGame` on."""
    result: EndOfGame | None = None
    """None if it was not finished."""
    comments: Mapping[int, str] = field(default_factory=dict, hash=False)
    """Remarks, by the index of the event they belong to."""


@dataclass(frozen=True)
class MatchRecord:
    """A match or session, finished or not. Made by `of`, which replays the events and so knows that they are legal."""

    players: tuple[str, str]
    """Names by seat."""
    rules: Rules
    games: tuple[GameRecord, ...] = ()
    score: tuple[int, int] = (0, 0)
    """By seat, before the first game that is recorded."""
    post_crawford: bool = False
    """Whether the Crawford game was over by then."""
    comment: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What else a file says: event, place, date, transcriber, …"""

    @classmethod
    def of(
        cls,
        players: tuple[str, str],
        rules: Rules,
        events: Iterable[Event],
        *,
        score: tuple[int, int] = (0, 0),
        post_crawford: bool = False,
        comment: str = "",
        metadata: Mapping[str, str] | None = None,
        comments: Mapping[tuple[int, int], str] | None = None,
    ) -> MatchRecord:
        """The record of a stream of events.

        Args:
            score: of each seat before the first event, for a match that is recorded from the middle.
            comments: remarks by (game, event), both counted from 0.

        Raises:
            RuleError: an event that is not allowed; the message says which of which game, counting from 1.
        """
        state = start = new_match(rules, score=score, post_crawford=post_crawford)
        games: list[list[Event]] = []
        results: list[EndOfGame | None] = []
        for event in events:
            if isinstance(event, StartGame) and not state.playing:
                games.append([])
                results.append(None)
            game = games[-1] if games else []
            try:
                state = apply(state, event)
            except RuleError as error:
                raise RuleError(f"game {max(len(games), 1)}, event {len(game) + 1}: {error}") from None
            game.append(event)
            results[-1] = state.result
        remarks: list[dict[int, str]] = [{} for _ in games]
        for (number, place), text in (comments or {}).items():
            if not (0 <= number < len(games) and 0 <= place < len(games[number])):
                raise RuleError(f"a comment on event {place} of game {number}, which is not there")
            remarks[number][place] = text
        rest = zip(results, remarks, strict=True)
        return cls(
            players,
            rules,
            tuple(GameRecord(tuple(game), *after) for game, after in zip(games, rest, strict=True)),
            score=start.score,
            post_crawford=start.post_crawford,
            comment=comment,
            metadata=dict(metadata or {}),
        )

    @property
    def events(self) -> tuple[Event, ...]:
        """Those of all games, one after the other."""
        return tuple(event for game in self.games for event in game.events)

    @property
    def start(self) -> MatchState:
        """The state before the first event."""
        return new_match(self.rules, score=self.score, post_crawford=self.post_crawford)

    @property
    def final(self) -> MatchState:
        """The state after the last event."""
        state = self.start
        for event in self.events:
            state = apply(state, event)
        return state

    def replay(self) -> Iterator[tuple[MatchState, Event]]:
        """Every event with the state before it."""
        state = self.start
        for event in self.events:
            yield state, event
            state = apply(state, event)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "format": FORMAT,
            "players": list(self.players),
            "rules": self.rules.to_dict(),
            "score": list(self.score),
            "post_crawford": self.post_crawford,
            "comment": self.comment,
            "metadata": dict(self.metadata),
            "games": [
                {
                    "events": [event.to_dict() for event in game.events],
                    "result": None if game.result is None else game.result.to_dict(),
                    "comments": {str(place): text for place, text in game.comments.items()},
                }
                for game in self.games
            ],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> MatchRecord:
        """The record that `to_dict` wrote. The games are replayed; a result that is there has to be the true one.

        Raises:
            RuleError: another format, something missing or of the wrong kind, or an event that is not allowed.
        """
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            found = data.get("format") if isinstance(data, Mapping) else data
            raise RuleError(f"expected a match record of format {FORMAT}, found {found!r}")
        try:
            return cls._read(data)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, RuleError):
                raise
            reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
            raise RuleError(f"not a match record: {reason}") from None

    @classmethod
    def _read(cls, data: Mapping[str, Any]) -> MatchRecord:
        first, second = data["players"]
        mine, theirs = data.get("score", (0, 0))
        games = data["games"]
        record = cls.of(
            (str(first), str(second)),
            Rules.from_dict(data["rules"]),
            [event for number, game in enumerate(games, start=1) for event in _events(game, number)],
            score=(mine, theirs),
            post_crawford=bool(data.get("post_crawford", False)),
            comment=str(data.get("comment", "")),
            metadata={str(name): str(value) for name, value in data.get("metadata", {}).items()},
            comments={
                (number, int(place)): str(text)
                for number, game in enumerate(games)
                for place, text in game.get("comments", {}).items()
            },
        )
        if len(record.games) != len(games):
            raise RuleError(f"{len(games)} games are listed, and their events begin {len(record.games)}")
        for number, (game, found) in enumerate(zip(games, record.games, strict=True), start=1):
            expected = None if found.result is None else found.result.to_dict()
            if game.get("result", expected) != expected:
                raise RuleError(f"game {number}: the result is {game['result']}, its events lead to {expected}")
        return record


def _events(game: Mapping[str, Any], number: int) -> Iterator[Event]:
    for place, event in enumerate(game["events"], start=1):
        try:
            yield event_from_dict(event)
        except RuleError as error:
            raise RuleError(f"game {number}, event {place}: {error}") from None
