"""`bgai play`, with what a person would type."""

from __future__ import annotations

import builtins
import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bgai.analyst import Analyst
from bgai.board import START
from bgai.bot import Bot
from bgai.cli.dialogue import Dialogue
from bgai.cli.match_words import from_other_side
from bgai.evaluator import KernelEvaluator
from bgai.events import Beaver, Double, Event, Pass, RefuseResignation, Resign, Take
from bgai.game import Dice
from bgai.match import rebuild
from bgai.match_play import Answer
from bgai.match_rules import Rules
from bgai.match_state import MatchState
from bgai.model import load_model
from bgai.notation.playtext import format_play
from bgai.player import NetPlayer
from tests.cli import Command, heeding_interrupts, save_model

YOU_BEGIN = next(seed for seed in range(100) if Dice(seed).opening() == (0, (6, 5)))
PLAY = "the first legal play"
BOT_BEGINS = next(seed for seed in range(100) if Dice(seed).opening()[0] == 1)


def typed(
    bgai_command: Command, model: Path, lines: Sequence[str], seed: int = YOU_BEGIN, mode: Sequence[str] = ()
) -> str:
    """Everything that is printed when these lines are typed."""
    words = ("play", *mode, "--model", model, "--seed", str(seed), "--ascii")
    return bgai_command.good(*words, stdin="".join(f"{line}\n" for line in lines))


Answers = dict[str, str | list[str]]


class Stub(Bot):
    """A bot with a will of its own about the cube and resignations; its plays are the network's."""

    def __init__(
        self,
        model: Path,
        *,
        doubles: bool = False,
        answer: Answer = "take",
        resigns: Callable[[MatchState], int] = lambda state: 0,
    ) -> None:
        opened = load_model(model)
        super().__init__(Analyst(KernelEvaluator(opened), opened.name))
        self._doubles, self._answer, self._resigns = doubles, answer, resigns

    def doubles(self, state: MatchState, rng: np.random.Generator) -> bool:
        return self._doubles

    def answers(self, state: MatchState, rng: np.random.Generator) -> Answer:
        return self._answer

    def resigns(self, state: MatchState, rng: np.random.Generator) -> int:
        return self._resigns(state)


class Accepting(Stub):
    """Accepts whatever is resigned."""

    def accepts(self, state: MatchState, rng: np.random.Generator) -> bool:
        return True


class Talk:
    """A dialogue with a person who answers each question by the first pattern that fits it.

    Of several answers to a pattern each is given once, and the last one from then on. A play is the first legal one.
    """

    def __init__(
        self,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
        bot: Bot,
        rules: Rules,
        answers: Answers,
        *,
        seed: int = YOU_BEGIN,
        games: int | None = None,
    ) -> None:
        self.dialogue = Dialogue(bot, rules, seed, True, games)
        self.lines: list[str] = []
        self._answers = {
            pattern: [given] if isinstance(given, str) else list(given) for pattern, given in answers.items()
        }
        capsys.readouterr()
        with monkeypatch.context() as patch:
            patch.setattr(builtins, "input", self._input)
            self.dialogue.play()
        self.printed = capsys.readouterr().out
        assert rebuild(rules, self.events) == self.dialogue.state

    @property
    def events(self) -> list[Event]:
        return self.dialogue.events

    def count(self, event: Event) -> int:
        return self.events.count(event)

    def _input(self, prompt: str) -> str:
        print(prompt, end="")
        for pattern, answers in self._answers.items():
            if re.match(pattern, prompt):
                line = answers[0] if len(answers) == 1 else answers.pop(0)
                break
        else:
            line = "" if "Enter" in prompt or prompt.startswith("Roll") else PLAY
        line = self._play() if line == PLAY else line
        self.lines.append(line)
        return line

    def _play(self) -> str:
        state = self.dialogue.state
        assert state.dice is not None, "a question that has no answer"
        return format_play(state.board, state.plays.steps[0])


Talker = Callable[..., Talk]


