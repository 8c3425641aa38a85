"""Records what GNU Backgammon (package gnubg_nn) holds to be the legal plays of some thousand rolls.

    python -m tests.data.record_movegen

writes `movegen_gnubg.npz` beside this file, with boards int8[N, 26], dice int8[N, 2], the number of plays of
each roll (0: the turn passes) and a digest of their sorted position keys, see `tests.gnubg_reference`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.gnubg_reference import digests, gnubg_plays
from tests.positions import corner_positions, game_positions

PATH = Path(__file__).with_name("movegen_gnubg.npz")


def main() -> None:
    games, games_dice = game_positions(4000, seed=1)
    corners, corners_dice = corner_positions(4000, seed=2)
    boards, dice = np.concatenate([games, corners]), np.concatenate([games_dice, corners_dice])
    counts, keys = gnubg_plays(boards, dice)
    np.savez_compressed(
        PATH, boards=boards, dice=dice.astype(np.int8), counts=counts.astype(np.int16), digests=digests(counts, keys)
    )
    print(f"{len(boards)} rolls with {counts.sum()} plays, {(counts == 0).sum()} passes, {PATH.stat().st_size} bytes")


if __name__ == "__main__":
    main()
