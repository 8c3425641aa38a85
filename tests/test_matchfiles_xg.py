"""Files of eXtreme Gammon, written by `tests/xg_files.py` from its published layout and read back."""

from __future__ import annotations

import struct
import zlib
from contextlib import suppress
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgai.errors import InputError
from bgai.events import (
    AcceptResignation,
    Beaver,
    Double,
    EndOfGame,
    Pass,
    Play,
    Raccoon,
    Resign,
    Roll,
    SetUp,
    StartGame,
    Take,
)
from bgai.match_play import Answer, play_match
from bgai.match_rules import Rules
from bgai.match_state import MatchState, position
from bgai.matchfiles.found import MatchFile
from bgai.matchfiles.xg import is_xg, read_xg
from bgai.matchfiles.xg_comments import plain, read_comments
from bgai.matchfiles.xg_container import HEADER_SIZE, LARGEST, unpack
from bgai.matchfiles.xg_records import SIZE
from bgai.plays import Plays
from bgai.position import Cube
from bgai.record import MatchRecord
from tests.xg_files import (
    START,
    container,
    cube_action,
    game_footer,
    game_header,
    match_footer,
    match_header,
    move,
    rich_header,
    write_xg,
)


class Gambler:
    """Plays, doubles, answers and resigns by lot, so that everything happens within few games."""

    name = "Gambler"

    def choose(self, state: MatchState, plays: Plays, rng: np.random.Generator) -> int:
        return int(rng.integers(len(plays)))

    def doubles(self, state: MatchState, rng: np.random.Generator) -> bool:
        return rng.random() < 0.2

    def answers(self, state: MatchState, rng: np.random.Generator) -> Answer:
        answers: list[Answer] = ["take", "take", "pass", "redouble", "redouble"]
        return answers[
            int(rng.integers(5 if state.rules.raccoons and state.cube < 16 and state.offer != "raccoon" else 3))
        ]

    def resigns(self, state: MatchState, rng: np.random.Generator) -> int:
        """Under the Jacoby rule only what counts."""
        most = 1 if state.rules.jacoby and state.owner is None else 3
        return int(rng.integers(1, most + 1)) if rng.random() < 0.005 else 0

    def accepts(self, state: MatchState, rng: np.random.Generator) -> bool:
        return True


AGREED = {
    "match": Rules(length=7),
    "one point": Rules(length=1),
    "no Crawford rule": Rules(length=3, crawford=False),
    "money": Rules(jacoby=True),
    "everything": Rules(jacoby=True, beavers=True, raccoons=True, automatic_doubles=3, cube_limit=64),
}


@cache
def played(name: str) -> MatchRecord:
    players = Gambler(), Gambler()
    record = play_match(players, AGREED[name], seed=5, games=None if AGREED[name].length else 6)
    return replace(
        record,
        players=("Ann Ås", "Žofie 三"),
        comment="A long evening.",
        metadata={
            "event": "Club night",
            "place": "København",
            "round": "Final",
            "date": "2024-02-29",
            "transcriber": "Cé",
        },
    )


def file_of(*records: bytes, comments: bytes | None = None) -> bytes:
    return container(b"".join(records), comments)


def read(*records: bytes, comments: bytes | None = None) -> MatchFile:
    return read_xg(file_of(*records, comments=comments))


def texts(found: MatchFile) -> list[str]:
    return [str(problem) for problem in found.problems]


@pytest.mark.parametrize("name", AGREED)
def test_a_match_comes_back_as_it_was(name: str) -> None:
    record = played(name)
    found = read_xg(write_xg(record))
    assert found.problems == ()
    assert found.format == "xg"
    assert found.record == record
    assert dict(found.record.metadata) == dict(record.metadata)


def test_everything_happened_in_those_matches() -> None:
    kinds = {type(event) for name in AGREED for event in played(name).events}
    assert kinds >= {StartGame, Roll, Play, Double, Take, Pass, Beaver, Raccoon, Resign, AcceptResignation}
    assert any(event.automatic for event in played("everything").events if isinstance(event, StartGame))
    assert any(not event.steps for event in played("match").events if isinstance(event, Play))


