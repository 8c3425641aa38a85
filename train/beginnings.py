"""Where games that are labelled begin beside the start of the game: at positions that sound play seldom leads to.

Crossed positions have a module of their own (`crossing`). The hardest of the last generation are those that were learnt
worst. *Slipped* ones come from games that are played before, in which every now and then a play is not the best; they
are the ground between good play and what it must refute. In the games that begin there no play is a slip, so each is
followed to its end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from bgai.board import START, Board
from bgai.kernels.forward import Net, evaluate
from bgai.model import Model
from bgai.outcomes import Outcomes, equity
from bgai.workers import LocalWorkers, Workers

from .config import LabelConfig
from .labeller import CHUNK, NO_BOARDS, Labeller, labelling

SLIP = 0.12
"""Share of the plays that are slips."""
MARGIN = 0.4
"""A slip loses less than so much equity."""
_DICE = 1 << 62
"""In the seed of these games: their dice are not those of the games that are labelled."""
_LONG = 64
"""Positions that few games have."""


def hardest(net: Net, boards: Board, targets: Outcomes, count: int) -> Board:
    """The positions whose targets are furthest from what a network says of them, int8[count, 26], in their order.

    Where games begin anyway comes last.
    """
    said = np.empty_like(targets)
    evaluate(net, boards, said)
    off = np.abs(equity(said) - equity(targets))
    off[(boards == START).all(axis=1)] = -1.0
    return boards[np.sort(np.argsort(-off, kind="stable")[:count])]


def slipped(
    model: Model,
    config: LabelConfig,
    seed: int,
    first_game: int,
    count: int,
    told: Callable[[int], object] = lambda positions: None,
    workers: Workers | None = None,
) -> Board:
    """So many positions, int8[count, 26], of games from number `first_game` on, in which plays slip.

    Args:
        told: hears of the positions of each chunk of games.
        workers: who play, by default the threads of the recipe.
    """
    labeller = Labeller.of(model, replace(config, slip=SLIP, slip_margin=MARGIN), seed ^ _DICE, NO_BOARDS)
    players = workers or LocalWorkers(config.threads)
    parts, found = [NO_BOARDS], 0
    while found < count:
        # No more than are needed, and none is called off: a cluster may come to grief over what is at work.
        end = first_game + ((count - found) // (_LONG * CHUNK) + 1) * CHUNK
        chunks = [range(game, game + CHUNK) for game in range(first_game, end, CHUNK)]
        first_game = end
        with players.map(labelling, labeller, chunks) as played:
            for part in played:
                # The start comes anyway.
                boards = part["boards"][(part["boards"] != START).any(axis=1)]
                parts.append(boards)
                found += len(boards)
                told(len(boards))
    return np.concatenate(parts)[:count]
