"""Matches and positions of eXtreme Gammon: `.xg` and `.xgp` files. Only what was played is read, no analysis.

A file of a single position, `.xgp`, becomes a match with one unfinished game, in which the position is set up;
`bgai.match_state.position(record.final)` has it. See docs/xg.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from bgai.board import START, as_board
from bgai.errors import InputError, PositionError, RuleError
from bgai.events import Play, Step
from bgai.match import refusal
from bgai.match_rules import Rules
from bgai.matchfiles.building import NACKGAMMON, Beginning, MatchBuilder, Progress, build
from bgai.matchfiles.found import MatchFile
from bgai.matchfiles.xg_comments import read_comments
from bgai.matchfiles.xg_container import COMMENTS, RECORDS, is_container, unpack
from bgai.matchfiles.xg_records import CubeAction, GameFooter, GameHeader, MatchHeader, Move, read_records

Checkers = tuple[int, ...]

_STARTS: dict[str, Checkers] = {
    "backgammon": tuple(START.tolist()),
    "nackgammon": tuple(NACKGAMMON.tolist()),
}
"""Where a game begins; both are the same for both players."""
_NOWHERE: Checkers = (0,) * len(START)
"""What stands in the place of a position that is not given."""
_VARIATIONS = ("backgammon", "nackgammon", "hypergammon", "longgammon")


def is_xg(data: bytes) -> bool:
    """Whether the data begin like a file of eXtreme Gammon; they may be damaged all the same."""
    return is_container(data)


def read_xg(data: bytes, progress: Progress | None = None) -> MatchFile:
    """The match of an `.xg` file, or the position of an `.xgp` file.

    What the rules do not allow is kept as a position that is set up, and named among the problems.

    Raises:
        InputError: no file of eXtreme Gammon, one that is damaged or cut off, of an unknown version, of
            Hypergammon, without a game, or with a position that cannot be.
    """
    files = unpack(data, (RECORDS, COMMENTS))
    if RECORDS not in files:
        raise InputError(f"the XG file has no {RECORDS}, so there is no match in it")
    header, *records = read_records(files[RECORDS])
    assert isinstance(header, MatchHeader)  # read_records begins with it
    if _VARIATIONS[header.variation] == "hypergammon":
        raise InputError("the XG file is of Hypergammon, played with three checkers; expected backgammon with fifteen")
    games = _games(records)
    if not games:
        raise InputError("the XG file has no game in it")
    teller = _Teller(header, games, read_comments(files.get(COMMENTS, b"")))
    return build(teller.beginning, teller.tell, "xg", len(games), progress)


@dataclass(frozen=True)
class _Game:
    header: GameHeader
    actions: tuple[CubeAction | Move, ...]
    footer: GameFooter | None


def _games(records: Sequence[object]) -> list[_Game]:
    """The records by games. One in which nothing happened, saved before its first roll, is left out."""
    starts = [place for place, record in enumerate(records) if isinstance(record, GameHeader)]
    games = []
    for start, end in pairwise([*starts, len(records)]):
        header, rest = records[start], records[start + 1 : end]
        assert isinstance(header, GameHeader)
        footers = [record for record in rest if isinstance(record, GameFooter)]
        actions = tuple(record for record in rest if isinstance(record, CubeAction | Move))
        if actions or footers or header.checkers not in (*_STARTS.values(), _NOWHERE):
            games.append(_Game(header, actions, footers[0] if footers else None))
    return games


class _Teller:
    """Tells the records to a builder, and sees that its positions are those of the records."""

    def __init__(self, header: MatchHeader, games: list[_Game], comments: list[str]) -> None:
        self.games = games
        self.comments = comments
        self.beginning = _beginning(header, games, "\n".join(filter(None, map(self._text, header.comments))))

    def tell(self, builder: MatchBuilder) -> None:
        """The whole match."""
        for number, game in enumerate(self.games, start=1):
            if not builder.start(game.header.score, self._automatic(game)):
                continue
            try:
                self._tell_game(builder, game)
            except (RuleError, PositionError) as error:
                raise InputError(f"game {number} of the XG file: {error}") from None

    def _tell_game(self, builder: MatchBuilder, game: _Game) -> None:
        header, footer = game.header, game.footer
        remarks = [self._text(header.comments[0])]
        if not self._begins_with_a_roll(game):
            self._begin_elsewhere(builder, game)
        for action in game.actions:
            self._reach(builder, action, game)
            remarks.append(self._text(action.comment))
            if isinstance(action, Move):
                self._move(builder, action, remarks, last=action is game.actions[-1])
            elif action.doubled:
                self._double(builder, action, remarks)
            # A remark where nobody doubled waits for the roll.
        if footer is not None:
            self._end(builder, footer)
        _file(builder, [*remarks, self._text(header.comments[1])])
        if builder.state.rules.length > 1 and header.crawford != builder.state.crawford:
            this = "is" if header.crawford else "is not"
            builder.problem(f"the file says that this {this} the Crawford game; by rules and score it is the other way")

    def _begins_with_a_roll(self, game: _Game) -> bool:
        """Whether the game begins as usual."""
        start = _STARTS[self.beginning.variation]
        moves = [action for action in game.actions if isinstance(action, Move)]
        if not moves or moves[0].dice is None or moves[0].checkers not in (start, _NOWHERE):
            return not game.actions and game.header.checkers in (start, _NOWHERE)
        doubled = any(action.doubled for action in game.actions[:1] if isinstance(action, CubeAction))
        return game.header.checkers in (start, _NOWHERE) and not doubled

    def _begin_elsewhere(self, builder: MatchBuilder, game: _Game) -> None:
        """The position of the first record, or of the header of the game, is set up."""
        first = game.actions[0] if game.actions else None
        there = [first.checkers] if first else []
        checkers = next(
            (checkers for checkers in (*there, game.header.checkers) if checkers != _NOWHERE),
            _STARTS[self.beginning.variation],
        )
        self._set_up(builder, first.seat if first else 0, checkers, first.cube if first else 0, game)

    def _reach(self, builder: MatchBuilder, action: CubeAction | Move, game: _Game) -> None:
        """Sets the position up if what was told did not lead to the one that the record was made in."""
        state, seat = builder.state, action.seat
        if not state.playing or state.offer is not None:
            return
        own = state.checkers if state.on_roll == seat else _flipped(state.checkers)
        if action.checkers not in (own, _flipped(own) if seat else own, _NOWHERE):
            builder.problem(f"turn {state.turn + 1} begins where the plays do not lead; its position is set up")
            self._set_up(builder, seat, action.checkers, action.cube, game)

    def _set_up(self, builder: MatchBuilder, seat: int, checkers: Checkers, cube: int, game: _Game) -> None:
        """Sets up a position as seen by player 1, with the cube of the record."""
        board = as_board(_flipped(checkers) if seat else checkers)
        owner = None if cube == 0 else int(cube < 0)
        builder.set_up(seat, board, None, 2 ** (abs(cube) + self._automatic(game)), owner)

    def _automatic(self, game: _Game) -> int:
        return 0 if self.beginning.rules.length else game.header.automatic

    def _double(self, builder: MatchBuilder, action: CubeAction, remarks: list[str]) -> None:
        seat, other = action.seat, 1 - action.seat
        builder.double(seat)
        _file(builder, remarks)
        answers = ((other, action.answer), (seat, action.beaver_answer), (other, action.raccoon_answer))
        for answering, answer in answers:
            if answer == 0:
                builder.drop(answering)
            elif answer == 1:
                builder.take(answering)
            elif answer == 2:
                builder.double(answering)
            if answer != 2 or builder.state.offer is None:
                break

    def _move(self, builder: MatchBuilder, move: Move, remarks: list[str], *, last: bool) -> None:
        seat = move.seat
        if move.dice is None:
            return
        builder.roll(seat, move.dice)
        own = remarks.pop()
        _file(builder, remarks)
        state = builder.state
        if state.playing and state.dice is not None and state.on_roll == seat:
            steps = _steps(state.checkers, move, builder)
            if steps or move.steps:
                builder.steps(seat, steps or move.steps)
            elif steps is not None or (not last and move.after in (_NOWHERE, state.checkers)):
                builder.no_move(seat)
            elif move.after not in (_NOWHERE, state.checkers):
                roll = "-".join(map(str, move.dice))
                builder.problem(f"no legal play of {roll} leads to the position after it, which is set up")
                builder.set_up(1 - seat, as_board(_flipped(move.after)), None)
        _file(builder, [own])

    def _end(self, builder: MatchBuilder, footer: GameFooter) -> None:
        settled, ending = divmod(footer.ending, 1000)
        if settled:
            builder.problem(f"the game was settled for {footer.points} points; taken as a resignation")
        elif builder.state.playing and builder.state.offer is None and ending < 100:
            builder.problem("the end of the game is missing; taken as a resignation")
        builder.end(footer.winner, footer.points)

    def _text(self, number: int) -> str:
        return self.comments[number] if 0 <= number < len(self.comments) else ""


def _steps(checkers: Checkers, move: Move, builder: MatchBuilder) -> tuple[Step, ...] | None:
    """The steps of the legal play that was made, by what is written or by the position after it; None if none fits."""
    plays = builder.state.plays
    if (move.steps or plays.must_pass) and refusal(builder.state, Play(move.seat, move.steps)) is None:
        return move.steps
    if move.after not in (_NOWHERE, checkers):
        for number, successor in enumerate(plays.successors.tolist()):
            if _flipped(successor) == move.after:
                return Play.of(move.seat, plays.steps[number].tolist()).steps
    return None


def _file(builder: MatchBuilder, remarks: list[str]) -> None:
    """Adds remarks to what was told last; the list is empty then."""
    for text in filter(None, remarks):
        builder.comment(text)
    remarks.clear()


def _flipped(checkers: Sequence[int]) -> Checkers:
    """A position seen by the other player, as plain numbers."""
    return tuple(-count for count in reversed(checkers))


def _beginning(header: MatchHeader, games: Sequence[_Game], comment: str) -> Beginning:
    """What is agreed. The file has a single mark for beavers, which is taken as one for raccoons as well."""
    money = header.length == 0
    rules = Rules(
        length=header.length,
        crawford=header.crawford or money,
        jacoby=header.jacoby and money,
        beavers=header.beavers and money,
        raccoons=header.beavers and money,
        automatic_doubles=max(header.automatic, *(game.header.automatic for game in games)) if money else 0,
        cube_limit=2**header.cube_limit if header.cube_limit is not None else Rules.cube_limit,
    )
    first = games[0].header
    last = rules.length - 1
    starts = {game.header.checkers for game in games}
    return Beginning(
        (header.players[0] or "Player 1", header.players[1] or "Player 2"),
        rules,
        first.score,
        post_crawford=rules.crawford and last > 0 and max(first.score) == last and not first.crawford,
        variation="nackgammon" if starts == {_STARTS["nackgammon"]} else "backgammon",
        comment=comment,
        metadata=_metadata(header),
    )


def _metadata(header: MatchHeader) -> dict[str, str]:
    entries = {
        "event": header.event,
        "place": header.place,
        "round": header.round,
        "date": "" if header.date is None else header.date.date().isoformat(),
        "transcriber": header.transcriber,
        "variation": _VARIATIONS[header.variation] if header.variation else "",
    }
    return {name: value for name, value in entries.items() if value}