def test_comments_come_back_with_their_events() -> None:
    record = played("match")
    game = record.games[1]
    cube = next(place for place, event in enumerate(game.events) if isinstance(event, Double))
    play = next(place for place, event in enumerate(game.events) if place > 1 and isinstance(event, Play))
    remarks = {0: "the opening", play: "a {blunder}\nin two lines \\ Žofie 三 🎲", cube: "too early"}
    record = replace(record, games=(record.games[0], replace(game, comments=remarks), *record.games[2:]))
    assert read_xg(write_xg(record)).record.games[1].comments == remarks


def test_a_comment_where_nobody_doubled_is_on_the_roll() -> None:
    start = match_header(), game_header(), OPENING, cube_action(-1, AFTER, comment=1)
    comments = b"x\r\nnot yet\r\n"
    found = read(*start, move(-1, (6, 5), (23, 12), AFTER), comments=comments)
    assert found.record.games[0].comments == {2: "not yet"}
    assert found.record.games[0].events[2] == Roll(1, (6, 5))
    assert read(*start, comments=comments).record.games[0].comments == {1: "not yet"}


@pytest.mark.parametrize("version", [1, 7, 8, 23, 24, 25, 26, 29, 30, 40])
def test_versions_have_what_they_have(version: int) -> None:
    record = replace(played("one point"), players=("Ann Ås", "Ben"))
    found = read_xg(write_xg(record, version=version)).record
    assert found.events == record.events
    assert found.players == ("Ann Ås", "Ben")
    assert found.metadata["event"] == "Club night"
    assert ("transcriber" in found.metadata) == (version >= 30)


def test_names_beyond_ansi_need_version_24() -> None:
    assert read_xg(write_xg(played("one point"), version=24)).record.players[1] == "Žofie 三"
    assert read_xg(write_xg(played("one point"), version=23)).record.players[1] == "Žofie ?"


def test_names_that_are_missing() -> None:
    found = read(match_header(players=("", "")), game_header(), move(1, (3, 1), (7, 4, 5, 4)))
    assert found.record.players == ("Player 1", "Player 2")


@pytest.mark.parametrize("stored", [False, True])
def test_files_may_be_stored_without_compression(stored: bool) -> None:
    data = container(match_header() + game_header() + move(-1, (3, 1), (7, 4, 5, 4)), stored=stored, picture=b"")
    assert read_xg(data).record.events == (StartGame((1, 3)), Play(1, ((8, 5), (6, 5))))


def test_a_file_without_an_archive() -> None:
    """As some programs write them: header and picture, then the records as a single stream."""
    records = match_header() + game_header() + move(1, (3, 1), (7, 4, 5, 4))
    data = rich_header(b"picture") + zlib.compress(records)
    assert read_xg(data) == read_xg(container(records))
    for cut in (1, 20, 100):
        with pytest.raises(InputError, match="damaged or cut off"):
            read_xg(data[:-cut])
    with pytest.raises(InputError, match="damaged or cut off"):
        read_xg(data + b"more")


def test_a_play_written_with_one_step_for_both_dice() -> None:
    found = read(match_header(), game_header(), move(1, (6, 5), (23, 12)))
    assert found.record.events[-1] == Play(0, ((24, 18), (18, 13)))
    assert found.problems == ()


def test_a_play_known_only_by_the_position_after_it() -> None:
    after = list(START)
    after[24], after[13] = 1, 6
    found = read(match_header(), game_header(), move(1, (6, 5), (), START, after))
    assert found.record.final.checkers == tuple(-count for count in reversed(after))
    assert found.problems == ()


def test_junk_behind_the_end_of_a_play_and_off_in_both_ways() -> None:
    """As seen in files: -1 ends a play, whatever follows; off is any number below 0."""
    checkers = (0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, 0, 0, 0, 0, 0)
    start = match_header(), game_header(checkers=checkers)
    for play in ((3, -1, 1, -1, -1, 4, 2, 1), (3, -1, 1, -2)):
        found = read(*start, move(1, (4, 2), play, checkers))
        assert found.record.events[-1] == Play(0, ((4, 0), (2, 0)))
    assert found.problems == ()


@pytest.mark.parametrize("nothing", [(), (0, 0, 0, 0, 0, 0, 0, 0)])
def test_a_roll_that_cannot_be_played(nothing: tuple[int, ...]) -> None:
    checkers = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, -2, -2, -2, -2, -2, -2, 1)
    found = read(
        match_header(),
        game_header(checkers=checkers),
        cube_action(1, checkers),
        move(1, (3, 1), nothing, checkers),
        cube_action(-1, checkers),
    )
    assert found.record.events[2:] == (Roll(0, (3, 1)), Play(0))
    assert found.problems == ()


