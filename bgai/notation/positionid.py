"""GNU Backgammon's position ID: fourteen characters for the board, seen by the player on roll.

80 bits, filled from the lowest bit of the first byte: for the opponent and then for the player on roll, each
of its own points 1 to 24 and its bar gives as many one-bits as there are checkers, and a zero bit. The ten
bytes are written in base 64 without padding.
"""

from __future__ import annotations

import base64
import binascii

import numpy as np

from bgai.board import CHECKERS, Board, as_board, flip
from bgai.errors import PositionError

LENGTH = 14
_BYTES = 10
_PLACES = 25


def format_position_id(board: Board) -> str:
    """The position ID of a board `int8[26]`."""
    return format_position_ids(board[None])[0]


def format_position_ids(boards: Board) -> list[str]:
    """The position IDs of boards `int8[N, 26]`.

    Of the 80 bits all are 1 that lie before the last checker's place, but for the one zero behind each place.
    """
    sides = np.concatenate([flip(boards)[:, 1:], boards[:, 1:]], axis=1)
    counts = np.maximum(sides, 0).astype(np.int64)
    zeros = np.cumsum(counts, axis=1) + np.arange(counts.shape[1])
    bits = (np.arange(8 * _BYTES) < zeros[:, -1:]).astype(np.uint8)
    bits[np.arange(len(boards))[:, None], zeros] = 0
    # Twelve bytes a position are sixteen characters, the last two of which say nothing.
    data = np.zeros((len(boards), 12), dtype=np.uint8)
    data[:, :_BYTES] = np.packbits(bits, axis=1, bitorder="little")
    text = base64.b64encode(data.tobytes()).decode("ascii")
    return [text[begin : begin + LENGTH] for begin in range(0, len(text), 16)]


def parse_position_id(text: str) -> Board:
    """The board that an ID stands for; padding with `=` is accepted.

    Raises:
        PositionError: wrong length or characters, or a position that cannot occur.
    """
    stripped = text.strip().rstrip("=")
    if len(stripped) != LENGTH:
        raise PositionError(
            f"a position ID has {LENGTH} characters, found {len(stripped)} in {text!r}"
            " (example: 4HPwATDgc/ABMA, the starting position)"
        )
    try:
        data = base64.b64decode(stripped + "==", validate=True)
    except (binascii.Error, ValueError) as error:
        wrong = sorted({c for c in stripped if not (c.isascii() and (c.isalnum() or c in "+/"))})
        raise PositionError(
            f"a position ID is made of letters, digits, + and /, found {''.join(wrong)!r} in {text!r}"
        ) from error
    if base64.b64encode(data).decode().rstrip("=") != stripped:
        raise PositionError(f"the last character of {text!r} holds more than the position, expected A, Q, g or w")
    bits = int.from_bytes(data, "little")
    board = [0] * 26
    for sign in (-1, 1):
        for place in range(1, _PLACES + 1):
            count = 0
            while bits & 1:
                count += 1
                bits >>= 1
            bits >>= 1
            if count > CHECKERS:
                raise PositionError(f"{count} checkers on one point in {text!r}, at most {CHECKERS} are possible")
            if count:
                index = place if sign > 0 else 25 - place
                if board[index]:
                    raise PositionError(f"both sides stand on point {index} in {text!r}")
                board[index] = sign * count
    if bits:
        raise PositionError(f"more than {2 * _PLACES} places in {text!r}")
    try:
        return as_board(board)
    except PositionError as error:
        raise PositionError(f"{error} in {text!r}") from None
