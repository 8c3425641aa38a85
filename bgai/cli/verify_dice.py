"""Checks the dice of a game that a server kept.

    bgai verify-dice dice.json
    bgai verify-dice http://127.0.0.1:8000/api/v1/games/ID/dice
    bgai verify-dice dice.json --match match.mat

Before the first roll the server shows a hash of its seed; when all is over it shows the seed. This computes the hash
and every roll anew from both seeds, and says what is wrong. The rolls are compared with those of the match as it was
played: that of the address, or with --match a file in any format that bgai reads. docs/games.md describes the method.

The exit code is 0 if everything is right, 1 if something is wrong or proves nothing because the server knew the
player's seed first, and 2 if there is nothing to check: no such file, no dice of a game, no rolls, or the game is not
over yet.
"""

from __future__ import annotations

import argparse
import json
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

from bgai.cli.main import FAILED
from bgai.errors import InputError
from bgai.events import Roll, StartGame
from bgai.matchfiles import MatchFile, read_match, read_match_file
from bgai.room.fair_dice import DiceRecord, verify

_LARGEST = 16 << 20
"""Bytes that are read from an address, at most."""
_PATIENCE = 30.0
"""Seconds."""
_LATE = "The server knew the player's seed before it showed the commitment: it could have chosen among seeds."


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument(
        "where", metavar="FILE|URL", help="the JSON of a game's dice, or the address of it or of the game"
    )
    parser.add_argument("--match", metavar="FILE", help="compares the rolls with this match, not that of the address")
    parser.add_argument(
        "--late-commitment",
        action="store_true",
        help="is content with a server that knew the player's seed before it showed the commitment",
    )
    parser.add_argument("--json", action="store_true", help="prints one JSON object")


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    game = _game(options.where)
    data = Path(options.where).read_bytes() if game is None else _fetched(f"{game}/dice")
    record = DiceRecord.from_dict(_json(data, options.where))
    problems = verify(record)
    if not record.rolls:
        raise InputError(f"{options.where}: there are no rolls, expected the dice of a game that was played")
    if not (record.committed_first or options.late_commitment):
        problems.append(_LATE)
    if options.match is not None:
        problems += _differences(record, read_match_file(options.match), options.match)
    elif game is not None:
        match = f"{game}/match.json"
        problems += _differences(record, read_match(_fetched(match), "match.json"), match)
    if options.json:
        answer = {"version": 1, "rolls": len(record.rolls), "committed_first": record.committed_first}
        print(json.dumps(answer | {"commitment": record.commitment, "problems": problems}))
    else:
        print("\n".join(problems or [_praise(record)]))
    return FAILED if problems else 0


def _praise(record: DiceRecord) -> str:
    shown = f"{record.commitment[:16]}…"
    count = len(record.rolls)
    rolls = "The only roll is the one" if count == 1 else f"All {count} rolls are those"
    text = f"{rolls} that the commitment {shown} and the player's seed fix."
    return text if record.committed_first else f"{text}\n{_LATE}"


def _game(where: str) -> str | None:
    """The address of a game, without an end; None for a file."""
    if not where.startswith(("http://", "https://")):
        return None
    return where.rstrip("/").removesuffix("/dice")


def _json(data: bytes, where: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: expected the JSON of a game's dice, found something else: {error}") from None


def _fetched(address: str) -> bytes:
    try:
        with urlopen(address, timeout=_PATIENCE) as answer:
            data: bytes = answer.read(_LARGEST + 1)
    except HTTPError as error:
        raise InputError(f"{address}: the server answers {error.code} {error.reason}") from None
    except (OSError, HTTPException, ValueError) as error:
        # ValueError is what is said of addresses that are none.
        raise InputError(f"{address}: cannot be reached: {getattr(error, 'reason', error)}") from None
    if len(data) > _LARGEST:
        raise InputError(f"{address}: more than {_LARGEST} bytes, expected the dice or the match of a game")
    return data


def _differences(record: DiceRecord, match: MatchFile, name: str) -> list[str]:
    """What the match has other than the dice; which die fell first is not told by every format."""
    thrown = [one for one in record.rolls if one.kind == "roll" or one.dice[0] != one.dice[1]]
    played = [event.dice for event in match.record.events if isinstance(event, StartGame | Roll)]
    for number, (one, dice) in enumerate(zip(thrown, played, strict=False), start=1):
        if sorted(one.dice) != sorted(dice):
            return [
                f"roll {number} of the match {name!r} is {dice[0]}-{dice[1]}, and roll {one.number} of the dice"
                f" (game {one.game}) is {one.dice[0]}-{one.dice[1]}"
            ]
    if len(played) > len(thrown):
        return [f"the match {name!r} has {len(played)} rolls, and the dice have {len(thrown)}"]
    return []