def test_an_illegal_play_is_set_up() -> None:
    found = read(match_header(), game_header(), move(1, (3, 1), (12, 3)), move(-1, (6, 5), (23, 12)))
    assert texts(found)[0].startswith("game 1: '13/4' is not legal with 3-1")
    assert isinstance(found.record.events[1], SetUp)
    assert found.record.events[1].checkers[21] == -1  # 13/4 as the opponent sees it


def test_a_position_that_was_edited_is_set_up() -> None:
    checkers = list(START)
    checkers[6], checkers[4] = 4, 1
    found = read(
        match_header(),
        game_header(),
        move(1, (3, 1), (7, 4, 5, 4)),
        cube_action(-1, checkers, cube=-2),
        move(-1, (6, 5), (23, 12), checkers, cube=-2),
    )
    assert texts(found) == ["game 1: turn 2 begins where the plays do not lead; its position is set up"]
    state = found.record.final
    assert (state.cube, state.owner, state.on_roll) == (4, 1, 0)
    assert found.record.events[2] == SetUp(1, tuple(-count for count in reversed(checkers)), None, 4, 1)


def test_a_player_who_acts_out_of_turn() -> None:
    after = (0, -2, 0, 0, 0, 2, 4, 0, 2, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)
    found = read(match_header(), game_header(), move(1, (3, 1), (7, 4, 5, 4)), move(1, (6, 5), (23, 12), after))
    assert texts(found) == ["game 1: a turn of Ben is missing; the game goes on without it"]
    assert found.record.events[-1] == Play(0, ((24, 18), (18, 13)))


RACE = (0, 0, 2, 0, 3, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -4, 0, -3, 0, 0)


@pytest.mark.parametrize("player", [1, -1])
def test_a_position_before_the_roll(player: int) -> None:
    """An `.xgp` of a decision with the cube."""
    found = read(
        match_header(length=5), game_header((2, 4), checkers=RACE), cube_action(player, RACE, doubled=-1, cube=1)
    )
    assert found.problems == ()
    seen = position(found.record.final)
    assert seen.seat == (0 if player == 1 else 1)
    assert seen.board.tolist() == (list(RACE) if player == 1 else [-count for count in reversed(RACE)])
    assert seen.cube == Cube(2, "on roll" if player == 1 else "opponent")
    assert seen.score.points == ((2, 4) if player == 1 else (4, 2))
    assert (seen.dice, seen.score.length, seen.score.crawford) == (None, 5, False)


def test_a_position_with_a_roll() -> None:
    """An `.xgp` of a checker play: an idle record of the cube, and a move that was not made."""
    found = read(
        match_header(length=99999, jacoby=True, beaver=True),
        game_header(checkers=RACE),
        cube_action(1, RACE, doubled=-2),
        move(1, (6, 4), (), RACE),
    )
    seen = position(found.record.final)
    assert (seen.dice, seen.score.jacoby, seen.score.beavers) == ((6, 4), True, True)
    assert found.problems == ()


def test_the_crawford_game_of_a_position() -> None:
    for crawford in (True, False):
        found = read(match_header(length=5), game_header((2, 4), crawford=crawford), cube_action(1))
        assert position(found.record.final).score.crawford == crawford
        assert found.problems == ()


def test_other_starting_positions() -> None:
    nack = (0, -2, -2, 0, 0, 0, 4, 0, 3, 0, 0, 0, -4, 4, 0, 0, 0, -3, 0, -4, 0, 0, 0, 2, 2, 0)
    found = read(match_header(variation=1), game_header(checkers=nack), move(-1, (6, 5), (23, 12), nack))
    assert found.record.events[1:] == (SetUp(1, nack, (5, 6)), Play(1, ((24, 18), (18, 13))))
    assert found.problems == ()
    assert found.record.metadata["variation"] == "nackgammon"
    with pytest.raises(InputError, match="Hypergammon"):
        read(match_header(variation=2), game_header(), cube_action(1))


def test_equal_dice_may_open_where_that_is_played() -> None:
    found = read(match_header(), game_header(), move(1, (2, 2), (12, 10, 12, 10, 5, 3, 5, 3)))
    assert found.record.events[-2:] == (SetUp(0, START, (2, 2)), Play(0, ((13, 11), (13, 11), (6, 4), (6, 4))))
    assert "equal opening dice" in texts(found)[0]


