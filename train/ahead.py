"""Games that are played while the network learns from earlier ones.

The games of an update are played by the weights of `selfplay.ahead` updates before, exactly, however fast anybody is:
so what a run learns does not depend on the clock, and no game is staler than that. While the network learns the games
of so many further updates are played or wait, never more.

A checkpoint keeps the older weights, and a run that is resumed plays anew what was under way.
"""

from __future__ import annotations

import time
from collections import deque
from typing import Any

from numpy.typing import NDArray

from bgai.model import Weights, export
from bgai.workers import Workers

from .checkpoint import Progress
from .config import TrainConfig
from .learner import Learner
from .selfplay import Experience, Playing

KEPT = "ahead"
"""What the names of the older weights begin with in a checkpoint: `ahead.0.layers.0.bias`, the oldest first."""


class GamesAhead:
    """The games of the updates to come. Used as a context: games that nobody learns from are called off."""

    def __init__(
        self, config: TrainConfig, learner: Learner, workers: Workers, progress: Progress, kept: dict[str, NDArray[Any]]
    ) -> None:
        """`kept` are the arrays of the checkpoint from which the run goes on, see `state`."""
        self._config, self._learner, self._workers = config, learner, workers
        self._ahead = config.selfplay.ahead
        self._update = self._begun = progress.updates
        self._game = progress.games
        self._versions = deque(_versions(kept), self._ahead + 1)
        self._playing: deque[Playing] = deque()
        self.staleness = 0
        """Updates between the weights that played the last games and those that learn from them."""
        self.waited = 0.0
        """Seconds for which the last games had to be waited for."""

    def next(self) -> Experience:
        """The games of the next update, to be called once before each."""
        begin = time.monotonic()
        self._versions.append(self._learner.weights())
        self._begin_games()
        self.staleness = min(self._update, self._ahead)
        self._update += 1
        experience = self._playing.popleft().experience()
        self.waited = time.monotonic() - begin
        return experience

    def state(self) -> dict[str, NDArray[Any]]:
        """The older weights that the next updates need."""
        older = list(self._versions)[-self._ahead :] if self._ahead else []
        return {f"{KEPT}.{number}.{name}": array for number, kept in enumerate(older) for name, array in kept.items()}

    def __enter__(self) -> GamesAhead:
        return self

    def __exit__(self, *_: object) -> None:
        for playing in self._playing:
            playing.close()

    def _begin_games(self) -> None:
        """Begins those of all updates that the weights at hand are to play."""
        config = self._config
        while self._begun <= self._update + self._ahead and self._game < config.selfplay.games:
            oldest = self._update + 1 - len(self._versions)
            weights = self._versions[max(self._begun - self._ahead, 0) - oldest]
            net = export(self._learner.encoder, config.network.layers, weights)
            games = games_now(config, self._game)
            playing = Playing(
                net, config.selfplay, config.seed, self._game, games, self._workers, ahead=self._ahead > 0
            )
            self._playing.append(playing)
            self._begun += 1
            self._game += games


def games_now(config: TrainConfig, games: int) -> int:
    """Games of the next update; always the same for the same number of games played."""
    whole = config.selfplay.games_per_update
    now = max(whole // 8, 1) if games < config.selfplay.warm_up else whole
    return min(now, config.selfplay.games - games)


def _versions(kept: dict[str, NDArray[Any]]) -> list[Weights]:
    found: dict[int, Weights] = {}
    for name, array in kept.items():
        kind, _, rest = name.partition(".")
        if kind == KEPT:
            number, _, weight = rest.partition(".")
            found.setdefault(int(number), {})[weight] = array
    return [found[number] for number in sorted(found)]
