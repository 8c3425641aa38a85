"""The bot for bgammon.org against a server of our own."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from bgai.errors import InputError
from bgai.events import Double, Pass, Resign, Take
from bgai.match_play import CubelessPlayer, MatchPlayer
from bgai.player import HeuristicPlayer
from bgai.protocols.bgammon import BgammonBot
from bgai.protocols.connection import ServerError
from bgai.protocols.credentials import Password
from bgai.protocols.invitations import Policy
from bgai.protocols.online import Online
from tests.match_players import Gambler
from tests.protocols.bgammon_server import BgammonServer
from tests.protocols.mock_server import HOST, VISITOR
from tests.protocols.visiting import Gamester, QuietDesk, Visit

CALM = CubelessPlayer(HeuristicPlayer())
ACCOUNTS = {"BOT_x": "open_sesame"}


def stay(
    server: BgammonServer,
    player: MatchPlayer = CALM,
    *,
    policy: Policy | None = None,
    user: str | None = "BOT_x",
    password: str | None = "open sesame",
    matches: int | None = None,
    retries: int = 3,
    interrupts: tuple[str, ...] = (),
    **options: Any,
) -> Visit:
    """One run of the bot until it leaves; it is interrupted when it says one of `interrupts`."""

    def make(online: Online) -> BgammonBot:
        secret = None if password is None else Password(password)
        return BgammonBot(online, policy or Policy(), user, secret, matches, **options)

    def heard(online: Online, text: str) -> None:
        if any(text.startswith(start) for start in interrupts):
            online.interrupt()

    return Visit().run(make, player, server.port, password=password or "none", retries=retries, heard=heard)


def test_matches_with_cube_crawford_and_resignations() -> None:
    with BgammonServer(Gamester("ann", resigns=0.03), accounts=ACCOUNTS, rematches=2, seed=5) as server:
        found = stay(server, Gamester("bot", resigns=0.03), matches=3, length=3)
    assert found.error is None
    assert server.refused == []
    assert len([result for result in server.results if result != "left"]) == found.bot.played == 3
    kinds = (Double, Take, Pass, Resign)
    seen = {(type(event), event.seat) for event in server.happened if isinstance(event, kinds)}
    assert seen == {(kind, seat) for kind in kinds for seat in (VISITOR, HOST)}
    # More is not to be had for a resignation on this server.
    assert {event.value for event in server.happened if isinstance(event, Resign)} == {1}


@pytest.mark.parametrize("options", [{"packet": 5}, {"forced": True}, {"no_doubles": True}])
def test_matches_under_difficulties(options: dict[str, Any]) -> None:
    """Split packets; steps that the server makes by itself; doubles that it does not take."""
    with BgammonServer(Gamester("ann"), accounts=ACCOUNTS, seed=5, **options) as server:
        found = stay(server, Gamester("bot"), matches=1, length=3)
    assert (found.error, server.refused) == (None, [])
    assert len(server.results) == 2


def test_a_cut_match_goes_on() -> None:
    cuts = (1, 2, 5, 6, 8, 13, 24)
    with BgammonServer(Gamester("ann"), accounts=ACCOUNTS, cuts=cuts) as server:
        found = stay(server, Gamester("bot"), matches=1, retries=20)
    assert found.error is None
    assert server.visits == len(cuts) + 1
    assert len(server.results) == 2
    assert server.refused == []


def test_uninvited_guests_are_not_played_with() -> None:
    with BgammonServer(CALM, accounts=ACCOUNTS, guests=("eve", "ann")) as server:
        found = stay(server, policy=Policy(frozenset({"ann"})), matches=1, length=1)
    assert (found.error, server.refused) == (None, [])
    assert server.results[0] == "left"
    assert "eve: refused, I play with invited players only" in found.said
    assert "say Sorry, I play with invited players only." in server.received


def test_open_matches_are_joined() -> None:
    with BgammonServer(CALM, accounts=ACCOUNTS, opened=(9, 3), guests=("ann",)) as server:
        found = stay(server, policy=Policy(longest=5), matches=1, joins=True, rematches=False)
    assert (found.error, server.refused) == (None, [])
    assert server.joined == [21]
    assert not any(line.startswith("create") for line in server.received)


def test_guests_need_no_name() -> None:
    with BgammonServer(CALM) as server:
        found = stay(server, user=None, password=None, matches=1, length=1)
    assert (found.error, found.said[0]) == (None, "logged in as Guest_1234")


def test_a_wrong_password_is_said_once() -> None:
    with BgammonServer(CALM, accounts={"BOT_x": "another"}) as server:
        found = stay(server)
    assert isinstance(found.error, InputError)
    assert str(found.error).startswith("the server does not take the login: Connection terminated: No account was")
    assert server.visits == 1


def test_who_was_thrown_out_does_not_come_back() -> None:
    with BgammonServer(CALM, accounts=ACCOUNTS, kicks=True) as server:
        found = stay(server)
    assert isinstance(found.error, ServerError)
    assert str(found.error) == "the server does not want the bot: You were kicked by admin: no bots today."
    assert server.visits == 1


def test_no_server() -> None:
    with BgammonServer(CALM) as server:
        pass
    found = stay(server, retries=0)
    assert isinstance(found.error, ServerError)
    assert str(found.error).endswith("Connection refused; gave up after 1 call")


def test_the_password_is_in_no_log() -> None:
    with BgammonServer(CALM, accounts=ACCOUNTS) as server:
        found = stay(server, matches=1, length=1)
    assert server.received[0].endswith(" BOT_x open_sesame")
    log = "\n".join(found.traced + found.said)
    assert "> loginjson ..." in log
    assert "sesame" not in log


def test_interruptions() -> None:
    with BgammonServer(CALM, accounts=ACCOUNTS, guests=()) as server:
        assert stay(server, interrupts=("logged in",)).error is None
    assert server.received[-1] == "disconnect"
    with BgammonServer(CALM, accounts=ACCOUNTS) as server:
        found = stay(server, interrupts=("ann: a match",), length=1)
    assert found.bot.played == 1
    with BgammonServer(CALM, accounts=ACCOUNTS) as server:
        found = stay(server, interrupts=("ann: a match", "finishing"))
    assert server.received[-3:] == [
        "say I have to leave. Sorry, and thank you for the game.",
        "leave",
        "disconnect",
    ]
    assert found.bot.played == 0


# Without a server

Hear = Callable[..., None]

POINTS = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0, 0, 0]


@pytest.fixture
def desk() -> QuietDesk:
    return QuietDesk()


@pytest.fixture
def bot(desk: QuietDesk) -> BgammonBot:
    """Logged in, with a match open."""
    found = BgammonBot(desk, Policy(), "x")
    found.connected()
    hear(found, "welcome", PlayerName="Guest_x", Clients=1, Games=0)
    hear(found, "list", Games=[])
    hear(found, "list", Games=[])
    hear(found, "joined", Player="Guest_x", PlayerNumber=1)
    assert desk.new()[1:] == ["set autoplay 0", "list", "create public 5 0"]
    return found


def hear(bot: BgammonBot, kind: str, **fields: Any) -> None:
    bot.received(json.dumps({"Type": kind, "Player": "", **fields}))


def board(bot: BgammonBot, **changed: Any) -> None:
    fields: dict[str, Any] = {
        "Player1": {"Name": "Guest_x", "Points": 0},
        "Player2": {"Name": "ann", "Points": 0},
        "Variant": 0,
        "Board": POINTS,
        "Turn": 1,
        "Roll1": 0,
        "Roll2": 0,
        "Moves": None,
        "Winner": 0,
        "Points": 5,
        "Crawford": False,
        "DoubleValue": 1,
        "DoublePlayer": 0,
        "DoubleOffered": False,
        "PlayerNumber": 1,
        "Available": None,
        "Spectating": False,
    }
    hear(bot, "board", **(fields | changed))


def test_both_roll_for_the_first_move(bot: BgammonBot, desk: QuietDesk) -> None:
    board(bot, Turn=0)
    board(bot, Turn=0)
    board(bot, Turn=0, Roll1=3)
    assert desk.new() == ["roll"]


def test_a_roll_that_was_too_early_is_repeated(bot: BgammonBot, desk: QuietDesk) -> None:
    board(bot, Turn=0)
    hear(bot, "failedroll", Reason="You may not roll until your opponent rejoins the match.")
    board(bot, Turn=0)
    assert desk.new() == ["roll", "roll"]


def test_a_play_goes_step_by_step_and_is_confirmed(bot: BgammonBot, desk: QuietDesk) -> None:
    board(bot, Roll1=3, Roll2=1)
    desk.answer(bot)
    assert desk.new() == ["move 8/5"]
    board(bot, Roll1=3, Roll2=1, Moves=[[8, 5]])
    board(bot, Roll1=3, Roll2=1, Moves=[[8, 5]])
    assert desk.new() == ["move 6/5"]
    board(bot, Roll1=3, Roll2=1, Moves=[[8, 5], [6, 5]])
    assert desk.new() == ["ok"]


def test_a_dance_is_confirmed(bot: BgammonBot, desk: QuietDesk) -> None:
    closed = [0] * 28
    closed[19:25], closed[26], closed[6] = [-2] * 6, 1, 14
    board(bot, Board=closed, Roll1=3, Roll2=1)
    desk.answer(bot)
    assert desk.new() == ["ok"]


def test_steps_that_somebody_else_made_are_taken_back(bot: BgammonBot, desk: QuietDesk) -> None:
    board(bot, Roll1=3, Roll2=1, Moves=[[24, 23]])
    assert desk.new() == ["reset"]
    board(bot, Roll1=3, Roll2=1)
    desk.answer(bot)
    assert desk.new() == ["move 8/5"]


def test_a_server_that_refuses_every_play_is_left(bot: BgammonBot, desk: QuietDesk) -> None:
    for _ in range(3):
        board(bot, Roll1=3, Roll2=1)
        desk.answer(bot)
        hear(bot, "failedmove", From=8, To=5, Reason="Illegal move.")
    assert desk.new() == ["move 8/5", "reset", "board"] * 2 + ["move 8/5", "leave"]


def test_doubles_are_answered_and_made(desk: QuietDesk) -> None:
    class Bold(Gambler):
        def doubles(self, *_: object) -> bool:
            return True

        def answers(self, *_: object) -> Any:
            return "pass"

    desk.player = Bold("bold", resigns=0)
    bot = BgammonBot(desk, Policy(), "x")
    bot.connected()
    desk.new()
    board(bot)
    desk.answer(bot)
    assert desk.new() == ["double"]
    board(bot, DoubleOffered=True)
    hear(bot, "notice", Message="ann accepted double.")
    board(bot, DoubleValue=2, DoublePlayer=2)
    desk.answer(bot)
    assert desk.new() == ["roll"]
    board(bot, Turn=2, DoubleValue=2, DoublePlayer=2, DoubleOffered=True)
    desk.answer(bot)
    assert desk.new() == ["resign"]


def test_a_double_that_is_refused_becomes_a_roll(desk: QuietDesk) -> None:
    class Bold(Gambler):
        def doubles(self, *_: object) -> bool:
            return True

    desk.player = Bold("bold", resigns=0)
    bot = BgammonBot(desk, Policy(), "x")
    bot.connected()
    board(bot)
    desk.answer(bot)
    desk.new()
    hear(bot, "notice", Message="You may not double at this time.")
    desk.answer(bot)
    assert desk.new() == ["roll"]


def test_the_crawford_game_is_known_by_its_flag(bot: BgammonBot, desk: QuietDesk) -> None:
    ahead = {"Player1": {"Name": "Guest_x", "Points": 4}, "Crawford": True}
    board(bot, Roll1=3, Roll2=1, **ahead)
    assert desk.questions[-1][0].crawford
    # Asked to roll, the player may double: the flag means the rule then, not the game.
    board(bot, **ahead)
    assert not desk.questions[-1][0].crawford


def test_a_sign_of_life_every_half_minute(bot: BgammonBot, desk: QuietDesk) -> None:
    assert bot.due == 30.0
    desk.time = 30.0
    bot.tick()
    assert desk.new() == ["pong alive"]
    assert bot.due == 60.0
    hear(bot, "ping", Message="17\n113")
    assert desk.new() == ["pong 17 113"]


def test_an_opponent_who_is_cut_off_is_waited_for(bot: BgammonBot, desk: QuietDesk) -> None:
    board(bot, Turn=2)
    hear(bot, "left", Player="ann")
    desk.time = 299.0
    bot.tick()
    assert "leave" not in desk.new()
    desk.time = 301.0
    bot.tick()
    assert "leave" in desk.new()
    hear(bot, "left", Player="Guest_x")
    assert "list" in desk.new()


def test_after_a_match_a_rematch_is_offered_for_a_while(bot: BgammonBot, desk: QuietDesk) -> None:
    board(bot, Turn=2)
    board(bot, Turn=2, Winner=2)
    board(bot, Turn=2, Winner=2)
    assert desk.new() == ["rematch"]
    desk.time = 61.0
    bot.tick()
    assert "leave" in desk.new()


def test_other_games_are_not_played(bot: BgammonBot, desk: QuietDesk) -> None:
    board(bot, Variant=1, Turn=0)
    assert desk.new() == ["say Sorry, I play backgammon only.", "leave"]
    board(bot, Variant=1, Turn=0)
    assert desk.new() == []


def test_watching_is_not_for_the_bot(bot: BgammonBot, desk: QuietDesk) -> None:
    board(bot, Spectating=True)
    assert desk.new() == ["leave"]


@pytest.mark.parametrize(
    "line",
    ["", "hello there", "[1]", '{"Type": 3}', '{"Type": "board"}', "[" * 100_000, '{"Type":"list","Games":[{}]}'],
)
def test_nonsense_is_passed_over(bot: BgammonBot, desk: QuietDesk, line: str) -> None:
    bot.received(line)
    assert desk.questions == []


def test_a_name_that_is_still_in_use_is_tried_again(desk: QuietDesk) -> None:
    bot = BgammonBot(desk, Policy(), "x")
    bot.connected()
    hear(bot, "notice", Message="Connection terminated: That username is already in use.")
    assert bot.refused("the server has closed the connection") is None


@pytest.mark.parametrize(("user", "password"), [("a b", None), ("", None), (None, Password("pw"))])
def test_logins_that_cannot_be(desk: QuietDesk, user: str | None, password: Password | None) -> None:
    with pytest.raises(InputError, match="expected a user name"):
        BgammonBot(desk, Policy(), user, password)
