"""What a rollout compares: the plays of a roll, or no double and double, take; and what is known of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bgai.analyst import Analyst
from bgai.board import Board, result
from bgai.cube import OWNERS
from bgai.cube_decision import Action, Answer, check_cube_question, proper_action, proper_answer
from bgai.errors import PositionError
from bgai.kernels.cube import OPPONENT
from bgai.kernels.rollout import Start
from bgai.kernels.strata import BLOCK
from bgai.kernels.trial_cube import EQUITY, VALUES, other_owner
from bgai.notation.playtext import format_play
from bgai.outcomes import COUNT
from bgai.plays import Plays
from bgai.position import Position
from bgai.rollout_statistics import Values, error_of, mean_and_error, student_95
from bgai.stakes import worth_of_turn

_TURNED = np.array([0, 3, 4, 1, 2, EQUITY])
_SIGNS = np.array([-1.0, 1.0, 1.0, 1.0, 1.0, -1.0])


@dataclass(eq=False)
class Candidate:
    """One of the things compared. Values are those of the player whom the question is about."""

    name: str
    """The play, `no double`, `double, take`, or `position` if there is nothing to compare."""
    board: Board
    """Where its trials begin, seen by the side on roll there."""
    after: bool
    """Whether that is the opponent."""
    start: Start
    worth: Values
    """float64[6]: its cubeless equity is `worth[5]` and the chances times `worth[:5]`, see `static.worth_of`."""
    cubeful: bool
    blocks: list[Values] = field(default_factory=list)
    """Means float64[6] of each block: five chances and the equity with the cube."""
    dropped: bool = False

    def add(self, mean: Values) -> None:
        """Another block, seen by the side on roll where its trials begin."""
        if self.after:
            mean = mean[_TURNED] * _SIGNS
            mean[0] += 1
        self.blocks.append(mean)

    @property
    def trials(self) -> int:
        return len(self.blocks) * BLOCK

    @property
    def values(self) -> NDArray[np.float64]:
        """float64[B, 6]"""
        return np.array(self.blocks).reshape(-1, VALUES)

    def cubeless(self, blocks: int | None = None) -> Values:
        """Equities float64[B] of the blocks if the cube is never turned again, per unit of the present cube."""
        values = self.values[:blocks]
        total = np.full(len(values), self.worth[COUNT])
        for output in range(COUNT):
            total += self.worth[output] * values[:, output]
        return total

    def equities(self, blocks: int | None = None) -> Values:
        """Equities float64[B] by which candidates are compared."""
        return self.values[:blocks, EQUITY] if self.cubeful else self.cubeless(blocks)

    @property
    def equity(self) -> tuple[float, float]:
        """With its standard error."""
        return mean_and_error(self.equities())

    @property
    def half_width(self) -> float:
        """Half of the 95 % interval of the equity."""
        return student_95(len(self.blocks) - 1) * self.equity[1] if len(self.blocks) > 1 else float("inf")

    @property
    def cubeless_equity(self) -> tuple[float, float]:
        """With its standard error."""
        return mean_and_error(self.cubeless())

    @property
    def outcomes(self) -> tuple[Values, Values]:
        """The chances float64[5], with their standard errors. A double that is passed ends them at the static ones."""
        chances = self.values[:, :COUNT]
        return chances.mean(axis=0), error_of(chances)

    def lead(self, other: Candidate, blocks: int | None = None) -> tuple[float, float]:
        """By how much its equity is larger than another's, with the standard error, from the blocks of both."""
        common = min(len(self.blocks), len(other.blocks)) if blocks is None else blocks
        return mean_and_error(self.equities(common) - other.equities(common))


def cube_leads(pair: Sequence[Candidate], blocks: int | None = None) -> list[tuple[float, float]]:
    """What no double and double, take decide: no double beside the double with its right answer, and take beside
    pass, each as a difference with its standard error."""
    no_double, taken = pair
    take, error = mean_and_error(taken.equities(blocks) - 1)
    if take > 0:
        return [mean_and_error(no_double.equities(blocks) - 1), (take, error)]
    return [no_double.lead(taken, blocks), (take, error)]


def cube_advice(position: Position, pair: Sequence[Candidate]) -> tuple[Action, Answer]:
    """The proper action and answer that no double and double, take amount to."""
    no_double, taken = (one.equity[0] for one in pair)
    beaver = taken < 0 and position.score.beavers
    double_take = 2 * taken if beaver else taken
    action = proper_action(no_double, double_take, owned=position.cube.owner != "centred")
    return action, proper_answer(double_take, beaver=beaver)


def plays_of(analyst: Analyst, position: Position, most: int) -> list[Candidate]:
    if result(position.board):
        raise PositionError("the game is over, expected a position with a play to choose")
    ranked = analyst.rank([position])
    plays = ranked.plays
    if plays[0].must_pass:
        raise PositionError("there is no legal play, so there is nothing to choose")
    order = ranked.order[:most] if most else ranked.order
    return candidates_of(analyst, position, Plays(plays.successors[order], plays.steps[order]))


def candidates_of(analyst: Analyst, position: Position, plays: Plays) -> list[Candidate]:
    """Some plays of a position, in their order."""
    owner = int(other_owner(OWNERS[position.cube.owner]))
    worth = worth_of_turn(analyst.stakes(position.cube, position.score, position.cube_limit), 0)
    return [
        Candidate(
            name=format_play(position.board, plays.steps[number]),
            board=plays.successors[number],
            after=True,
            start=Start(plays.successors[number], 0, owner, True),
            worth=worth,
            cubeful=analyst.cubeful,
        )
        for number in range(len(plays))
    ]


def actions_of(analyst: Analyst, position: Position) -> list[Candidate]:
    check_cube_question(position)
    stakes = analyst.stakes(position.cube, position.score, position.cube_limit)
    board = np.ascontiguousarray(position.board)
    double = analyst.cubeful and stakes.may_double and len(stakes.win) > 1 and bool(stakes.usable[0, 0])

    def candidate(name: str, turn: int, owner: int) -> Candidate:
        start = Start(board, turn, owner, False)
        return Candidate(name, board, False, start, worth_of_turn(stakes, turn), analyst.cubeful)

    found = [candidate("no double" if double else "position", 0, OWNERS[position.cube.owner])]
    if double:
        found.append(candidate("double, take", 1, OPPONENT))
    return found
