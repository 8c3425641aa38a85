"""Shows the proper cube action and answer of a position at every score.

    bgai scores 4HPwATDgc/ABMA
    bgai scores 4HPwATDgc/ABMA --cube 2 --length 5
    bgai scores XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10 --json

The score of the position itself plays no part; its cube does, unless --cube names another: 1 in the middle, a higher
one owned by the player on roll. Rows are what the player on roll needs, columns what the opponent needs. Where
somebody needs one point the game is one after the Crawford game, in which nobody may double.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bgai.answers import plies_record
from bgai.cli.looking import Asked, asked
from bgai.cli.options import add_ascii, add_json, add_looking, add_model, plain, whole_number
from bgai.cli.rolls import read_before_roll
from bgai.cube_decision import CubeAction, cube_action
from bgai.errors import PositionError
from bgai.notation.drawing import draw, wants_colour
from bgai.notation.positionid import format_position_id
from bgai.position import Cube, Position, Score
from bgai.version import JSON_VERSION

LENGTH = 9
LONGEST = 15
HIGHEST = 64

Record = dict[str, Any]

_COLOURS = {"D/T": "1;32", "D/P": "1;33", "TG": "1;35", "-": "2"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("words", nargs="*", metavar="ID", help="a position ID, an XGID or another name of a position")
    parser.add_argument(
        "--length",
        type=whole_number(2, LONGEST),
        default=LENGTH,
        metavar="N",
        help=f"scores up to N points away for both (default: {LENGTH})",
    )
    parser.add_argument(
        "--cube", type=_cube, metavar="N", help="the cube instead of the position's: 1 in the middle, else one's own"
    )
    add_looking(parser)
    add_model(parser)
    add_json(parser)
    add_ascii(parser)


def _cube(text: str) -> int:
    if text not in [str(1 << power) for power in range(HIGHEST.bit_length())]:
        raise argparse.ArgumentTypeError(f"expected a power of two from 1 to {HIGHEST}, found {text!r}")
    return int(text)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    position = read_before_roll(options.words, "scores")
    if position.offer not in (None, "double"):
        raise PositionError(
            f"a {position.offer} waits for an answer, expected a position before a double or its answer"
        )
    if options.cube is not None:
        owner: Any = "centred" if options.cube == 1 else "on roll"
        position = replace(position, cube=Cube(options.cube, owner))
    if position.cube.owner == "opponent":
        raise PositionError("the opponent owns the cube, so there is nothing to decide; --cube asks about another cube")
    who = asked(options, questions=options.length**2 + 2)
    record = scores_record(who, replace(position, offer=None), options.length)
    if options.json:
        print(json.dumps(record))
    else:
        print(_page(position, record, who, plain(options), wants_colour(sys.stdout)))
    return 0


def scores_record(who: Asked, position: Position, length: int) -> Record:
    """What `--json` prints: money play, then every score up to so many points away, the own need first."""

    def entry(score: Score) -> Record:
        found = cube_action(who.analyst, replace(position, score=score))
        return {
            "symbol": symbol(found),
            "plies": plies_record(found.plies),
            "action": found.action,
            "answer": found.answer if found.may_double else None,
            "no_double": round(found.no_double, 6) + 0.0,
            "double_take": round(found.double_take, 6) + 0.0 if found.may_double else None,
        }

    who.say_if_long([position] * (length**2 + 2))
    cube = position.cube
    money = [Score(beavers=position.score.beavers)]
    if cube.owner == "centred":
        money.append(replace(money[0], jacoby=True))
    needs = range(1, length + 1)
    return {
        "version": JSON_VERSION,
        "position_id": format_position_id(position.board),
        "model": who.analyst.name,
        "settings": who.record,
        "cube": cube.value,
        "cube_owner": None if cube.owner == "centred" else cube.owner,
        "money": [{"jacoby": score.jacoby, "beavers": score.beavers, **entry(score)} for score in money],
        "scores": [
            {"away": [mine, theirs], **entry(Score((length - mine, length - theirs), length))}
            for mine in needs
            for theirs in needs
        ],
    }


def symbol(found: CubeAction) -> str:
    """An action and its answer in a few letters."""
    if not found.may_double:
        return "-"
    if found.action in ("double", "redouble"):
        return "D/P" if found.answer == "pass" else "D/T"
    if found.action.startswith("too good"):
        return "TG"
    return "ND/B" if found.answer == "beaver" else "ND"


def _page(position: Position, record: Record, who: Asked, ascii_only: bool, colour: bool) -> str:
    """The board, money play, the square of scores, what the letters mean."""

    def shown(text: str, width: int) -> str:
        style = _COLOURS.get(text) if colour else None
        return " " * (width - len(text)) + (f"\x1b[{style}m{text}\x1b[0m" if style else text)

    cube = position.cube
    reached = who.reached([entry["plies"] for entry in (*record["money"], *record["scores"])])
    bare = replace(position, score=Score(), offer=None)
    where = "in the middle" if cube.owner == "centred" else "owned by X"
    return "\n".join(
        [
            draw(position.board, ascii_only=ascii_only, position=bare, colour=colour),
            f"X on roll, {record['position_id']}, cube {cube.value} {where}",
            "",
            f"{record['model']}, {who.how}, {reached}with the cube",
            *who.legend,
            "",
            *(f"{_money(entry):28}{shown(entry['symbol'], 0)}" for entry in record["money"]),
            "",
            *_square(record, shown),
            "",
            *_legend(record, redouble=cube.owner != "centred"),
        ]
    )


def _money(entry: Record) -> str:
    return ", ".join(["money play", *["Jacoby"] * entry["jacoby"], *["beavers"] * entry["beavers"]])


def _square(record: Record, shown: Callable[[str, int], str]) -> list[str]:
    symbols = {tuple(entry["away"]): entry["symbol"] for entry in record["scores"]}
    length = max(mine for mine, _ in symbols)
    lines = ["X needs    the opponent needs", f"{'':6}" + "".join(f"{need:>5}" for need in range(1, length + 1))]
    for mine in range(1, length + 1):
        cells = "".join(shown(symbols[mine, theirs], 5) for theirs in range(1, length + 1))
        lines.append(f"{mine:>6}{cells}")
    return lines


def _legend(record: Record, *, redouble: bool) -> list[str]:
    """The letters that occur."""
    verb = "redouble" if redouble else "double"
    meanings = {
        "ND": f"no {verb}; it would be taken",
        "ND/B": f"no {verb}; it would be beavered",
        "D/T": f"{verb}, take",
        "D/P": f"{verb}, pass",
        "TG": f"too good to {verb}: play on for the gammon; a {verb} would be passed",
        "-": f"a {verb} gains nothing: the cube is dead or at its limit",
    }
    there = {entry["symbol"] for entry in (*record["money"], *record["scores"])}
    lines = [f"{letters:>5}  {meaning}" for letters, meaning in meanings.items() if letters in there]
    return [*lines, "    1  is after the Crawford game; in the Crawford game nobody may double"]