OPENING = move(1, (3, 1), (7, 4, 5, 4))
AFTER = (0, -2, 0, 0, 0, 2, 4, 0, 2, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)


@pytest.mark.parametrize(
    ("ending", "points", "value"), [(101, 1, 1), (100, 1, 1), (102, 2, 2), (103, 3, 3), (102, 4, 2)]
)
def test_resignations(ending: int, points: int, value: int) -> None:
    cube = points // value
    doubled = [cube_action(-1, AFTER, doubled=1, answer=1)] if cube == 2 else []
    found = read(match_header(), game_header(), OPENING, *doubled, game_footer((0, points), -1, points, ending))
    assert found.record.games[0].result == EndOfGame(1, value, cube, "resignation")
    assert found.problems == ()


def test_a_settlement_is_said_to_be_one() -> None:
    found = read(match_header(length=99999), game_header(), OPENING, game_footer((2, 0), 1, 2, 1000))
    assert texts(found) == ["game 1: the game was settled for 2 points; taken as a resignation"]
    assert found.record.final.score == (2, 0)


def test_a_game_without_its_end() -> None:
    """The score of the next game says who won."""
    games = game_header(), OPENING, game_header((0, 2), number=2), OPENING
    found = read(match_header(), *games)
    assert [game.result for game in found.record.games] == [EndOfGame(1, 2, 1, "resignation"), None]
    assert texts(found) == ["game 1: the game has no end; by the next score Ben has won 2"]
    found = read(match_header(), game_header(), OPENING, game_header(), OPENING)
    assert texts(found) == ["game 1: the game has no end, and the next one begins; it is left out"]
    found = read(match_header(), game_header(), OPENING, game_footer((2, 0), 1, 2, 2))
    assert texts(found) == ["game 1: the end of the game is missing; taken as a resignation"]
    assert found.record.games[0].result == EndOfGame(0, 2, 1, "resignation")


def test_a_match_saved_before_the_first_roll_of_a_game() -> None:
    found = read(match_header(), game_header(), OPENING, game_footer((0, 1), -1, 1, 101), game_header((0, 1), number=2))
    assert len(found.record.games) == 1


def test_a_double_in_the_crawford_game() -> None:
    """The file contradicts itself; what was played counts."""
    found = read(
        match_header(length=3),
        game_header((2, 0), crawford=True),
        OPENING,
        cube_action(-1, AFTER, doubled=1, answer=0),
        game_footer((2, 1), -1, 1, 0),
    )
    assert found.record.games[0].result == EndOfGame(1, 1, 1, "drop")
    assert "says that this is the Crawford game" in texts(found)[0]


def test_actions_after_the_end_of_a_game_are_left_out() -> None:
    passed = cube_action(-1, AFTER, doubled=1, answer=0)
    found = read(match_header(), game_header(), OPENING, passed, move(-1, (6, 5), (23, 12), AFTER))
    assert [str(problem) for problem in found.problems] == ["game 1: a roll after the end of the game; left out"]
    assert found.record.games[0].result == EndOfGame(1, 1, 1, "drop")


def test_what_the_footer_says_is_compared() -> None:
    found = read(
        match_header(),
        game_header(),
        OPENING,
        cube_action(-1, AFTER, doubled=1, answer=0),
        game_footer((1, 0), 1, 1, 0),
    )
    assert texts(found) == ["game 1: Ann is said to win, and Ben has won"]


