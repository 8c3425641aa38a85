"""Shows all 21 rolls of a position with the best play and the equity after each.

    bgai rolls 4HPwATDgc/ABMA
    bgai rolls XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:5:0:7:10 --json

Equities are those of the player on roll, with the cube, per unit of it. Their average is what the position is worth
one ply ahead, without a double before the roll; beside it stands what the network says at once. A roll in the ID
plays no part.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from typing import Any

from bgai.answers import plies_record, rounded
from bgai.board import result
from bgai.cli.looking import Asked, asked, said_depth
from bgai.cli.options import add_ascii, add_json, add_looking, add_model, plain
from bgai.cli.question import EXAMPLE, describe_result, read_state, say_remarks, split_words
from bgai.dice import ROLL_WEIGHTS, ROLLS
from bgai.errors import InputError, PositionError
from bgai.notation.drawing import draw, wants_colour
from bgai.notation.playtext import format_play
from bgai.notation.positionid import format_position_id
from bgai.position import Position
from bgai.version import JSON_VERSION

Record = dict[str, Any]

_BEST, _WORST = "1;32", "1;31"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("words", nargs="*", metavar="ID", help="a position ID, an XGID or another name of a position")
    add_looking(parser)
    add_model(parser)
    add_json(parser)
    add_ascii(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    position = read_before_roll(options.words, "rolls")
    if position.offer is not None:
        raise PositionError(f"a {position.offer} waits for an answer, expected a position before the roll")
    who = asked(options)
    record = rolls_record(who, position)
    if options.json:
        print(json.dumps(record))
    else:
        print(_page(position, record, who, plain(options), wants_colour(sys.stdout)))
    return 0


def read_before_roll(words: list[str], command: str) -> Position:
    """The position that the words name, without its dice.

    Raises:
        InputError: nothing or more than a position.
        PositionError: no position, or the game is over.
    """
    if not words:
        raise InputError(f"expected a position ID, such as: bgai {command} {EXAMPLE}")
    name, behind = split_words(words)
    if behind:
        raise InputError(f"expected one position ID, found {' '.join(behind)!r} behind it")
    reading, roll = read_state([name])
    remarks = list(reading.remarks)
    if roll is not None:
        remarks.append(f"the roll {roll[0]}-{roll[1]} plays no part")
    say_remarks(remarks, words)
    points = result(reading.position.board)
    if points:
        raise PositionError(f"the game is over, {describe_result(points)}; expected a position before the roll")
    return replace(reading.position, dice=None)


def rolls_record(who: Asked, position: Position) -> Record:
    """What `--json` prints: the rolls, larger die first, from 1-1 to 6-6."""
    analyst = who.analyst
    rolled = [replace(position, dice=roll) for roll in ROLLS]
    who.say_if_long(rolled)
    ranked = analyst.rank(rolled)
    stakes = analyst.stakes(position.cube, position.score, position.cube_limit)
    static = float(analyst.at_once().cube_values(position)[0].no_double[0])

    def mwc(equity: float) -> float | None:
        return rounded(stakes.centre + stakes.half * equity) if position.score.length else None

    best = ranked.order[ranked.plays.offsets[:-1]]
    equities = [float(ranked.equities[number]) for number in best]
    average = sum(float(weight) * equity for weight, equity in zip(ROLL_WEIGHTS, equities, strict=True))
    return {
        "version": JSON_VERSION,
        "position_id": format_position_id(position.board),
        "model": analyst.name,
        "settings": who.record,
        "average": rounded(average),
        "static": rounded(static),
        "mwc": mwc(average),
        "rolls": [
            {
                "dice": list(roll),
                "weight": 1 if roll[0] == roll[1] else 2,
                "play": format_play(position.board, ranked.plays.steps[number]),
                "position_id": format_position_id(ranked.plays.successors[number]),
                "plies": plies_record(int(ranked.plies[number])),
                "equity": rounded(equity),
                "difference": rounded(equity - average),
                "mwc": mwc(equity),
            }
            for roll, number, equity in zip(ROLLS, best, equities, strict=True)
        ],
    }


def _page(position: Position, record: Record, who: Asked, ascii_only: bool, colour: bool) -> str:
    """The board, the equities as a square, then the rolls from the best to the worst."""
    rolls = record["rolls"]
    high = max(entry["equity"] for entry in rolls)
    low = min(entry["equity"] for entry in rolls)

    def shown(text: str, equity: float) -> str:
        style = _BEST if equity == high else _WORST if equity == low else ""
        return f"\x1b[{style}m{text}\x1b[0m" if colour and style and high > low else text

    equities = {tuple(entry["dice"]): entry["equity"] for entry in rolls}
    square = []
    for first in range(1, 7):
        row = [equities[max(first, second), min(first, second)] for second in range(1, 7)]
        square.append(f"{first:>4}" + "".join(shown(f"{equity:+8.3f}", equity) for equity in row))
    width = max(len("best play"), *(len(entry["play"] or "no legal play") for entry in rolls))
    listed = []
    deeper = any(entry["plies"] != 0 for entry in rolls)
    for entry in sorted(rolls, key=lambda entry: -entry["equity"]):
        equity = entry["equity"]
        mark = "" if high == low else "  best" if equity == high else "  worst" if equity == low else ""
        chance = "" if entry["mwc"] is None else f"  {100 * entry['mwc']:6.2f}%"
        dice = f"{entry['dice'][0]}-{entry['dice'][1]}"
        line = f"{dice:>5}  {entry['weight']:>3}  {entry['play'] or 'no legal play':{width}}  {equity:+.3f}"
        looked = f"  {said_depth(entry['plies']):7}" if deeper else ""
        listed.append(shown(f"{line}  {round(entry['difference'], 3) + 0.0:+8.3f}{chance}{looked}{mark}", equity))
    chance = "" if record["mwc"] is None else f", {100 * record['mwc']:.2f} % to win the match"
    heading = f" roll  /36  {'best play':{width}}  equity  -average" + "    match" * bool(chance) + "  depth" * deeper
    return "\n".join(
        [
            draw(position.board, ascii_only=ascii_only, position=position, colour=colour),
            f"X on roll, {record['position_id']}",
            "",
            f"{record['model']}, {who.how} after each roll, with the cube, without a double before the roll",
            *who.legend,
            f"average {record['average']:+.3f}{chance}; at once {record['static']:+.3f}",
            "",
            "    " + "".join(f"{second:>8}" for second in range(1, 7)),
            *square,
            "",
            heading,
            *listed,
        ]
    )
