"""A match is analysed: every decision, at any depth, by many workers, with what was done already kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any, Literal

from bgai.analysis import cubes, plays
from bgai.analysis.analysis import Analysis
from bgai.analysis.decision import MARKS, Decision
from bgai.analysis.kept import Kept, code_hash
from bgai.analysis.luck import luck_of
from bgai.analysis.questions import Moment, Question, moments, questions_of, rolls_of
from bgai.analysis.resignations import resignation, resignation_answer
from bgai.analyst import Analyst
from bgai.errors import InputError
from bgai.events import Double, Play, Resign, Roll, StartGame
from bgai.halt import Halt
from bgai.levels import Level
from bgai.match_state import position
from bgai.model import Model
from bgai.record import MatchRecord
from bgai.rollout import Settings as RolloutSettings
from bgai.workers import LocalWorkers, Work, Workers

DOUBTFUL = MARKS[-1][1]

FEWEST = 72
"""Trials of a rollout: two blocks, because a single one says nothing of its error."""

_SHALLOW = 3
"""Up to so many plies a question takes milliseconds, and threads work on different ones; else on one together."""

Stage = Literal["decisions", "rollouts"]
Progress = Callable[[Stage, int, int], None]
"""Is told how many questions are answered, and how many there are without those that were kept."""

_Answer = tuple[Decision, ...]


@dataclass(frozen=True)
class Rollouts:
    """Which decisions are rolled out after looking ahead, and how."""

    threshold: float = DOUBTFUL
    """Decisions that lose more equity; with the cube also those whose choices are no further apart."""
    settings: RolloutSettings = field(default_factory=partial(RolloutSettings, trials=1296, truncation=11, settled=3.0))

    def __post_init__(self) -> None:
        """Raises:
        InputError: too few trials for a standard error.
        """
        if self.settings.trials < FEWEST:
            raise InputError(
                f"trials: found {self.settings.trials}, expected at least {FEWEST}: the error of a rollout comes from"
                " blocks of 36 that differ"
            )

    def wanted(self, decision: Decision) -> bool:
        """Whether a decision is doubtful enough."""
        if decision.kind not in ("play", "double", "answer") or decision.forced:
            return False
        if decision.kind == "answer" and decision.cube is None:
            return False
        margin = decision.margin
        near = decision.kind != "play" and margin is not None and margin < self.threshold
        return near or decision.loss > self.threshold


class MatchAnalyst:
    """Analyses matches at one level, with one model."""

    def __init__(self, model: Model, level: Level, rollouts: Rollouts | None = None) -> None:
        """Raises:
        InputError: a level that errs on purpose.
        """
        if level.noise:
            raise InputError(f"{level.name!r} errs on purpose, expected a level that does not, such as 2-ply")
        self.model = model
        self.level = level
        self.rollouts = rollouts

    @property
    def name(self) -> str:
        """How deep it looks, in words."""
        settings = self.level.settings
        filtered = f", filter {settings.moves.name}" if settings.plies and settings.moves.name != "normal" else ""
        rolled = "" if self.rollouts is None else ", doubtful decisions rolled out"
        return f"{self.level.name}{filtered}{rolled}"

    def description(self, record: MatchRecord) -> dict[str, Any]:
        """Everything on which the answers depend, for JSON."""
        weights = hashlib.sha256()
        for name, array in sorted(self.model.weights.items()):
            weights.update(name.encode() + array.tobytes())
        settings = self.level.settings
        return {
            "code": code_hash(),
            "record": record.to_dict(),
            "weights": weights.hexdigest(),
            "manifest": asdict(self.model.manifest),
            "level": [self.level.name, settings.plies, asdict(settings.moves), settings.seconds],
            "rollouts": None if self.rollouts is None else asdict(self.rollouts),
        }

    def analyse(
        self,
        record: MatchRecord,
        *,
        threads: int = 1,
        workers: Workers | None = None,
        kept: Kept | None = None,
        progress: Progress | None = None,
        problems: Iterable[str] = (),
        halt: Halt | None = None,
    ) -> Analysis:
        """Every decision and every roll. The result does not depend on who works, if no time is limited.

        Args:
            workers: who answers questions instead of threads, each by itself.
            kept: where answers are kept, and taken from, see `description`.
            progress: is called after each answer.
            problems: of the file that the record comes from, see `Analysis`.
            halt: makes what is still to come shallow, so that `progress` can end it soon by raising; not for workers
                in other processes.
        """
        settings = self.level.settings
        shallow = settings.plies <= _SHALLOW and settings.seconds is None and not self.level.rolled
        inside = 1 if workers is not None or shallow else threads
        analyst = self.level.analyst(self.model, threads=inside)
        events = list(moments(record))
        questions = {_name(question): question for question in questions_of(events)}
        answers = _answered(
            questions,
            "decisions",
            list(questions),
            lambda names: (workers or LocalWorkers(threads if shallow else 1)).map(
                judging, Judge(self.model, self.level, inside, halt), [questions[name] for name in names]
            ),
            kept,
            progress,
        )
        if self.rollouts is not None:
            wanted = [name for name, answer in answers.items() if any(map(self.rollouts.wanted, answer))]
            roller = Roller(self.model, self.rollouts.settings, 1 if workers is not None else threads)
            answers |= _answered(
                questions,
                "rollouts",
                wanted,
                lambda names: (workers or LocalWorkers(1)).map(
                    rolling_out, roller, [(questions[name], answers[name]) for name in names]
                ),
                kept,
                progress,
            )
        length = record.rules.length
        return Analysis(
            record,
            tuple(decision for answer in answers.values() for decision in answer),
            tuple(luck_of(analyst, rolls_of(events))),
            self.model.name,
            self.name,
            tuple(_results(analyst, record, events)),
            analyst.met(length).name if length else None,
            tuple(problems),
        )


@dataclass(frozen=True)
class Judge:
    """Who answers questions by looking ahead."""

    model: Model
    level: Level
    threads: int
    """For one question."""
    halt: Halt | None = None


def judging(judge: Judge) -> Callable[[Question], _Answer]:
    """The task: answers a question."""
    analyst = judge.level.analyst(judge.model, threads=judge.threads, halt=judge.halt)
    return lambda question: _judged(analyst, question)


@dataclass(frozen=True)
class Roller:
    """Who answers questions once more by rolling out."""

    model: Model
    settings: RolloutSettings
    threads: int
    """For one question."""


def rolling_out(roller: Roller) -> Callable[[tuple[Question, _Answer]], _Answer]:
    """The task: answers a question that was answered by looking ahead."""

    def roll_out(item: tuple[Question, _Answer]) -> _Answer:
        question, answer = item
        if answer[0].kind != "play":
            return cubes.roll_out(question, roller.model, roller.settings, roller.threads)
        choices, made = plays.roll_out(answer[0], roller.model, roller.settings, roller.threads)
        return (replace(answer[0], choices=choices, made=made),)

    return roll_out


def _name(question: Question) -> str:
    return f"{question[0].game}:{question[0].index}"


def _judged(analyst: Analyst, question: Question) -> _Answer:
    """The decisions of a question; none where the cube was dead and nobody turned it."""
    moment = question[0]
    event, before = moment.event, moment.before
    if isinstance(event, Play):
        legal = before.plays
        seen = position(before)
        choices, made = plays.rank_choices(analyst, seen, legal, plays.number_of(legal, moment.after.checkers))
        decision = Decision(
            moment.game, moment.index, event.seat, "play", seen, choices, made, len(legal), turn=before.turn
        )
        return (decision,)
    if isinstance(event, Double | Roll):
        return cubes.cube_decisions(analyst, question)
    if isinstance(event, Resign):
        return (resignation(analyst, moment, event),)
    if before.resignation is not None:
        return (resignation_answer(analyst, moment, before.resignation),)
    return (cubes.late_answer(analyst, moment),)


def _answered(
    questions: Mapping[str, Question],
    stage: Stage,
    asked: Sequence[str],
    work: Callable[[Sequence[str]], Work[_Answer]],
    kept: Kept | None,
    progress: Progress | None,
) -> dict[str, _Answer]:
    """Answers by name, in the order in which they are asked for; those that are kept are not found out again."""
    found: dict[str, _Answer] = {}
    there = {} if kept is None else kept.answers
    for name in asked:
        if f"{stage} {name}" in there:
            found[name] = _read(there[f"{stage} {name}"], questions[name])
    missing = [name for name in asked if name not in found]
    with work(missing) as answers:
        for name, value in zip(missing, answers, strict=True):
            found[name] = value
            if kept is not None:
                kept.add(f"{stage} {name}", [decision.to_dict() for decision in value])
            if progress is not None:
                progress(stage, len(found) - (len(asked) - len(missing)), len(missing))
    return {name: found[name] for name in asked}


def _read(answer: Any, question: Question) -> _Answer:
    """What was kept."""
    before = {moment.index: moment.before for moment in question}
    return tuple(Decision.from_dict(data, position(before[data["event"]])) for data in answer)


def _results(analyst: Analyst, record: MatchRecord, events: Sequence[Moment]) -> list[float | None]:
    """What each game brought seat 0, see `Analysis`."""
    found: list[float | None] = [None] * len(record.games)
    length = record.rules.length
    start = record.start
    for moment in events:
        if isinstance(moment.event, StartGame):
            start = moment.after
        end = moment.after.result
        if end is None:
            continue
        points = end.points if end.winner == 0 else -end.points
        if not length:
            found[moment.game] = float(points)
            continue
        met = analyst.met(length)
        mine, theirs = (length - score for score in start.score)
        before = met.mwc(mine, theirs, post_crawford=1 in (mine, theirs) and not start.crawford)
        found[moment.game] = float(met.after(mine, theirs, points) - before)
    return found