@pytest.fixture
def talk(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Talker:
    def begin(bot: Bot, rules: Rules, answers: Answers, **more: int) -> Talk:
        return Talk(capsys, monkeypatch, bot, rules, answers, **more)

    return begin


def bot_of(model: Path) -> Bot:
    opened = load_model(model)
    return Bot(Analyst(KernelEvaluator(opened), opened.name))


# One game without the cube.


@pytest.mark.parametrize("seed", [YOU_BEGIN, BOT_BEGINS, 11, 12])
def test_a_whole_game(bgai_command: Command, model: Path, talk: Talker, seed: int) -> None:
    found = talk(bot_of(model), Rules(cube=False), {"Accept": "accept"}, seed=seed, games=1)
    printed = typed(bgai_command, model, found.lines, seed)
    assert printed.partition("\n")[0] == (f"You play X against tiny, seed {seed}. Type help for what can be typed.")
    assert printed.partition("\n")[2] == found.printed
    end = found.dialogue.state.result
    assert end is not None
    winner = "You win" if end.winner == 0 else "tiny wins"
    kind = {1: "a single game (1 point)", 2: "a gammon (2 points)", 3: "a backgammon (3 points)"}[end.points]
    assert printed.endswith(f"{winner} {kind}.\n")
    assert "cube" not in printed
    assert "Roll or double" not in printed


def test_the_board_is_always_the_persons(model: Path, talk: Talker) -> None:
    for rules in (Rules(cube=False), Rules(length=1)):
        found = talk(bot_of(model), rules, {"Accept": "accept"}, seed=BOT_BEGINS, games=1)
        for line in found.printed.splitlines():
            if "pips, " in line:
                assert ("X you: " in line) or ("O tiny: " in line)


def test_a_play_is_confirmed_or_taken_back(bgai_command: Command, model: Path) -> None:
    printed = typed(bgai_command, model, ["24/13", "u", "24/18 13/8", "what", "y", "quit"])
    assert "24/13: Enter to confirm, u to undo: u\nTaken back.\n" in printed
    assert "Expected Enter (or y) to confirm or u to undo, found 'what'." in printed
    assert printed.count("X you: 156 pips, 0 off") >= 2
    assert "tiny rolls" in printed.partition("24/18 13/8: Enter to confirm, u to undo: y")[2]
    assert printed.endswith("The game is left unfinished.\n")


def test_the_opening_roll(bgai_command: Command, model: Path) -> None:
    printed = typed(bgai_command, model, ["quit"])
    assert "Opening roll: you 6, tiny 5; you begin." in printed
    assert "Your play (6-5): " in printed
    printed = typed(bgai_command, model, ["quit"], BOT_BEGINS)
    assert "; tiny begins." in printed
    assert "(on your side " in printed
    assert re.search(r"^You roll \d-\d\.$", printed, re.MULTILINE)


def test_plays_that_are_not_legal(bgai_command: Command, model: Path) -> None:
    printed = typed(bgai_command, model, ["8/2", "nonsense", "9/3", "undo", "", "quit"])
    assert "'8/2' is not a legal play here; legal: " in printed
    assert "'nonsense' is not a move; expected something like 8/5, bar/22*, 6/off or 8/5(2)" in printed
    assert "'9/3' is not a legal play here" in printed
    assert "There is nothing to take back" in printed
    assert "Type a play such as 8/5 6/5, or help." in printed


def test_hint_board_pips_and_help(bgai_command: Command, model: Path) -> None:
    printed = typed(bgai_command, model, ["hint", "pips", "board", "help", "quit"])
    best = NetPlayer(KernelEvaluator(load_model(model))).rank(START, (6, 5))
    hint = printed.partition("hint\n")[2].partition("Your play")[0].splitlines()
    assert [re.split("  +", line.strip().split(maxsplit=1)[1])[0] for line in hint[2:]] == [
        play.play for play in best[:5]
    ]
    assert "You 167 pips, tiny 167 pips." in printed
    assert printed.count("| BAR |") == 2
    told = printed.partition("help\n")[2]
    for word in ("hint", "resign KIND", "board", "pips", "help", "quit", "undo"):
        assert word in told
    assert "double" not in told
    assert "double" in typed(bgai_command, model, ["help", "quit"], mode=["--money"]).partition("help\n")[2]


@pytest.mark.parametrize("points", [1, 2, 3])
def test_the_network_accepts_what_it_does_not_lose_by(bgai_command: Command, model: Path, points: int) -> None:
    kind = ("single", "gammon", "backgammon")[points - 1]
    expected = -NetPlayer(KernelEvaluator(load_model(model))).rank(START, (6, 5))[0].equity
    printed = typed(bgai_command, model, [f"resign {kind}", "quit"])
    assert (f"tiny accepts.\ntiny wins a {kind}" in printed) == (points >= expected)


def save_sure(folder: Path) -> Path:
    """A network that thinks whoever is on roll wins, and a gammon three times in four."""
    sure = load_model(save_model(folder))
    weights = {name: np.zeros_like(array) for name, array in sure.weights.items()}
    weights["layers.1.bias"] = np.array([9, 1.1, -9, -9, -9], dtype=np.float32)
    replace(sure, weights=weights).save(folder)
    return folder


def test_resignations_that_are_refused(bgai_command: Command, tmp_path: Path) -> None:
    """A network that thinks the person is being gammoned wants two points at least."""
    lines = ["resign", "resign twice", "resign single", "resign gammon"]
    printed = typed(bgai_command, save_sure(tmp_path / "sure"), lines)
    assert printed.count("You resign a single game (1 point).\nsure refuses. It expects 1.75 points") == 2
    assert "Expected resign single, resign gammon or resign backgammon, found 'twice'." in printed
    assert printed.endswith("You resign a gammon (2 points).\nsure accepts.\nsure wins a gammon (2 points).\n")


def test_a_turn_without_a_play_is_announced(model: Path, talk: Talker) -> None:
    for seed in range(200):
        found = talk(bot_of(model), Rules(cube=False), {"Accept": "accept"}, seed=seed, games=1)
        if ": no legal play, you pass." in found.printed and "and cannot move." in found.printed:
            return
    pytest.fail("nobody had to pass in 200 games")


# Matches and money sessions.


def test_a_match_to_one_point(bgai_command: Command, model: Path, talk: Talker) -> None:
    found = talk(bot_of(model), Rules(length=1), {"Accept": "accept"})
    printed = typed(bgai_command, model, found.lines, mode=["--match", "1"])
    assert printed.startswith(f"You play X against tiny, to 1 point, seed {YOU_BEGIN}. ")
    assert printed.partition("\n")[2] == found.printed
    assert "Game 1: you 0, tiny 0.\n" in printed
    assert "Match to 1 point: you 0, tiny 0; " in printed
    assert "Crawford" not in printed
    winner = "You win" if found.dialogue.state.winner == 0 else "tiny wins"
    assert re.search(rf"{winner} a .*\.\n{winner} the match \d-\d\.\n$", printed)


@pytest.mark.parametrize("seed", [YOU_BEGIN, 4])
def test_a_whole_match(bgai_command: Command, model: Path, talk: Talker, seed: int) -> None:
    answers: Answers = {"Roll": "double", "Take": "take", "Accept": "accept"}
    found = talk(bot_of(model), Rules(length=3), answers, seed=seed)
    state = found.dialogue.state
    assert state.winner is not None
    assert max(state.score) >= 3
    assert found.count(Double(0)) + found.count(Double(1)) > 0
    printed = typed(bgai_command, model, found.lines, seed, ["--match", "3"])
    assert printed.partition("\n")[2] == found.printed
    assert printed.endswith(f"the match {max(state.score)}-{min(state.score)}.\n")
    # The score after a game is the one before the next.
    scores = re.findall(r"^(?:The score|Game \d+): (.*)\.$", printed, re.MULTILINE)[1:]
    assert all(one == other for one, other in zip(scores[::2], scores[1::2], strict=True))


def test_the_persons_double_is_taken(model: Path, talk: Talker) -> None:
    answers: Answers = {"Roll": "double", "Your play": ["24/18 13/8", "double", "quit"]}
    found = talk(Stub(model), Rules(), answers)
    assert found.events[-3:-1] == [Double(0), Take(1)]
    after = found.printed.partition("Roll or double: double\n")[2]
    assert re.match(r"You double to 2\.\ntiny takes: the cube is at 2 and tiny's\.\nYou roll \d-\d\.\n", after)
    assert re.search(r"You may not double: the roll \d-\d is thrown\.", after)
    assert after.endswith("The session is left in the middle of a game: you 0, tiny 0.\n")


def test_the_persons_double_is_passed(model: Path, talk: Talker) -> None:
    found = talk(Stub(model, answer="pass"), Rules(), {"Roll": "double"}, games=1)
    assert found.printed.endswith("You double to 2.\ntiny passes.\nYou win 1 point.\nThe score: you 1, tiny 0.\n")


def test_who_has_no_access_to_the_cube_rolls_at_once(model: Path, talk: Talker) -> None:
    found = talk(Stub(model), Rules(), {"Roll": "double"}, games=1)
    assert found.count(Double(0)) == 1
    assert found.printed.count("Roll or double") == 1
    assert "; cube 2, tiny's\n" in found.printed


@pytest.mark.parametrize(("word", "event"), [("take", Take(0)), ("pass", Pass(0))])
def test_the_bots_double_is_answered(model: Path, talk: Talker, word: str, event: Event) -> None:
    bot = Stub(model, doubles=True)
    first = ["roll", "refuse", "beaver", "raccoon", "resign", "8/5", "hint", word]
    found = talk(bot, Rules(length=7), {"Take": first, "Roll": "", "Accept": "accept"}, games=1)
    assert found.events[found.events.index(Double(1)) + 1] == event
    asked = found.printed.partition("\ntiny doubles to 2.\n")[2]
    assert "; cube 1, in the middle\n" in asked.partition("Take or pass")[0]
    for reason in (
        "You may not roll: a double waits for an answer of you.",
        "You may not refuse the resignation: nobody has resigned.",
        "You may not beaver: beavers are not agreed.",
        "You may not raccoon: raccoons are not agreed.",
        "You may not resign: a double waits for an answer of you.",
        "Type take or pass, or help.",
    ):
        assert reason in asked
    assert re.search(r"hint\n(take|pass): taking is worth [+-]\d\.\d{3}, passing is worth -1\.000\n", asked)
    if word == "take":
        assert "take\nYou take: the cube is at 2 and yours.\n\ntiny rolls" in asked
        assert "; cube 2, yours\n" in asked
        assert "Roll or double" in asked
    else:
        assert asked.endswith("pass\nYou pass.\ntiny wins 1 point.\nThe score: you 0, tiny 1.\n")


def test_the_bots_double_is_beavered(model: Path, talk: Talker) -> None:
    bot = Stub(model, doubles=True)
    found = talk(bot, Rules(beavers=True), {"Take, pass or beaver": "beaver", "Roll": "quit"})
    place = found.events.index(Beaver(0))
    assert found.events[place - 1 : place + 2] == [Double(1), Beaver(0), Take(1)]
    assert "You beaver: the game is played for 4, you keep the cube.\ntiny takes: the cube is at 4 and yours.\n" in (
        found.printed
    )


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("take", "You take: the cube is at 4 and tiny's.\nYou roll "),
        ("pass", "You pass.\ntiny wins 2 points.\nThe score: you 0, tiny 2.\n"),
    ],
)
def test_the_persons_double_is_beavered(model: Path, talk: Talker, word: str, said: str) -> None:
    answers: Answers = {"Roll": "double", "Take or pass": ["hint", word], "Accept": "accept"}
    found = talk(Stub(model, answer="redouble"), Rules(beavers=True), answers, games=1)
    assert found.events[found.events.index(Double(0)) + 1] == Beaver(1)
    beavered = found.printed.partition("tiny beavers: the game is played for 4, tiny keeps the cube.\n")[2]
    assert re.match(r"Take or pass: hint\n(take|pass): taking is worth .*, passing is worth -1\.000\n", beavered)
    assert said in beavered


