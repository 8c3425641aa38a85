"""Solves bear-offs: makes the tables, or shows what they hold about a position.

    bgai bearoff build
    bgai bearoff build --checkers 8
    bgai bearoff show 8QEAALMBAAAAAA
    bgai bearoff show 8QEAALMBAAAAAA --json

The tables are made once, within seconds, and kept in the cache folder; `show` makes those that are missing. The
one-sided table holds the rolls that one side needs for up to fifteen checkers at home. The two-sided one is exact,
with and without the cube, for up to six checkers a side, or N. docs/bearoff.md explains them.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from bgai import bearoff
from bgai.board import BAR, CHECKERS, HOME, Board, flip, result
from bgai.cli.bearoff_page import show_page, show_record
from bgai.cli.options import add_ascii, add_json, plain, whole_number
from bgai.cli.progress import Progress
from bgai.cli.question import describe_result, read_state, say_remarks, split_words
from bgai.errors import InputError, PositionError

BUILD, SHOW = "build", "show"
USUAL = 6
"""Checkers a side of the two-sided table, if none are asked for."""

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
    add_json(parser)
    add_ascii(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    if options.task == BUILD:
        if options.words:
            raise InputError(f"build takes no position, found {' '.join(options.words)!r}")
        if options.json:
            raise InputError("expected --json beside show, not beside build")
        _build(options.checkers or USUAL)
        return 0
    if not options.words:
        raise InputError("expected a position ID, such as: bgai bearoff show 8QEAALMBAAAAAA")
    board = _read(options.words)
    record = show_record(
        board,
        options.checkers or USUAL,
        lambda: _timed(lambda report: bearoff.one_sided(progress=report, notice=_notice))[0],
        lambda checkers: _timed(lambda report: bearoff.two_sided(checkers, progress=report, notice=_notice))[0],
    )
    print(json.dumps(record) if options.json else show_page(board, record, ascii_only=plain(options)))
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
