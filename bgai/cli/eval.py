"""Says what a position is worth to the player on roll, before the roll.

    bgai eval 4HPwATDgc/ABMA
    bgai eval XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10
    bgai eval --file positions.txt --json

The position is a GNU Backgammon position ID, with or without its match ID, an XGID or another name of a position
(docs/formats.md). A finished game is worth what it ended with; cube and score play no part yet. In a file each line
is an ID; blank lines and lines that begin with # are skipped. A roll in or behind an ID is checked and plays no
part, so that the same file can be given to `bgai move`.
"""

from __future__ import annotations

import argparse
import json

from bgai.board import Board, result
from bgai.cli.answers import Answer, Answers
from bgai.cli.lines import answer_file
from bgai.cli.options import add_ascii, add_file, add_json, add_model, plain
from bgai.cli.question import EXAMPLE, describe_result, read_state, say_remarks, split_words
from bgai.errors import InputError
from bgai.notation.drawing import draw
from bgai.player import NetPlayer


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("words", nargs="*", metavar="ID", help="a position ID, an XGID or another name of a position")
    add_model(parser)
    add_json(parser)
    add_file(parser, "an ID each")
    add_ascii(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    words: list[str] = options.words
    if options.file is not None:
        if words:
            raise InputError(f"expected either an ID or --file, found both {words[0]!r} and --file {options.file}")
        answer_file(options.file, _read_line, _answers(options).evaluations, None if options.json else one_line)
        return 0
    if not words:
        raise InputError(f"expected a position ID, such as: bgai eval {EXAMPLE}")
    behind = split_words(words)[1]
    if behind:
        raise InputError(
            f"expected one position ID, found {' '.join(behind)!r} behind it; for the plays of a roll: bgai move"
        )
    board = _read_line(words)
    answer = _answers(options).evaluations([board])[0]
    print(json.dumps(answer) if options.json else _page(board, answer, plain(options)))
    return 0


def _answers(options: argparse.Namespace) -> Answers:
    player = NetPlayer.of(options.model)
    return Answers(player.evaluator, player.name)


def _read_line(words: list[str]) -> Board:
    reading, _ = read_state(words)
    say_remarks(reading.remarks, words)
    return reading.position.board


def one_line(answer: Answer) -> str:
    """An answer in a line, for `--file` without `--json`."""
    return f"{answer['position_id']}  {answer['equity']:+.3f}  wins {100 * answer['win']:.1f}%"


def _page(board: Board, answer: Answer, ascii_only: bool) -> str:
    """The board, then the chances."""
    lines = [draw(board, ascii_only=ascii_only), f"X on roll, {answer['position_id']}", ""]
    points = result(board)
    if points:
        lines.append(f"The game is over: {describe_result(points)} ({points:+d}).")
    else:
        chances = [
            ("in all", answer["win"], 1 - answer["win"]),
            ("gammon or better", answer["win_gammon"], answer["lose_gammon"]),
            ("backgammon", answer["win_backgammon"], answer["lose_backgammon"]),
        ]
        lines += [f"{answer['model']}, 0-ply, cubeless: equity {answer['equity']:+.3f}", "", f"{'':19} wins    loses"]
        lines += [f"{name:17}{100 * won:6.1f}%  {100 * lost:6.1f}%" for name, won, lost in chances]
    return "\n".join(lines)
