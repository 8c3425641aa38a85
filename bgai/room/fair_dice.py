"""Dice of which everybody can see afterwards that nobody chose them.

The server draws a seed and shows its hash before it hears the player's seed; both together fix every roll.
docs/games.md describes the method for those who check it with a program of their own.

    >>> dice = FairDice(bytes(32), "Ann")
    >>> dice.roll(0), dice.roll(1)
    ((3, 6), (3, 2))
    >>> commitment_of(dice.server_seed)[:16]
    '66687aadf862bd77'
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import count
from typing import Any, Literal

from bgai.errors import InputError

FORMAT = 1
"""Number of the form that `DiceRecord.to_dict` writes."""
METHOD = "HMAC-SHA256"
SEED_BYTES = 32
_FAIR = 252
"""The largest multiple of 6 that a byte can be counted up to; bytes from here on are skipped."""

Kind = Literal["opening", "roll"]


def draw_seed() -> bytes:
    """A seed that nobody can guess."""
    return secrets.token_bytes(SEED_BYTES)


def commitment_of(server_seed: bytes) -> str:
    """What is shown before: the SHA-256 of the seed, in hexadecimal."""
    return hashlib.sha256(server_seed).hexdigest()


@dataclass(frozen=True)
class FairDice:
    """All the rolls of one match."""

    server_seed: bytes
    player_seed: str

    def roll(self, number: int) -> tuple[int, int]:
        """Roll `number`, from 0, in the order in which its dice fell."""
        dice = self._dice(number)
        return next(dice), next(dice)

    def _dice(self, number: int) -> Iterator[int]:
        for block in count():
            address = f"{self.player_seed}:{number}" + (f":{block}" if block else "")
            digest = hmac.digest(self.server_seed, address.encode(), hashlib.sha256)
            yield from (byte % 6 + 1 for byte in digest if byte < _FAIR)


@dataclass(frozen=True)
class Thrown:
    """One roll as it was played."""

    number: int
    """From 0 through the whole match."""
    game: int
    """From 1."""
    kind: Kind
    by: str | None
    """Who threw; None for the opening, in which everybody throws one die."""
    dice: tuple[int, int]


@dataclass(frozen=True)
class DiceRecord:
    """What is shown of the dice of a match."""

    commitment: str
    committed_first: bool
    """Whether the commitment was shown before the server knew the player's seed."""
    player_seed: str
    server_seed: str | None
    """In hexadecimal; None until all is over."""
    rolls: tuple[Thrown, ...]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        values = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        rolls = [vars(thrown) | {"dice": list(thrown.dice)} for thrown in self.rolls]
        return {"format": FORMAT, "method": METHOD} | values | {"rolls": rolls}

    @classmethod
    def from_dict(cls, data: Any) -> DiceRecord:
        """The record that `to_dict` wrote, from whomever it comes.

        Raises:
            InputError: another format or method, or something missing or of the wrong kind.
        """
        if not isinstance(data, Mapping) or "commitment" not in data:
            raise InputError("not the dice of a game: expected an object with the key 'commitment'")
        if data.get("format") != FORMAT or data.get("method") != METHOD:
            found = f"format {data.get('format')!r} and method {data.get('method')!r}"
            raise InputError(f"expected dice of format {FORMAT} and method {METHOD!r}, found {found}")
        rolls = _of_kind(data, "rolls", list)
        server_seed = data.get("server_seed")
        return cls(
            _of_kind(data, "commitment", str),
            _of_kind(data, "committed_first", bool),
            _of_kind(data, "player_seed", str),
            None if server_seed is None else _of_kind(data, "server_seed", str),
            tuple(_thrown(roll, number) for number, roll in enumerate(rolls)),
        )


def verify(record: DiceRecord) -> list[str]:
    """Everything that is wrong with the dice, a line each; nothing if they are what was committed to.

    Raises:
        InputError: the server's seed is not shown yet, or is no seed.
    """
    if record.server_seed is None:
        raise InputError("the server's seed is not shown yet: expected the dice of a game that is over")
    try:
        server_seed = bytes.fromhex(record.server_seed)
    except ValueError:
        server_seed = b""
    if len(server_seed) != SEED_BYTES:
        raise InputError(
            f"the server's seed: expected {2 * SEED_BYTES} hexadecimal digits, found {record.server_seed!r}"
        )
    found = commitment_of(server_seed)
    problems = []
    if found != record.commitment.lower():
        problems.append(f"the commitment is {record.commitment}, but the SHA-256 of the server's seed is {found}")
    dice = FairDice(server_seed, record.player_seed)
    again, game = False, 0
    for place, thrown in enumerate(record.rolls):
        where = f"roll {place} (game {thrown.game})"
        if thrown.number != place:
            problems.append(f"{where} has the number {thrown.number}, so rolls were left out or thrown again")
        expected = dice.roll(place)
        if thrown.dice != expected:
            problems.append(f"{where} was played as {_shown(thrown.dice)}, the seeds give {_shown(expected)}")
        begins = thrown.game == game + 1 and not again
        if (thrown.kind == "opening") != (begins or again) or (not begins and thrown.game != game):
            problems.append(f"{where}: {_expected(again, game)}, found {_called(thrown)}")
        again = thrown.kind == "opening" and thrown.dice[0] == thrown.dice[1]
        game = thrown.game
    if again:
        problems.append("the last opening throw has equal dice and was not thrown again")
    return problems


def _expected(again: bool, game: int) -> str:
    if again:
        return f"equal opening dice are thrown again, expected one more opening throw of game {game}"
    return f"expected the opening throw of game {game + 1}" + (f" or a roll of game {game}" if game else "")


def _called(thrown: Thrown) -> str:
    return f"{'an opening throw' if thrown.kind == 'opening' else 'a roll'} of game {thrown.game}"


def _shown(dice: tuple[int, int]) -> str:
    return f"{dice[0]}-{dice[1]}"


def _of_kind(data: Mapping[str, Any], name: str, kind: type) -> Any:
    value = data.get(name)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise InputError(f"not the dice of a game: {name} is {value!r}, expected {_KINDS[kind]}")
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise InputError(f"not the dice of a game: {name} is {value!r}, which is no text") from None
    return value


_KINDS = {list: "a list", str: "a text", bool: "true or false", int: "a whole number"}


def _thrown(roll: Any, place: int) -> Thrown:
    try:
        if not isinstance(roll, Mapping):
            raise InputError(f"expected an object, found {roll!r}")
        dice, kind, by = roll.get("dice"), roll.get("kind"), roll.get("by")
        if not isinstance(dice, list) or len(dice) != 2 or not all(type(die) is int and 1 <= die <= 6 for die in dice):
            raise InputError(f"dice is {dice!r}, expected two numbers from 1 to 6")
        if kind not in ("opening", "roll"):
            raise InputError(f"kind is {kind!r}, expected 'opening' or 'roll'")
        number, game = _of_kind(roll, "number", int), _of_kind(roll, "game", int)
        return Thrown(number, game, kind, None if by is None else _of_kind(roll, "by", str), (dice[0], dice[1]))
    except InputError as error:
        raise InputError(f"roll {place}: {str(error).removeprefix('not the dice of a game: ')}") from None
