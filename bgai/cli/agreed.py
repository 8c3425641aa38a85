"""What is agreed and where things stand, said by options: match, score, cube and the rules of money play.

    --match 7 --score 3-5 --cube 2 --owner me

Options complete a name that holds the board alone. Beside a name that says these things itself, such as an XGID, they
may repeat it; where they say something else, one of them is wrong, and that is an error.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from bgai.cli.options import whole_number
from bgai.errors import PositionError
from bgai.notation import fibs, matchid
from bgai.notation.checks import check_position
from bgai.notation.identify import BOARD_ONLY
from bgai.notation.reading import Reading
from bgai.position import Cube, CubeOwner, Position, Score

Owner = Literal["me", "opponent", "centre"]

_OWNERS: dict[Owner, CubeOwner] = {"me": "on roll", "opponent": "opponent", "centre": "centred"}
_SAID_BY = {owner: said for said, owner in _OWNERS.items()}

_NOT_SAID = {matchid.KIND: ("beavers",), fibs.KIND: ("Jacoby", "beavers")}
"""What a name leaves open although it says the rest."""


@dataclass(frozen=True)
class Agreed:
    """The options that were given; None and False are those that were not."""

    match: int | None = None
    score: tuple[int, int] | None = None
    """Points won, of the player on roll first."""
    cube: int | None = None
    owner: Owner | None = None
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False

    @classmethod
    def of(cls, options: argparse.Namespace) -> Agreed:
        """From the options that `add_agreed` made."""
        return cls(
            options.match,
            options.score,
            options.cube,
            options.owner,
            options.crawford,
            options.jacoby,
            options.beavers,
        )

    def joined(self, reading: Reading) -> Reading:
        """A position with what the options say of it.

        Raises:
            PositionError: they contradict it or each other; the message begins with the name of the field.
        """
        if self == Agreed():
            return reading
        bare = reading.kind in BOARD_ONLY
        if not bare:
            self._compare(reading)
        position = self._completed(reading) if bare else reading.position
        score = replace(
            position.score,
            jacoby=position.score.jacoby or self.jacoby,
            beavers=position.score.beavers or self.beavers,
        )
        return replace(reading, position=check_position(replace(position, score=score)))

    def _completed(self, reading: Reading) -> Position:
        if self.score is not None and self.match is None:
            points = f"{self.score[0]}-{self.score[1]}"
            raise PositionError(f"match: found none beside --score {points}, such as: --match 7 --score {points}")
        if self.owner is None and self.cube is not None and self.cube > 1:
            raise PositionError(f"cube owner: found none beside --cube {self.cube}, expected --owner me or opponent")
        cube = Cube(self.cube or 1, _OWNERS[self.owner or "centre"])
        score = Score(self.score or (0, 0), self.match or 0, self.crawford)
        return replace(reading.position, cube=cube, score=score)

    def _compare(self, reading: Reading) -> None:
        position, open_fields = reading.position, _NOT_SAID.get(reading.kind, ())
        score, cube = position.score, position.cube
        pairs: list[tuple[str, Any, Any]] = [
            ("match", self.match, score.length),
            ("score", self.score, score.points),
            ("cube", self.cube, cube.value),
            ("cube owner", self.owner, _SAID_BY[cube.owner]),
            ("Crawford", self.crawford or None, score.crawford),
            ("Jacoby", self.jacoby or None, score.jacoby),
            ("beavers", self.beavers or None, score.beavers),
        ]
        for field, given, there in pairs:
            if given is not None and given != there and field not in open_fields:
                raise PositionError(
                    f"{field}: found {_shown(field, given)} in the options and {_shown(field, there)} in the"
                    f" {reading.kind}, expected the same"
                )


def _shown(field: str, value: Any) -> str:
    if field == "match" and value == 0:
        return "money play"
    if isinstance(value, tuple):
        return f"{value[0]}-{value[1]}"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def add_agreed(parser: argparse.ArgumentParser) -> None:
    """Match, score and cube, where the name of the position does not say them."""
    group = parser.add_argument_group(
        "match, score and cube", "for a name that holds the board alone; without them: money play, a centred cube"
    )
    group.add_argument("--match", type=whole_number(1), metavar="N", action=_Once, help="points the match goes to")
    group.add_argument("--score", type=_points, metavar="A-B", action=_Once, help="points won, mine first")
    group.add_argument("--cube", type=whole_number(1), metavar="N", action=_Once, help="value of the cube")
    group.add_argument(
        "--owner", choices=tuple(_OWNERS), action=_Once, help="whose the cube is: mine, who am on roll, or the other's"
    )
    group.add_argument("--crawford", action="store_true", help="this is the Crawford game")
    group.add_argument("--jacoby", action="store_true", help="money: gammons count only once the cube was turned")
    group.add_argument("--beavers", action="store_true", help="money: who is doubled may beaver")


def _points(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,6})[-:]([0-9]{1,6})", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"expected points won such as 3-5, mine first, found {text!r}")
    return int(found[1]), int(found[2])


class _Once(argparse.Action):
    """An option that may be repeated but not contradicted."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        before = getattr(namespace, self.dest)
        if before is not None and before != values:
            one, other = (_shown(self.dest, value) for value in (before, values))
            parser.error(f"{option_string} is given twice and differently, as {one} and as {other}")
        setattr(namespace, self.dest, values)
