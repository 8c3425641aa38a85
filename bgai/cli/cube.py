"""Says whether the player on roll should double, what the answer is, and why.

    bgai cube XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:4:0:5:10
    bgai cube 4HPwATDgc/ABMA --match 7 --score 3-5 --cube 2 --owner me
    bgai cube 4HPwATDgc/ABMA --plies 2
    bgai cube --file positions.txt --json

Match, score and cube are part of the name of the position or given by options; a bare position ID means money play
with a centred cube. Where a double waits (D in the dice field of an XGID) the question is the answer to it. Equities
are those of the player on roll, or who has doubled, per unit of the cube as it is before the double: a pass is worth
+1. A roll in or behind the name plays no part. In a file each line is an ID, and market losers, which take most of the
time, are left out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from bgai.answers import Record, cube_record
from bgai.cli.agreed import Agreed
from bgai.cli.looking import Asked, asked, said_depth
from bgai.cli.options import plain
from bgai.cli.positions import add_positions, run_positions
from bgai.cli.question import Question, read_unrolled
from bgai.cube_decision import check_cube_question
from bgai.notation.drawing import draw, wants_colour
from bgai.outcomes import NAMES
from bgai.position import Position

_CHOICES = (("no_double", "no double"), ("double_take", "double, take"), ("double_pass", "double, pass"))


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add_positions(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    return run_positions(
        options,
        lambda: asked(options),
        _read,
        lambda who, questions: _answers(who, questions, look_ahead=options.file is None),
        one_line,
        lambda question, record, who: _page(question.position, record, who, options),
    )


def _read(words: list[str], agreed: Agreed) -> Question:
    question = read_unrolled(words, agreed, double=True)
    check_cube_question(question.position)
    return question


def _answers(who: Asked, questions: Sequence[Question], *, look_ahead: bool) -> list[Record]:
    who.say_if_long([question.position for question in questions])
    return [cube_record(who.analyst, who.record, question.position, market=look_ahead) for question in questions]


def verdict(record: Record) -> str:
    """The action and its answer, as books write them: `Double, take`; for a double that waits the answer alone."""
    answer: str | None = record["answer"]
    if record["offer"] is not None:
        return f"{answer}".capitalize()
    action = spoken(record["action"])
    return f"{action.capitalize()}, {answer}" if answer else action.capitalize()


def spoken(action: str) -> str:
    """An action in words that can stand alone."""
    return "too good to double" if action == "too good" else action


def one_line(record: Record) -> str:
    """An answer in a line, for `--file` without `--json`."""
    numbers = "".join(f"  {name} {record[key]:+.3f}" for key, name in _CHOICES[:2] if record[key] is not None)
    looked = f"  {said_depth(record['plies'])}" if record["plies"] != 0 else ""
    return f"{record['position_id']}  {verdict(record)}{numbers}{looked}"


def _page(position: Position, record: Record, who: Asked, options: argparse.Namespace) -> str:
    """The board, the equities, the decision and why."""
    board = draw(position.board, ascii_only=plain(options), position=position, colour=wants_colour(sys.stdout))
    cube = position.cube
    where = {"centred": "in the middle", "on roll": "owned by X", "opponent": "owned by O"}[cube.owner]
    what = f"X on roll, {record['position_id']}, cube {cube.value} {where}"
    if record["offer"] is not None:
        what = f"X doubles to {2 * cube.value}, O to answer, {record['position_id']}"
    heading = f"{record['model']}, {who.how}, {who.reached([record['plies']])}equities of X per unit of the cube"
    lines = [board, what, "", heading, *who.legend, ""]
    verb = "redouble" if cube.owner == "on roll" else "double"
    for key, name in _CHOICES:
        if record[key] is not None:
            chance = "" if record["mwc"] is None else f"  {100 * record['mwc'][key]:6.2f}% to win the match"
            lines.append(f"{name.replace('double', verb):16}{record[key]:+.3f}{chance}")
    lines += ["", f"{verdict(record)}: {record['why']}", ""]
    lines += [f"{name:16}{value}" for name, value in _reasons(record)]
    lines.append(_chances(record))
    return "\n".join(lines)


def _reasons(record: Record) -> list[tuple[str, str]]:
    if not record["may_double"]:
        return []
    reasons = [
        ("take point", f"{100 * record['take_point']:.1f}% of the games, with the gammons of this position"),
        ("gammon price", f"{record['gammon_price']:.2f} after a take (0.50 for money)"),
    ]
    if record["market_losers"] is not None:
        reasons.append(("market losers", f"{100 * record['market_losers']:.1f}% of X's and O's next rolls"))
    return reasons


def _chances(record: Record) -> str:
    won, gammon, backgammon, lost_gammon, lost_backgammon = (100 * record[name] for name in NAMES)
    return (
        f"{'chances':16}X wins {won:.1f}% (gammon {gammon:.1f}%, backgammon {backgammon:.1f}%), O {100 - won:.1f}%"
        f" (gammon {lost_gammon:.1f}%, backgammon {lost_backgammon:.1f}%)"
    )
