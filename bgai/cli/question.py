"""Questions as people and files write them: a position ID, and for `move` the two dice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bgai.board import Board, result
from bgai.dice import check_roll
from bgai.errors import DiceError, InputError, PositionError
from bgai.notation.positionid import parse_position_id

EXAMPLE = "4HPwATDgc/ABMA"
LONGEST = 60
"""Characters of a word that a message still quotes in full."""

Roll = tuple[int, int]

_XGID = re.compile(r"(XGID\s*=|[-a-o]{26}:)", re.IGNORECASE)
_WORDS = {1: "a single game", 2: "a gammon", 3: "a backgammon"}


@dataclass(frozen=True)
class Question:
    """A position and its roll."""

    board: Board
    roll: Roll
    """Larger die first."""


def looks_like_id(word: str) -> bool:
    """Whether a word can hardly be meant as dice."""
    return len(word) > 5 or any(letter.isalpha() for letter in word)


def read_board(word: str) -> Board:
    """The board of a position ID.

    Raises:
        PositionError: no ID, or a position that cannot occur.
    """
    if _XGID.match(word):
        raise PositionError(f"XGIDs cannot be read yet, expected a position ID such as {EXAMPLE}, found {_short(word)}")
    if ":" in word:
        raise PositionError(
            f"IDs with a match ID behind a colon cannot be read yet, expected a position ID alone such as {EXAMPLE},"
            f" found {_short(word)}"
        )
    if len(word) > LONGEST:
        raise PositionError(f"a position ID has 14 characters (example: {EXAMPLE}), found {_short(word)}")
    return parse_position_id(word)


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
            raise DiceError(f"expected two dice such as 31, 3-1 or 3 1, found {_short(text)}")
        try:
            rolls.append((check_roll(int(dice[1]), int(dice[2])), word))
        except DiceError as error:
            raise DiceError(f"{error} in {_short(text)}") from None
    if single is not None:
        raise DiceError(f"expected two dice such as 31, 3-1 or 3 1, found one die only, {_short(text)}")
    for roll, word in rolls:
        if roll != rolls[0][0]:
            raise DiceError(f"the roll is given twice and differently, as {rolls[0][1]} and as {word}")
    return rolls[0][0] if rolls else None


def read_question(words: Sequence[str], roll: Roll | None = None) -> Question:
    """A position ID followed by the dice; `roll` is what was given elsewhere, None if nothing was.

    Raises:
        PositionError: no ID, or the game is over.
        DiceError: the roll is missing, wrong, or given differently in the two places.
    """
    if not words:
        raise InputError(f"expected a position ID and a roll, such as: {EXAMPLE} 31")
    board = read_board(words[0])
    here = read_roll(words[1:])
    if here is not None and roll is not None and here != roll:
        raise DiceError(
            f"the roll is given twice and differently, as {here[0]}{here[1]} here and as {roll[0]}{roll[1]} for all"
        )
    dice = here or roll
    if dice is None:
        raise DiceError(f"no roll found, expected two dice behind the ID, such as: {_short(words[0], quote=False)} 31")
    points = result(board)
    if points:
        raise PositionError(f"the game is over, {describe_result(points)}; expected a position with a play to choose")
    return Question(board, dice)


def describe_result(points: int) -> str:
    """A finished game in words, `points` as in `bgai.board.result`."""
    return f"the player on roll has {'won' if points > 0 else 'lost'} {_WORDS[abs(points)]}"


def _short(text: str, *, quote: bool = True) -> str:
    if len(text) > LONGEST:
        return f"{len(text)} characters beginning with {text[:20]!r}"
    return repr(text) if quote else text
