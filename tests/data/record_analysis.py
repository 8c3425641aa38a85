"""Plays the match of the tests of analyses, and records what GNU Backgammon says of it.

    python -m tests.data.record_analysis

writes `analysis/match.mat`, seven points between the levels `casual` and `beginner` of the model 0002-generations with
seed 7 (nobody resigns, because a .mat file has no word for it), and `analysis/gnubg.txt`, what GNU Backgammon 1.07.001
printed as `show statistics match` after `analyse match`, with its default settings: 2-ply for plays and the cube, luck
at 0-ply. It takes half a minute. The match is that of the file: other models play another one.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np

from bgai.bot import Bot
from bgai.match_play import play_match
from bgai.match_rules import Rules
from bgai.match_state import MatchState
from bgai.matchfiles.mat_writer import write_mat

FOLDER = Path(__file__).with_name("analysis")
sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))


class _Stubborn(Bot):
    """Plays to the end."""

    def resigns(self, state: MatchState, rng: np.random.Generator) -> int:
        return 0


def main() -> None:
    gnubg_match = import_module("gnubg_match")
    players = _Stubborn.of("0002-generations:casual"), _Stubborn.of("0002-generations:beginner")
    record = play_match(players, Rules(length=7), seed=7)
    match = FOLDER / "match.mat"
    match.write_text(write_mat(replace(record, players=("Ann", "Ben"))), "utf-8")
    printed, seconds = gnubg_match.analyse(match, gnubg_match.program())
    statistics = printed[printed.index("Player  ") :]
    (FOLDER / "gnubg.txt").write_text(statistics.strip() + "\n", "utf-8")
    print(f"{len(record.games)} games, {len(record.events)} events; gnubg took {seconds:.1f} CPU-seconds")


if __name__ == "__main__":
    main()
