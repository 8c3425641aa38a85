"""A match as a file tells it, one happening after the other, made into a record.

Files do not always tell what can happen: turns are missing, plays are not legal, results do not fit. `MatchBuilder`
takes what a reader finds, keeps the state of the match, mends what it must with `SetUp` and says so in a `Problem`.
Where an agreement that the file does not mention explains everything (a double in what would be the Crawford game), the
match is built again with it: `build`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from bgai.board import START, Board, as_board, flip, result
from bgai.errors import InputError, PlayError, RuleError
from bgai.events import (
    AcceptResignation,
    Beaver,
    Double,
    EndOfGame,
    Event,
    Pass,
    Play,
    Raccoon,
    Resign,
    Roll,
    SetUp,
    StartGame,
    Step,
    Take,
)
from bgai.match import after, apply, refusal
from bgai.match_rules import Rules
from bgai.match_state import MatchState, new_match
from bgai.matchfiles.found import MatchFile, Problem, one_line
from bgai.matchfiles.play_texts import forced, legal_ones, meant, moves_of, single_steps
from bgai.notation.playtext import format_play
from bgai.record import GameRecord, MatchRecord

NACKGAMMON: Board = np.array(
    [0, -2, -2, 0, 0, 0, 4, 0, 3, 0, 0, 0, -4, 4, 0, 0, 0, -3, 0, -4, 0, 0, 0, 2, 2, 0], dtype=np.int8
)
"""Its starting position; it is the same for both sides."""
NACKGAMMON.setflags(write=False)

VARIATIONS: dict[str, Board] = {"backgammon": START, "nackgammon": NACKGAMMON}
"""Starting positions by the names that files use, in small letters."""


@dataclass(frozen=True)
class Beginning:
    """What is known of a match before its first game."""

    players: tuple[str, str]
    rules: Rules
    score: tuple[int, int] = (0, 0)
    post_crawford: bool = False
    variation: str = "backgammon"
    """One of `VARIATIONS`: the position at the start of every game."""
    comment: str = ""
    metadata: Mapping[str, str] | None = None


class _Otherwise(Exception):
    """The match has to be built again from another beginning."""

    def __init__(self, beginning: Beginning, problem: Problem | None) -> None:
        super().__init__()
        self.beginning = beginning
        self.problem = problem


Progress = Callable[[int, int], None]
"""Is told how many games are read, and how many there are; begins anew where rules turn out to be others."""


def build(
    beginning: Beginning,
    tell: Callable[[MatchBuilder], None],
    form: str,
    games: int = 1,
    progress: Progress | None = None,
) -> MatchFile:
    """The match that `tell` tells to a builder; more than once, where the rules turn out to be others.

    Args:
        form: name of the format.
        games: how many games there are to tell.
        progress: is called when one of them begins.

    Raises:
        InputError: nothing was told, or the beginning cannot be.
    """
    found: list[Problem] = []
    while True:
        builder = MatchBuilder(beginning, games, progress)
        try:
            tell(builder)
            record = builder.finish()
        except _Otherwise as other:
            beginning = other.beginning
            found += [] if other.problem is None else [other.problem]
            continue
        problems = sorted((*found, *builder.problems), key=lambda problem: problem.line or 0)
        return MatchFile(record, form, tuple(problems))


class MatchBuilder:
    """Takes what happened in the order of the file. Seats are 0 and 1; `line` is where the reader is."""

    def __init__(self, beginning: Beginning, games: int = 1, progress: Progress | None = None) -> None:
        self.beginning = beginning
        self._progress = progress
        self._to_tell = games
        self._begun = 0
        self.line: int | None = None
        self.problems: list[Problem] = []
        self._start = new_match(beginning.rules, score=beginning.score, post_crawford=beginning.post_crawford)
        self.state = self._before = self._start
        self._events: list[Event] = []
        self._games: list[list[Event]] = []
        self._results: list[EndOfGame | None] = []
        """How each game ended, None for one that did not."""
        self._comments: dict[tuple[int, int], str] = {}
        self._waiting: int | None = None
        """Automatic doubles of a game that has been announced, until its first roll is known."""
        self._claimed = (0, 0)
        """By how much the scores of the file are ahead of those of the record."""

    # ---- what a reader tells

    def problem(self, text: str) -> None:
        """Something that is not as it should be, at the current line of the current game."""
        number = len(self._games) + (self._waiting is not None)
        self.problems.append(Problem(one_line(text), self.line, number or None))

    def start(self, score: tuple[int, int] | None = None, automatic: int = 0) -> bool:
        """A game begins, at a score; False if it cannot, because the match is over.

        A game before it that has no end gets one from the score, or is left out.
        """
        self._begun += 1
        if self._progress is not None:
            self._progress(self._begun, self._to_tell)
        self._close(score)
        if self.state.winner is not None:
            self.problem(f"the match is over by then, seat {self.state.winner} has won it; the game is left out")
            return False
        self._before = self.state
        self._waiting = 0
        limit = self.state.rules.cube_limit
        if 2**automatic > limit:
            self.problem(f"{automatic} automatic doubles pass the limit of the cube, {limit}; taken as none")
        else:
            self._waiting = automatic
        if score is not None:
            ahead = (score[0] - self.state.score[0], score[1] - self.state.score[1])
            if ahead != self._claimed:
                mine, theirs = self.state.score
                self.problem(
                    f"the score is said to be {score[0]}-{score[1]}, and the games before lead to {mine}-{theirs}"
                )
                self._claimed = ahead
        return True

    def roll(self, seat: int, dice: tuple[int, int]) -> None:
        """The dice fall for a player; the play may follow."""
        if self._over("a roll"):
            return
        if self._waiting is not None:
            self._open(seat, dice)
            return
        self._settle(seat)
        if self.state.on_roll == seat and self.state.dice is not None:
            if sorted(self.state.dice) != sorted(dice):
                first, second = self.state.dice
                self.problem(f"the roll {first}-{second} is replaced by {dice[0]}-{dice[1]}")
                self._set_up(seat, self.state.board, dice)
            return
        self._answer_implied(seat)
        self._turn(seat)
        self._add(Roll(seat, dice))

    def play(self, seat: int, text: str) -> None:
        """The roll is played as in a text; what is not legal is done as far as checkers are there."""
        state = self.state
        if not state.playing or state.dice is None or state.on_roll != seat:
            return
        moves = moves_of(text)
        steps = None if moves is None else single_steps(moves)
        if steps is not None:
            event = Play(seat, steps)
            if refusal(state, event) is None:
                self._follow(event)
                return
        plays = state.plays
        try:
            self._add(Play.of(seat, plays.steps[meant(state, text)].tolist()))
        except PlayError as error:
            first, second = state.dice
            if moves is None:
                found = f"expected a play of {first}-{second}, found {text.strip()!r}"
                self.problem(f"{found}; {legal_ones(state, error)}; the turn passes")
                self._set_up(1 - seat, flip(state.board))
                return
            board, done = forced(state.board, moves)
            what = f"{text.strip()!r} is not legal with {first}-{second}; {legal_ones(state, error)}"
            self.problem(f"{what}; taken as {'it stands' if done else 'far as it can be done'}")
            self._set_up(1 - seat, flip(board))

    def steps(self, seat: int, steps: tuple[Step, ...]) -> None:
        """The roll is played by moving checkers so."""
        self.play(seat, " ".join(f"{start}/{end}" for start, end in steps))

    def no_move(self, seat: int) -> None:
        """The player cannot move, the file says."""
        state = self.state
        if not state.playing or state.dice is None or state.on_roll != seat:
            return
        if state.plays.must_pass:
            self._add(Play(seat))
            return
        first, second = state.dice
        best = format_play(state.board, state.plays.steps[0])
        self.problem(f"no play is given for {first}-{second}, and it can be played, as {best}; the turn passes")
        self._set_up(1 - seat, flip(state.board))

    def no_roll(self, seat: int, text: str) -> None:
        """The player cannot move, the file says without a roll."""
        if self._over("a turn"):
            return
        if self._waiting is not None:
            self._open(seat, None)
        self._settle(seat)
        if self.state.on_roll == seat and self.state.dice is not None:
            self.no_move(seat)
            return
        self._answer_implied(seat)
        self._turn(seat)
        self.problem(f"expected a roll in front of {text!r}, found none; the turn passes")
        self._set_up(1 - seat, flip(self.state.board))

    def nothing(self, seat: int) -> None:
        """No play stands beside the roll: a pass where nothing can be played; else what comes next tells."""
        if self.state.playing and self.state.dice is not None and self.state.plays.must_pass:
            self.no_move(seat)

    def double(self, seat: int, value: int | None = None) -> None:
        """The cube is offered, at a value; in answer to a double it is a beaver, in answer to that a raccoon."""
        if self._over("a double"):
            return
        if self._waiting is not None:
            self._open(seat, None)
        if self.state.offer is not None and seat == self.state.to_act:
            self._double_back(seat)
        else:
            self._settle(seat)
            self._answer_implied(seat)
            self._turn(seat)
            self._first_double(seat)
        becomes = 2 * self.state.cube
        if value is not None and value != becomes and self.state.offer is not None:
            self.problem(f"the cube is said to go to {value}, and it goes to {becomes}; taken as {becomes}")

    def take(self, seat: int) -> None:
        """The offer is taken."""
        self._answer(Take(seat), "take")

    def drop(self, seat: int) -> None:
        """The offer is dropped."""
        self._answer(Pass(seat), "drop")

    def end(self, winner: int, points: int | None) -> None:
        """Somebody wins so many points; where the game is not at its end, the other one has resigned."""
        if self._waiting is not None and self.state.winner is None:
            self._open(winner, None)
        state = self.state
        if not state.playing:
            self._compare(winner, points)
            return
        if state.offer is not None:
            self._end_offer(winner, points)
            state = self.state
            if not state.playing:
                self._compare(winner, points)
                return
        value, cube = 1, state.cube
        if points is not None:
            value = points // cube
            if points % cube or value not in (1, 2, 3):
                value = min(max(value, 1), 3)
                self.problem(
                    f"{points} points with the cube at {cube} cannot be; taken as a resignation of {value * cube}"
                )
                points = value * cube
            if state.rules.jacoby and state.owner is None and value > 1:
                rules = replace(state.rules, jacoby=False)
                reason = f"{points} points with the cube in the middle: the Jacoby rule is taken as not agreed"
                self._otherwise(replace(self.beginning, rules=rules), reason)
        self._add(Resign(1 - winner, value))
        self._add(AcceptResignation(winner))

    def set_up(
        self, seat: int, board: Board, dice: tuple[int, int] | None, cube: int | None = None, owner: int | None = None
    ) -> None:
        """A position stands in the file, seen by the seat on roll. Without a cube, that stays as it is.

        Raises:
            InputError: it cannot be; the message names the line.
        """
        if self._over("a position"):
            return
        try:
            self._stand(seat, board, dice, cube, owner)
        except InputError as error:
            raise InputError(f"line {self.line}: {error}" if self.line else str(error)) from None

    def _stand(
        self, seat: int, board: Board, dice: tuple[int, int] | None, cube: int | None, owner: int | None
    ) -> None:
        if self._waiting is not None:
            self._begin(StartGame((2, 1) if seat == 0 else (1, 2), self._waiting))
        if cube is None:
            cube, owner = self.state.cube, self.state.owner
        self._put(SetUp(seat, tuple(as_board(board).tolist()), dice, cube, owner))

    def comment(self, text: str) -> None:
        """A remark on what was told last."""
        game = len(self._games) - 1
        if not self._games or not self._games[game]:
            return
        place = (game, len(self._games[game]) - 1)
        self._comments[place] = f"{self._comments[place]}\n{text}" if place in self._comments else text

    def finish(self) -> MatchRecord:
        """The record of what was told.

        Raises:
            InputError: no game was told.
        """
        self._waiting = None
        beginning = self.beginning
        remarks: list[dict[int, str]] = [{} for _ in self._games]
        for (game, place), text in self._comments.items():
            remarks[game][place] = text
        told = zip(self._games, self._results, remarks, strict=True)
        # Every event was applied when it was told, so `MatchRecord.of` need not do so once more.
        return MatchRecord(
            beginning.players,
            beginning.rules,
            tuple(GameRecord(tuple(events), result, comments) for events, result, comments in told),
            score=beginning.score,
            post_crawford=self._start.post_crawford,
            comment=beginning.comment,
            metadata=dict(beginning.metadata or {}),
        )

    # ---- how it is mended

    def _over(self, what: str) -> bool:
        if self.state.playing or self._waiting is not None:
            return False
        self.problem(f"{what} after the end of the game; left out")
        return True

    def _add(self, event: Event) -> None:
        self._reach(apply(self.state, event), event)

    def _follow(self, event: Event) -> None:
        """Adds what `refusal` has nothing against."""
        self._reach(after(self.state, event), event)

    def _reach(self, state: MatchState, event: Event) -> None:
        self.state = state
        self._games[-1].append(event)
        self._results[len(self._games) - 1 :] = [state.result]

    def _begin(self, event: StartGame) -> None:
        self._waiting = None
        self._games.append([])
        if event.automatic > self.state.rules.automatic_doubles:
            self._games.pop()
            rules = replace(self.state.rules, automatic_doubles=event.automatic)
            self._otherwise(replace(self.beginning, rules=rules), "automatic doubles are taken as agreed", quiet=True)
        self._add(event)
        board = VARIATIONS[self.beginning.variation]
        if board is not START:
            self._put(SetUp(event.seat, tuple(board.tolist()), event.dice, self.state.cube))

    def _open(self, seat: int, dice: tuple[int, int] | None) -> None:
        """The first thing in a game happened to this seat: its roll, or something that should not come first."""
        assert self._waiting is not None
        if dice is not None and dice[0] != dice[1]:
            high, low = max(dice), min(dice)
            self._begin(StartGame((high, low) if seat == 0 else (low, high), self._waiting))
            return
        self._begin(StartGame((2, 1) if seat == 0 else (1, 2), self._waiting))
        if dice is None:
            self.problem("the game begins before its first roll; the opening roll is left out")
        else:
            self.problem(f"the game begins with {dice[0]}-{dice[1]}, and equal opening dice are thrown again")
        self._set_up(seat, self.state.board, dice)

    def _set_up(self, seat: int, board: Board, dice: tuple[int, int] | None = None) -> None:
        """Goes on from a board with this seat on roll; the cube stays."""
        self._put(SetUp(seat, tuple(int(number) for number in board), dice, self.state.cube, self.state.owner))

    def _put(self, event: SetUp) -> None:
        rules = self.state.rules
        if event.cube > rules.cube_limit:
            self._otherwise(
                replace(self.beginning, rules=replace(rules, cube_limit=event.cube)),
                f"a cube at {event.cube} passes the limit of {rules.cube_limit}, which is taken as {event.cube}",
            )
        if event.cube > 1 and not rules.cube:
            self._with_cube()
        if event.cube > 1 and self.state.crawford:
            self._without_crawford()
        reason = refusal(self.state, event)
        if reason is not None:
            raise RuleError(reason)
        self._add(event)

    def _settle(self, seat: int) -> None:
        """A roll that was not played is passed before the other player goes on."""
        if self.state.dice is not None and self.state.on_roll != seat:
            self.no_move(self.state.on_roll)

    def _turn(self, seat: int) -> None:
        """Makes it this seat's turn where the one between is missing."""
        if self.state.on_roll != seat:
            self.problem(f"a turn of {self._name(self.state.on_roll)} is missing; the game goes on without it")
            self._set_up(seat, flip(self.state.board))
        elif self.state.dice is not None:
            first, second = self.state.dice
            self.problem(f"the roll {first}-{second} is thrown and not played; taken back")
            self._set_up(seat, self.state.board)

    def _name(self, seat: int) -> str:
        return self.beginning.players[seat] or f"seat {seat}"

    def _answer_implied(self, seat: int) -> None:
        """Play goes on while an offer waits, so that it must have been taken; a beaver mostly is without a word."""
        offer = self.state.offer
        if offer is None or self.state.to_act is None:
            return
        if offer == "double":
            self.problem(f"the answer to the double of {self._name(self.state.on_roll)} is missing; taken as a take")
        self._add(Take(self.state.to_act))

    def _answer(self, event: Take | Pass, what: str) -> None:
        if self._over(f"a {what}"):
            return
        if self._waiting is None and self.state.offer is not None and self.state.to_act == event.seat:
            self._add(event)
            return
        self.problem(f"a {what} of {self._name(event.seat)}, and no double waits for it; left out")

    def _first_double(self, seat: int) -> None:
        state = self.state
        rules = state.rules
        if not rules.cube:
            self._with_cube()
        if state.crawford:
            self._without_crawford()
        if state.owner == 1 - seat:
            self.problem(f"{self._name(seat)} doubles, and the cube is {self._name(1 - seat)}'s; it is handed over")
            self._put(SetUp(seat, state.checkers, None, state.cube, seat))
        self._within_limit(2)
        self._add(Double(seat))

    def _double_back(self, seat: int) -> None:
        """A beaver or a raccoon."""
        state, kind = self.state, "beaver" if self.state.offer == "double" else "raccoon"
        rules = state.rules
        if rules.length or state.offer == "raccoon":
            self.problem(
                f"{self._name(seat)} turns the cube in answer to a {state.offer}, which cannot be; taken as a take"
            )
            self._add(Take(seat))
            return
        if not getattr(rules, f"{kind}s"):
            rules = replace(rules, beavers=True, raccoons=rules.raccoons or kind == "raccoon")
            self._otherwise(replace(self.beginning, rules=rules), f"{kind}s are taken as agreed", quiet=True)
        self._within_limit(4)
        self._add(Beaver(seat) if kind == "beaver" else Raccoon(seat))

    def _end_offer(self, winner: int, points: int | None) -> None:
        """The game ends while an offer waits: dropped, or taken without a word and resigned."""
        state = self.state
        assert state.to_act is not None
        if winner != state.to_act and points in (None, state.cube):
            self.problem(f"the answer to the {state.offer} is missing; taken as a drop")
            self._add(Pass(state.to_act))
        elif points is None or points >= 2 * state.cube:
            self.problem(f"the answer to the {state.offer} is missing; taken as a take")
            self._add(Take(state.to_act))
        else:
            self.problem(f"the game ends while a {state.offer} waits for an answer; the {state.offer} is left out")
            self._set_up(state.on_roll, state.board)

    def _within_limit(self, times: int) -> None:
        rules = self.state.rules
        value = times * self.state.cube
        if value > rules.cube_limit:
            self._otherwise(
                replace(self.beginning, rules=replace(rules, cube_limit=value)),
                f"a cube at {value} passes the limit of {rules.cube_limit}, which is taken as {value}",
            )

    def _with_cube(self) -> None:
        rules = replace(self.state.rules, cube=True)
        self._otherwise(replace(self.beginning, rules=rules), "a double in a match without the cube: taken as with it")

    def _without_crawford(self) -> None:
        beginning = self.beginning
        rules = beginning.rules
        if len(self._games) == 1 and rules.length - 1 in beginning.score:
            self._otherwise(
                replace(beginning, post_crawford=True),
                "a double in the first game of the file, which is taken as one after the Crawford game",
                quiet=True,
            )
        self._otherwise(
            replace(beginning, rules=replace(rules, crawford=False)),
            "a double in the Crawford game: the match is taken as one without the Crawford rule",
        )

    def _otherwise(self, beginning: Beginning, reason: str, *, quiet: bool = False) -> None:
        raise _Otherwise(beginning, None if quiet else Problem(one_line(reason), self.line, len(self._games)))

    def _compare(self, winner: int, points: int | None) -> None:
        """The result that a file gives, beside the one of the events."""
        end = self.state.result
        if end is None:
            return
        if end.winner != winner:
            self.problem(f"{self._name(winner)} is said to win, and {self._name(end.winner)} has won")
            return
        if points is None or points == end.points:
            return
        value = self._board_value()
        if end.value == 1 and end.how == "bear-off" and self.state.owner is None and points == value * end.cube:
            rules = replace(self.state.rules, jacoby=False)
            reason = f"{points} points with the cube in the middle: the Jacoby rule is taken as not agreed"
            self._otherwise(replace(self.beginning, rules=rules), reason)
        self.problem(f"{self._name(winner)} is said to win {points}, and the game is worth {end.points}")

    def _board_value(self) -> int:
        return abs(result(self.state.board)) or 1

    def _close(self, score: tuple[int, int] | None) -> None:
        """Ends a game that has no end when the next one begins."""
        if self._waiting is not None:
            self.problem("nothing happens in this game; left out")
            self._waiting = None
        if not self.state.playing:
            return
        gains = (0, 0)
        if score is not None:
            gains = (
                score[0] - self.state.score[0] - self._claimed[0],
                score[1] - self.state.score[1] - self._claimed[1],
            )
        if max(gains) > 0 and min(gains) == 0:
            winner = gains.index(max(gains))
            self.problem(f"the game has no end; by the next score {self._name(winner)} has won {max(gains)}")
            self.end(winner, max(gains))
            return
        self.problem("the game has no end, and the next one begins; it is left out")
        self._comments = {place: text for place, text in self._comments.items() if place[0] < len(self._games) - 1}
        self._games.pop()
        self._results.pop()
        self.state = self._before
