"""Solves bear-offs: makes the tables, or shows what they hold about a position.

    bgai bearoff build
    bgai bearoff build --checkers 8
    bgai bearoff show 8QEAALMBAAAAAA

The tables are made once, within seconds, and kept in the cache folder; `show` makes those that are missing. The
one-sided table holds the rolls that one side needs for up to fifteen checkers at home. The two-sided one is exact,
with and without the cube, for up to six checkers a side, or N. docs/bearoff.md explains them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from bgai import bearoff
from bgai.board import BAR, CHECKERS, HOME, Board, borne_off, flip, opponent_borne_off, result
from bgai.cli.options import add_ascii, plain, whole_number
from bgai.cli.progress import Progress
from bgai.cli.question import describe_result, read_state, say_remarks, split_words
from bgai.errors import InputError, PositionError
from bgai.notation.drawing import draw
from bgai.notation.positionid import format_position_id
from bgai.outcomes import equity

BUILD, SHOW = "build", "show"
USUAL = 6
"""Checkers a side of the two-sided table, if none are asked for."""

_RARE = 5e-4
"""Chances below this are left out where they are shown with one decimal."""

Table = TypeVar("Table")
Report = Callable[[int, int], None]


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("task", choices=[BUILD, SHOW], metavar="TASK", help="build or show")
    parser.add_argument("words", nargs="*", metavar="ID", help="show: a position ID, an XGID or another name")
    parser.add_argument(
        "--checkers",
        type=whole_number(1, bearoff.LARGEST),
        metavar="N",
        help=f"most checkers of a side in the two-sided table, 1 to {bearoff.LARGEST} (default {USUAL})",
    )
    add_ascii(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    if options.task == BUILD:
        if options.words:
            raise InputError(f"build takes no position, found {' '.join(options.words)!r}")
        _build(options.checkers or USUAL)
        return 0
    if not options.words:
        raise InputError("expected a position ID, such as: bgai bearoff show 8QEAALMBAAAAAA")
    board = _read(options.words)
    print(_page(board, options.checkers or USUAL, ascii_only=plain(options)))
    return 0


def _build(checkers: int) -> None:
    work = bearoff.two_sided_work(checkers)
    print(f"one-sided, {CHECKERS} checkers: 54,264 positions", flush=True)
    one, report = _timed(lambda report: bearoff.one_sided(progress=report, notice=_notice))
    print(f"  {report} {one.path or '(in memory only)'}")
    print(
        f"two-sided, {checkers} checkers a side: {work.positions:,} positions, {work.bytes / 1e6:,.1f} MB,"
        f" about {max(work.seconds, 1):,.0f} s",
        flush=True,
    )
    two, report = _timed(lambda report: bearoff.two_sided(checkers, progress=report, notice=_notice))
    print(f"  {report} {two.path or '(in memory only)'}")


def _timed(opened: Callable[[Report], Table]) -> tuple[Table, str]:
    """Opens a table with a bar, and says whether it had to be made."""
    start = time.perf_counter()
    made = 0
    bar: Progress | None = None

    def report(done: int, total: int) -> None:
        nonlocal made, bar
        if bar is None:
            bar = Progress(total, "positions").__enter__()
        bar.advance(done - made)
        made = done

    try:
        table = opened(report)
    finally:
        if bar is not None:
            bar.__exit__()
    seconds = time.perf_counter() - start
    return table, f"made in {seconds:.1f} s:" if made else "is there:"


def _notice(line: str) -> None:
    print(f"bgai bearoff: {line}", file=sys.stderr)


def _read(words: list[str]) -> Board:
    behind = split_words(words)[1]
    if behind:
        raise InputError(f"expected one position ID, found {' '.join(behind)!r} behind it")
    reading, _ = read_state(words)
    say_remarks(reading.remarks, words)
    board = reading.position.board
    if points := result(board):
        raise PositionError(f"the game is over, {describe_result(points)}; expected a position to play from")
    for who, side in (("the player on roll", board), ("the opponent", flip(board))):
        farthest = int(np.flatnonzero(side > 0).max())
        if farthest > HOME:
            where = "on the bar" if farthest == BAR else f"on point {farthest}"
            raise PositionError(f"no bear-off: expected all checkers at home, {who} has one {where}")
    return board


def _page(board: Board, checkers: int, *, ascii_only: bool) -> str:
    lines = [draw(board, ascii_only=ascii_only), f"X on roll, {format_position_id(board)}", "", *_rolls(board)]
    most = int(CHECKERS - min(borne_off(board), opponent_borne_off(board)))
    if most > checkers:
        lines += ["", *_approximate(board)]
        if most <= bearoff.LARGEST:
            lines += ["", f"For exact values a larger table is needed: --checkers {most}."]
    else:
        lines += ["", *_exact(board, checkers)]
    return "\n".join(lines)


def _rolls(board: Board) -> list[str]:
    """How many rolls each side needs."""
    table, _ = _timed(lambda report: bearoff.one_sided(progress=report, notice=_notice))
    own, other = table.rolls(board[None])[0]
    means = table.mean_rolls(board[None])[0]
    lines = ["rolls to bear off      X       O", f"  {'mean':12}{means[0]:8.3f}{means[1]:8.3f}"]
    shown = np.flatnonzero((own >= _RARE) | (other >= _RARE))
    for number in range(int(shown[0]), int(shown[-1]) + 1):
        chances = "".join(
            f"{100 * side[number]:7.1f}%" if side[number] >= _RARE else f"{'-':>8}" for side in (own, other)
        )
        lines.append(f"  {number:<12}{chances}")
    return lines


def _approximate(board: Board) -> list[str]:
    table = bearoff.one_sided(notice=_notice)
    outcomes = table.outcomes(board[None])
    win, gammon, _, lost_gammon, _ = outcomes[0].tolist()
    return [
        "as if each side played for itself:",
        f"  X wins {win:.2%} (gammons {gammon:.2%}, lost gammons {lost_gammon:.2%}),"
        f" equity {float(equity(outcomes)[0]):+.4f} without a cube",
    ]


def _exact(board: Board, checkers: int) -> list[str]:
    table, _ = _timed(lambda report: bearoff.two_sided(checkers, progress=report, notice=_notice))
    outcomes = table.outcomes(board[None])
    cube = table.cube(board[None])
    double_take = float(cube.double_take[0])
    answer = "take" if double_take <= 1 else "pass"
    lines = [
        "exact, money:",
        f"  X wins {float(outcomes[0, 0]):.4%}, equity {float(equity(outcomes)[0]):+.5f} without a cube",
        "",
        "  cube           equity  no double      taken     passed",
    ]
    cubes = {"centred": ("double", cube.centred, cube.no_double), "X's": ("redouble", cube.owned, cube.no_redouble)}
    for name, (verb, value, waiting) in cubes.items():
        no_double = float(waiting[0])
        action = verb if min(double_take, 1.0) > no_double else f"no {verb}"
        numbers = "  ".join(f"{number:+9.5f}" for number in (float(value[0]), no_double, double_take, 1.0))
        lines.append(f"  {name:12}{numbers}  {action}, {answer}")
    name = "O's"
    lines.append(f"  {name:12}{float(cube.opponents[0]):+9.5f}")
    return lines
