"""The tables and the chart that `calibration.py` writes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from accuracy import EVENTS, Accuracy, Row, Summary, by_subject
from position_kinds import KINDS
from reliability import Panel, Series
from svg import ORANGE

from bgai.outcomes import LOSE_GAMMON, WIN, WIN_GAMMON

PERCENT, MILLI = 100.0, 1000.0


def report(summaries: dict[str, Summary], content: Row) -> str:
    """The tables in Markdown."""
    name, shares = content["player"]["name"], content["shares_of_games"]
    parts = [
        f"`{name}`: static chances against rollouts of {content['trials']:,} trials, seed {content['seed']}; chances in"
        " percent, equities in millipoints, ± half of the 95 % interval. Bias is static less rolled out, as the kind's"
        " subject sees it; the last two columns are the mean standard errors of the rollouts.\n",
        table(
            (
                *("kind", "of games", "positions", "crossed", "win", "gammon", "backgammon", "equity"),
                *("bias: win", "equity", "rollouts: win", "equity"),
            ),
            [[title, f"{PERCENT * shares[title]:.1f} %", *_cells(one)] for title, one in summaries.items()],
        ),
        "By source: positions met in games, and crossed ones.\n",
        table(
            ("kind", "met: win", "equity", "bias", "crossed: win", "equity", "bias"),
            [
                [title, *(cell for source in ("met", "crossed") for cell in _short(one.sources.get(source)))]
                for title, one in summaries.items()
            ],
        ),
    ]
    if content["gnubg_plies"] is not None:
        players = {"gnubg": "gnubg-nn static", "static": f"{name} static", "rolled": "its rollouts"}
        parts += [
            f"An outside view: against gnubg-nn looking {content['gnubg_plies']} plies ahead.\n",
            table(
                ("kind", *(head for player in players.values() for head in (f"{player}: win", "equity", "bias"))),
                [
                    [title, *(cell for player in players for cell in _short(one.outside[player]))]
                    for title, one in summaries.items()
                ],
            ),
        ]
    told = [f"* **{kind.title}**, seen by {kind.subject}: {kind.told}" for kind in KINDS if kind.title in summaries]
    return "\n".join([*parts, "The first of these that holds decides what a position is.\n", *told]) + "\n"


def _cells(one: Summary) -> list[str]:
    static = one.static
    return [
        str(one.positions),
        str(one.crossed),
        *(static.errors[name].told(PERCENT) for name in EVENTS),
        static.errors["equity"].told(MILLI),
        static.bias["win"].told(PERCENT, "+"),
        static.bias["equity"].told(MILLI, "+"),
        f"{PERCENT * one.rollout_errors['win']:.2f}",
        f"{MILLI * one.rollout_errors['equity']:.2f}",
    ]


def _short(found: Accuracy | None) -> list[str]:
    """Errors of win and equity, and the equity's bias."""
    if found is None:
        return ["–"] * 3
    return [
        found.errors["win"].told(PERCENT),
        found.errors["equity"].told(MILLI),
        found.bias["equity"].told(MILLI, "+"),
    ]


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """In Markdown, the first column to the left."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def panel(title: str, rows: Sequence[Row], one: Summary) -> Panel:
    """The squares of a kind."""
    static, rolled = by_subject(rows, lambda row: row["static"]), by_subject(rows, lambda row: row["rolled"])
    wins, won, lost = (Series(static[:, place], rolled[:, place]) for place in (WIN, WIN_GAMMON, LOSE_GAMMON))
    errors = {name: one.static.errors[name].told(PERCENT) for name in ("win", "gammon")}
    return Panel(
        f"{title}: win {errors['win']} %, gammon {errors['gammon']} %",
        [wins],
        [won, Series(lost.said, lost.found, ORANGE)],
        np.array([row["crossed"] for row in rows]),
    )
