"""How a match went: the chance to win it, or the points for money, from decision to decision.

The line falls where a player errs, and moves with the dice between two decisions. The first player is above.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from bgai.analysis.decision import Choice, Decision, Luck
from bgai.analysis.report import figures
from bgai.analysis.report.context import Context, anchor, row_anchor
from bgai.analysis.report.markup import Markup, join, tag

_LUCKIEST = 10
"""Rolls in the table of the luckiest."""

_LABELLED = 0.05
"""Share of the width that a game needs to have its number written."""


@dataclass(frozen=True)
class Point:
    """A place on the line."""

    x: int
    y: float
    """How the first player stands: chance to win the match, or points."""


@dataclass(frozen=True)
class Sign:
    """Something that is marked on the line."""

    point: Point
    what: Decision | Luck
    link: str
    """Where on the page it is."""

    @property
    def up(self) -> bool:
        """Whether it was good for the first player."""
        gained = isinstance(self.what, Luck) and self.what.equity > 0
        return gained == (self.what.seat == 0)


@dataclass(frozen=True)
class Course:
    """The line with its signs."""

    points: tuple[Point, ...]
    borders: tuple[Point | None, ...]
    """Before the first game, and after each; None where the standing is not known."""
    starts: tuple[int, ...]
    """Where each game begins, and where the last one ends."""
    signs: tuple[Sign, ...]


def borders_of(context: Context) -> list[float | None]:
    """How the first player stood before the first game, and after each.

    A match that is recorded from the beginning begins at one half; of another one the result tells how it began.
    """
    record, results = context.analysis.record, context.analysis.results
    start: float | None = 0.0
    if record.rules.length:
        winner = context.final.winner
        if record.score[0] == record.score[1]:
            start = 0.5
        elif winner is not None and None not in results:
            start = 1 - winner - sum(result for result in results if result is not None)
        else:
            start = None
    borders = [start]
    for result in results:
        before = borders[-1]
        borders.append(None if before is None or result is None else before + result)
    return borders


def course_of(context: Context) -> Course:
    """The line of a match."""
    analysis = context.analysis
    borders = borders_of(context)
    shown = {id(one) for one in context.errors if one.mark == "very bad"}
    rolled = {(one.game, one.event): one for one in analysis.luck if one.mark.startswith("very")}
    points: list[Point] = []
    corners: list[Point | None] = []
    starts, signs = [0], []

    def border(game: int) -> None:
        value = borders[game]
        corner = None if value is None else Point(starts[-1], value)
        corners.append(corner)
        if corner is not None:
            points.append(corner)

    border(0)
    x = 0
    for game in range(len(analysis.record.games)):
        base = borders[game] or 0.0
        decisions = [one for one in analysis.decisions if one.game == game]
        luck = {event: one for (number, event), one in rolled.items() if number == game}
        for decision in decisions:
            x += 1
            best, made = (_standing(decision, choice, base) for choice in (decision.best, decision.chosen))
            points.append(Point(x, best))
            if decision.kind == "play":
                for event in [event for event in luck if event < decision.event]:
                    one = luck.pop(event)
                    signs.append(Sign(points[-1], one, row_anchor(game, analysis.row(one))))
            if made != best:
                points.append(Point(x, made))
            if id(decision) in shown:
                signs.append(Sign(points[-1], decision, anchor(decision)))
        x += 1
        starts.append(x)
        border(game + 1)
    return Course(tuple(points), tuple(corners), tuple(starts), tuple(signs))


def _standing(decision: Decision, choice: Choice, base: float) -> float:
    """How the first player stands if something is chosen."""
    if choice.mwc is not None:
        return choice.mwc if decision.seat == 0 else 1 - choice.mwc
    return base + (1 - 2 * decision.seat) * choice.equity * decision.position.cube.value


def course_section(context: Context) -> Markup:
    """The graph, and the same as tables."""
    course = course_of(context)
    heading = tag("h2", f"The course of the {'match' if context.match else 'session'}")
    if len(course.points) < 2:
        return tag("section", heading, tag("p", "Nothing was played."), id="course")
    parts = _figure(context, course), _games(context, course), _luckiest(context)
    return tag("section", heading, *parts, id="course")


def _figure(context: Context, course: Course) -> Markup:
    first, second = context.names
    what = f"Chance of {first} to win the match" if context.match else f"Points of {first}: won, and to be expected"
    return tag(
        "figure",
        tag("div", _graph(context, course, what), class_="graph-frame"),
        tag(
            "figcaption",
            f"{what}. Up is good for {first}, down for {second}; dotted lines part the games. ",
            _legend("error-sign", "a very bad error"),
            " ",
            _legend("luck-sign", "a very lucky or unlucky roll"),
            " ",
            "The triangles point to whom it helped.",
        ),
        class_="course",
    )


def _legend(sign: str, words: str) -> Markup:
    mark = tag("svg", tag("use", href=f"#{sign}-up", x=8, y=9), class_="sign", aria_hidden="true")
    return tag("span", mark, f" {words}.", class_="key")


def _graph(context: Context, course: Course, what: str) -> Markup:
    low, high, ticks = _scale(context, course)
    width = course.starts[-1] or 1

    def across(x: float) -> str:
        return f"{100 * x / width:.2f}%"

    def below(y: float) -> str:
        return f"{100 * (high - y) / (high - low):.2f}%"

    lines = [
        tag("line", x1="0", x2="100%", y1=below(tick), y2=below(tick), class_="middle" if tick == ticks[1] else None)
        for tick in ticks[0]
    ]
    labels = [
        tag("text", _tick(tick, context.match), x="-6", y=below(tick), dy="0.32em", class_="tick") for tick in ticks[0]
    ]
    games = []
    for game, (start, end) in enumerate(zip(course.starts, course.starts[1:], strict=False)):
        if end < width:
            games.append(tag("line", x1=across(end), x2=across(end), y1="0", y2="100%", class_="border"))
        if (end - start) / width > _LABELLED or len(course.starts) == 2:
            games.append(tag("text", f"{game + 1}", x=across((start + end) / 2), y="-6", class_="game-number"))
    path = " ".join(
        f"{1000 * point.x / width:.0f},{1000 * (high - point.y) / (high - low):.0f}" for point in course.points
    )
    line = tag(
        "svg",
        tag("polyline", points=path, vector_effect="non-scaling-stroke"),
        class_="line", viewBox="0 0 1000 1000", preserveAspectRatio="none", width="100%", height="100%",
    )  # fmt: skip
    signs = [_sign(context, sign, across(sign.point.x), below(sign.point.y)) for sign in course.signs]
    return tag(
        "svg", join(lines), join(games), join(labels), line, join(signs),
        class_="graph", role="img", aria_label=f"{what}, as a graph. {_in_words(context, course)}",
    )  # fmt: skip


def _sign(context: Context, sign: Sign, x: str, y: str) -> Markup:
    kind = "luck-sign" if isinstance(sign.what, Luck) else "error-sign"
    use = tag("use", href=f"#{kind}-{'up' if sign.up else 'down'}", x=x, y=y)
    return tag("a", tag("title", _told(context, sign.what)), use, href=f"#{sign.link}", tabindex=-1)


def _told(context: Context, what: Decision | Luck) -> str:
    where = f"Game {what.game + 1}, move {context.analysis.row(what)}"
    name = context.names[what.seat]
    if isinstance(what, Luck):
        return f"{where}: {name} rolls {what.dice[0]}-{what.dice[1]}, {figures.swing(what.cost, context.match)}"
    return f"{where}: {name}, {what.chosen.text or 'no play'}, costs {figures.cost(what.cost, context.match)}"


def _in_words(context: Context, course: Course) -> str:
    values = [point.y for point in course.points]
    shown = [figures.standing(value, context.match) for value in (values[0], min(values), max(values), values[-1])]
    return "It begins at {}, lies between {} and {} and ends at {}; the tables below have it by games.".format(*shown)


def _scale(context: Context, course: Course) -> tuple[float, float, tuple[list[float], float]]:
    """The lowest and the highest value, where lines are drawn, and which of them is the middle."""
    if context.match:
        return 0.0, 1.0, ([0.0, 0.25, 0.5, 0.75, 1.0], 0.5)
    values = [0.0, *(point.y for point in course.points)]
    span = max(max(values) - min(values), 1.0)
    step = next(step for step in _steps() if span / step <= 5)
    low, high = math.floor(min(values) / step), math.ceil(max(values) / step)
    return low * step, high * step, ([tick * step for tick in range(low, high + 1)], 0.0)


def _steps() -> Iterator[float]:
    """1, 2, 5, 10, 20, …"""
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10


def _tick(value: float, match: bool) -> str:
    return f"{100 * value:.0f}%" if match else figures.signed(value, 0)


def _games(context: Context, course: Course) -> Markup:
    analysis, (first, second) = context.analysis, context.names
    after = f"Chance of {first} after it" if context.match else f"Points of {first} after it"
    head = [
        tag("th", "Game", scope="col"), tag("th", "Score", scope="col"), tag("th", "Won by", scope="col"),
        tag("th", after, scope="col", class_="number"),
        *(tag("th", "PR ", context.name(seat), scope="col", class_="number") for seat in (0, 1)),
    ]  # fmt: skip
    rows = []
    for game, played in enumerate(analysis.record.games):
        statistics, border = analysis.statistics(game), course.borders[game + 1]
        score = context.score(game)
        result = played.result
        won = "not finished" if result is None else join([context.name(result.winner), f" +{result.points}"])
        rows.append(
            tag(
                "tr",
                tag("th", tag("a", f"{game + 1}", href=f"#game-{game + 1}"), scope="row"),
                tag("td", f"{score[0]}–{score[1]}"),
                tag("td", won),
                tag("td", figures.standing(None if border is None else border.y, context.match), class_="number"),
                *(tag("td", figures.rate(statistics[seat].pr), class_="number") for seat in (0, 1)),
            )
        )
    caption = tag("caption", f"The games; the score is that of {first} and {second} before each")
    return tag(
        "div", tag("table", caption, tag("thead", tag("tr", *head)), tag("tbody", *rows), class_="games"),
        class_="wide",
    )  # fmt: skip


def _luckiest(context: Context) -> Markup | None:
    rolls = sorted(context.analysis.luck, key=lambda one: -abs(one.cost))[:_LUCKIEST]
    if not rolls:
        return None
    rows = []
    for one in rolls:
        row = context.analysis.row(one)
        link = tag("a", f"{one.game + 1}, {row}", href=f"#{row_anchor(one.game, row)}")
        rows.append(
            tag(
                "tr",
                tag("th", link, scope="row"),
                tag("td", context.name(one.seat)),
                tag("td", f"{one.dice[0]}-{one.dice[1]}"),
                tag("td", figures.equity(one.equity), class_="number"),
                tag("td", figures.swing(one.cost, context.match), class_="number"),
            )
        )
    unit = "MWC" if context.match else "Points"
    head = [
        tag("th", words, scope="col", class_=kind)
        for words, kind in (
            ("Game, move", None), ("Player", None), ("Roll", None), ("Equity", "number"), (unit, "number"),
        )
    ]  # fmt: skip
    caption = tag("caption", "The rolls that mattered most, and what they brought whoever rolled")
    return tag(
        "div", tag("table", caption, tag("thead", tag("tr", *head)), tag("tbody", *rows)), class_="wide"
    )  # fmt: skip


def signs() -> Markup:
    """The triangles of the graph, for the definitions of the page."""
    up, down = "M0,-7 L6.5,5 L-6.5,5 Z", "M0,7 L6.5,-5 L-6.5,-5 Z"
    shapes = [
        tag("path", id=f"{kind}-{way}", d=shape, class_=kind)
        for kind in ("error-sign", "luck-sign")
        for way, shape in (("up", up), ("down", down))
    ]
    return tag("svg", tag("defs", *shapes), class_="shared", width=0, height=0, aria_hidden="true")