def test_the_crawford_game(model: Path, talk: Talker) -> None:
    """The bot passes; so the person is at match point after one game, and may double again after the next."""
    answers: Answers = {"Roll": "double", "Accept": "accept"}
    found = talk(Stub(model, answer="pass"), Rules(length=2), answers, games=2)
    first, _, second = found.printed.partition(
        "\nGame 2: you 1, tiny 0.\nThis is the Crawford game: nobody may double.\n"
    )
    assert first.endswith("You win 1 point.\nThe score: you 1, tiny 0.\nEnter for the next game, or quit: \n")
    assert "Match to 2 points: you 1, tiny 0; no doubling in the Crawford game\n" in second
    assert "Roll or double" not in second


def test_after_the_crawford_game_the_trailer_may_double(model: Path, talk: Talker) -> None:
    """The person gives up a gammon, wins the Crawford game, and doubles in the third."""
    bot = Accepting(model, resigns=lambda state: int(state.game == 2))
    answers: Answers = {
        "Your play": ["resign gammon", PLAY],
        "Accept": "accept",
        "Roll": ["double", "quit"],
    }
    found = talk(bot, Rules(length=3), answers)
    assert found.count(Double(0)) == 1
    third = found.printed.partition("\nGame 3: you 1, tiny 2.\n")[2]
    assert third.startswith("Opening roll")
    assert "Match to 3 points: you 1, tiny 2; cube 1, in the middle\n" in third
    assert "Roll or double: double\nYou double to 2.\ntiny takes" in third


