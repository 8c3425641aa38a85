"""Counts the leaves of the tree of all 21 rolls and their distinct plays.

    bgai perft
    bgai perft 4HPwATDgc/ABMA --depth 2 --divide

Two programs that follow the same rules get the same numbers: 447 and 202,782 for the starting position. A turn
without a legal play counts as one leaf; from a finished game nothing follows.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from bgai.board import START, Board, result
from bgai.cli.options import whole_number
from bgai.cli.progress import Progress
from bgai.cli.question import describe_result, read_board
from bgai.dice import ROLLS
from bgai.errors import PositionError
from bgai.plays import legal_plays, legal_plays_batch

DEEPEST = 4
_TOGETHER = 100
"""Positions whose 21 rolls are counted in one call."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("position", nargs="?", metavar="ID", help="position ID (default: the starting position)")
    parser.add_argument(
        "--depth", type=whole_number(1, DEEPEST), default=2, metavar="N", help=f"turns, 1 to {DEEPEST} (default 2)"
    )
    parser.add_argument("--divide", action="store_true", help="count the leaves behind each first roll as well")


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    board = START if options.position is None else read_board(options.position)
    if result(board):
        raise PositionError(f"the game is over, {describe_result(result(board))}; expected a position to play from")
    for depth in range(1, options.depth + 1):
        start = time.process_time()
        counts = count_by_roll(board, depth)
        seconds = time.process_time() - start
        if options.divide and depth == options.depth:
            for (high, low), count in zip(ROLLS, counts, strict=True):
                print(f"  {high}-{low} {count:>15,}")
        print(f"perft {depth} {sum(counts):>13,}   {seconds:.2f} s")
    return 0


def count_by_roll(board: Board, depth: int) -> list[int]:
    """Leaves behind each of `ROLLS`, in `depth` turns."""
    after = [legal_plays(board, roll).successors for roll in ROLLS]
    if depth == 1:
        return [len(successors) for successors in after]
    counts = []
    with Progress(sum(map(len, after)), "plays") as bar:
        for successors in after:
            total = 0
            for successor in successors:
                total += count_leaves(successor[None], depth - 1)
                bar.advance(1)
            counts.append(total)
    return counts


def count_leaves(boards: Board, depth: int) -> int:
    """Leaves behind boards `int8[N, 26]` after `depth` more turns, at least 1."""
    going_on = boards[(boards > 0).any(axis=1) & (boards < 0).any(axis=1)]
    rolls = np.array(ROLLS, dtype=np.int64)
    total = 0
    for begin in range(0, len(going_on), _TOGETHER):
        part = going_on[begin : begin + _TOGETHER]
        plays = legal_plays_batch(np.repeat(part, len(rolls), axis=0), np.tile(rolls, (len(part), 1)), with_steps=False)
        total += len(plays.successors) if depth == 1 else count_leaves(plays.successors, depth - 1)
    return total
