"""Questions as people and files write them: the name of a position, and for `move` the two dice.

A position is named by any text that `bgai.notation.identify.read_position` knows. What it says about cube and score
stays with the question.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bgai.board import Board, result
from bgai.cli.agreed import Agreed
from bgai.dice import check_roll
from bgai.errors import DiceError, InputError, PositionError
from bgai.met.table import LONGEST as LONGEST_MATCH
from bgai.notation.identify import read_position
from bgai.notation.reading import LONGEST, Reading, quote
from bgai.position import Position

EXAMPLE = "4HPwATDgc/ABMA"
NOTHING = Agreed()

Roll = tuple[int, int]

_WORDS = {1: "a single game", 2: "a gammon", 3: "a backgammon"}
_PREFIXES = ("xgid", "xgid=", "xgid:", "gnubgid", "gnubgid=", "gnubgid:", "gnuid", "gnuid=", "gnuid:")


@dataclass(frozen=True)
class Question:
    """A position, with its roll where it is asked for."""

    position: Position
    remarks: tuple[str, ...] = ()
    """What was repaired in the text, see `Reading`."""

    @property
    def roll(self) -> Roll:
        """The roll to be played, larger die first."""
        assert self.position.dice is not None
        return self.position.dice


def looks_like_id(word: str) -> bool:
    """Whether a word can hardly be meant as dice."""
    return len(word) > 5 or any(letter.isalpha() for letter in word)


def split_words(words: Sequence[str]) -> tuple[str, list[str]]:
    """The name of the position and the words behind it; its prefix may be a word of its own (`XGID = ...`)."""
    behind = 1
    if words[0].lower() in _PREFIXES:
        while behind < len(words) and words[behind] in ("=", ":"):
            behind += 1
        behind += 1
    return " ".join(words[:behind]).strip(), list(words[behind:])


def read_board(word: str) -> Board:
    """The board of a position, however it is named.

    Raises:
        PositionError: no known name, or a position that cannot occur.
    """
    return read_position(word).position.board


def read_state(words: Sequence[str], roll: Roll | None = None, agreed: Agreed = NOTHING) -> tuple[Reading, Roll | None]:
    """The position that the words name, and its roll: out of the name, from the words behind it, or `roll`.

    Raises:
        PositionError: no known name, a position that cannot occur, or does not fit what is `agreed`, or dice while
            a double waits.
        DiceError: no roll of two dice, or the roll is given twice and differently.
    """
    name, behind = split_words(words)
    reading = agreed.joined(read_position(name))
    length = reading.position.score.length
    if length > LONGEST_MATCH:
        raise PositionError(f"match length: found {length}, expected at most {LONGEST_MATCH}")
    rolls = [
        (reading.position.dice, "in the ID"),
        (read_roll(behind), "here" if roll else "behind it"),
        (roll, "for all"),
    ]
    given = [(dice, where) for dice, where in rolls if dice is not None]
    for dice, where in given[1:]:
        first, first_where = given[0]
        if dice != first:
            raise DiceError(
                f"the roll is given twice and differently, as {first[0]}{first[1]} {first_where}"
                f" and as {dice[0]}{dice[1]} {where}"
            )
    if given and reading.position.offer in ("double", "beaver"):
        raise PositionError(f"a {reading.position.offer} waits for an answer, expected no dice {given[0][1]}")
    return reading, given[0][0] if given else None


def read_roll(words: Sequence[str]) -> Roll | None:
    """The roll that the words give, larger die first: `31`, `3-1`, `3,1` or `3 1`; None if there are no words.

    The same roll may be given twice.

    Raises:
        DiceError: anything else, a die that is not 1 to 6, or two different rolls.
    """
    text = re.sub(r"\s*[-,/]\s*", "-", " ".join(words)).strip()
    rolls: list[tuple[Roll, str]] = []
    single: str | None = None
    for word in text.split():
        if re.fullmatch(r"[0-9]", word):
            if single is None:
                single = word
                continue
            word, single = single + word, None
        dice = re.fullmatch(r"([0-9])-?([0-9])", word)
        if dice is None or single is not None:
            raise DiceError(f"expected two dice such as 31, 3-1 or 3 1, found {quote(text)}")
        try:
            rolls.append((check_roll(int(dice[1]), int(dice[2])), word))
        except DiceError as error:
            raise DiceError(f"{error} in {quote(text)}") from None
    if single is not None:
        raise DiceError(f"expected two dice such as 31, 3-1 or 3 1, found one die only, {quote(text)}")
    for roll, word in rolls:
        if roll != rolls[0][0]:
            raise DiceError(f"the roll is given twice and differently, as {rolls[0][1]} and as {word}")
    return rolls[0][0] if rolls else None


def read_question(words: Sequence[str], roll: Roll | None = None, agreed: Agreed = NOTHING) -> Question:
    """A position with its dice, in the ID or behind it; `roll` is what was given elsewhere, None if nothing was.

    Raises:
        PositionError: no known name, the game is over, or a double waits for an answer.
        DiceError: the roll is missing, wrong, or given differently in two places.
    """
    if not words:
        raise InputError(f"expected a position ID and a roll, such as: {EXAMPLE} 31")
    reading, dice = read_state(words, roll, agreed)
    position = reading.position
    if position.offer in ("double", "beaver"):
        raise PositionError(f"a {position.offer} waits for an answer, expected a position with a play to choose")
    if dice is None:
        name = split_words(words)[0]
        name = name if len(name) <= LONGEST else EXAMPLE
        raise DiceError(f"no roll found, expected two dice behind the ID, such as: {name} 31")
    points = result(position.board)
    if points:
        raise PositionError(f"the game is over, {describe_result(points)}; expected a position with a play to choose")
    return Question(replace(position, dice=dice, offer=None), (*reading.remarks, *_left_out(position)))


def read_unrolled(words: Sequence[str], agreed: Agreed = NOTHING, *, double: bool = False) -> Question:
    """A position before the roll; a roll in it or behind it is checked and plays no part.

    Only with `double` may one that waits for an answer stay.

    Raises:
        PositionError: no known name, or a beaver waits for an answer.
        DiceError: no roll of two dice.
    """
    reading, _ = read_state(words, None, agreed)
    position, remarks = reading.position, reading.remarks
    if position.offer == "beaver":
        raise PositionError("a beaver waits for an answer, expected a position before the roll")
    if not (double and position.offer == "double"):
        remarks += _left_out(position)
        position = replace(position, offer=None)
    return Question(replace(position, dice=None), remarks)


def _left_out(position: Position) -> tuple[str, ...]:
    """What is said of an offer that is taken as not made."""
    if position.offer is None:
        return ()
    what = "double" if position.offer == "double" else f"resignation of a {position.offer}"
    return (f"the {what}{' game' * (position.offer == 'single')} that waits for an answer plays no part",)


def say_remarks(remarks: Sequence[str], words: Sequence[str]) -> None:
    """Says on the standard error what was repaired in the name that the words begin with."""
    for remark in remarks:
        name = split_words(words)[0]
        print(f"bgai: {name if quote(name)[1:-1] == name else quote(name)}: {remark}", file=sys.stderr)


def describe_result(points: int) -> str:
    """A finished game in words, `points` as in `bgai.board.result`."""
    return f"the player on roll has {'won' if points > 0 else 'lost'} {_WORDS[abs(points)]}"
