"""What a match is, and what both players' decisions add up to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bgai.analysis.decision import CLOSE, FAULTS, LUCKY, MARKS, VERY_LUCKY, Fault
from bgai.analysis.report import figures
from bgai.analysis.report.context import Context
from bgai.analysis.report.marks import mark_sign
from bgai.analysis.report.markup import Markup, join, tag
from bgai.analysis.statistics import LUCK_MARKS, RATINGS, PlayerStatistics, Statistics, Total

Row = tuple[str, str, str]
"""What is told, and that of both players."""


def header(context: Context) -> Markup:
    """Names, what was played, how it ended, and how it was analysed."""
    analysis = context.analysis
    pairs = [
        ("Played", _contest(context)),
        ("Result", _result(context)),
        *((key.replace("_", " ").capitalize(), value) for key, value in analysis.record.metadata.items() if value),
        ("Analysed", f"{analysis.level}, by the network {analysis.model}"),
        *([("Match equities", analysis.met)] if analysis.met else []),
    ]
    terms = [tag("div", tag("dt", key), tag("dd", value)) for key, value in pairs]
    comment = analysis.record.comment
    return tag(
        "header",
        tag("h1", context.name(0), " – ", context.name(1)),
        tag("dl", *terms, class_="facts"),
        tag("p", comment, class_="comment") if comment else None,
        _problems(analysis.problems),
    )


def _contest(context: Context) -> str:
    rules, games = context.analysis.record.rules, figures.counted(len(context.analysis.record.games), "game")
    if rules.length:
        return f"a match to {figures.counted(rules.length, 'point')}, {games}"
    extra = [name for name, agreed in (("Jacoby", rules.jacoby), ("beavers", rules.beavers)) if agreed]
    return ", ".join(["for money", *extra, games])


def _result(context: Context) -> str:
    final = context.final
    score = f"{final.score[0]}–{final.score[1]}"
    if final.winner is not None:
        ordered = sorted(final.score, reverse=True)
        return f"{context.names[final.winner]} wins {ordered[0]}–{ordered[1]}"
    if context.match:
        return f"not finished, {score}"
    return f"{score} points" + (", the last game is not finished" if final.playing else "")


def _problems(problems: tuple[str, ...]) -> Markup | None:
    if not problems:
        return None
    lines = tag("ul", *(tag("li", problem) for problem in problems))
    return tag("section", tag("h2", "What was wrong with the file"), lines, class_="problems")


def summary_section(context: Context) -> Markup:
    """The table of both players, and what its figures mean."""
    statistics = context.analysis.statistics()
    players = statistics.players
    cards = [_card(context, seat, one) for seat, one in enumerate(players)]
    groups = [
        tag(
            "tbody",
            tag("tr", tag("th", title, colspan=3, scope="rowgroup")),
            *(
                tag("tr", tag("th", words, scope="row"), *(tag("td", text, class_="number") for text in texts))
                for words, *texts in rows
            ),
        )
        for title, rows in _groups(context, statistics)
        if rows
    ]
    head = tag(
        "tr", tag("td"), *(tag("th", context.name(seat), scope="col", class_="number") for seat in (0, 1))
    )  # fmt: skip
    table = tag("table", tag("caption", "Both players in figures"), tag("thead", head), *groups, class_="summary")
    return tag(
        "section",
        tag("h2", "Summary"),
        tag("div", *cards, class_="cards"),
        tag("div", table, _definitions(context), class_="beside"),
        id="summary",
    )


def _card(context: Context, seat: int, one: PlayerStatistics) -> Markup:
    rating = one.rating or "nothing to rate"
    errors = sum(one.marks.values())
    return tag(
        "div",
        tag("p", context.name(seat), class_="who"),
        tag("p", tag("b", figures.rate(one.pr)), " PR", class_="pr"),
        tag("p", rating[0].upper() + rating[1:], class_="rating"),
        tag("p", f"{figures.counted(errors, 'error')}, luck {figures.swing(one.luck_cost, context.match)}"),
        class_="card",
    )


def _groups(context: Context, statistics: Statistics) -> Iterator[tuple[str, list[Row]]]:
    players, match = statistics.players, context.match

    def row(words: str, told: Callable[[PlayerStatistics], str]) -> Row:
        return words, told(players[0]), told(players[1])

    def total(of: Callable[[PlayerStatistics], Total]) -> list[Row]:
        return [
            row("Decisions", lambda one: f"{of(one).decisions}"),
            row("PR", lambda one: figures.rate(of(one).pr)),
            row("Equity lost", lambda one: figures.loss(of(one).loss)),
            row("Match chance lost" if match else "Points lost", lambda one: figures.cost(of(one).cost, match)),
        ]

    def marks(words: str, of: Callable[[PlayerStatistics], Mapping[Any, int]], mark: str) -> Row:
        return row(words, lambda one: f"{of(one)[mark]}")

    def errors(fault: Fault) -> Row:
        return row(fault.capitalize(), lambda one: _errors(one.faults.get(fault), match))

    yield (
        "All decisions",
        [
            *total(lambda one: one.all),
            row("Error rate, gnubg", lambda one: figures.rate(one.error_rate)),
            row("Error rate, Snowie", lambda one: figures.rate(one.snowie_error_rate)),
            row("Rating", lambda one: one.rating or figures.NONE),
        ],
    )
    yield (
        "Checker play",
        [
            *total(lambda one: one.checker),
            *(
                marks(f"{mark.capitalize()} {mark_sign(mark)}", lambda one: one.checker_marks, mark)
                for mark, _ in reversed(MARKS)
            ),
        ],
    )
    yield (
        "Cube",
        [
            *total(lambda one: one.cube),
            *(
                marks(f"{mark.capitalize()} {mark_sign(mark)}", lambda one: one.cube_marks, mark)
                for mark, _ in reversed(MARKS)
            ),
            row("Doubles", lambda one: f"{one.doubles}"),
            row("Takes", lambda one: f"{one.takes}"),
            row("Passes", lambda one: f"{one.passes}"),
        ],
    )
    yield (
        "Errors with the cube",
        [errors(fault) for fault in FAULTS if any(fault in one.faults for one in players)],
    )
    yield (
        "Resignations",
        [row("Wrong", lambda one: _errors(one.resignations, match))]
        if any(one.resignations.decisions for one in players)
        else [],
    )
    yield (
        "Luck",
        [
            row("In equity", lambda one: figures.equity(one.luck)),
            row("In match chance" if match else "In points", lambda one: figures.swing(one.luck_cost, match)),
            row("Luck rate, gnubg", lambda one: figures.rate(one.luck_rate)),
            *(marks(mark.capitalize(), lambda one: one.luck_marks, mark) for mark in LUCK_MARKS),
        ],
    )
    yield (
        "Result",
        [
            row("Match chance won" if match else "Points won", lambda one: figures.swing(one.result, match)),
            row("The same without luck", lambda one: figures.swing(one.adjusted, match)),
        ],
    )


def _errors(total: Total | None, match: bool) -> str:
    if total is None or not total.decisions:
        return figures.NONE
    return f"{total.decisions}, {figures.cost(total.cost, match)}"


def _definitions(context: Context) -> Markup:
    match = context.match
    unit = "chance to win the match (MWC)" if match else "points"
    ratings = ", ".join(f"{name} below {1000 * limit:g}" for limit, name in RATINGS)
    marks = ", ".join(f"{mark} above {limit}" for mark, limit in reversed(MARKS))
    terms = [
        (
            "Equity",
            "points to be expected for each point on the cube, with right decisions from then on"
            + ("; in a match scaled so that winning a single game is +1 and losing one −1 (EMG)." if match else "."),
        ),
        ("Loss", f"equity of the best choice less that of what was done; {marks}. It costs {unit} as well."),
        (
            "Decisions",
            "that ratings count: plays with a choice, doubles, answers to doubles, and decisions not to double where"
            f" doubling would have lost less than {CLOSE}.",
        ),
        ("Chances", "to win, to win a gammon or more (G), to win a backgammon (BG), and the same lost; in percent."),
        ("PR", "performance rating: 500 × equity lost, divided by decisions."),
        (
            "Error rate",
            "gnubg: 1000 × equity lost, divided by decisions; Snowie: divided by the rolls of both players.",
        ),
        ("Rating", f"after gnubg, by its error rate: {ratings}, “awful!” above."),
        (
            "Luck",
            "equity after the best play of a roll, less the mean over all rolls, by the network without looking ahead;"
            f" lucky above {LUCKY}, very lucky above {VERY_LUCKY}. The luck rate is 1000 × luck for each roll.",
        ),
        ("Without luck", "the result less one's own luck and plus the opponent's, in the games that ended."),
        ("Plies", "in gnubg's count: 0-ply is the network alone; XG and others count one more."),
    ]
    return tag(
        "aside",
        tag("h3", "What the figures mean"),
        tag("dl", *(join([tag("dt", key), tag("dd", text)]) for key, text in terms)),
        id="definitions",
    )