def test_a_resignation_of_the_bot_is_accepted(model: Path, talk: Talker) -> None:
    bot = Stub(model, resigns=lambda state: 2)
    found = talk(bot, Rules(length=5), {"Accept": ["take", "resign", "what", "hint", "accept"]}, games=1)
    asked = found.printed.partition("\ntiny resigns a gammon (2 points).\n")[2]
    assert "You may not take: a resignation of tiny waits for an answer." in asked
    assert "You may not resign: a resignation of tiny waits for an answer." in asked
    assert "Type accept or refuse, or help." in asked
    assert re.search(r"hint\n(accept|refuse): accepting is worth [+-]\d\.\d+, playing on is worth [+-]\d\.\d+\n", asked)
    assert asked.endswith("accept\nYou accept.\nYou win a gammon (2 points).\nThe score: you 2, tiny 0.\n")


def test_a_resignation_of_the_bot_that_was_refused_is_not_repeated(model: Path, talk: Talker) -> None:
    bot = Stub(model, resigns=lambda state: 1 if state.turn < 6 else 3 if state.turn > 8 else 0)
    found = talk(bot, Rules(cube=False), {"Accept": ["refuse", "accept"]}, games=1)
    resigned = [event for event in found.events if isinstance(event, Resign)]
    assert resigned == [Resign(1, 1), Resign(1, 3)]
    assert found.count(RefuseResignation(0)) == 1
    assert found.printed.endswith("You accept.\nYou win a backgammon (3 points).\n")


