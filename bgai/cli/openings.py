"""Shows the plays of the fifteen opening rolls beside the standard ones, and the best replies to them.

    bgai openings
    bgai openings 31 --plies 2
    bgai openings 64 --replies --plies 1
    bgai openings --trials 144
    bgai openings --markdown --replies

Our play stands first, then the standard plays with what they lose beside it, in thousandths of a point. A play of ours
that is not standard is marked. --match, --score and --cube ask about another score than money play. --replies adds the
best reply to each of the plays with each of the 21 rolls, --trials a rollout of our play and the best other standard
one, which ends after 7 plies. Equities are those of who plays.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bgai.answers import plies_record, rounded
from bgai.cli.agreed import Agreed, add_agreed
from bgai.cli.looking import Asked, asked, said_depth
from bgai.cli.options import add_json, add_looking, add_model, whole_number
from bgai.cli.progress import Progress
from bgai.cli.question import EXAMPLE, read_roll, read_state
from bgai.coach.openings import (
    STANDARD,
    TRUNCATION,
    Opening,
    OpeningPlay,
    OpeningReply,
    Roll,
    RolledPlay,
    openings,
    replies_to,
    rolled,
    rollout_of,
)
from bgai.errors import DiceError, InputError
from bgai.kernels.strata import BLOCK
from bgai.position import Position
from bgai.version import JSON_VERSION

_COLUMNS = 5
"""Opening plays side by side in a table of replies."""


@dataclass(frozen=True)
class Row:
    """All that is shown of an opening roll."""

    opening: Opening
    rolled: tuple[RolledPlay, ...]
    replies: tuple[tuple[OpeningReply, ...], ...]
    """To each of the plays, none where they were not asked for."""

    @property
    def roll(self) -> str:
        """As people write it."""
        return f"{self.opening.dice[0]}-{self.opening.dice[1]}"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("words", nargs="*", metavar="DICE", help="one opening roll such as 31; without it all fifteen")
    parser.add_argument("--replies", action="store_true", help="add the best replies to each of the plays")
    parser.add_argument(
        "--trials",
        type=whole_number(1),
        metavar="N",
        help=f"add a rollout of our play and the best other standard one, N trials each, a multiple of {BLOCK}",
    )
    parser.add_argument("--markdown", action="store_true", help="print tables in Markdown")
    add_agreed(parser)
    add_looking(parser)
    add_model(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    if options.json and options.markdown:
        raise InputError("expected either --json or --markdown, found both")
    rolls = _rolls(options.words)
    game = read_state([EXAMPLE], None, Agreed.of(options))[0].position
    who = asked(options, questions=len(rolls))
    rows = _rows(who, rolls, game, options)
    if options.json:
        print(json.dumps(_record(rows, who)))
    else:
        print("\n".join(_markdown(rows, who) if options.markdown else _page(rows, who)))
    return 0


def _rolls(words: Sequence[str]) -> tuple[Roll, ...]:
    """The rolls that are asked for.

    Raises:
        DiceError: no roll of two dice, or a double, which does not open a game.
    """
    roll = read_roll(words)
    if roll is None:
        return tuple(STANDARD)
    if roll not in STANDARD:
        raise DiceError(f"expected two different dice, which open a game, found {roll[0]}-{roll[1]}")
    return (roll,)


def _rows(who: Asked, rolls: Sequence[Roll], game: Position, options: argparse.Namespace) -> list[Row]:
    analyst, trials = who.analyst, options.trials
    rows = []
    with Progress(len(rolls), "rolls") as bar:
        for opening in openings(analyst, rolls, game):
            found: list[RolledPlay] = []
            if trials is not None:
                rollout = rollout_of(opening, trials, game, model=options.model)
                rollout.run(threads=options.threads)
                found = rolled(rollout)
            replies = [tuple(replies_to(analyst, one, game)) if options.replies else () for one in opening.plays]
            rows.append(Row(opening, tuple(found), tuple(replies)))
            bar.advance(1)
    return rows


def _record(rows: Sequence[Row], who: Asked) -> dict[str, Any]:
    """What `--json` prints."""
    return {
        "version": JSON_VERSION,
        "model": who.analyst.name,
        "settings": who.record,
        "openings": [
            {
                "dice": list(row.opening.dice),
                "plays": [
                    {
                        "play": one.candidate.play,
                        "standard": one.standard,
                        "equity": rounded(one.candidate.equity),
                        "loss": rounded(one.loss),
                        "plies": plies_record(one.candidate.plies),
                        "replies": [
                            {"dice": list(reply.dice), "play": reply.play, "equity": rounded(reply.equity)}
                            for reply in replies
                        ],
                    }
                    for one, replies in zip(row.opening.plays, row.replies, strict=True)
                ],
                "rollout": [
                    {
                        "play": one.play,
                        "equity": rounded(one.equity),
                        "error": rounded(one.error),
                        "trials": one.trials,
                    }
                    for one in row.rolled
                ],
            }
            for row in rows
        ],
    }


def _page(rows: Sequence[Row], who: Asked) -> list[str]:
    """The rolls, then the replies."""
    table = [["roll", "our play", "equity", "depth", "standard plays, losses in millipoints"]]
    for row in rows:
        ours = row.opening.ours
        table.append(
            [
                row.roll,
                ours.candidate.play,
                f"{ours.candidate.equity:+.3f}",
                said_depth(plies_record(ours.candidate.plies)),
                "; ".join(["ours" if ours.standard else "not ours", *(_loss(one) for one in row.opening.plays[1:])]),
            ]
        )
    widths = [max(len(line[column]) for line in table) for column in range(4)]
    lines = [f"{who.analyst.name}, {who.how}, with the cube", *who.legend, ""]
    lines += [
        "  ".join(f"{text:{width}}" for text, width in zip(line, [*widths, 0], strict=True)).rstrip() for line in table
    ]
    if any(row.rolled for row in rows):
        lines += ["", f"rolled out, ended after {TRUNCATION} plies, with standard errors"]
        for row in rows:
            lines.append(f"{row.roll}   " + "; ".join(f"{one.play} {_value(one)}" for one in row.rolled))
    for row in rows:
        for title, replies in _answered(row):
            width = max(len(one.play) for one in replies)
            lines += ["", f"replies to {title}"]
            lines += [f"{one.dice[0]}-{one.dice[1]}  {one.play:{width}}  {one.equity:+.3f}" for one in replies]
    return lines


def _loss(one: OpeningPlay) -> str:
    """A standard play that is not ours, with what it loses."""
    return f"{one.candidate.play} {-1000 * one.loss:.1f}"


def _value(one: RolledPlay) -> str:
    return f"{one.equity:+.3f} ± {one.error:.3f}"


def _markdown(rows: Sequence[Row], who: Asked) -> list[str]:
    """The same as tables; the replies to five opening plays side by side."""
    heading = ["roll", "our play", "equity", "other standard plays, losses in millipoints"]
    with_rollouts = any(row.rolled for row in rows)
    lines = [f"{who.analyst.name}, {who.how}, with the cube.", ""]
    lines += _table([*heading, *["rolled out"] * with_rollouts], (_markdown_row(row, with_rollouts) for row in rows))
    answered = [one for row in rows for one in _answered(row)]
    for first in range(0, len(answered), _COLUMNS):
        part = answered[first : first + _COLUMNS]
        lines += [
            "",
            *_table(["reply to", *(title for title, _ in part)], _reply_rows([replies for _, replies in part])),
        ]
    return lines


def _answered(row: Row) -> list[tuple[str, tuple[OpeningReply, ...]]]:
    """The plays that have replies, with their rolls."""
    return [
        (f"{row.roll} {one.candidate.play}", replies)
        for one, replies in zip(row.opening.plays, row.replies, strict=True)
        if replies
    ]


def _markdown_row(row: Row, with_rollouts: bool) -> list[str]:
    ours = row.opening.ours
    cells = [
        row.roll,
        ours.candidate.play + " (not standard)" * (not ours.standard),
        f"{ours.candidate.equity:+.3f}",
        "; ".join(_loss(one) for one in row.opening.plays[1:]),
    ]
    return [*cells, "; ".join(f"{one.play} {_value(one)}" for one in row.rolled)] if with_rollouts else cells


def _reply_rows(columns: Sequence[Sequence[OpeningReply]]) -> list[list[str]]:
    lines = []
    for replies in zip(*columns, strict=True):
        high, low = replies[0].dice
        lines.append([f"{high}-{low}", *(f"{one.play} {one.equity:+.3f}" for one in replies)])
    return lines


def _table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [_line(heading), _line(["---"] * len(heading)), *(_line(row) for row in rows)]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
