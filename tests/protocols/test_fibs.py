"""The bot for FIBS against a server of our own."""

from __future__ import annotations

import pytest

from bgai.errors import InputError
from bgai.events import AcceptResignation, Double, Pass, RefuseResignation, Resign, Take
from bgai.match_play import CubelessPlayer, MatchPlayer
from bgai.player import HeuristicPlayer
from bgai.protocols import fibs
from bgai.protocols.connection import ServerError
from bgai.protocols.credentials import Password
from bgai.protocols.fibs import FibsBot
from bgai.protocols.invitations import Policy
from bgai.protocols.online import Online
from tests.protocols.fibs_server import FibsServer
from tests.protocols.mock_server import HOST, VISITOR
from tests.protocols.visiting import Gamester, QuietDesk, Visit

PASSWORD = "sesame"
CALM = CubelessPlayer(HeuristicPlayer())


def stay(
    server: FibsServer,
    player: MatchPlayer = CALM,
    *,
    policy: Policy | None = None,
    matches: int | None = None,
    retries: int = 3,
    password: str = PASSWORD,
    interrupts: tuple[str, ...] = (),
) -> Visit:
    """One run of the bot until it leaves; it is interrupted when it says one of `interrupts`."""

    def make(online: Online) -> FibsBot:
        return FibsBot(online, policy or Policy(), "bot", Password(password), matches)

    def heard(online: Online, text: str) -> None:
        if any(text.startswith(start) for start in interrupts):
            online.interrupt()

    return Visit().run(make, player, server.port, password=password, retries=retries, heard=heard)


def test_matches_with_everything_that_can_happen_in_them() -> None:
    kinds = (Double, Take, Pass, Resign, AcceptResignation, RefuseResignation)
    seen, crawford_games = set(), 0
    for seed in (6, 7):
        lengths = [3, 5, 1]
        with FibsServer(
            Gamester("ann", 0.03, refuses=0.3), lengths, seed=seed, glued=True, password=PASSWORD
        ) as server:
            found = stay(server, Gamester("bot", resigns=0.03, refuses=0.3), matches=len(lengths))
        assert found.error is None
        assert server.refused == []
        assert len(server.results) == found.bot.played == len(lengths)
        told = [text for text in found.said if " won " in text or " lost " in text]
        assert [text.split()[-1] for text in told] == [_winner_first(result) for result in server.results]
        seen |= {(type(event), event.seat) for event in server.happened if isinstance(event, kinds)}
        crawford_games += server.crawford_games
    assert seen == {(kind, seat) for kind in kinds for seat in (VISITOR, HOST)}
    assert crawford_games >= 2


def _winner_first(result: str) -> str:
    mine, theirs = map(int, result.split("-"))
    return f"{max(mine, theirs)}-{min(mine, theirs)}"


@pytest.mark.parametrize("packet", [1, 7])
def test_packets_may_be_cut_anywhere(packet: int) -> None:
    with FibsServer(CALM, [1], packet=packet, glued=True, password=PASSWORD) as server:
        found = stay(server, matches=1)
    assert (found.error, server.refused, len(server.results)) == (None, [], 1)


def test_a_cut_match_is_resumed() -> None:
    cuts = (1, 2, 9, 14, 31, 50)
    with FibsServer(Gamester("ann"), [5], cuts=cuts, password=PASSWORD) as server:
        found = stay(server, Gamester("bot"), matches=1, retries=20)
    assert found.error is None
    assert len(server.results) == 1
    assert server.visits == len(cuts) + 1
    assert server.invites_by_visitor == len(cuts)
    assert server.refused == []
    assert found.clock.pauses == [2, 4, 8, 16, 32, 64]


def test_unlimited_matches_end_after_some_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fibs, "UNLIMITED_GAMES", 2)
    with FibsServer(Gamester("ann"), [0, 1], password=PASSWORD) as server:
        found = stay(server, Gamester("bot"), policy=Policy(unlimited=True), matches=2)
    assert (found.error, server.refused) == (None, [])
    assert server.results[0] == "left"
    assert len(server.results) == 2
    assert "tell ann Thank you for 2 games. I leave this match to let others play." in server.received


