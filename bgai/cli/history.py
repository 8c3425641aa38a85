"""Shows how a player develops over all analysed matches, and keeps the matches.

    bgai history
    bgai history --player Ann --opponent Ben --since 2026-01-01
    bgai history --plot rating.svg
    bgai history import analysis.json
    bgai history forget 3
    bgai history alias "A. Smith" Ann
    bgai history export > history.json

Without a TASK: the performance rating (PR) of each match and over the last ones, by opponent, by game plan and by kind
of error with the cube; of the player with most matches unless --player names another. `import` takes in analyses that
`bgai analyse --json` wrote, and exports; `forget` takes a match out, by its number in the first column; `alias` makes a
name another spelling of a player; `export` writes everything as JSON. docs/history.md explains what is kept and where.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from bgai.analysis.decision import MARKS
from bgai.analysis.statistics import Total
from bgai.cli.columns import Table
from bgai.cli.options import add_json, whole_number
from bgai.diagram.png import png_of
from bgai.diagram.theme import THEMES
from bgai.errors import InputError
from bgai.files import write_whole
from bgai.history import open_history
from bgai.history.chart import chart
from bgai.history.development import WINDOW, Development, Errors, Group, Played

_PICTURES = (".svg", ".png")
_SHOWING = ("player", "opponent", "since", "json", "plot")
"""Options that are of no use to a task."""

Row = Sequence[str]


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument(
        "words",
        nargs="*",
        metavar="TASK WHAT",
        help="import FILE ..., forget MATCH, alias NAME PLAYER, or export; without it the development is shown",
    )
    parser.add_argument("--player", metavar="NAME", help="whose matches (default: who has most)")
    parser.add_argument("--opponent", metavar="NAME", help="only matches against NAME")
    parser.add_argument("--since", type=_day, metavar="DATE", help="only matches from this day on, such as 2026-01-31")
    parser.add_argument(
        "--window",
        type=whole_number(1),
        default=WINDOW,
        metavar="N",
        help=f"matches of the rolling rating (default {WINDOW})",
    )
    parser.add_argument("--plot", metavar="FILE", help="draw the rating over time, .svg or .png")
    parser.add_argument("--theme", choices=tuple(THEMES), default="light", help="colours (default: light)")
    add_json(parser)
    add_database(parser)


def add_database(parser: argparse.ArgumentParser) -> None:
    """Where the history is."""
    parser.add_argument(
        "--db", metavar="URL", help="the data base: an SQLAlchemy URL or an SQLite file (default: in the data folder)"
    )


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    words: list[str] = options.words
    if not words:
        _show(options)
        return 0
    task, *what = words
    tasks = {"import": _import, "forget": _forget, "alias": _alias, "export": _export}
    if task not in tasks:
        raise InputError(f"expected import, forget, alias or export, found {task!r}")
    for name in _SHOWING:
        if getattr(options, name):
            raise InputError(f"--{name} is for showing the development, found it beside {task}")
    tasks[task](what, options.db)
    return 0


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a day such as 2026-01-31, found {text!r}") from None


def _import(files: Sequence[str], where: str | None) -> None:
    if not files:
        raise InputError("expected files behind import, such as: bgai history import analysis.json")
    with open_history(where) as history:
        for name in files:
            text = _read(name)
            try:
                found = history.read(text, source=name)
            except InputError as error:
                raise InputError(f"{name!r}: {error}") from None
            for one in found:
                print(f"{name}: match {one.match} {_WHAT[one.what]}")


_WHAT = {
    "added": "added",
    "replaced": "replaced by the new analysis",
    "deeper already": "left as it is: its analysis there looks further ahead",
}


def _read(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
    except OSError as error:
        raise InputError(f"cannot read the file {name!r}: {error.strerror or error}") from None
    except ValueError:
        raise InputError(f"{name!r} is no text in UTF-8, expected JSON") from None


def _forget(what: Sequence[str], where: str | None) -> None:
    if len(what) != 1 or not what[0].isdecimal():
        raise InputError(f"expected the number of a match behind forget, found {' '.join(what) or 'nothing'}")
    with open_history(where, create=False) as history:
        print(f"forgotten: match {what[0]}, {history.forget(int(what[0]))}")


def _alias(what: Sequence[str], where: str | None) -> None:
    if len(what) != 2:
        raise InputError(f"expected a name and a player behind alias, found {' '.join(what) or 'nothing'}")
    name, into = what
    with open_history(where, create=False) as history:
        player = history.join(name, into)
    print(f"{name} is {player.name} from now on: {player.matches} match{'es' * (player.matches != 1)}")


def _export(what: Sequence[str], where: str | None) -> None:
    if what:
        raise InputError(f"export takes nothing behind it, found {' '.join(what)!r}")
    with open_history(where, create=False) as history:
        for piece in history.export():
            sys.stdout.write(piece)


def _show(options: argparse.Namespace) -> None:
    plot = None if options.plot is None else Path(options.plot)
    if plot is not None and plot.suffix.lower() not in _PICTURES:
        raise InputError(f"--plot: expected a file that ends in .svg or .png, found {options.plot!r}")
    with open_history(options.db, create=False) as history:
        found = history.development(options.player, options.opponent, options.since)
    if plot is not None:
        svg = chart(found, window=options.window, theme=options.theme)
        data = png_of(svg) if plot.suffix.lower() == ".png" else svg.encode()
        try:
            write_whole(plot, data)
        except OSError as error:
            raise InputError(f"cannot write the file {options.plot!r}: {error.strerror or error}") from None
    print(json.dumps(found.to_dict(options.window)) if options.json else _page(found, options.window))


def _page(found: Development, window: int) -> str:
    """Everything in tables."""
    parts = [
        "\n".join(_summary(found)),
        _aligned([*_MATCH, *_RATED, f"last {window}"], _matches(found, window)),
        _aligned(["against", "matches", "won", "lost", *_RATED], _opponents(found)),
    ]
    if found.plans:
        parts.append(_aligned(["plays by game plan", "decisions", *_MARKED, "loss", "PR"], _plans(found)))
    if found.faults:
        rows = [[fault, str(total.decisions), f"{total.loss:.3f}"] for fault, total in found.faults.items()]
        parts.append(_aligned(["errors with the cube", "number", "loss"], rows))
    return "\n\n".join(parts)


_MATCH = ("match", "played", "against", "to", "result", "level")
_RATED = ("decisions", "checker", "cube", "PR")
_MARKED = tuple(mark for mark, _ in reversed(MARKS))


def _summary(found: Development) -> list[str]:
    matches, together = found.matches, found.together
    first, last = (day.isoformat() for day in (matches[0].played, matches[-1].played))
    days = first if first == last else f"{first} to {last}"
    count = f"{len(matches)} match{'es' * (len(matches) != 1)}"
    return [
        f"{found.player}, {count}, {days}: {together.won} won, {together.lost} lost",
        f"PR {_rating(together.all)}, plays {_rating(together.checker.total)}, cube {_rating(together.cube.total)}"
        " (500 x loss a decision, lower is better)",
    ]


def _matches(found: Development, window: int) -> list[Row]:
    rows: list[Row] = []
    for one, rolling in zip(found.matches, found.rolling(window), strict=True):
        length = str(one.length) if one.length else "money"
        row = (str(one.match), one.played.isoformat(), one.opponent, length, _result(one), one.level)
        rows.append((*row, *_rated(one), "-" if rolling is None else f"{rolling:.2f}"))
    return rows


def _result(one: Played) -> str:
    score = f"{one.score[0]}-{one.score[1]}"
    return score if one.won is None else f"{score} {'won' if one.won else 'lost'}"


def _opponents(found: Development) -> list[Row]:
    return [
        [name, str(group.matches), str(group.won), str(group.lost), *_rated(group)]
        for name, group in found.opponents.items()
    ]


def _plans(found: Development) -> list[Row]:
    def row(plan: str, errors: Errors) -> Row:
        marks = [str(errors.marks[mark]) for mark in _MARKED]
        return [plan, str(errors.total.decisions), *marks, f"{errors.total.loss:.3f}", _rating(errors.total)]

    return [row(plan, errors) for plan, errors in found.plans.items()]


def _rated(played: Played | Group) -> Row:
    return [
        str(played.all.decisions),
        _rating(played.checker.total),
        _rating(played.cube.total),
        _rating(played.all),
    ]


def _rating(total: Total) -> str:
    return "-" if total.pr is None else f"{total.pr:.2f}"


_WORDS = frozenset({"played", "against", "result", "level", "plays by game plan", "errors with the cube"})
"""Headings of columns that stand to the left."""


def _aligned(headings: Row, rows: Sequence[Row]) -> str:
    right = frozenset(column for column, name in enumerate(headings) if name not in _WORDS)
    return "\n".join(Table(headings, rows, right).lines)
