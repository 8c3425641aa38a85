"""Records what GNU Backgammon says at both ends of its external players.

    python -m tests.data.record_gnubg_external

writes to `gnubg_external/`: sessions and matches of gnubg 1.07.001 at 0-ply, with odd cube actions, against players of
ours, with the lines that were sent and the match as gnubg wrote it; and `answers.json`, what a gnubg that listens said
to commands, at 0-ply. It takes some seconds.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from bgai.bot import Bot
from bgai.protocols.gnubg_client import GnubgServer
from tests.match_players import Gambler
from tests.protocols.gnubg import RECORDED, play_gnubg
from tests.protocols.gnubg_questions import ask_everything


def main() -> None:
    RECORDED.mkdir(exist_ok=True)
    gambler, bot = Gambler("gambler", refuses=0.2), Bot.of("0002-generations")
    sessions = {
        "money": (gambler, {"seed": 1, "games": 4, "noise": 0.3, "beavers": 2}),
        "beavers": (bot, {"seed": 3, "games": 3, "seat": 0, "noise": 0.3, "beavers": 1}),
        "match": (bot, {"seed": 4, "games": 7, "seat": 0, "length": 5}),
    }
    for name, (player, how) in sessions.items():
        with tempfile.TemporaryDirectory() as folder:
            played = play_gnubg(Path(folder), player, **how)
        played.save(RECORDED / f"{name}.json")
        print(f"{name}: {len(played.wire)} lines, {len(played.record.games)} games")
    with GnubgServer() as server:
        answers = ask_everything(server.connection)
    (RECORDED / "answers.json").write_text(json.dumps(answers, indent=0) + "\n", "utf-8")


if __name__ == "__main__":
    main()
