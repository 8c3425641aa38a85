"""The position key of the package gnubg-nn: twenty letters for the board, seen by the player on roll.

These are the ten bytes of a position ID (see `positionid`), each written as two letters from A to P: `A` + its
higher four bits, then `A` + its lower four. The starting position is `4HPwATDgc/ABMA` as an ID and
`OAHDPAABDAOAHDPAABDA` as a key. gnubg's `set board` takes keys, and so do its training files.
"""

from __future__ import annotations

import base64
import re

from bgai.board import Board
from bgai.errors import PositionError
from bgai.notation.positionid import format_position_id, parse_position_id
from bgai.notation.reading import BLANKS, quote

LENGTH = 20
_KEY = re.compile(f"[A-P]{{{LENGTH}}}")


def format_key(board: Board) -> str:
    """The key of a board `int8[26]`."""
    data = base64.b64decode(format_position_id(board) + "==")
    return "".join(chr(ord("A") + half) for byte in data for half in (byte >> 4, byte & 15))


def parse_key(text: str) -> Board:
    """The board that a key stands for; blanks around it do not matter.

    Raises:
        PositionError: wrong length or letters, or a position that cannot occur.
    """
    key = text.strip(BLANKS)
    if not _KEY.fullmatch(key):
        raise PositionError(
            f"a gnubg-nn key has {LENGTH} letters from A to P, found {quote(text)}"
            " (example: OAHDPAABDAOAHDPAABDA, the starting position)"
        )
    halves = [ord(letter) - ord("A") for letter in key]
    data = bytes(high << 4 | low for high, low in zip(halves[::2], halves[1::2], strict=True))
    try:
        return parse_position_id(base64.b64encode(data).decode().rstrip("="))
    except PositionError as error:
        raise PositionError(f"the key {key} is that of no position: {error}") from None