def test_a_refusal_in_a_match_says_why(model: Path, tmp_path: Path, talk: Talker) -> None:
    bot = bot_of(save_sure(tmp_path / "sure"))
    found = talk(bot, Rules(length=5), {"Your play": ["resign", "quit"]})
    refused = re.search(r"sure refuses\. Playing on is worth \+(\S+) to it, and that \+1\.000\.\n", found.printed)
    assert refused is not None
    assert float(refused[1]) > 1
    # Who needs one point wants no gammon.
    found = talk(bot, Rules(length=1), {"Your play": "resign"})
    assert found.printed.endswith("sure accepts.\nsure wins a single game (1 point).\nsure wins the match 1-0.\n")


def test_under_jacoby_a_resigned_gammon_counts_as_one_point(model: Path, talk: Talker) -> None:
    rules = Rules(jacoby=True)
    found = talk(Accepting(model), rules, {"Your play": "resign gammon"}, games=1)
    assert "You resign a gammon (1 point).\ntiny accepts.\ntiny wins a single game (1 point).\n" in found.printed


def test_a_money_session_goes_on_until_the_person_leaves(model: Path, talk: Talker) -> None:
    answers: Answers = {"Your play": "resign", "Roll": "resign", "Enter": ["what", "", "quit"]}
    found = talk(Accepting(model), Rules(), answers)
    assert "Expected Enter (or y) to go on or quit to stop, found 'what'." in found.printed
    assert "\nGame 2: you 0, tiny 1.\n" in found.printed
    assert found.printed.endswith("The session is left between games: you 0, tiny 2.\n")


def test_the_hint_about_the_cube(model: Path, talk: Talker) -> None:
    answers: Answers = {"Roll": ["hint", "what", "quit"]}
    money = talk(Stub(model), Rules(), answers).printed.partition("Roll or double: hint\n")[2]
    assert re.match(r"(no double|double|too good) \(answer: (take|pass|beaver)\): .*\nno double [+-]\d\.\d{3}, ", money)
    assert "Type roll or double, or help." in money
    match = talk(Stub(model), Rules(length=5), answers).printed
    assert re.search(r"chances to win the match: no double \d+\.\d%, double and take \d+\.\d%, ", match)