def test_games_after_the_match_are_left_out() -> None:
    end = game_footer((0, 1), -1, 1, 101)
    found = read(
        match_header(length=1), game_header(), OPENING, end, game_header(), OPENING, end, match_footer((0, 1), -1)
    )
    assert texts(found) == ["game 1: the match is over by then, seat 1 has won it; the game is left out"]


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([], "2560 bytes each, found 0"),
        ([game_header()], r"expected the header of a match \(0\), found kind 1"),
        ([match_header()], "no game in it"),
        ([match_header()[:-1]], "2560 bytes each, found 2559"),
        ([match_header(magic=17)], "expected the mark 494c4d44, found 00000011"),
        ([match_header(version=41)], "version 41, expected 1 to 40"),
        ([match_header(version=-3)], "version -3"),
        ([match_header(length=-7)], "length of the match: found -7"),
        ([match_header(length=0)], "length of the match: found 0"),
        ([match_header(length=2**31 - 1)], "length of the match: found 2147483647"),
        ([match_header(variation=9)], "variation of the game: found 9"),
        ([match_header(date=float("nan"))], "date of the match: found nan"),
        ([match_header(date=float("inf"))], "date of the match: found inf"),
        ([match_header(date=-1e300)], "date of the match"),
        ([match_header(cube_limit=99)], "cube limit: found 99"),
        ([match_header(), game_header((-1, 0))], "record 2 of the XG file: a score: found -1"),
        ([match_header(), game_header((7, 0)), OPENING], "cannot go on at the score 7-0"),
        ([match_header(), game_header(), move(3, (3, 1))], "record 3 of the XG file: a player: found 3"),
        ([match_header(), game_header(), move(1, (7, 1))], "a die: found 7"),
        ([match_header(), game_header(), move(1, (3, 0))], "expected two dice or none, found 3 and 0"),
        ([match_header(), game_header(), move(1, (3, 1), (25, 3))], "found 25 to 3"),
        ([match_header(), game_header(), move(1, (3, 1), (3, 7))], "found 3 to 7"),
        ([match_header(), game_header(), cube_action(1, cube=40)], "cube, as a power of two: found 40"),
        ([match_header(), game_header(), cube_action(1, doubled=5)], "decision to double: found 5"),
        ([match_header(), game_header(), cube_action(1, [100] * 26)], "game 1 of the XG file: .*cannot be positive"),
        ([match_header(), game_header(), cube_action(1, [0] * 20 + [16] + [0] * 5)], "16 checkers"),
        ([match_header(), game_header(), game_footer((1, 0), 1, -4, 1)], "points won: found -4"),
        ([match_header(), bytes([0] * 8 + [77]) + bytes(2551)], "expected a kind from 1 to 7, found 77"),
    ],
)
def test_records_that_cannot_be(records: list[bytes], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(*records)
    assert "\n" not in str(caught.value)


GOOD = file_of(match_header(), game_header(), OPENING)


def test_a_name_longer_than_its_place() -> None:
    records = bytearray(match_header() + game_header() + OPENING)
    records[9] = 200
    records[880:1138] = bytes(258)  # no Unicode name either
    with pytest.raises(InputError, match="length of the player1: found 200, expected 0 to 40"):
        read_xg(container(bytes(records)))


def test_other_files_are_none_of_ours() -> None:
    assert is_xg(GOOD)
    assert not is_xg(b"; [Site]")
    assert not is_xg(b"")
    with pytest.raises(InputError, match="begins with b'RGMH', found b'PK"):
        read_xg(b"PK\3\4" + bytes(9000))


@pytest.mark.parametrize("length", [4, 100, HEADER_SIZE, HEADER_SIZE + 50, len(GOOD) - 40, len(GOOD) - 1])
def test_files_that_are_cut_off(length: int) -> None:
    with pytest.raises(InputError, match=r"cut off|damaged"):
        read_xg(GOOD[:length])


def test_every_flipped_bit_of_the_archive_is_noticed() -> None:
    first = HEADER_SIZE + 20  # behind the picture
    for place in [*range(first, len(GOOD) - 36, 7), *range(len(GOOD) - 36, len(GOOD) - 16)]:
        data = bytearray(GOOD)
        data[place] ^= 4
        if not len(GOOD) - 28 <= place < len(GOOD) - 24:  # the version, which nobody needs
            with pytest.raises(InputError):
                read_xg(bytes(data))


def edited(offset: int, form: str, *values: int) -> bytes:
    """A file whose list of files was changed, in the entry of temp.xg, and all checksums are right."""

    def edit(register: bytearray) -> None:
        struct.pack_into(form, register, 532 + offset, *values)

    return container(match_header() + game_header() + OPENING, edit=edit)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (edited(512, "<i", -1), "said to have -1 bytes"),
        (edited(512, "<i", 2**31 - 1), f"said to have 2147483647 bytes, expected 0 to {LARGEST}"),
        (edited(512, "<i", 2560), "has 2561 bytes, expected 2560"),
        (edited(512, "<i", 100_000), f"has {3 * SIZE} bytes, expected 100000"),
        (edited(516, "<i", -5), r"said to be bytes \d+ to \d+ of \d+"),
        (edited(516, "<i", 2**31 - 1), r"said to be bytes \d+ to \d+ of \d+"),
        (edited(520, "<i", -5), "said to be bytes -5"),
        (edited(520, "<i", 3), "cannot be unpacked"),
        (edited(524, "<I", 5), "checksum is .*, not 00000005"),
        (edited(528, "<B", 1), "temp.xg in the XG file has"),
        (edited(1, "<B", 90), "no temp.xg"),
    ],
)
def test_lists_of_files_that_cannot_be(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_xg(data)


def test_a_bomb_is_not_unpacked() -> None:
    bomb = zlib.compress(bytes(1 << 24))
    register = bytearray(b"\7temp.xg".ljust(512, b"\0") + struct.pack("<iiiI", 2560, len(bomb), 0, 0) + bytes(4))
    listed = zlib.compress(bytes(register))
    trailer = struct.pack("<Iiiii", zlib.crc32(bomb + listed), 1, 1, len(listed), len(bomb)) + b"\1" + bytes(15)
    with pytest.raises(InputError, match="has 2561 bytes, expected 2560"):
        read_xg(rich_header(b"") + bomb + listed + trailer)


def test_only_files_that_are_asked_for_are_unpacked() -> None:
    assert list(unpack(GOOD, ["temp.xgi", "temp.xgr"])) == ["temp.xgi"]


RTF = rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\*\generator Riched20;}\viewkind4\uc1\pard\f0 "


