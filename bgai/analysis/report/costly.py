"""The errors of a match, the dearest first: position, choices, and what is to be said."""

from __future__ import annotations

from collections.abc import Sequence

from bgai.analysis.decision import Choice, Decision
from bgai.analysis.report import figures
from bgai.analysis.report.boards import Boards
from bgai.analysis.report.context import Context, anchor, row_anchor
from bgai.analysis.report.marks import mark_sign
from bgai.analysis.report.markup import Content, Markup, join, tag
from bgai.board import flip, pip_count
from bgai.coach.explaining import Explanation
from bgai.diagram.words import caption, contest, cube_words, standing
from bgai.notation.matchid import format_gnubg_id

_DISTINCT = 1e-3
"""Equities that are closer than this do not tell what lies between them."""

_CANDIDATES = 5
"""Choices that are shown, beside the one that was made."""

KINDS = (("play", "Plays"), ("cube", "Cube"), ("resignation", "Resignations"))


def kind_of(decision: Decision) -> str:
    """Which of `KINDS` it belongs to."""
    if decision.kind == "play":
        return "play"
    return "cube" if decision.kind in ("double", "answer") else "resignation"


def errors_section(context: Context, boards: Boards) -> Markup:
    """All of them, with buttons that leave some out."""
    errors = context.errors
    heading = tag("h2", "Errors")
    limit = figures.loss(context.threshold)
    if not errors:
        return tag("section", heading, tag("p", f"No decision loses more equity than {limit}."), id="errors")
    lose = "decision loses" if len(errors) == 1 else "decisions lose"
    order = "chance to win the match" if context.match else "points"
    intro = f"{len(errors)} {lose} more equity than {limit}. They are sorted by what they cost in {order}."
    articles = [_article(context, boards, number, error) for number, error in enumerate(errors, start=1)]
    return tag("section", heading, tag("p", intro), _filters(context), *articles, id="errors")


def _filters(context: Context) -> Markup:
    """Buttons that the style sheet obeys: each leaves errors out."""
    kinds = [(kind, words) for kind, words in KINDS if any(kind_of(error) == kind for error in context.errors)]
    seats = [(f"seat-{seat}", context.name(seat)) for seat in (0, 1)]
    groups: list[tuple[str, str, Sequence[tuple[str, Content]]]] = [
        ("who", "Player", [("who-all", "both"), *seats]),
        ("what", "Decisions", [("what-all", "all"), *((f"kind-{kind}", words) for kind, words in kinds)]),
    ]
    return tag(
        "form",
        *(
            tag(
                "fieldset",
                tag("legend", legend),
                *(
                    tag(
                        "label",
                        tag("input", type="radio", name=name, id=f"show-{key}", checked=number == 0),
                        " ",
                        words,
                    )
                    for number, (key, words) in enumerate(buttons)
                ),
            )
            for name, legend, buttons in groups
            if len(buttons) > 2 or name == "who"
        ),
        class_="filters",
    )


def _article(context: Context, boards: Boards, number: int, error: Decision) -> Markup:
    row = context.analysis.row(error)
    where = f"Game {error.game + 1}, move {row}"
    heading = tag("h3", tag("span", f"{number}", class_="rank"), " ", _heading(context, error))
    lost = [tag("b", mark_sign(error.mark), f" {error.mark}", class_="mark"), " "] if error.mark else []
    loss = [*lost, f"loses {figures.loss(error.loss)}"]
    if error.mwc_loss is not None:
        loss.append(f", {figures.chance(error.mwc_loss)} of the match")
    elif error.position.cube.value > 1:
        loss.append(f" times {error.position.cube.value}, {figures.cost(error.cost, False)} points")
    return tag(
        "article",
        heading,
        tag("p", *loss, " · ", tag("a", where, href=f"#{row_anchor(error.game, row)}"), class_="loss"),
        tag("p", _situation(context, error), class_="situation"),
        tag("div", _figure(context, boards, error), tag("div", *_tables(context, error)), class_="sides"),
        _words(context, error),
        _ids(error),
        class_=f"error seat-{error.seat} kind-{kind_of(error)} {error.mark.replace(' ', '-')}".strip(),
        id=anchor(error),
    )


def _heading(context: Context, error: Decision) -> Markup:
    name, made, best = context.name(error.seat), error.chosen.text, error.best.text
    dice = error.position.dice
    if error.kind == "play" and dice is not None:
        return join([name, f" plays {dice[0]}-{dice[1]}: {made}"])
    return join([name, f": {made} instead of {best}"])


