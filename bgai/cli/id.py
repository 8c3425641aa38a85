"""Says what the name of a position means, field by field, and writes it in every other way.

    bgai id 4HPwATDgc/ABMA:cIkFAAAAAAAA
    bgai id XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10 --json
    bgai id - < drawing.txt

Known are GNU Backgammon's position ID, with or without the match ID, the XGID of eXtreme Gammon, the key of
gnubg-nn, the board line of FIBS and the board as bgai draws it; see docs/formats.md. What had to be repaired in a
text is said in a line that begins with "note". - reads the standard input.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from bgai.board import borne_off, flip, opponent_borne_off, pip_count
from bgai.cli.options import add_ascii, add_json, plain
from bgai.errors import InputError
from bgai.notation.drawing import draw, wants_colour
from bgai.notation.identify import Written, describe, read_position, write_all
from bgai.notation.reading import Reading
from bgai.position import Position
from bgai.version import JSON_VERSION

EXAMPLE = "4HPwATDgc/ABMA:cIkFAAAAAAAA"
LONGEST_INPUT = 1_000_000

_SIDES = ("upper", "lower")
_SHORT = ("upper player", "lower player")


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("words", nargs="*", metavar="TEXT", help="any name of a position; - reads the standard input")
    add_json(parser)
    add_ascii(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    words: list[str] = options.words
    if not words:
        raise InputError(f"expected the name of a position, such as: bgai id {EXAMPLE}")
    text = _standard_input() if words == ["-"] else " ".join(words)
    reading = read_position(text)
    written = write_all(reading.position)
    print(json.dumps(_record(reading, written)) if options.json else _page(reading, written, plain(options)))
    return 0


def _standard_input() -> str:
    if sys.stdin is None:
        raise InputError("cannot read the standard input: it is closed")
    data: bytes = sys.stdin.buffer.read(LONGEST_INPUT)
    return data.decode("utf-8-sig", "replace")


def _page(reading: Reading, written: list[Written], ascii_only: bool) -> str:
    """The board, the fields, the other names."""
    position = reading.position
    names = (_SHORT[position.seat], _SHORT[1 - position.seat])
    rows = [("read as", reading.kind), *describe(position), ("", "")]
    rows += [(one.kind, one.text if one.text is not None else f"not possible: {one.note}") for one in written]
    width = max(len(field) for field, _ in rows)
    colour = wants_colour(sys.stdout)
    lines = [draw(position.board, names=names, ascii_only=ascii_only, position=position, colour=colour), ""]
    lines += [f"{field:{width}}  {value}".rstrip() for field, value in rows]
    lost = [f"{one.kind}: written {one.note}" for one in written if one.text is not None and one.note]
    lines += [f"note: {remark}" for remark in (*reading.remarks, *lost)]
    return "\n".join(lines)


def _record(reading: Reading, written: list[Written]) -> dict[str, Any]:
    """The same for other programs, see docs/formats.md."""
    position = reading.position
    texts = {one.kind: one.text for one in written}
    return {
        "version": JSON_VERSION,
        "kind": reading.kind,
        "position_id": texts["position ID"],
        "gnubg_id": texts["GNUBG ID"],
        "xgid": texts["XGID"],
        "key": texts["gnubg-nn key"],
        "fibs_board": texts["FIBS board"],
        **_fields(position),
        "remarks": list(reading.remarks),
    }


def _fields(position: Position) -> dict[str, Any]:
    """Each side's numbers as the position has them: of the player on roll, or who made the offer, then the other's."""
    board, score, cube = position.board, position.score, position.cube
    sides = (_SIDES[position.seat], _SIDES[1 - position.seat])
    return {
        "side": sides[0],
        "board": board.tolist(),
        "pips": [int(pip_count(board)), int(pip_count(flip(board)))],
        "off": [int(borne_off(board)), int(opponent_borne_off(board))],
        "dice": None if position.dice is None else list(position.dice),
        "cube": cube.value,
        "cube_owner": {"centred": None, "on roll": sides[0], "opponent": sides[1]}[cube.owner],
        "cube_limit": position.cube_limit,
        "offer": position.offer,
        "match_length": score.length,
        "points": list(score.points),
        "crawford": score.crawford,
        "post_crawford": score.post_crawford,
        "jacoby": score.jacoby,
        "beavers": score.beavers,
    }
