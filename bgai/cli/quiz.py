"""Asks for your own errors again, or for positions from a list, at growing intervals.

    bgai quiz
    bgai quiz --player Ann --count 5
    bgai quiz --import positions.txt --level 3-ply

The problems are the bad and very bad decisions of the player in the matches of the history (bgai history), and the
positions that were imported. Each is shown as a board, X is you: type a play such as 8/5 6/5, or double, no double,
take, pass. The verdict has the equities of the analysis. What you know comes again later and later, what you do not
know tomorrow (docs/history.md). Every answer is kept at once, so you may stop at any time.

A list has a position a line, as an XGID, a GNUBG ID, or a position ID: with dice a play is asked for, without whether
to double, and while a double waits the answer to it. Lines that begin with # are remarks. The positions are looked at
once, when they are imported, at the level that --level names.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from bgai.analysis.decision import Choice, mark_of
from bgai.board import flip
from bgai.cli.asking import Left, ask
from bgai.cli.history import add_database
from bgai.cli.looking import asked_player, depth
from bgai.cli.main import INTERRUPTED
from bgai.cli.options import add_ascii, add_level, add_model, plain, whole_number
from bgai.cli.progress import Progress
from bgai.cli.question import read_state
from bgai.errors import InputError, PlayError
from bgai.history import open_history
from bgai.history.development import Player
from bgai.history.positions import problem_of
from bgai.history.problem import GIVEN_UP, Card, Problem, Verdict, digest_of, kind_of
from bgai.notation.drawing import draw, wants_colour
from bgai.position import Position

if TYPE_CHECKING:
    from bgai.history.store import History

COUNT = 10
LEVEL = "2-ply"
SHOWN = 5
"""Plays of a verdict, beside those that were answered and made."""

CLOCK: Callable[[], date] = date.today

_SPELLINGS = {
    "d": "double",
    "redouble": "double",
    "no": "no double",
    "n": "no double",
    "nd": "no double",
    "no redouble": "no double",
    "roll": "no double",
    "r": "no double",
    "t": "take",
    "p": "pass",
    "drop": "pass",
    "b": "beaver",
}
"""What else may be typed for a choice with the cube."""

_HELP = """\
  8/5 6/5        a play: from and to, as X counts the points; also bar/22, 6/off, 8/5(2)
  double, no double, take, pass, beaver
                 decisions with the cube
  board          draw the board again
  skip           leave the problem for another time
  show           give up and see the answer
  help           this list
  quit           stop; every answer so far is kept"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("--player", metavar="NAME", help="whose errors (default: who has most matches)")
    parser.add_argument(
        "--count", type=whole_number(0), default=COUNT, metavar="N", help=f"problems, at most (default {COUNT})"
    )
    parser.add_argument("--import", dest="positions", metavar="FILE", help="add the positions of a list first")
    add_level(parser)
    parser.set_defaults(level=LEVEL)
    add_model(parser)
    add_database(parser)
    add_ascii(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    listed = [] if options.positions is None else _read_list(options.positions)
    with open_history(options.db, create=bool(listed)) as history:
        if listed:
            _import(listed, history, options)
        player = history.player(options.player) if options.player or history.players() else None
        return _Quiz(history, player, options.count, plain(options)).run()


def _read_list(name: str) -> list[tuple[Position, str]]:
    """The positions of a file, and where each stands in it.

    Raises:
        InputError: the file cannot be read; or a line that is no position; or there is none.
    """
    try:
        text = Path(name).read_text("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read the file {name!r}: {error.strerror or error}") from None
    except ValueError:
        raise InputError(f"{name!r} is no text in UTF-8, expected positions") from None
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        place = f"{Path(name).name}, line {number}"
        try:
            reading, roll = read_state(words)
        except InputError as error:
            raise InputError(f"{place}: {error}") from None
        found.append((replace(reading.position, dice=roll), place))
    if not found:
        raise InputError(f"{name!r} holds no position, expected one a line")
    return found


def _import(listed: Sequence[tuple[Position, str]], history: History, options: argparse.Namespace) -> None:
    """Adds the positions that are not there yet, each as soon as it was looked at."""
    who = asked_player(options)
    if who.level.noise:
        raise InputError(f"{who.level.name!r} errs on purpose, expected a level that does not, such as {LEVEL}")
    analyst = who.analyst()
    added = 0
    with Progress(len(listed), "positions") as progress:
        for position, place in listed:
            if not history.has_problem(digest_of(kind_of(position), position)):
                try:
                    problem = problem_of(analyst, position, who.level.name, place)
                except InputError as error:
                    raise InputError(f"{place}: {error}") from None
                added += history.add_problem(problem, CLOCK())
            progress.advance(1)
    there = f", {len(listed) - added} there already" if added < len(listed) else ""
    print(f"{_counted(added, 'problem')} added{there}.")


class _Quiz:
    """Asks one problem after the other."""

    def __init__(self, history: History, player: Player | None, most: int, ascii_only: bool) -> None:
        self._history = history
        self._player = player
        self._most = most
        self._ascii_only = ascii_only
        self._answered = self._right = 0

    def run(self) -> int:
        """Until all is asked or the person has enough; returns the exit code."""
        history, player = self._history, self._player
        everything, due, _ = history.count(player, CLOCK())
        if not everything:
            raise InputError("no problems yet, expected matches with errors in the history, or --import FILE")
        whose = "" if player is None else f" for {player.name}"
        are = "is" if everything == 1 else "are"
        print(f"{due} of {_counted(everything, 'problem')}{whose} {are} due. Type help for what can be typed.")
        code = 0
        try:
            cards = history.due(player, CLOCK(), self._most)
            for number, card in enumerate(cards, 1):
                print(f"\nProblem {number} of {len(cards)}: {card.problem.source}")
                self._ask(card)
        except Left:
            pass
        except EOFError:
            print("\nThe input has ended.")
        except KeyboardInterrupt:
            print()
            code = INTERRUPTED
        print(self._end())
        return code

    def _end(self) -> str:
        """What was done, and what is left."""
        today = CLOCK()
        _, due, following = self._history.count(self._player, today)
        done = f"{self._right} of {_counted(self._answered, 'answer')} right; " if self._answered else ""
        if due:
            return f"{done}{due} still due."
        return f"{done}the next is due in {_days(following, today)}." if following else f"{done}none is left."

    def _ask(self, card: Card) -> None:
        problem = card.problem
        self._show(problem)
        while True:
            text = ask(_question(problem))
            word = " ".join(text.lower().split())
            if word in ("quit", "exit", "q"):
                raise Left
            if word == "skip":
                return
            if word in ("help", "h", "?"):
                print(_HELP)
            elif word == "board":
                self._show(problem)
            elif word == "show":
                self._note(card, None)
                return
            else:
                try:
                    verdict = _verdict(problem, text, word)
                except PlayError as error:
                    print(error)
                    continue
                self._note(card, verdict)
                return

    def _note(self, card: Card, verdict: Verdict | None) -> None:
        """Keeps an answer, then says how good it was."""
        today = CLOCK()
        quality = GIVEN_UP if verdict is None else verdict.quality
        before = card.schedule.repetitions
        schedule = self._history.answer(card, quality, today)
        self._answered += 1
        self._right += schedule.repetitions > before
        print("\n".join(_answer(card.problem, verdict)))
        print(f"It comes again in {_days(schedule.due, today)}.")

    def _show(self, problem: Problem) -> None:
        seen = _seen(problem)
        colour = wants_colour(sys.stdout)
        names = ("you", "opponent")
        print(draw(seen.board, names=names, ascii_only=self._ascii_only, position=seen, colour=colour))
        offer = _offered(problem)
        if offer:
            print(offer)


def _seen(problem: Problem) -> Position:
    """The position from the side of who decides."""
    position = problem.position
    if problem.kind != "answer":
        return position
    return replace(
        position,
        board=flip(position.board),
        cube=position.cube.flipped(),
        score=position.score.flipped(),
        seat=1 - position.seat,
        offer=None,
    )


def _offered(problem: Problem) -> str:
    """What the opponent has said before an answer; empty for everything else."""
    position = problem.position
    if problem.kind != "answer":
        return ""
    raccoon = position.offer == "double" and position.cube.owner == "opponent"
    return f"The opponent {'raccoon' if raccoon else position.offer}s to {2 * position.cube.value}."


def _question(problem: Problem) -> str:
    dice = problem.position.dice
    if problem.kind == "play" and dice is not None:
        return f"Your play ({dice[0]}-{dice[1]}): "
    if problem.kind == "double":
        return "Double or no double: "
    *others, last = _answers(problem)
    text = f"{', '.join(others)} or {last}: "
    return text[0].upper() + text[1:]


def _answers(problem: Problem) -> list[str]:
    """The choices in an order that gives nothing away."""
    there = [choice.text for choice in problem.choices]
    return [text for text in ("double", "no double", "take", "pass", "beaver", "raccoon") if text in there]


def _verdict(problem: Problem, text: str, word: str) -> Verdict:
    """The verdict on what was typed.

    Raises:
        PlayError: no legal play, or none of the choices.
    """
    if problem.kind == "play":
        if not word:
            raise PlayError("expected a play such as 8/5 6/5, or help")
        return problem.play_verdict(text)
    meant = _SPELLINGS.get(word, word)
    answers = _answers(problem)
    if meant not in answers:
        raise PlayError(f"expected {', '.join(answers)}, or help; found {text!r}")
    return problem.verdict(meant)


def _answer(problem: Problem, verdict: Verdict | None) -> list[str]:
    """The verdict in words, and what the choices are worth."""
    best = problem.best.text or "no play"
    if verdict is None:
        lines = [f"The best is {best}."]
    elif verdict.loss == 0:
        lines = [f"{_mention(verdict.text)} is right."]
    else:
        mark = mark_of(verdict.loss)
        least = "at least " if verdict.choice is None else ""
        lines = [
            f"{_mention(verdict.text)} loses {least}{verdict.loss:.3f}{f' ({mark})' * bool(mark)}, the best is {best}."
        ]
    if problem.made is not None:
        lines.append(f"In the match: {problem.made or 'no play'}.")
    lines += ["", f"{problem.model}, {problem.level}", *_table(problem, verdict)]
    cube = problem.cube
    if cube is not None:
        whose = "seen by who doubled: " if problem.kind == "answer" else ""
        lines.append(
            f"{whose}no double {cube.no_double:+.3f}, double and take {cube.double_take:+.3f},"
            f" double and pass {cube.double_pass:+.3f}: {cube.action}, {cube.answer}"
        )
    return lines


def _table(problem: Problem, verdict: Verdict | None) -> list[str]:
    wanted = {problem.made} | ({verdict.text} if verdict is not None else set())
    rows = [
        (f"{place:>3}" if place <= SHOWN else "   ", choice.text or "no play", _worth(problem, choice))
        for place, choice in enumerate(problem.choices, 1)
        if place <= SHOWN or choice.text in wanted
    ]
    width = max(len(row[1]) for row in rows)
    return [f"{place} {text:{width}}  {worth}" for place, text, worth in rows]


def _worth(problem: Problem, choice: Choice) -> str:
    loss = max(0.0, problem.best.equity - choice.equity)
    given_up = f"{-loss:+.3f}" if loss else ""
    won = "" if choice.mwc is None else f"  {choice.mwc:7.2%}"
    return f"{depth(choice.plies)}  {choice.equity:+.3f}  {given_up:6}{won}".rstrip()


def _mention(text: str) -> str:
    return text[:1].upper() + text[1:] if text else "No play"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _days(due: date, today: date) -> str:
    return _counted((due - today).days, "day")
