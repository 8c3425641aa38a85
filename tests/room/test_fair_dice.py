"""The method, against numbers that OpenSSL has computed, and everything that can be wrong with a record."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bgai.errors import InputError
from bgai.room.fair_dice import DiceRecord, FairDice, Thrown, commitment_of, draw_seed, verify
from tests.cli import Command

SEED = bytes(range(32))

# printf 'Ann:0' | openssl dgst -sha256 -mac HMAC -macopt hexkey:$(printf '00%.0s' $(seq 32))
ZEROS = {
    0: "1a9b478a07ff12af5ca811560be4c9a282797ef5b60be4b91a32161b4175a225",
    1: "8ca3297b704cf388a26f2b8b331060dfbf3f9eb9902a35de9293868c790c8ca9",
    2: "aba724a815b876d6d6fb1a6a6ec6117568421e80e02091e9b4c9514e958b905e",
}
# printf 'Mütze 🎲:7' | openssl dgst -sha256 -mac HMAC -macopt hexkey:000102…1f
OTHER = "f1913808844dd0ec0b467a568b59aad81ea9e6c026af8e248f3acc55c9389ff3"
# xxd -r -p <<< 000102…1f | openssl dgst -sha256
COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def by_hand(server_seed: bytes, player_seed: str, number: int) -> tuple[int, int]:
    """The rolls as docs/games.md has them, with nothing but SHA-256: HMAC as RFC 2104 writes it."""
    return first_two(digest_of(server_seed, player_seed, number).hex())


def digest_of(server_seed: bytes, player_seed: str, number: int) -> bytes:
    key = server_seed + bytes(64 - len(server_seed))
    inner, outer = bytes(byte ^ 0x36 for byte in key), bytes(byte ^ 0x5C for byte in key)
    text = f"{player_seed}:{number}".encode()
    return hashlib.sha256(outer + hashlib.sha256(inner + text).digest()).digest()


def first_two(digest: str) -> tuple[int, int]:
    fair = [byte for byte in bytes.fromhex(digest) if byte < 252]
    return fair[0] % 6 + 1, fair[1] % 6 + 1


def record(rolls: int = 12, player_seed: str = "Ann", server_seed: bytes = SEED) -> DiceRecord:
    """Two games of dice that are right."""
    dice = FairDice(server_seed, player_seed)
    thrown: list[Thrown] = []
    for game in (1, 2):
        while not thrown or thrown[-1].kind == "roll" or thrown[-1].dice[0] == thrown[-1].dice[1]:
            thrown.append(Thrown(len(thrown), game, "opening", None, dice.roll(len(thrown))))
        for _ in range(rolls // 2):
            thrown.append(Thrown(len(thrown), game, "roll", "person", dice.roll(len(thrown))))
    return DiceRecord(commitment_of(server_seed), True, player_seed, server_seed.hex(), tuple(thrown))


def test_rolls_are_those_that_openssl_gives() -> None:
    dice = FairDice(bytes(32), "Ann")
    assert {number: dice.roll(number) for number in ZEROS} == {number: first_two(ZEROS[number]) for number in ZEROS}
    assert dice.roll(0) == (0x1A % 6 + 1, 0x9B % 6 + 1) == (3, 6)
    assert FairDice(SEED, "Mütze 🎲").roll(7) == first_two(OTHER)
    assert commitment_of(SEED) == COMMITMENT


def test_rolls_are_those_of_the_method_written_out() -> None:
    dice = FairDice(SEED, "x:1")
    assert [dice.roll(number) for number in range(300)] == [by_hand(SEED, "x:1", number) for number in range(300)]


def test_bytes_that_would_favour_small_dice_are_skipped() -> None:
    dice = FairDice(SEED, "s")
    digests = {number: digest_of(SEED, "s", number) for number in range(2000)}
    skipped = {number: digest for number, digest in digests.items() if digest[0] >= 252 > max(digest[1:3])}
    assert len(skipped) > 10
    for number, digest in skipped.items():
        assert dice.roll(number) == (digest[1] % 6 + 1, digest[2] % 6 + 1)


def test_all_rolls_are_equally_frequent() -> None:
    dice = FairDice(SEED, "statistics")
    rolls = 36_000
    counted = Counter(dice.roll(number) for number in range(rolls))
    assert len(counted) == 36
    chi_squared = sum((count - rolls / 36) ** 2 / (rolls / 36) for count in counted.values())
    # 35 degrees of freedom: 99.9% lie below 66.6, and 99.9% above 14.
    assert 14 < chi_squared < 66.6


def test_one_roll_says_nothing_about_the_next() -> None:
    dice = FairDice(SEED, "pairs")
    counted = Counter((dice.roll(number)[1], dice.roll(number + 1)[0]) for number in range(7200))
    chi_squared = sum((counted[first, second] - 200) ** 2 / 200 for first in range(1, 7) for second in range(1, 7))
    assert chi_squared < 66.6


def test_seeds_are_new_each_time() -> None:
    assert len({draw_seed() for _ in range(50)}) == 50
    assert len(draw_seed()) == 32


def test_a_right_record_has_no_problems_and_survives_json() -> None:
    right = record()
    assert verify(right) == []
    assert DiceRecord.from_dict(json.loads(json.dumps(right.to_dict()))) == right


@pytest.mark.parametrize("place", [0, 5, -1])
def test_a_forged_roll_is_found(place: int) -> None:
    right = record()
    place %= len(right.rolls)
    old = right.rolls[place]
    other = (old.dice[1] % 6 + 1, old.dice[0])
    if other[0] == other[1]:
        other = (other[0] % 6 + 1, other[1])
    rolls = (*right.rolls[:place], replace(old, dice=other), *right.rolls[place + 1 :])
    (problem,) = verify(replace(right, rolls=rolls))
    assert f"roll {place} " in problem
    assert f"played as {other[0]}-{other[1]}, the seeds give {old.dice[0]}-{old.dice[1]}" in problem


def test_another_seed_is_found() -> None:
    right = record()
    problems = verify(replace(right, server_seed=bytes(32).hex()))
    assert problems[0].startswith(f"the commitment is {COMMITMENT}, but the SHA-256 of the server's seed is 66687aad")
    assert len(problems) > 5
    assert len(verify(replace(right, player_seed="Bob"))) > 5
    assert len(verify(replace(right, commitment="0" * 64))) == 1


def test_rolls_that_were_left_out_are_found() -> None:
    right = record()
    assert "were left out or thrown again" in verify(replace(right, rolls=right.rolls[:3] + right.rolls[4:]))[0]
    renumbered = tuple(replace(one, number=place) for place, one in enumerate(right.rolls[:3] + right.rolls[4:]))
    assert "the seeds give" in verify(replace(right, rolls=renumbered))[0]


def test_a_game_begins_with_its_opening_throws() -> None:
    right = record()
    first = replace(right.rolls[0], kind="roll")
    assert (
        "expected the opening throw of game 1, found a roll of game 1"
        in verify(replace(right, rolls=(first, *right.rolls[1:])))[0]
    )
    late = replace(right.rolls[1], kind="opening")
    assert (
        "found an opening throw of game 1" in verify(replace(right, rolls=(right.rolls[0], late, *right.rolls[2:])))[0]
    )
    seed = next(text for text in map(str, range(100)) if len(set(FairDice(SEED, text).roll(0))) == 1)
    equal = record(player_seed=seed)
    assert equal.rolls[1].kind == "opening"
    assert verify(equal) == []
    assert "thrown again" in verify(replace(equal, rolls=(equal.rolls[0], replace(equal.rolls[1], kind="roll"))))[0]
    assert verify(replace(equal, rolls=equal.rolls[:1])) == [
        "the last opening throw has equal dice and was not thrown again"
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"commitment": None}, "commitment is None, expected a text"),
        ({"format": 2}, "expected dice of format 1"),
        ({"method": "MD5"}, "found format 1 and method 'MD5'"),
        ({"rolls": {}}, r"rolls is \{\}, expected a list"),
        ({"rolls": [3]}, "roll 0: expected an object, found 3"),
        ({"rolls": [{"dice": [0, 1]}]}, r"roll 0: dice is \[0, 1\]"),
        ({"rolls": [{"dice": [True, 1]}]}, r"roll 0: dice is \[True, 1\]"),
        ({"rolls": [{"dice": [2, 1], "kind": "x"}]}, "roll 0: kind is 'x'"),
        (
            {"rolls": [{"dice": [2, 1], "kind": "roll", "number": "1"}]},
            "roll 0: number is '1', expected a whole number",
        ),
        ({"player_seed": "\ud800"}, "which is no text"),
        ({"committed_first": 1}, "committed_first is 1, expected true or false"),
    ],
)
def test_what_is_no_record_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        DiceRecord.from_dict(record().to_dict() | changes)


@pytest.mark.parametrize("data", [None, [], "x", 1, {}])
def test_what_is_something_else_is_refused(data: Any) -> None:
    with pytest.raises(InputError, match="not the dice of a game"):
        DiceRecord.from_dict(data)


@pytest.mark.parametrize("seed", ["", "xyz", "00" * 31])
def test_a_seed_that_is_none_is_refused(seed: str) -> None:
    with pytest.raises(InputError, match="expected 64 hexadecimal digits"):
        verify(replace(record(), server_seed=seed))


def test_the_command_says_what_is_wrong(bgai_command: Command, tmp_path: Path) -> None:
    right, file = record(), tmp_path / "dice.json"
    file.write_text(json.dumps(right.to_dict()))
    outcome = bgai_command("verify-dice", file)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(f"All {len(right.rolls)} rolls are those that the commitment 630dcd2966c43366…")
    file.write_text(json.dumps(replace(right, committed_first=False).to_dict()))
    outcome = bgai_command("verify-dice", file)
    assert (outcome.code, outcome.err) == (1, "")
    assert outcome.out.startswith("The server knew the player's seed before")
    assert outcome.out.count("\n") == 1
    outcome = bgai_command("verify-dice", file, "--late-commitment")
    assert outcome.code == 0
    assert "could have chosen among seeds" in outcome.out
    forged = replace(right, rolls=(*right.rolls[:-1], replace(right.rolls[-1], dice=(6, 6))))
    file.write_text(json.dumps(forged.to_dict()))
    outcome = bgai_command("verify-dice", file)
    assert outcome.code == 1
    assert "was played as 6-6" in outcome.out
    answer = json.loads(bgai_command("verify-dice", file, "--json").out)
    assert answer["problems"] == verify(forged)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (json.dumps(replace(record(), server_seed=None).to_dict()), "is not shown yet"),
        (json.dumps(replace(record(), rolls=()).to_dict()), "there are no rolls"),
        ("{", "found something else"),
        ("[" * 100_000, "found something else"),
        ("\xff", "found something else"),
        ("{}", "not the dice of a game"),
    ],
)
def test_the_command_refuses_what_it_cannot_check(
    bgai_command: Command, tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "dice.json"
    file.write_bytes(text.encode("latin-1"))
    outcome = bgai_command("verify-dice", file)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize("address", ["http://127.0.0.1:1/api/v1/games/x", "http://[::"])
def test_the_command_says_when_nobody_answers(bgai_command: Command, address: str) -> None:
    outcome = bgai_command("verify-dice", address)
    assert outcome.code == 2
    assert f"{address}/dice: cannot be reached" in outcome.err


def test_the_test_vector_of_the_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "games.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d) \| `([0-9a-f]{64})` \| (\d)-(\d) \|$", page, re.MULTILINE)
    assert len(rows) == 3
    dice = FairDice(SEED, "Ann")
    for number, digest, first, second in rows:
        assert digest == digest_of(SEED, "Ann", int(number)).hex()
        assert dice.roll(int(number)) == (int(first), int(second))
    assert SEED.hex() in page
    assert COMMITMENT in page
