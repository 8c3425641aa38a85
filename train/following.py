"""What a process does that follows the first one, see `processes`."""

from __future__ import annotations

import signal
from contextlib import suppress

from bgai.errors import TrainingError

from .learner import Learner
from .processes import Lesson, Processes, Shares, State
from .sharing import Caught, done, opened


def follow(processes: Processes) -> None:
    """Does its part of everything that the first process tells, until the run is over.

    Raises:
        TrainingError: another process has ended.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, processes.note)
    learner: Learner | None = None
    work: Caught | None = None
    while (order := processes.hear()) is not None:
        match order:
            case State(config, arrays):
                learner = Learner(config, processes)
                learner.restore(arrays)
            case Lesson(boards, targets, rates):
                assert learner is not None
                # If it explodes, the first one knows the same and says so.
                with suppress(TrainingError):
                    learner.descend(boards, targets, rates, "")
            case Shares(new):
                work = work if new is None else opened(new)
                assert work is not None
                processes.gather(done(work, order, processes))
                processes.finish()
    processes.leave()