def test_the_dice_are_those_of_the_seed(model: Path, talk: Talker) -> None:
    bot = Stub(model)
    found = talk(bot, Rules(length=2), {"Accept": "accept"}, seed=9)
    again = talk(bot, Rules(length=2), {"Accept": "accept"}, seed=9)
    assert found.printed == again.printed
    starts = [event for event in found.events if event.kind == "start"]
    assert [event.to_dict()["dice"] for event in starts] == [
        list(Dice(9, game).opening()[1]) for game in range(len(starts))
    ]


# The end of the input, and what cannot be played.


@pytest.mark.parametrize("lines", [[], ["24/13"], ["24/13", "", "hint"]])
def test_the_input_may_end_anywhere(bgai_command: Command, model: Path, lines: list[str]) -> None:
    printed = typed(bgai_command, model, lines)
    assert printed.endswith("\nThe input has ended; the game is left unfinished.\n")
    printed = typed(bgai_command, model, lines, mode=["--match", "5"])
    assert printed.endswith("\nThe input has ended; the match is left in the middle of a game: you 0, tiny 0.\n")


def test_every_line_of_a_match_may_be_the_last(bgai_command: Command, model: Path, talk: Talker) -> None:
    answers: Answers = {"Roll": "double", "Take": "take", "Accept": "accept"}
    lines = talk(bot_of(model), Rules(length=2), answers).lines
    for count in [*range(0, len(lines), 9), len(lines) - 1]:
        printed = typed(bgai_command, model, lines[:count], mode=["--match", "2"])
        assert "\nThe input has ended; the match is left " in printed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--jacoby"], "--jacoby is for money sessions, expected --money beside it"),
        (["--match", "5", "--beavers"], "--beavers is for money sessions, expected --money beside it"),
        (["--match", "0"], "argument --match: expected a whole number from 1 to "),
        (["--match", "3", "--money"], "argument --money: not allowed with argument --match"),
    ],
)
def test_modes_that_do_not_go_together(bgai_command: Command, words: list[str], message: str) -> None:
    assert message in bgai_command.bad("play", *words)


def test_the_first_line_says_what_is_played(bgai_command: Command, model: Path) -> None:
    for mode, what in (
        (["--match", "7"], "to 7 points"),
        (["--money"], "for money"),
        (["--money", "--jacoby"], "for money with Jacoby"),
        (["--money", "--jacoby", "--beavers"], "for money with Jacoby and beavers"),
    ):
        assert f"against tiny, {what}, seed {YOU_BEGIN}." in typed(bgai_command, model, ["quit"], mode=mode)


def test_a_new_seed_each_time(bgai_command: Command, model: Path) -> None:
    first, second = (bgai_command.good("play", "--model", model, stdin="quit\n").splitlines()[0] for _ in range(2))
    assert first.startswith("You play X against tiny, seed ")
    assert first != second


def test_interrupting_leaves_without_a_traceback(model: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "bgai", "play", "--model", str(model), "--seed", str(YOU_BEGIN), "--money"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        preexec_fn=heeding_interrupts,
    )
    assert process.stdout is not None
    seen = b""
    while not (b"X you: 167 pips" in seen and seen.endswith(b": ")):
        seen += process.stdout.read(1)
    while process.poll() is None:
        process.send_signal(signal.SIGINT)
        # One that comes just before the program begins to wait for a line is only noticed after the line.
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=10)
    out, err = process.communicate()
    assert process.returncode == 130
    assert b"The session is left in the middle of a game: you 0, tiny 0." in out
    assert b"Traceback" not in err


@pytest.mark.parametrize(
    ("play", "other"),
    [("24/18/13*", "1/7/12*"), ("bar/22* 6/off", "bar/3* 19/off"), ("8/5(2) 6/3(2)", "17/20(2) 19/22(2)")],
)
def test_points_of_the_other_side(play: str, other: str) -> None:
    assert from_other_side(play) == other
    assert from_other_side(other) == play