def _situation(context: Context, error: Decision) -> str:
    position = error.position
    names = context.seen_by(position.seat)
    points = [f"{name} has {words}" for side, name in enumerate(names) if (words := standing(position, side))]
    cube = cube_words(position, names)
    return f"{caption(position, None, names)}. {'; '.join([contest(position), *points, cube])}."


def _figure(context: Context, boards: Boards, error: Decision) -> Markup:
    position = error.position
    names = context.seen_by(position.seat)
    play = error.kind == "play"
    best, made = (error.best.text, error.chosen.text) if play else (None, None)
    told = f"Best is {error.best.text or 'no play'}, made was {error.chosen.text or 'no play'}."
    sides = [
        tag("span", tag("span", class_=f"checker {side}"), " ", tag("bdi", name), f" {pips} pips")
        for side, name, pips in (
            ("own", names[0], int(pip_count(position.board))),
            ("opponent", names[1], int(pip_count(flip(position.board)))),
        )
    ]
    arrows = [
        tag("span", _arrow(kind), f" {words} {text}")
        for kind, words, text in (("best", "best", best), ("made", "played", made))
        if play
    ]
    return tag(
        "figure",
        boards.diagram(position, best, made, names, told),
        tag("figcaption", *sides, *arrows),
    )


def _arrow(kind: str) -> Markup:
    return tag("svg", tag("use", href=f"#arrow-{kind}"), class_=f"arrow-key {kind}", aria_hidden="true")


def arrow_keys() -> Markup:
    """The arrows of the legends, for the definitions of the page."""
    shapes = [
        tag(
            "g",
            tag("path", d="M1,6 H20", stroke_width="2.6", stroke_dasharray="5 3" if kind == "made" else None),
            tag("path", d="M20,1.5 L28,6 L20,10.5 Z", class_="tip"),
            id=f"arrow-{kind}",
        )
        for kind in ("best", "made")
    ]
    return tag("svg", tag("defs", *shapes), class_="shared", width=0, height=0, aria_hidden="true")


def _tables(context: Context, error: Decision) -> list[Markup]:
    tables = [_choices(context, error)]
    if error.cube is not None:
        tables.append(_cube(context, error))
    return tables


def shown_choices(decision: Decision) -> list[tuple[int, Choice]]:
    """The best choices and the one that was made, with their ranks from 1."""
    ranked = list(enumerate(decision.choices, start=1))
    return [(rank, choice) for rank, choice in ranked if rank <= _CANDIDATES or rank == decision.made + 1]


def _choices(context: Context, error: Decision) -> Markup:
    match = context.match
    with_chances = any(choice.outcomes is not None for _, choice in shown_choices(error))
    tagged = " played" if error.kind == "play" else " made"
    rows = []
    for rank, choice in shown_choices(error):
        made = rank == error.made + 1
        rows.append(
            tag(
                "tr",
                tag("td", f"{rank}", class_="rank"),
                tag(
                    "th",
                    choice.text or "no play",
                    tag("small", _depth(choice), tag("b", tagged, class_="tag") if made else None),
                    scope="row",
                ),
                tag("td", figures.equity(choice.equity), _second(figures.chance(choice.mwc) if match else None),
                    class_="number"),
                tag("td", *_loss(error, choice, match), class_="number"),
                _chances(choice) if with_chances else None,
                class_="made" if made else None,
            )
        )  # fmt: skip
    what = "Plays" if error.kind == "play" else "Choices"
    more = error.legal - len(error.choices)
    legal = f"; {figures.counted(error.legal, 'legal play')}" if error.kind == "play" and more > 0 else ""
    head = [
        tag("th", tag("abbr", "#", title="Rank"), scope="col", class_="rank"),
        tag("th", what[:-1], scope="col"),
        tag("th", "Equity", _second("MWC" if match else None), scope="col", class_="number"),
        tag("th", "Loss", scope="col", class_="number"),
    ]
    if with_chances:
        head.append(
            tag(
                "th", "Win, G, BG %", tag("small", "Lose, G, BG %"), scope="col", class_="number",
            )
        )  # fmt: skip
    caption = tag("caption", f"{what}, the best first, as ", context.name(error.seat), f" sees them{legal}")
    return tag("table", caption, tag("thead", tag("tr", *head)), tag("tbody", *rows), class_="choices")


def _second(text: str | None) -> Markup | None:
    """The smaller second line of a cell."""
    return None if text is None else tag("small", text)


def _depth(choice: Choice) -> str:
    return figures.depth(choice.plies) + ("" if choice.error is None else f" ±{figures.loss(choice.error)}")


