"""The table of match-winning chances, for players of the same strength.

A score is written as points away: what each player still needs, the one who asks first. Where somebody is 1-away the
score does not say everything: in the Crawford game nobody may double, in the games after it the trailer doubles at
once. The main table holds the Crawford game there, and a vector of its own the games after it.

Which game comes next follows from the score before the present one: if nobody was 1-away and somebody is now, it is
the Crawford game; if somebody was 1-away already, the Crawford game is over. `after` and `outcome_mwc` know this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgai.errors import InputError

Chances = NDArray[np.float64]

RESULTS = (-3, -2, -1, 1, 2, 3)
"""The order of the results in `outcome_mwc`: a lost backgammon, gammon, single game, a won single game, …"""

_RESULTS = np.array(RESULTS)

LONGEST = 1000
"""The longest match that is thought of; a table for it takes a minute to compute."""
LONGEST_PLAYED = 64
"""The longest match that anybody is answered about who asks from outside, as in GNU Backgammon: a table for it takes a
tenth of a second."""


@dataclass(frozen=True, eq=False)
class MatchEquityTable:
    """Match-winning chances before a game, of one player against another of the same strength."""

    name: str
    pre: Chances
    """float64[n, n]: row i, column j hold the chance of who needs i + 1 points while the other needs j + 1. Where one
    of them is 1-away this is the Crawford game."""
    post: Chances
    """float64[n]: entry i holds the chance of a trailer who needs i + 1 points, after the Crawford game."""
    source: str = ""
    """Who made it and how."""
    notes: tuple[str, ...] = ()
    """What was repaired or supplied when it was read."""
    grid: Chances = field(init=False, repr=False)
    """float64[2, n + 1, n + 1]: `grid[post, i, j]` at i-away, j-away, with 0 for a player who has won. Entries without
    meaning are NaN: both have won, or it is after the Crawford game and nobody is 1-away."""

    def __post_init__(self) -> None:
        pre, post = np.array(self.pre, dtype=np.float64), np.array(self.post, dtype=np.float64)
        if pre.ndim != 2 or pre.shape[0] != pre.shape[1] or not pre.size or post.shape != pre.shape[:1]:
            raise InputError(
                "a match equity table has n rows of n entries and n post-Crawford entries, "
                f"found shapes {pre.shape} and {post.shape}"
            )
        grid = np.full((2, len(pre) + 1, len(pre) + 1), np.nan)
        grid[:, 0, 1:], grid[:, 1:, 0] = 1.0, 0.0
        grid[0, 1:, 1:] = pre
        grid[1, 1, 1:] = 1 - post
        grid[1, 1:, 1] = post
        for name, array in (("pre", pre), ("post", post), ("grid", grid)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @property
    def length(self) -> int:
        """The longest match it serves; `bgai.met.extend_met` continues it."""
        return len(self.post)

    def mwc(
        self, away: ArrayLike, other_away: ArrayLike, *, crawford: bool = False, post_crawford: ArrayLike = False
    ) -> Chances:
        """The chance of the player who needs `away` points to win the match, before the next game.

        Arrays of any shapes that fit each other, or single numbers; 0 or fewer points away means that the match is
        over. `post_crawford` must be given (also as an array) for games after the Crawford game; `crawford` changes
        nothing and is checked.

        Returns:
            float64 of the common shape; for single numbers a NumPy scalar, which is a float.

        Raises:
            InputError: a score beyond the table, or one at which there is no such game.
        """
        mine, theirs = np.maximum(away, 0), np.maximum(other_away, 0)
        after = np.asarray(post_crawford, dtype=np.intp)
        try:
            chances: Chances = self.grid[after, mine, theirs]
        except IndexError:
            raise self._beyond(np.maximum(mine, theirs)) from None
        if np.isnan(chances).any():
            place = np.argwhere(np.isnan(chances))[0]
            shape = np.shape(chances)
            i, j = (int(np.broadcast_to(value, shape)[tuple(place)]) for value in (mine, theirs))
            reason = "both cannot have won" if not i and not j else "nobody is 1-away after the Crawford game"
            raise InputError(f"no such score: {i}-away, {j}-away, {reason}")
        if crawford and not np.all((mine == 1) | (theirs == 1)):
            raise InputError("nobody is 1-away in the Crawford game")
        return chances

    def after(self, away: ArrayLike, other_away: ArrayLike, points: ArrayLike) -> Chances:
        """The chance of the first player once `points` (below 0: lost) have been won in a game begun at this score.

        Takes and returns arrays as `mwc` does; the score is the one before the game, and at least 1-away for both.
        """
        mine, theirs, won = np.asarray(away), np.asarray(other_away), np.asarray(points)
        return self.mwc(
            mine - np.maximum(won, 0), theirs - np.maximum(-won, 0), post_crawford=(mine == 1) | (theirs == 1)
        )

    def outcome_mwc(
        self,
        away: Sequence[int] | NDArray[np.integer],
        cube: ArrayLike = 1,
        *,
        crawford: bool = False,
        post_crawford: bool = False,
    ) -> Chances:
        """The chance of the first player after each of the six `RESULTS` of a game.

        Args:
            away: int[..., 2], points that the player and the opponent need before the game, at least 1 each.
            cube: int[...], the value of the cube that the game ends with.
            crawford, post_crawford: what the score says of this game. Which game follows does not depend on them;
                they are checked.

        Returns:
            float64[..., 6]: lost backgammon, gammon, single game; won single game, gammon, backgammon.
        """
        score = np.asarray(away)
        mine, theirs = score[..., 0, None], score[..., 1, None]
        if (score < 1).any():
            raise InputError(f"the match is over at {score.tolist()} points away, expected 1 or more for both")
        if crawford and post_crawford:
            raise InputError("a game is the Crawford game or comes after it, not both")
        if (crawford or post_crawford) and not ((mine == 1) | (theirs == 1)).all():
            raise InputError(f"nobody is 1-away at {score.tolist()} points away, so the Crawford game is still to come")
        return self.after(mine, theirs, np.asarray(cube)[..., None] * _RESULTS)

    def _beyond(self, away: NDArray[np.integer]) -> InputError:
        return InputError(
            f"{self.name} goes to {self.length} points, found {int(np.max(away))}-away; "
            "bgai.met.extend_met makes it longer"
        )
