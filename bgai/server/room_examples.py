"""Answers about kept games as the OpenAPI document shows them; of the legal plays only one."""

from __future__ import annotations

from typing import Any

OPENING_ROLL = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
FILES: dict[str, Any] = {
    "text/plain": " 5 point match\n\n Game 1\n Ann : 0                        0008-unbroken : 0\n  1) 31: 8/5 6/5\n",
    "application/x-go-sgf": "(;FF[4]GM[6]CA[UTF-8]MI[length:5][game:0]PW[Ann]PB[0008-unbroken]\n;W[31hefe])\n",
    "application/json": {
        "format": 1,
        "players": ["Ann", "0008-unbroken"],
        "rules": {"length": 5, "crawford": True},
        "score": [0, 0],
        "games": [
            {
                "events": [
                    {"event": "start", "dice": [3, 1], "automatic": 0},
                    {"event": "play", "seat": 0, "steps": [[8, 5], [6, 5]]},
                ],
                "result": None,
            }
        ],
    },
}
"""Files of a match that has just begun, by their media types."""

EXAMPLES: dict[str, Any] = {
    "commitment": {"commitment": "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd", "seconds": 3600},
    "state": {
        "id": "L_XH83oGuY7meDTe3AKqJA",
        "version": 1,
        "kind": "match",
        "rules": {
            "length": 5,
            "crawford": True,
            "jacoby": False,
            "beavers": False,
            "raccoons": False,
            "automatic_doubles": 0,
            "cube": True,
            "cube_limit": 1024,
        },
        "games": None,
        "players": {"person": {"name": "Ann"}, "bot": {"name": "0002-generations", "level": "0-ply"}},
        "options": {"hints": True, "tutor": True, "automatic_roll": False},
        "phase": "play",
        "game": 1,
        "turn": 0,
        "on_roll": "person",
        "board": [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0],
        "pips": {"person": 167, "bot": 167},
        "off": {"person": 0, "bot": 0},
        "dice": [3, 1],
        "cube": {"value": 1, "owner": None, "limit": 1024},
        "score": {"person": 0, "bot": 0},
        "crawford": False,
        "post_crawford": False,
        "offer": None,
        "may": {
            "roll": False,
            "play": True,
            "double": False,
            "take": False,
            "pass": False,
            "beaver": False,
            "raccoon": False,
            "accept": False,
            "refuse": False,
            "next game": False,
            "leave": True,
            "resign": ["single", "gammon", "backgammon"],
        },
        "resignations": {"single": 1, "gammon": 2, "backgammon": 3},
        "no_double": "you may not double: the roll 3-1 is thrown",
        "plays": [
            {
                "play": "8/5 6/5",
                "steps": [[8, 5], [6, 5]],
                "board": [0, -2, 0, 0, 0, 2, 4, 0, 2, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0],
            }
        ],
        "tree": [
            {"play": None, "steps": [[8, 5, 3, 1], [6, 5, 1, 2]]},
            {"play": None, "steps": [[6, 5, 1, 3]]},
            {"play": None, "steps": [[8, 5, 3, 3]]},
            {"play": 0, "steps": []},
        ],
        "result": None,
        "winner": None,
        "left": False,
        "ids": {
            "xgid": "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10",
            "gnubg_id": "4HPwATDgc/ABMA:cImlAAAAAAAE",
            "position_id": "4HPwATDgc/ABMA",
        },
        "dice_proof": {
            "commitment": "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
            "committed_first": True,
            "player_seed": "Ann 27",
            "rolls": 1,
        },
        "events": [
            {
                "number": 1,
                "game": 1,
                "by": None,
                "event": "start",
                "text": "Game 1: Ann throws 3, 0002-generations 1; Ann begins.",
                "dice": [3, 1],
                "automatic": 0,
                "throws": [[3, 1]],
                "board": [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0],
            }
        ],
        "created": "2026-11-30T08:03:43Z",
        "changed": "2026-11-30T08:03:43Z",
    },
    "hints": {
        "decision": "play",
        "best": "8/5 6/5",
        "version": 1,
        "position_id": "4HPwATDgc/ABMA",
        "dice": [3, 1],
        "model": "0002-generations",
        "settings": {"level": "0-ply", "plies": 0, "filter": "normal", "seconds": None, "cubeful": True},
        "legal": 16,
        "plays": [
            {
                "play": "8/5 6/5",
                "steps": [[8, 5], [6, 5]],
                "position_id": "sGfwATDgc/ABMA",
                "plies": 0,
                "equity": 0.217452,
                "cubeless_equity": 0.154588,
                "mwc": 0.516813,
                "loss": 0.0,
                "win": 0.553074,
                "win_gammon": 0.158766,
                "win_backgammon": 0.005699,
                "lose_gammon": 0.108421,
                "lose_backgammon": 0.003718,
                "board": [0, -2, 0, 0, 0, 2, 4, 0, 2, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0],
            }
        ],
    },
    "check": {
        "decision": "play",
        "done": "13/10 6/5",
        "best": "8/5 6/5",
        "loss": 0.265535,
        "mwc_loss": 0.020531,
        "mark": "very bad",
        "text": [
            "The race is even at 167 pips each.",
            "Ann has a 1-point board: 6.",
            "Ann has an anchor on the 24 point.",
            "Ann has 2 checkers back; 22 of 36 rolls bring one out.",
            "Ann has stacks: 5 on 13 and 5 on 6.",
            "0002-generations has a 1-point board: 6.",
            "0002-generations has an anchor on the 24 point.",
            "0002-generations has 2 checkers back; 22 of 36 rolls bring one out.",
            "0002-generations has stacks: 5 on 13 and 5 on 6.",
            "It makes the 5 point.",
            "0002-generations's best roll is 6-6 (-0.410 for Ann), the worst 4-1 (+0.345).",
            "At this score a gammon is worth 0.46 to Ann and 0.46 to 0002-generations (0.50 for money).",
            "It misses the 5 point.",
            "It leaves 18 of 36 rolls that hit, 8/5 6/5 none.",
        ],
        "mistakes": [
            {"id": "missed-point", "text": "It misses the 5 point.", "numbers": {"points": "5 point"}},
            {
                "id": "too-many-shots",
                "text": "It leaves 18 of 36 rolls that hit, 8/5 6/5 none.",
                "numbers": {"shots": 18, "all": 36, "play": "8/5 6/5", "theirs": 0},
            },
        ],
        "explanation": None,
    },
    "dice": {
        "format": 1,
        "method": "HMAC-SHA256",
        "commitment": "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
        "committed_first": True,
        "player_seed": "Ann 27",
        "server_seed": "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "rolls": [{"number": 0, "game": 1, "kind": "opening", "by": None, "dice": [3, 1]}],
    },
}
