"""Analyses made by hand: real matches, and equities that a seed has drawn."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from bgai.analysis.analysis import Analysis
from bgai.analysis.decision import Choice, CubeFigures, Decision
from bgai.analysis.questions import Moment, decided, moments, questions_of
from bgai.events import AcceptResignation, Double, Event, Pass, Play, Resign, Roll, StartGame, Take
from bgai.match_play import CubelessPlayer, play_match
from bgai.match_rules import Rules
from bgai.notation.playtext import format_play
from bgai.player import HeuristicPlayer, RandomPlayer
from bgai.record import MatchRecord

SHOWN = 8

SHORT: tuple[Event, ...] = (
    StartGame((3, 1)),
    Play(0, ((8, 5), (6, 5))),
    Double(1),
    Take(0),
    Roll(1, (6, 5)),
    Play(1, ((24, 18), (18, 13))),
    Resign(1, 2),
    AcceptResignation(0),
    StartGame((1, 2)),
    Play(1, ((13, 11), (6, 5))),
    Double(0),
    Pass(1),
)
"""Two games with doubles; seat 0 leads 5-0 then."""


def short_record(players: tuple[str, str] = ("Ann", "Ben"), *, length: int = 7, date: str = "") -> MatchRecord:
    """A match that breaks off after two games."""
    return MatchRecord.of(players, Rules(length=length), SHORT, metadata={"date": date} if date else None)


def whole_record(seed: int, players: tuple[str, str] = ("Ann", "Ben"), *, date: str = "") -> MatchRecord:
    """A match to one point, played by programs."""
    return replace(_played(seed), players=players, metadata={"date": date} if date else {})


@cache
def _played(seed: int) -> MatchRecord:
    return play_match((CubelessPlayer(HeuristicPlayer()), CubelessPlayer(RandomPlayer())), Rules(length=1), seed)


def analysis_of(record: MatchRecord, seed: int = 1, *, level: str = "2-ply", plies: int = 2) -> Analysis:
    """An analysis with equities between -1 and 1 that mean nothing."""
    numbers = random.Random(seed)
    decisions: list[Decision] = []
    for question in questions_of(moments(record)):
        decisions += [decision for moment in question for decision in _decided(moment, numbers, plies)]
    results = tuple(
        None if game.result is None else (1 - 2 * game.result.winner) * 0.1 * game.result.points
        for game in record.games
    )
    return Analysis(record, tuple(decisions), (), "made-up", level, results, "Kazaross-XG2")


def _decided(moment: Moment, numbers: random.Random, plies: int) -> list[Decision]:
    event = moment.event
    if isinstance(event, Play):
        return [_play(moment, numbers, plies)]
    if isinstance(event, Double | Roll):
        return [_double(moment, numbers, plies)]
    if isinstance(event, Take | Pass):
        return [_answer(moment, numbers, plies)]
    texts = ("resign a gammon", "play on") if isinstance(event, Resign) else ("accept", "refuse")
    kind = "resignation" if isinstance(event, Resign) else "resignation answer"
    return [decided(moment, kind, [_choice(text, numbers, plies) for text in texts], texts[0])]


def _choice(text: str, numbers: random.Random, plies: int) -> Choice:
    equity = numbers.uniform(-1, 1)
    return Choice(text, equity, 0.5 + equity / 4, (0.5, 0.1, 0.0, 0.1, 0.0), None, plies)


def _play(moment: Moment, numbers: random.Random, plies: int) -> Decision:
    before, event = moment.before, moment.event
    assert isinstance(event, Play)
    plays = before.plays
    choices = []
    made = ""
    for steps, successor in zip(plays.steps, plays.successors, strict=True):
        text = format_play(before.board, steps)
        choice = _choice(text, numbers, plies)
        choices.append(replace(choice, equity=choice.equity / 5, steps=Play.of(event.seat, steps.tolist()).steps))
        if moment.after.checkers == tuple(successor.tolist()):
            made = text
    decision = decided(moment, "play", choices, made)
    shown = decision.choices[:SHOWN]
    if decision.made >= len(shown):
        return replace(decision, choices=(*shown, decision.chosen), made=SHOWN)
    return replace(decision, choices=shown)


def _double(moment: Moment, numbers: random.Random, plies: int) -> Decision:
    doubled = isinstance(moment.event, Double)
    choices = [_choice(text, numbers, plies) for text in ("no double", "double")]
    decision = decided(moment, "double", choices, "double" if doubled else "no double")
    figures = CubeFigures(choices[0].equity, choices[1].equity, 1.0, "double", "take")
    return replace(decision, close=doubled or decision.margin < 0.16, cube=figures)


def _answer(moment: Moment, numbers: random.Random, plies: int) -> Decision:
    take = _choice("take", numbers, plies)
    choices = [replace(take, equity=take.equity - 0.7), Choice("pass", -1.0, 0.25, plies=plies)]
    decision = decided(moment, "answer", choices, moment.event.kind)
    return replace(decision, cube=CubeFigures(0.1, -decision.best.equity, 1.0, "double", "take"))


def some_analyses(count: int, players: Sequence[str] = ("Ann", "Ben")) -> list[Analysis]:
    """Matches of two players on days in a row."""
    first, second = players
    return [
        analysis_of(whole_record(seed, (first, second), date=f"2026-03-{seed:02}"), seed)
        for seed in range(1, count + 1)
    ]
