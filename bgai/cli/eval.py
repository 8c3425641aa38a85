"""Says what a position is worth to the player on roll, before the roll.

    bgai eval 4HPwATDgc/ABMA
    bgai eval XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10
    bgai eval 4HPwATDgc/ABMA --match 7 --score 3-5 --cube 2 --owner me
    bgai eval --file positions.txt --json

The position is a GNU Backgammon position ID, with or without its match ID, an XGID or another name of a position
(docs/formats.md). Match, score and cube are part of it or given by options; a bare position ID means money play with
a centred cube. A finished game is worth what it ended with.

The equity is with the cube and at the score, with the right cube action now, per unit of the cube; --cubeless leaves
the cube out. In a file each line is an ID; blank lines and lines that begin with # are skipped, and options hold for
lines that do not say these things themselves. A roll in or behind an ID is checked and plays no part, so that the same
file can be given to `bgai move`.
"""

from __future__ import annotations

import argparse
import json
import sys

from bgai.analyst import Analyst
from bgai.board import result
from bgai.cli.agreed import Agreed, add_agreed
from bgai.cli.answers import Answer, Answers
from bgai.cli.lines import answer_file
from bgai.cli.options import add_ascii, add_cubeless, add_file, add_json, add_model, plain
from bgai.cli.question import EXAMPLE, Question, describe_result, read_unrolled, say_remarks, split_words
from bgai.errors import InputError
from bgai.notation.drawing import draw, wants_colour


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("words", nargs="*", metavar="ID", help="a position ID, an XGID or another name of a position")
    add_cubeless(parser)
    add_agreed(parser)
    add_model(parser)
    add_json(parser)
    add_file(parser, "an ID each")
    add_ascii(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    words: list[str] = options.words
    agreed = Agreed.of(options)
    if options.file is not None:
        if words:
            raise InputError(f"expected either an ID or --file, found both {words[0]!r} and --file {options.file}")
        as_text = None if options.json else one_line
        answer_file(options.file, lambda line: _read(line, agreed), _answers(options).evaluations, as_text)
        return 0
    if not words:
        raise InputError(f"expected a position ID, such as: bgai eval {EXAMPLE}")
    behind = split_words(words)[1]
    if behind:
        raise InputError(
            f"expected one position ID, found {' '.join(behind)!r} behind it; for the plays of a roll: bgai move"
        )
    question = _read(words, agreed)
    answer = _answers(options).evaluations([question])[0]
    print(json.dumps(answer) if options.json else _page(question, answer, options))
    return 0


def _answers(options: argparse.Namespace) -> Answers:
    return Answers(Analyst.of(options.model, cubeful=not options.cubeless))


def _read(words: list[str], agreed: Agreed) -> Question:
    question = read_unrolled(words, agreed)
    say_remarks(question.remarks, words)
    return question


def one_line(answer: Answer) -> str:
    """An answer in a line, for `--file` without `--json`."""
    return f"{answer['position_id']}  {answer['equity']:+.3f}  wins {100 * answer['win']:.1f}%"


def _page(question: Question, answer: Answer, options: argparse.Namespace) -> str:
    """The board, then the chances."""
    position = question.position
    board = draw(position.board, ascii_only=plain(options), position=position, colour=wants_colour(sys.stdout))
    lines = [board, f"X on roll, {answer['position_id']}", ""]
    match = "" if answer["mwc"] is None else f", {100 * answer['mwc']:.2f}% to win the match"
    points = result(position.board)
    if points:
        lines.append(f"The game is over: {describe_result(points)} ({points:+d}){match}.")
        return "\n".join(lines)
    if options.cubeless:
        said = f"cubeless: equity {answer['equity']:+.3f}"
    else:
        said = f"with the cube: equity {answer['equity']:+.3f} (cubeless {answer['cubeless_equity']:+.3f})"
    chances = [
        ("in all", answer["win"], 1 - answer["win"]),
        ("gammon or better", answer["win_gammon"], answer["lose_gammon"]),
        ("backgammon", answer["win_backgammon"], answer["lose_backgammon"]),
    ]
    lines += [f"{answer['model']}, 0-ply, {said}{match}", "", f"{'':19} wins    loses"]
    lines += [f"{name:17}{100 * won:6.1f}%  {100 * lost:6.1f}%" for name, won, lost in chances]
    return "\n".join(lines)