def test_an_opponent_who_leaves_is_no_reason_to_stop() -> None:
    with FibsServer(CALM, [0, 1], games=1, password=PASSWORD) as server:
        found = stay(server, policy=Policy(unlimited=True), matches=1)
    assert (found.error, server.refused) == (None, [])
    assert server.results[0] == "left"
    assert "ann: has left, and the match is saved" in found.said


def test_invitations_outside_the_policy_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fibs, "EXPLAINING", 0.0)
    with FibsServer(CALM, [99, 0, 5, 1], password=PASSWORD) as server:
        found = stay(server, policy=Policy(longest=3), matches=1)
    assert found.error is None
    assert len(server.results) == 1
    assert [text for text in found.said if "refused" in text][:3] == [
        "ann: refused, I play matches of up to 3 points",
        "ann: refused, I do not play unlimited matches",
        "ann: refused, I play matches of up to 3 points",
    ]
    assert server.received.count("join ann") == 1


def test_a_wrong_password_is_said_once() -> None:
    with FibsServer(CALM, [1], password="another") as server:
        found = stay(server)
    assert isinstance(found.error, InputError)
    assert str(found.error) == "the server does not take the user name 'bot' with this password"
    assert server.visits == 1


def test_no_server() -> None:
    with FibsServer(CALM, [1]) as server:
        pass
    found = stay(server, retries=3)
    assert isinstance(found.error, ServerError)
    assert str(found.error).endswith("Connection refused; gave up after 4 calls")
    assert found.clock.pauses == [2, 4, 8]


def test_a_server_that_throws_the_bot_out_is_left_alone_in_the_end() -> None:
    with FibsServer(CALM, [1], kicks=True, password=PASSWORD) as server:
        found = stay(server, retries=2)
    assert isinstance(found.error, ServerError)
    assert server.visits == 3
    assert found.clock.pauses == [2, 4]


def test_the_password_is_in_no_log() -> None:
    with FibsServer(CALM, [1], password=PASSWORD) as server:
        found = stay(server, matches=1)
    assert f"bot {PASSWORD}" in server.received[0]
    log = "\n".join(found.traced + found.said)
    assert "> login ..." in log
    assert PASSWORD not in log


def test_the_settings_are_what_the_bot_needs() -> None:
    with FibsServer(CALM, [1], password=PASSWORD) as server:
        stay(server, matches=1)
    changed = {line for line in server.received if line.startswith("toggle")}
    assert changed == {
        f"toggle {name}"
        for name in ("autoboard", "bell", "crawford", "double", "moreboards", "moves", "notify", "ready", "silent")
    }
    assert "set boardstyle 3" in server.received


def test_an_interruption_without_a_match_leaves_at_once() -> None:
    with FibsServer(CALM, [], password=PASSWORD) as server:
        found = stay(server, interrupts=("logged in",))
    assert found.error is None
    assert server.received[-1] == "bye"


def test_an_interruption_finishes_the_match() -> None:
    with FibsServer(CALM, [1, 1], password=PASSWORD) as server:
        found = stay(server, interrupts=("ann: a 1 point",))
    assert found.error is None
    assert len(server.results) == 1
    assert "finishing the match with ann; interrupt again to leave it now" in found.said


def test_a_second_interruption_says_goodbye_and_leaves() -> None:
    with FibsServer(CALM, [5], password=PASSWORD) as server:
        found = stay(server, interrupts=("ann: a 5 point", "finishing"))
    assert found.error is None
    assert server.results == ["left"]
    assert server.received[-3:] == [
        "tell ann I have to leave. The match is saved, and we can go on another time.",
        "leave",
        "bye",
    ]


# Without a server

OWN = "2 bot 0 1 0 0 0 0 1 1 0 0 1 0 1 1500.00 0 1 0 0 1 UTC"
START = (
    "board:You:ann:{length}:{score}:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    ":{turn}:{dice}:0:0:{cube}:{may}:{doubled}:1:-1:0:25:0:0:0:0:2:0:0:0"
)


def board(
    *,
    length: int = 5,
    score: str = "0:0",
    turn: int = 1,
    dice: str = "0:0",
    cube: int = 1,
    may: str = "1:1",
    doubled: int = 0,
) -> str:
    """The starting position, the bot moving down."""
    return START.format(length=length, score=score, turn=turn, dice=dice, cube=cube, may=may, doubled=doubled)


@pytest.fixture
def desk() -> QuietDesk:
    return QuietDesk()


