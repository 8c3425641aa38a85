"""Says what a position is worth to the player on roll, before the roll.

    bgai eval 4HPwATDgc/ABMA
    bgai eval XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10
    bgai eval 4HPwATDgc/ABMA --match 7 --score 3-5 --cube 2 --owner me
    bgai eval 4HPwATDgc/ABMA --plies 2
    bgai eval --file positions.txt --json
    bgai eval --file positions.txt --json --device cuda

The position is a GNU Backgammon position ID, with or without its match ID, an XGID or another name of a position
(docs/formats.md). Match, score and cube are part of it or given by options; a bare position ID means money play with
a centred cube. A finished game is worth what it ended with.

The equity is with the cube and at the score, with the right cube action now, per unit of the cube; --cubeless leaves
the cube out. In a file each line is an ID; blank lines and lines that begin with # are skipped, and options hold for
lines that do not say these things themselves. A roll in or behind an ID is checked and plays no part, so that the same
file can be given to `bgai move`.

With --device the network is run by PyTorch, on a GPU for example, instead of by the compiled kernels. That pays for
many positions and a large network (docs/devices.md).
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from dataclasses import replace

from bgai.analyst import Analyst
from bgai.board import result
from bgai.catalogue import open_model
from bgai.cli.answers import Answer, Answers
from bgai.cli.looking import Asked, asked, asked_player, said_depth
from bgai.cli.options import add_cubeless, plain
from bgai.cli.positions import add_positions, run_positions
from bgai.cli.question import Question, describe_result, read_unrolled
from bgai.errors import InputError
from bgai.evaluator import TorchEvaluator
from bgai.notation.drawing import draw, wants_colour


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add_positions(parser)
    add_cubeless(parser)
    parser.add_argument(
        "--device",
        metavar="NAME",
        help="run the network by PyTorch on cpu, cuda, cuda:N, mps or auto, at 0-ply (default: the compiled network)",
    )


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    return run_positions(
        options,
        lambda: _asked(options),
        read_unrolled,
        lambda who, questions: Answers(who).evaluations(questions),
        one_line,
        lambda question, answer, who: _page(question, answer, who, options),
    )


def _asked(options: argparse.Namespace) -> Asked:
    """Who answers; by PyTorch if a device is named.

    Raises:
        InputError: no such device, no PyTorch, or a level that is more than the network alone.
    """
    found = asked(options, cubeful=not options.cubeless)
    if options.device is None:
        return found
    level = found.level
    if level.settings.plies or level.noise or level.rolled:
        raise InputError(f"--device is for the network alone, at 0-ply; found {level.name}")
    if importlib.util.find_spec("torch") is None:
        raise InputError("--device needs torch; install with: pip install 'bgai[train]'")
    model = open_model(asked_player(options).model)
    evaluator = TorchEvaluator(model, options.device, lambda line: print(f"bgai eval: {line}", file=sys.stderr))
    efficiency = model.manifest.cube_efficiency
    return replace(found, analyst=Analyst(evaluator, model.name, efficiency, cubeful=not options.cubeless))


def one_line(answer: Answer) -> str:
    """An answer in a line, for `--file` without `--json`."""
    looked = f"  {said_depth(answer['plies'])}" if answer["plies"] != 0 else ""
    return f"{answer['position_id']}  {answer['equity']:+.3f}  wins {100 * answer['win']:.1f}%{looked}"


def _page(question: Question, answer: Answer, who: Asked, options: argparse.Namespace) -> str:
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
    heading = f"{answer['model']}, {who.how}, {who.reached([answer['plies']])}{said}{match}"
    lines += [heading, *who.legend, "", f"{'':19} wins    loses"]
    lines += [f"{name:17}{100 * won:6.1f}%  {100 * lost:6.1f}%" for name, won, lost in chances]
    return "\n".join(lines)
