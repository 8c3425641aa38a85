"""Explains a position and its best play, or its cube action, in words.

    bgai coach 4HPwATDgc/ABMA 31
    bgai coach 4HPwATDgc/ABMA 31 --play "24/23 13/10"
    bgai coach 4HPwATDgc/ABMA 64 --plies 2 --json
    bgai coach XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:4:0:5:10 --action "no double"

With dice the best play is explained, beside the one that was made, else beside the second best; without dice the cube
action and the answer to it. Every number comes from counting or from the engine: shots are counted roll by roll with
the move generator, equities are those of the player on roll, with the cube and at the score. Each side's points are
counted as that side counts them. What the mistakes mean is defined in docs/coach.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from bgai.answers import rounded
from bgai.cli.agreed import Agreed, add_agreed
from bgai.cli.looking import Asked, asked
from bgai.cli.options import add_ascii, add_json, add_looking, add_model, plain
from bgai.cli.question import EXAMPLE, Question, read_question, read_state, read_unrolled, say_remarks
from bgai.coach import Explanation, Reason, explain_cube, explain_play
from bgai.coach.position_words import Names
from bgai.cube_decision import check_cube_question
from bgai.diagram.words import caption
from bgai.errors import InputError
from bgai.notation.drawing import draw, wants_colour
from bgai.notation.positionid import format_position_id
from bgai.notation.xgid import format_xgid
from bgai.position import Position
from bgai.version import JSON_VERSION

NAMES: Names = ("X", "O")


SHOWN = 0.05
"""Millipoints from which on a loss is written as more than 0.0."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument(
        "words", nargs="*", metavar="ID DICE", help="a position ID, an XGID or the like, and a roll for a play"
    )
    parser.add_argument("--play", metavar="PLAY", help='the play that was made, such as "13/11 6/5"')
    parser.add_argument(
        "--action", metavar="A", help="without dice: what was done: no double, double, take, pass or beaver"
    )
    add_agreed(parser)
    add_looking(parser)
    add_model(parser)
    add_json(parser)
    add_ascii(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    question = _read(options.words, Agreed.of(options))
    position = question.position
    if position.dice is None and options.play is not None:
        raise InputError(f"no roll found beside --play {options.play!r}, expected two dice behind the ID")
    if position.dice is not None and options.action is not None:
        raise InputError(f"found a roll beside --action {options.action!r}, expected a position before the roll")
    who = asked(options)
    who.say_if_long([position])
    if position.dice is None:
        explanation = explain_cube(who.analyst, position, options.action, names=NAMES)
    else:
        explanation = explain_play(who.analyst, position, options.play, names=NAMES)
    print(
        json.dumps(_record(position, explanation, who)) if options.json else _page(position, explanation, who, options)
    )
    return 0


def _read(words: list[str], agreed: Agreed) -> Question:
    if not words:
        raise InputError(f"expected a position ID, with a roll or without, such as: bgai coach {EXAMPLE} 31")
    _, dice = read_state(words, None, agreed)
    question = read_question(words, None, agreed) if dice else read_unrolled(words, agreed, double=True)
    if not dice:
        check_cube_question(question.position)
    say_remarks(question.remarks, words)
    return question


def _record(position: Position, explanation: Explanation, who: Asked) -> dict[str, Any]:
    """What `--json` prints."""
    return {
        "version": JSON_VERSION,
        "position_id": format_position_id(position.board),
        "xgid": format_xgid(position),
        "model": who.analyst.name,
        "settings": who.record,
        **rounded(explanation.to_dict()),
    }


def _page(position: Position, explanation: Explanation, who: Asked, options: argparse.Namespace) -> str:
    """The board, the position in words, the reasons, what was wrong."""
    board = draw(position.board, ascii_only=plain(options), position=position, colour=wants_colour(sys.stdout))
    lines = [
        board,
        f"{caption(position, None, NAMES)}, {format_position_id(position.board)}",
        "",
        *_said(explanation.about),
        "",
        f"{who.analyst.name}, {who.how}, with the cube",
        *who.legend,
        "",
        f"{_best(explanation)}",
        *_said(explanation.reasons),
    ]
    if explanation.done is not None:
        lines += ["", _verdict(explanation), *_said(explanation.mistakes)]
    return "\n".join(lines)


def _best(explanation: Explanation) -> str:
    best = explanation.best or "no legal play"
    if explanation.kind == "cube":
        return f"{best.capitalize()}"
    return f"The best play: {best} ({explanation.facts['plays'][0]['equity']:+.3f})"


def _verdict(explanation: Explanation) -> str:
    assert explanation.loss is not None
    done = explanation.done or "no legal play"
    millipoints = 1000 * explanation.loss
    if _is_right(explanation):
        return f"Done: {done}, which is right."
    if millipoints < SHOWN:
        return f"Done: {done}, which costs nothing."
    return f"Done: {done}, which loses {millipoints:.1f} millipoints."


def _is_right(explanation: Explanation) -> bool:
    """Whether the proper thing was done, and not another that costs nothing either."""
    if explanation.kind == "play":
        return explanation.done == explanation.best
    decision = explanation.facts["decision"]
    if explanation.done in ("double", "no double"):
        return (explanation.done == "double") == (decision["action"] in ("double", "redouble"))
    return bool(explanation.done == decision["answer"])


def _said(reasons: tuple[Reason, ...]) -> list[str]:
    return [f"  {one.text}" for one in reasons]