@pytest.fixture
def bot(desk: QuietDesk) -> FibsBot:
    """Logged in."""
    found = FibsBot(desk, Policy(longest=7), "bot", Password("pw"))
    found.connected()
    found.prompted("login: ")
    found.received("login: 1 bot 1 host")
    found.received(OWN)
    desk.new()
    return found


@pytest.fixture
def playing(bot: FibsBot, desk: QuietDesk) -> FibsBot:
    """In a match with ann."""
    hear(bot, "ann wants to play a 5 point match with you.", "Type 'join ann' to accept.")
    hear(bot, "** You are now playing a 5 point match with ann", "Starting a new game with ann.")
    assert desk.new() == ["join ann"]
    return bot


def hear(bot: FibsBot, *lines: str) -> None:
    for line in lines:
        bot.received(line)


def test_a_login_is_sent_once_for_a_prompt_that_comes_in_pieces(desk: QuietDesk) -> None:
    bot = FibsBot(desk, Policy(), "bot", Password("pw"))
    bot.connected()
    for pending in ("log", "login:", "login: ", "login: 1 b"):
        bot.prompted(pending)
    assert len(desk.secrets) == 1
    with pytest.raises(InputError, match="does not take"):
        bot.prompted("login: \nlogin: ")


def test_a_board_shown_twice_is_answered_once(playing: FibsBot, desk: QuietDesk) -> None:
    hear(playing, board(dice="3:1"), board(dice="3:1"), "Please move 2 pieces.")
    assert len(desk.questions) == 1
    desk.answer(playing)
    hear(playing, board(dice="3:1"))
    assert desk.new() == ["move 8-5 6-5"]
    assert desk.questions == []


def test_a_thought_about_another_board_is_dropped(playing: FibsBot, desk: QuietDesk) -> None:
    hear(playing, board())
    late = desk.questions.pop()
    hear(playing, board(dice="3:1"))
    playing.decided(late[0], fibs.Throw())
    assert desk.new() == []


def test_the_server_rolls_where_there_is_nothing_to_decide(playing: FibsBot, desk: QuietDesk) -> None:
    """A second roll of the bot's could be taken for another one."""
    hear(playing, board(cube=2, may="0:1"))
    desk.answer(playing)
    assert desk.new() == []
    desk.time = 11.0
    playing.tick()
    assert desk.new() == ["roll"]


def test_a_roll_that_the_server_asks_for_comes_at_once(playing: FibsBot, desk: QuietDesk) -> None:
    hear(playing, board(cube=2, may="0:1"))
    desk.answer(playing)
    hear(playing, "It's your turn. Please roll or double.")
    assert desk.new() == ["roll"]
    hear(playing, board(score="4:1", dice="0:0"), "It's your turn to roll or double.")
    desk.answer(playing)
    assert desk.new() == ["roll"]


def test_a_double_is_answered_on_a_fresh_board(playing: FibsBot, desk: QuietDesk) -> None:
    hear(playing, board(turn=-1), "ann doubles. Type 'accept' or 'reject'.")
    assert desk.new() == ["board"]
    hear(playing, board(turn=1, may="0:0", doubled=1))
    desk.answer(playing)
    assert desk.new() == ["accept"]
    hear(playing, board(turn=1, may="0:0", doubled=1))
    assert desk.questions == []


def test_a_double_is_believed_without_a_word_of_it_on_the_board(playing: FibsBot, desk: QuietDesk) -> None:
    hear(playing, "ann doubles. Type 'accept' or 'reject'.", board(turn=-1))
    desk.answer(playing)
    assert desk.new() == ["board", "accept"]


def test_an_own_double_waits_for_the_opponent(playing: FibsBot, desk: QuietDesk) -> None:
    hear(playing, board(turn=-1, may="0:0"))
    assert desk.questions == []


def test_a_resignation_is_weighed_by_the_cube(playing: FibsBot, desk: QuietDesk) -> None:
    resign = "ann wants to resign. You will win {} points. Type 'accept' or 'reject'."
    hear(playing, board(turn=-1, cube=2, may="1:0"), resign.format(6))
    assert desk.new() == ["board"]
    hear(playing, board(turn=-1, cube=2, may="1:0"))
    assert desk.questions[0][0].resignation == 3
    desk.answer(playing)
    assert desk.new() == ["accept"]