@pytest.mark.parametrize(
    ("rtf", "text"),
    [
        (RTF + rb"Plain\par" + b"\r\nnext}", "Plain\nnext"),
        (RTF + rb"caf\'e9 \u381? \u-10180?\u-8270?\tab x}", "café Ž 🎲\tx"),
        (RTF + rb"\uc2\u381\'8e\'8e!}", "Ž!"),
        (RTF + rb"\uc0\u381!}", "Ž!"),
        (RTF + rb"a \{b\} \\ {\b bold}}", "a {b} \\ bold"),
        (rb"{\rtf1\ansi\ansicpg932 \'83\'65\'83\'58}", "テス"),
        (rb"{\rtf1\ansi\ansicpg99999 \'e9}", "é"),
        (rb"{\rtf1 }}}} still {", "still"),
        ("Žofie".encode(), "Žofie"),
        (b"caf\xe9", "café"),
        (b"", ""),
    ],
)
def test_rtf(rtf: bytes, text: str) -> None:
    assert plain(rtf) == text


def test_comments_keep_their_numbers() -> None:
    assert read_comments(b"one\1\2more\r\n\r\nthree\r\n") == ["one\r\nmore", "", "three", ""]


def test_a_comment_that_is_not_there_is_none() -> None:
    found = read(match_header(comments=(7, -5)), game_header(), OPENING, comments=b"x\r\n")
    assert found.record.comment == ""


SAMPLE = match_header() + game_header() + cube_action(1, doubled=-2) + OPENING
SAMPLE += cube_action(-1, AFTER, doubled=1, answer=1) + move(-1, (6, 5), (23, 12), AFTER)
SAMPLE += game_footer((0, 2), -1, 2, 101)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_nothing_but_input_errors(data: st.DataObject) -> None:
    """Records with a few bytes changed, in an archive that is sound; most of them are zeros, so the places are drawn
    from where something is read."""
    records = bytearray(SAMPLE)
    places = st.tuples(st.integers(0, len(records) // SIZE - 1), st.integers(8, 135) | st.integers(0, SIZE - 1))
    for record, place in data.draw(st.lists(places, min_size=1, max_size=6)):
        records[record * SIZE + place] = data.draw(st.integers(0, 255))
    try:
        found = read_xg(container(bytes(records), data.draw(st.binary(max_size=40))))
    except InputError:
        pass
    else:
        assert MatchRecord.from_dict(found.record.to_dict()) == found.record


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200), st.integers(0, len(GOOD)), st.integers(0, len(GOOD)))
def test_random_bytes_in_the_container(noise: bytes, start: int, end: int) -> None:
    with suppress(InputError):
        read_xg(GOOD[:start] + noise + GOOD[end:])


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=80))
def test_random_rtf(noise: bytes) -> None:
    plain(b"{\\rtf1 " + noise)
