"""`bgai.protocols.gnubg_session` and the grammar: what is answered to which line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bgai
from bgai.board import as_board
from bgai.bot import Bot
from bgai.levels import PlayerName
from bgai.position import Cube, Position, Score
from bgai.protocols.gnubg_board import Agreed, format_gnubg_board
from bgai.protocols.gnubg_session import Advisers, Session
from tests.match_players import Gambler
from tests.protocols.gnubg import RECORDED, Played, acts_said
from tests.protocols.gnubg_questions import AHEAD, BEHIND
from tests.protocols.test_gnubg_board import BEAVER, DOUBLE, RACCOON

ADVISERS = Advisers.of(PlayerName(None))
START = format_gnubg_board(Position())
TO_PLAY = format_gnubg_board(Position(dice=(3, 1)))
LONG_MATCH = format_gnubg_board(Position(score=Score(length=65)))


@pytest.fixture
def session() -> Session:
    return Session(ADVISERS)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (TO_PLAY, "8/5 6/5"),
        (TO_PLAY + "\0", "8/5 6/5"),
        ("\0" + TO_PLAY + "\r", "8/5 6/5"),
        (TO_PLAY.replace("bgai:gnubg", "'two words':\"it's\"").upper(), "8/5 6/5"),
        (TO_PLAY + " jacobyrule on  beavers OFF crawfordrule true", "8/5 6/5"),
        (START, "roll"),
        ("set debug on", "Debug output ON"),
        ("SET DEBUG no", "Debug output OFF"),
        ("set interface new", "New interface ON"),
        ("set interface old", "New interface OFF"),
        ("set scores fibs", "Scores in the order of FIBS"),
        ('set prompt "x"', "Error: set option 'prompt' not supported"),
        ("", "Error: no command given"),
        ("bogus", "Error: syntax error, unexpected 'bogus', expecting a command"),
        ("set debug maybe", "Error: syntax error, unexpected 'maybe', expecting on or off"),
        ("set debug", "Error: syntax error, unexpected end of the line, expecting a value"),
        (TO_PLAY.replace("bgai", "me-too"), "Error: syntax error"),
        ("board:a:b:0:0:0", "Error: badly formed board: found 3 numbers behind the names, expected 50"),
        (START + " plies 2", "Error: syntax error, unexpected 'plies', expecting an option of a board"),
        (START + " resignation 4", "Error: syntax error, unexpected '4', expecting a whole number, 0 to 3"),
        (LONG_MATCH, "Error: badly formed board: match length: found 65, expected 0 (money) to 64"),
        (f"evaluation fibsboard {LONG_MATCH}", "Error: badly formed board: match length: found 65"),
        (f"evaluation fibsboard {START} plies 9", "Error: syntax error, unexpected '9'"),
        (f"evaluation fibsboard {START} noise 0.1", "Error: noise is not supported"),
        ("evaluation", "Error: syntax error, unexpected end of the line, expecting fibsboard"),
        ("version now", "Error: syntax error, unexpected 'now', expecting the end of the line"),
    ],
)
def test_answers(session: Session, line: str, said: str) -> None:
    found = session.answer(line)
    assert found is not None
    assert found.startswith(said) if said.startswith("Error") else found == said


def test_it_says_who_it_is(session: Session) -> None:
    found = session.answer("version")
    assert found is not None
    assert [line.partition(": ")[0] for line in found.splitlines()] == ["Interface", "RFBF", "Engine", "Software"]
    assert found.endswith(f"bgai {bgai.__version__}")
    assert "evaluation fibsboard" in (session.answer("help") or "")


@pytest.mark.parametrize("word", ["exit", "quit", "EXIT"])
def test_the_end(session: Session, word: str) -> None:
    assert session.answer(word) is None


def test_an_evaluation_is_that_of_the_library(session: Session) -> None:
    position = Position(score=Score((5, 3), 7), cube=Cube(2, "opponent"))
    text = format_gnubg_board(position)
    for options, analyst, name in (
        ("", bgai.Analyst.of(cubeful=False), "cubeless"),
        (" plies 1 cube on prune deterministic off noise 0", bgai.Analyst.of(plies=1), "equity"),
    ):
        found = [float(word) for word in (session.answer(f"evaluation fibsboard {text}{options}") or "").split()]
        expected = analyst.evaluate(position)
        assert found[:5] == pytest.approx(expected.outcomes.tolist(), abs=1e-6)
        stakes = analyst.stakes(position.cube, position.score, position.cube_limit)
        assert found[5] == pytest.approx(stakes.centre + stakes.half * getattr(expected, name), abs=1e-6)


def test_an_evaluation_looks_from_the_player_on_roll(session: Session) -> None:
    """The mirror of a position with the other player on roll is the same position."""
    ahead = format_gnubg_board(Position(AHEAD)).split(":")
    mirrored = format_gnubg_board(Position(BEHIND)).split(":")
    mirrored[3 + 29] = "-1"
    assert ahead != mirrored
    first, second = (session.answer("evaluation fibsboard " + ":".join(line)) for line in (ahead, mirrored))
    assert first == second
    assert float((first or "").split()[0]) > 0.9


def test_cube_actions_are_those_of_the_library(session: Session) -> None:
    for board in (AHEAD, BEHIND, Position().board):
        for score in (Score(jacoby=True, beavers=True), Score((6, 2), 7), Score((2, 6), 7), Score((2, 6), 7, True)):
            position = Position(board, score=score)
            decision = bgai.decide_cube(bgai.Analyst.of(), position)
            doubles = decision.action == "double"
            assert session.answer(format_gnubg_board(position)) == ("double" if doubles else "roll")
            if not score.crawford:
                answer = {"take": "take", "pass": "drop", "beaver": "beaver"}[decision.answer]
                offered = Position(board, score=score, offer="double")
                assert session.answer(format_gnubg_board(offered)) == answer


def test_scores_of_a_match_are_not_mixed_up(session: Session) -> None:
    """Who leads 6-0 in a match to 7 wins it more often than not; `test_gnubg_client` has gnubg say so."""
    lead, trail = (
        float((session.answer("evaluation fibsboard " + format_gnubg_board(Position(score=score))) or "").split()[5])
        for score in (Score((6, 0), 7), Score((0, 6), 7))
    )
    assert lead > 0.85
    assert trail < 0.15


def test_resignations(session: Session) -> None:
    """The player of the turn has resigned."""
    ahead, behind = (format_gnubg_board(Position(board)) + " jacobyrule off" for board in (AHEAD, BEHIND))
    assert session.answer(f"{ahead} resignation 1") == "accept"
    assert session.answer(f"{behind} resignation 1") == "reject"
    assert session.answer(f"{behind} resignation 3") == "accept"


def test_a_lost_game_is_resigned_once() -> None:
    lost = Position(as_board([0] * 6 + [5] + [0] * 17 + [-1, 0]))
    line = format_gnubg_board(lost)
    session = Session(ADVISERS)
    assert session.answer(line) == "resign n"
    # gnubg asks again after it has refused.
    assert session.answer(line) in ("roll", "double")
    assert Session(ADVISERS, resigns=False).answer(line) == "roll"


class Turner(Gambler):
    """Turns the cube whenever it may."""

    def answers(self, state, rng):
        rules = state.rules
        may = rules.beavers if state.offer == "double" else rules.raccoons and state.offer == "beaver"
        return "redouble" if may else "take"

    def doubles(self, state, rng) -> bool:
        return True


@pytest.mark.parametrize(
    ("beavers", "said"),
    [(0, ["take"]), (1, ["beaver", "take"]), (2, ["beaver", "take"]), (3, ["beaver", "take"])],
)
def test_the_doubled_side_turns_the_cube_as_often_as_agreed(beavers: int, said: list[str]) -> None:
    session = Session(Advisers(Turner("turner")), Agreed(beavers=beavers > 0), beavers=beavers)
    lines = [DOUBLE, RACCOON][: len(said)]
    session.answer(DOUBLE.replace("bb:aa", "aa:bb").replace(":1:1:1:1:1:-1:", ":1:1:1:0:1:-1:"))
    assert [session.answer(line) for line in lines] == said


@pytest.mark.parametrize(("beavers", "said"), [(1, "take"), (2, "beaver"), (3, "beaver")])
def test_the_doubling_side_answers_a_beaver(beavers: int, said: str) -> None:
    session = Session(Advisers(Turner("turner")), beavers=beavers)
    before = DOUBLE.replace("bb:aa", "aa:bb").replace(":1:1:1:1:1:-1:", ":1:1:1:0:1:-1:")
    assert session.answer(before) == "double"
    assert session.answer(BEAVER) == said
    if said == "beaver":
        # gnubg does not allow it after all, and asks again when told to play on.
        assert session.answer(BEAVER) == "take"


@pytest.mark.parametrize("name", ["money", "beavers", "match"])
def test_recorded_games_are_answered_legally(name: str) -> None:
    played = Played.load(RECORDED / f"{name}.json")
    session = Session(Advisers(Bot.of()), beavers=3)
    wire = [(line, session.answer(line) or "") for line, _ in played.wire]
    assert len(acts_said(wire)) > 30
    assert not any(said.startswith("Error") for _, said in wire)


def test_debug_shows_what_was_understood(session: Session) -> None:
    session.answer("set debug on")
    lines = (session.answer(TO_PLAY) or "").splitlines()
    assert lines[-1] == "8/5 6/5"
    assert all(line.startswith("DBG: ") for line in lines[:-1])
    assert any("GNUBG ID 4HPwATDgc/ABMA:" in line for line in lines)


PIECES = st.sampled_from(
    [
        *("board", ":", "me", "0", "-1", "15", "1", TO_PLAY, START, DOUBLE, " ", "'", '"', "\0", "é", "9" * 14),
        *("evaluation ", "fibsboard ", "set ", "debug ", "plies ", "resignation ", "jacobyrule ", "on", "cube "),
        *("noise ", "0.0"),
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join) | st.text(max_size=300))
def test_any_line_has_an_answer(line: str) -> None:
    session = Session(ADVISERS)
    said = session.answer(line)
    assert said is None or "\n" not in said.replace("DBG", "") or said.startswith("Interface")


@given(
    st.integers(0, 49),
    st.sampled_from([-99999, -16, -15, -2, -1, 0, 1, 2, 3, 6, 7, 15, 16, 64, 9999, 99999]),
    st.integers(0, 49),
    st.integers(-3, 3),
)
def test_any_numbers_have_an_answer(place: int, value: int, other: int, small: int) -> None:
    words = TO_PLAY.split(":")
    words[3 + place], words[3 + other] = str(value), str(small)
    assert Session(ADVISERS).answer(":".join(words)) is not None


def test_advisers_know_the_network(tmp_path: Path) -> None:
    assert ADVISERS.analyst(0, True) is ADVISERS.analyst(0, True)
    assert np.isfinite(ADVISERS.analyst(0, False).evaluate(Position()).equity)