def test_a_refused_resignation_leads_back_to_the_turn(playing: FibsBot, desk: QuietDesk) -> None:
    hear(playing, board(), "ann wants to resign. You will win 1 point. Type 'accept' or 'reject'.", board())
    desk.answer(playing)
    assert desk.new() == ["board", "reject", "board"]
    hear(playing, "You reject. The game continues.", board())
    desk.answer(playing)
    assert desk.new() == ["roll"]


def test_what_was_refused_is_not_offered_again(playing: FibsBot, desk: QuietDesk) -> None:
    hear(playing, board())
    playing.act(Resign(0, 1))
    hear(playing, "You want to resign. ann will win 1 point.", "ann rejects. The game continues.", board())
    assert desk.new() == ["resign n", "board"]
    assert list(desk.questions[-1][1]) == [2, 3]


def test_a_silent_server_is_asked_for_the_board(playing: FibsBot, desk: QuietDesk) -> None:
    hear(playing, board(dice="3:1"))
    desk.answer(playing)
    desk.new()
    assert playing.due == 120.0
    desk.time = 120.0
    playing.tick()
    assert desk.new() == ["board"]
    hear(playing, board(dice="3:1"))
    desk.answer(playing)
    assert desk.new() == ["move 8-5 6-5"]


def test_boards_of_others_and_nonsense_are_passed_over(playing: FibsBot, desk: QuietDesk) -> None:
    hear(playing, board(dice="3:1").replace(":ann:", ":eve:"), "board:You:ann:1:2:3", "\x00", "", "** ")
    assert desk.questions == []
    hear(playing, board(cube=3, may="1:0"))
    assert desk.questions == []
    assert "power of two" in desk.said[-1]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["ann wants to play a 8 point match with you."], "I play matches of up to 7 points"),
        (["ann wants to play an unlimted match with you."], "I do not play unlimited matches"),
        (["ann wants to resume a saved match with you."], "I resume only what I have begun since I came"),
        (
            ["ann wants to play a 5 point match with you.", "** WARNING: Don't accept if you want to continue it!"],
            "we have a saved match: invite me without a length to go on with it",
        ),
    ],
)
def test_invitations_that_are_refused(bot: FibsBot, desk: QuietDesk, lines: list[str], reason: str) -> None:
    for _ in range(3):
        hear(bot, *lines, "Type 'join ann' to accept.")
    assert desk.new() == [f"tell ann Sorry, {reason}."]  # who asks again and again is told once


def test_one_match_at_a_time(playing: FibsBot, desk: QuietDesk) -> None:
    hear(playing, "eve wants to play a 1 point match with you.", "Type 'join eve' to accept.")
    assert desk.new() == []


def test_an_invitation_that_comes_to_nothing_is_forgotten(bot: FibsBot, desk: QuietDesk) -> None:
    ask = ("wants to play a 1 point match with you.", "to accept.")
    hear(bot, f"ann {ask[0]}", f"Type 'join ann' {ask[1]}", "** ann didn't invite you.")
    hear(bot, f"eve {ask[0]}", f"Type 'join eve' {ask[1]}")
    desk.time = 61.0
    bot.tick()
    hear(bot, f"ida {ask[0]}", f"Type 'join ida' {ask[1]}")
    assert desk.new() == ["join ann", "join eve", "join ida"]


def test_a_match_that_this_run_began_is_resumed(playing: FibsBot, desk: QuietDesk) -> None:
    hear(playing, "ann drops connection. The game was saved.", "7 ann ann logs in.")
    assert desk.new() == ["invite ann"]
    hear(playing, "ann wants to resume a saved match with you.", "Type 'join ann' to accept.")
    hear(playing, "** You are now playing with ann. Your running match was loaded.")
    assert desk.new() == ["join ann", "board"]


def test_a_match_that_is_gone_is_not_asked_for_again(playing: FibsBot, desk: QuietDesk) -> None:
    hear(playing, "ann drops connection. The game was saved.", "** There's no saved match with ann. Please give ...")
    hear(playing, "7 ann ann logs in.")
    assert desk.new() == []


@pytest.mark.parametrize(("user", "password"), [("a b", "pw"), ("", "pw"), ("bot", "open sesame")])
def test_names_and_passwords_that_cannot_be_sent(desk: QuietDesk, user: str, password: str) -> None:
    with pytest.raises(InputError, match="expected"):
        FibsBot(desk, Policy(), user, Password(password))
