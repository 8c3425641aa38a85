"""Opening plays: the standard ones, what the kept network plays, and the command."""

from __future__ import annotations

import json
from itertools import combinations

import pytest

from bgai.board import flip
from bgai.coach.openings import (
    STANDARD,
    TRUNCATION,
    index_of,
    openings,
    replies_to,
    rolled,
    rollout_of,
)
from bgai.dice import ROLLS
from bgai.notation.playtext import parse_play
from bgai.plays import legal_plays
from bgai.position import Cube, Position, Score
from tests.cli import Command
from tests.coaching import analyst


def test_the_fifteen_rolls() -> None:
    assert set(STANDARD) == {(high, low) for low, high in combinations(range(1, 7), 2)}


@pytest.mark.parametrize("roll", STANDARD)
def test_the_standard_plays_are_legal_and_different(roll: tuple[int, int]) -> None:
    assert len({index_of(roll, play) for play in STANDARD[roll]}) == len(STANDARD[roll])


@pytest.mark.parametrize("roll", STANDARD)
def test_the_kept_network_plays_a_standard_play_at_0_ply(roll: tuple[int, int]) -> None:
    (opening,) = openings(analyst(), [roll])
    ours = opening.ours
    played = index_of(roll, ours.candidate.play)
    assert played in {index_of(roll, play) for play in STANDARD[roll]}, f"{roll}: {ours.candidate.play}"
    assert ours.standard
    assert ours.loss == 0


def test_all_standard_plays_stand_beside_ours_from_the_best_down() -> None:
    for opening in openings(analyst()):
        assert {index_of(opening.dice, one.candidate.play) for one in opening.plays if one.standard} == {
            index_of(opening.dice, play) for play in STANDARD[opening.dice]
        }
        losses = [one.loss for one in opening.plays]
        assert losses == sorted(losses)
        for one in opening.plays:
            assert one.loss == pytest.approx(opening.ours.candidate.equity - one.candidate.equity)


def test_a_play_that_is_not_standard_is_said_to_be_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STANDARD, (3, 1), ("24/23 13/10",))
    (opening,) = openings(analyst(), [(3, 1)])
    assert [(one.candidate.play, one.standard) for one in opening.plays] == [
        ("8/5 6/5", False),
        ("24/23 13/10", True),
    ]


def test_replies_are_the_best_plays_after_the_opening() -> None:
    (opening,) = openings(analyst(), [(3, 1)])
    replies = replies_to(analyst(), opening.ours)
    assert [one.dice for one in replies] == list(ROLLS)
    board = flip(opening.ours.candidate.after)
    ranked = analyst().rank([Position(board, dice=(6, 4))])
    best = ranked.order[0]
    reply = next(one for one in replies if one.dice == (6, 4))
    assert reply.equity == pytest.approx(float(ranked.equities[best]))
    assert parse_play(board, legal_plays(board, (6, 4)), reply.play) == best


def test_replies_have_the_score_and_the_cube_turned() -> None:
    game = Position(score=Score((2, 4), 5), cube=Cube())
    (opening,) = openings(analyst(), [(3, 1)], game)
    replies = replies_to(analyst(), opening.ours, game)
    after = Position(flip(opening.ours.candidate.after), (6, 4), score=Score((4, 2), 5))
    ranked = analyst().rank([after])
    reply = next(one for one in replies if one.dice == (6, 4))
    assert reply.equity == pytest.approx(float(ranked.equities[ranked.order[0]]))


def test_rollouts_compare_ours_and_the_next_standard_play() -> None:
    (opening,) = openings(analyst(), [(6, 2)])
    rollout = rollout_of(opening, 36)
    assert rollout.settings.truncation == TRUNCATION
    assert [one.name for one in rollout.candidates] == [one.candidate.play for one in opening.plays[:2]]
    rollout.run(threads=1)
    found = rolled(rollout)
    assert {one.trials for one in found} == {36}
    assert found[0].equity >= found[1].equity


def test_the_command(bgai_command: Command) -> None:
    page = bgai_command.good("openings", "31")
    assert "3-1   8/5 6/5   +0." in page
    record = json.loads(bgai_command.good("openings", "3-1", "--replies", "--json"))
    (opening,) = record["openings"]
    assert opening["dice"] == [3, 1]
    assert opening["plays"][0]["play"] == "8/5 6/5"
    assert opening["plays"][0]["standard"] is True
    assert [len(play["replies"]) for play in opening["plays"]] == [21]
    assert opening["rollout"] == []
    (opening,) = json.loads(bgai_command.good("openings", "21", "--json"))["openings"]
    assert [play["replies"] for play in opening["plays"]] == [[], []]


def test_markdown(bgai_command: Command) -> None:
    lines = bgai_command.good("openings", "--markdown", "--replies").splitlines()
    tables = [line for line in lines if line.startswith("| --- ")]
    plays = sum(map(len, STANDARD.values()))
    assert len(tables) == 1 + -(-plays // 5)
    assert len([line for line in lines if line.startswith("|")]) == (15 + 2) + (len(tables) - 1) * (21 + 2)
    assert lines[2].startswith("| roll | our play |")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["33"], "expected two different dice, which open a game, found 3-3"),
        (["37"], "found 7"),
        (["31", "--json", "--markdown"], "expected either --json or --markdown, found both"),
        (["31", "--trials", "35"], "expected a multiple of 36"),
        (["31", "--score", "3-5"], "match: found none beside --score"),
    ],
)
def test_bad_input(bgai_command: Command, words: list[str], message: str) -> None:
    assert message in bgai_command.bad("openings", *words)