def _loss(error: Decision, choice: Choice, match: bool) -> list[Content]:
    if choice is error.best:
        return [figures.NONE]
    lost = error.best.equity - choice.equity
    cells: list[Content] = [figures.loss(lost)]
    if match and error.best.mwc is not None and choice.mwc is not None:
        cells.append(_second(figures.chance(error.best.mwc - choice.mwc)))
    return cells


def _chances(choice: Choice) -> Markup:
    if choice.outcomes is None:
        return tag("td", figures.NONE, class_="number")
    win, gammon, backgammon, lost_gammon, lost_backgammon = choice.outcomes
    return tag(
        "td",
        figures.game_chances(win, gammon, backgammon),
        tag("small", figures.game_chances(1 - win, lost_gammon, lost_backgammon)),
        class_="number chances",
    )


def _cube(context: Context, error: Decision) -> Markup:
    cube = error.cube
    assert cube is not None
    seat = error.position.seat
    verb = "redouble" if error.position.cube.owner == "on roll" else "double"
    best = max(cube.no_double, min(cube.double_take, cube.double_pass))

    def mwc(equity: float) -> str | None:
        return figures.chance(mwc_of_doubler(error, equity)) if context.match else None

    rows = []
    for words, equity in (
        (f"No {verb}", cube.no_double),
        (f"{verb.capitalize()}, {'beaver' if cube.answer == 'beaver' else 'take'}", cube.double_take),
        (f"{verb.capitalize()}, pass", cube.double_pass),
    ):
        rows.append(
            tag(
                "tr",
                tag("th", words, scope="row"),
                tag("td", figures.equity(equity), _second(mwc(equity)), class_="number"),
                tag("td", figures.signed(equity - best), class_="number"),
            )
        )
    head = tag(
        "tr", tag("th", "Cube", scope="col"), tag("th", "Equity", scope="col", class_="number"),
        tag("th", "Difference", scope="col", class_="number"),
    )  # fmt: skip
    words = tag("caption", "The cube, as ", context.name(seat), f" sees it. Right is: {cube.action}, {cube.answer}")
    return tag("table", words, tag("thead", head), tag("tbody", *rows), class_="cube")


def mwc_of_doubler(decision: Decision, equity: float) -> float | None:
    """The chance to win the match of the player on roll that an equity is; they lie on a line, which two choices give.

    None if all choices are worth the same, or for money.
    """
    own = decision.seat == decision.position.seat
    known = [
        (choice.equity, choice.mwc) if own else (-choice.equity, 1 - choice.mwc)
        for choice in decision.choices
        if choice.mwc is not None
    ]
    for there, chance in known[1:]:
        first, base = known[0]
        if abs(there - first) > _DISTINCT:
            return base + (chance - base) * (equity - first) / (there - first)
    return None


def _words(context: Context, error: Decision) -> Markup:
    said = context.explanations.get((error.game, error.event))
    return tag("div", tag("h4", "Why"), tag("p", summary(context, error)), *_explained(said), class_="why")


def summary(context: Context, error: Decision) -> str:
    """The error in a sentence."""
    best, made = error.best.text or "no play", error.chosen.text or "no play"
    lost = f"{figures.loss(error.loss)} of equity"
    if error.mwc_loss is not None:
        lost += f" and {figures.chance(error.mwc_loss)} of the match"
    if error.fault is not None:
        fault = error.fault
        return f"{fault.capitalize()}: {best} was right, {made} gives up {lost}."
    return f"Best was {best}; {made} gives up {lost}."


def _explained(said: Explanation | str | None) -> list[Markup]:
    if said is None:
        return []
    if isinstance(said, str):
        return [tag("p", line) for line in said.splitlines() if line.strip()]
    done, best = ("Played", "Best") if said.kind == "play" else ("Made", "Right")
    columns = [
        tag("div", tag("p", lead, class_="lead"), tag("ul", *(tag("li", one.text) for one in lines)))
        for lines, lead in ((said.mistakes, f"{done}: {said.done}"), (said.reasons, f"{best}: {said.best}"))
        if lines
    ]
    parts = [tag("div", *columns, class_="reasons")]
    if said.about:
        lines = tag("ul", *(tag("li", one.text) for one in said.about))
        parts.append(tag("details", tag("summary", "The position in words"), lines))
    return parts


def _ids(error: Decision) -> Markup:
    ids = tag("code", error.xgid), tag("span", "GNUBG ID ", tag("code", format_gnubg_id(error.position)))
    return tag("p", *ids, class_="ids")
