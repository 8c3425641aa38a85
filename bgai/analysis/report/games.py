"""All games move by move."""

from __future__ import annotations

from bgai.analysis.decision import LUCKY, MARKS, VERY_LUCKY, Decision, Luck
from bgai.analysis.report import figures
from bgai.analysis.report.context import Context, anchor, row_anchor
from bgai.analysis.report.marks import mark_sign
from bgai.analysis.report.markup import Content, Markup, join, tag
from bgai.analysis.report.turns import Cell, Row
from bgai.events import EndOfGame

_SHOWN = 0.0005
"""Losses of less would be written as nothing."""

_ENDS = {1: "a single game", 2: "a gammon", 3: "a backgammon"}


def games_section(context: Context) -> Markup:
    """A table for each game."""
    games = context.analysis.record.games
    if not games:
        return tag("section", tag("h2", "Games"), tag("p", "There are none."), id="games")
    tables = [_game(context, game) for game in range(len(games))]
    return tag("section", tag("h2", "Games"), _legend(), *tables, id="games")


def _legend() -> Markup:
    marks = ", ".join(f"{mark_sign(mark)} {mark} (more than {limit:.2f})" for mark, limit in reversed(MARKS))
    return tag(
        "p",
        f"Losses are in equity: {marks}. “Lucky” is a roll that brings more than {LUCKY}, “very lucky” more than"
        f" {VERY_LUCKY}; unlucky ones cost as much. Marked losses lead to the errors above.",
        class_="legend",
    )


def _game(context: Context, game: int) -> Markup:
    record = context.analysis.record.games[game]
    score, (first, second) = context.score(game), context.names
    statistics = context.analysis.statistics(game)
    crawford = " · Crawford game" if _crawford(context, game) else ""
    ratings = ", ".join(f"{context.names[seat]} {figures.rate(statistics[seat].pr)}" for seat in (0, 1))
    decisions: dict[int, list[Decision]] = {}
    for one in context.analysis.decisions:
        if one.game == game:
            decisions.setdefault(one.event, []).append(one)
    luck = {one.event: one for one in context.analysis.luck if one.game == game}
    rows: list[Markup] = []
    for row in context.rows[game]:
        rows.append(_row(context, game, row, decisions, luck))
        rows += [
            tag("tr", tag("td", record.comments[event], colspan=3), class_="remark")
            for cell in (*row.cells[0], *row.cells[1])
            for event in cell.events
            if event in record.comments
        ]
    head = [tag("th", "No.", scope="col"), *(tag("th", context.name(seat), scope="col") for seat in (0, 1))]
    table = tag(
        "table",
        tag("caption", f"Game {game + 1}, move by move"),
        tag("thead", tag("tr", *head)),
        tag("tbody", *rows),
        class_="moves",
    )
    return tag(
        "section",
        tag("h3", f"Game {game + 1}: {first} {score[0]}, {second} {score[1]}{crawford}"),
        tag("p", f"PR: {ratings}"),
        table,
        tag("p", _ending(context, record.result), class_="ending"),
        id=f"game-{game + 1}",
        class_="game",
    )


def _crawford(context: Context, game: int) -> bool:
    return context.moments[game][0].after.crawford


def _ending(context: Context, result: EndOfGame | None) -> str:
    if result is None:
        return "The game was not finished."
    points = figures.counted(result.points, "point")
    how = {"bear-off": "", "drop": " by a pass", "resignation": " by resignation"}[result.how]
    return f"{context.names[result.winner]} wins {_ENDS[result.value]}{how}: {points}."


def _row(context: Context, game: int, row: Row, decisions: dict[int, list[Decision]], luck: dict[int, Luck]) -> Markup:
    cells = [
        tag("td", *(tag("div", *_cell(context, cell, decisions, luck)) for cell in column)) for column in row.cells
    ]
    return tag("tr", tag("th", f"{row.number}", scope="row"), *cells, id=row_anchor(game, row.number))


def _cell(context: Context, cell: Cell, decisions: dict[int, list[Decision]], luck: dict[int, Luck]) -> list[Content]:
    lost = [
        _loss(context, one, cell) for event in cell.events for one in decisions.get(event, ()) if one.loss >= _SHOWN
    ]
    rolled = [luck[event] for event in cell.events if event in luck and luck[event].mark]
    notes = [
        *lost,
        *(tag("span", f"{one.mark} {figures.signed(one.equity)}", class_="luck") for one in rolled),
    ]
    dice = [] if cell.dice is None else [tag("b", f"{cell.dice[0]}{cell.dice[1]}:"), " "]
    return [*dice, cell.text, tag("small", join(notes, " ")) if notes else None]


def _loss(context: Context, decision: Decision, cell: Cell) -> Markup:
    # What was not done stands in the cell of the roll that was played instead.
    words = "no double " if decision.kind == "double" and cell.dice is not None else ""
    text = f"{words}{mark_sign(decision.mark)} {figures.signed(-decision.loss)}".strip()
    if decision.loss > context.threshold:
        return tag("a", text, href=f"#{anchor(decision)}", class_=f"lost {decision.mark.replace(' ', '-')}".strip())
    return tag("span", text, class_="lost")
