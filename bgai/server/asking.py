"""Where questions go: those that take less than a millisecond are answered together at once, others in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from bgai.position import Position
from bgai.server.answers import evaluation_records, play_records
from bgai.server.players import Answering, Players
from bgai.server.pools import Pool

T = TypeVar("T")
Question = TypeVar("Question")
Record = dict[str, Any]

_BLOCK = 32
"""Questions that are answered together, at most: some milliseconds."""
_TURNS = 3
"""Of the event loop: in one a request is read, in the next its question is asked."""
_KEPT = 64


class Together(Generic[Question]):
    """Answers in one go what comes within a few turns of the event loop.

    A block costs little more than one question, so the more there is to do the less each answer takes. A turn in which
    nothing happens takes microseconds, so nobody waits for others who may never come.
    """

    def __init__(self, answer: Callable[[Sequence[Question]], list[Record]]) -> None:
        self._answer = answer
        self._waiting: list[tuple[Question, asyncio.Future[Record]]] = []

    async def ask(self, question: Question) -> Record:
        """The answer to one question."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Record] = loop.create_future()
        self._waiting.append((question, future))
        if len(self._waiting) == 1:
            loop.call_soon(self._gather, loop, 1, _TURNS)
        return await future

    def _gather(self, loop: asyncio.AbstractEventLoop, seen: int, turns: int) -> None:
        """Looks again in the next turn as long as there are some without anything new."""
        count = len(self._waiting)
        if count < _BLOCK and (count > seen or turns):
            loop.call_soon(self._gather, loop, count, _TURNS if count > seen else turns - 1)
        else:
            self._answer_block(loop)

    def _answer_block(self, loop: asyncio.AbstractEventLoop) -> None:
        block, self._waiting = self._waiting[:_BLOCK], self._waiting[_BLOCK:]
        if self._waiting:
            loop.call_soon(self._answer_block, loop)
        try:
            answers = self._answer([question for question, _ in block])
        except Exception as error:
            if len(block) == 1:
                _fail(block[0][1], error)
                return
            # Only the one that is wrong fails.
            for question, future in block:
                try:
                    _set(future, self._answer([question])[0])
                except Exception as own:
                    _fail(future, own)
            return
        for (_, future), answer in zip(block, answers, strict=True):
            _set(future, answer)


def _set(future: asyncio.Future[Record], answer: Record) -> None:
    # Who asked may have gone.
    if not future.done():
        future.set_result(answer)


def _fail(future: asyncio.Future[Record], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)


class Desk:
    """Takes questions and sees to it that they are answered."""

    def __init__(self, players: Players, quick: Pool, deep: Pool, seconds: float) -> None:
        """`seconds`: the most that a question may take, with waiting."""
        self.players = players
        self._quick = quick
        self._deep = deep
        self._seconds = seconds
        self._plays: dict[Answering, Together[tuple[Position, int]]] = {}
        self._evaluations: dict[Answering, Together[Position]] = {}

    async def plays(self, who: Answering, position: Position, top: int) -> Record:
        """The best plays."""
        if who.at_once:
            return await _kept(self._plays, who, lambda many: play_records(who.analyst, who.record, many)).ask(
                (position, top)
            )
        return await self.run(who, lambda: play_records(who.analyst, who.record, [(position, top)])[0])

    async def evaluation(self, who: Answering, position: Position) -> Record:
        """What a position is worth."""
        if who.at_once:
            return await _kept(
                self._evaluations, who, lambda many: evaluation_records(who.analyst, who.record, many)
            ).ask(position)
        return await self.run(who, lambda: evaluation_records(who.analyst, who.record, [position])[0])

    async def run(self, who: Answering, work: Callable[[], T]) -> T:
        """Anything else that an analyst is asked, in the pool that fits how long it takes."""
        return await (self._quick if who.quick else self._deep).run(work, self._seconds)

    async def do(self, work: Callable[[], T]) -> T:
        """Something else that takes milliseconds."""
        return await self._quick.run(work, self._seconds)


def _kept(
    known: dict[Answering, Together[Question]], who: Answering, answer: Callable[[Sequence[Question]], list[Record]]
) -> Together[Question]:
    if who not in known:
        if len(known) >= _KEPT:
            known.clear()
        known[who] = Together(answer)
    return known[who]
