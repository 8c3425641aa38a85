"""What an analysis says, as tables of words: for the terminal and for Markdown alike."""

from __future__ import annotations

from collections.abc import Callable

from bgai.analysis import Analysis, Decision, PlayerStatistics, Statistics
from bgai.analysis.decision import FAULTS, MARKS, Fault
from bgai.analysis.statistics import LUCK_MARKS
from bgai.cli.columns import Table
from bgai.cli.looking import depth
from bgai.events import EndOfGame

_WORTH = ("", "a single game", "a gammon", "a backgammon")


def title(analysis: Analysis) -> str:
    """Who played what."""
    rules = analysis.record.rules
    what = f"a match to {rules.length} points" if rules.length else "a money session"
    first, second = analysis.record.players
    count = len(analysis.record.games)
    return f"{first} against {second}, {what}, {count} game{'s' * (count != 1)}"


def how(analysis: Analysis) -> str:
    """Who says so."""
    return ", ".join(filter(None, [analysis.model, analysis.level, analysis.met]))


def summary(analysis: Analysis) -> Table:
    """Ratings, errors and luck of both players."""
    found = analysis.statistics()
    unit = "MWC" if found.match else "points"
    marks = ", ".join(mark for mark, _ in MARKS)

    def cost(value: float | None, sign: str = "") -> str:
        return _number(value if value is None or not found.match else 100 * value, sign, "%" * found.match)

    said: list[tuple[str, Callable[[PlayerStatistics], str]]] = [
        ("PR (500 x loss a decision)", lambda one: _number(one.pr)),
        ("error rate of gnubg (1000 x loss a decision)", lambda one: _number(one.error_rate)),
        ("error rate of Snowie (1000 x loss a move of either)", lambda one: _number(one.snowie_error_rate)),
        ("rating in gnubg's words", lambda one: one.rating or "-"),
        ("plays: unforced of all", lambda one: f"{one.checker.decisions} of {one.moves}"),
        ("  PR", lambda one: _number(one.checker.pr)),
        (f"  loss in equity, in {unit}", lambda one: f"{one.checker.loss:.3f}, {cost(one.checker.cost)}"),
        (f"  {marks}", lambda one: _counts([one.checker_marks[mark] for mark, _ in MARKS])),
        ("cube: close or actual decisions", lambda one: str(one.cube.decisions)),
        ("  doubles, takes, passes", lambda one: _counts([one.doubles, one.takes, one.passes])),
        ("  PR", lambda one: _number(one.cube.pr)),
        (f"  loss in equity, in {unit}", lambda one: f"{one.cube.loss:.3f}, {cost(one.cube.cost)}"),
        (f"  {marks}", lambda one: _counts([one.cube_marks[mark] for mark, _ in MARKS])),
        *((f"  {fault}: how many, loss", _fault(fault)) for fault in FAULTS if _occurs(found, fault)),
    ]
    if any(one.resignations.decisions for one in found.players):
        said.append(
            ("wrong resignations, loss", lambda one: f"{one.resignations.decisions}, {one.resignations.loss:.3f}")
        )
    said += [
        (f"luck in equity, in {unit}", lambda one: f"{_number(one.luck, '+', decimals=3)}, {cost(one.luck_cost, '+')}"),
        (f"  {', '.join(LUCK_MARKS)}", lambda one: _counts([one.luck_marks[mark] for mark in LUCK_MARKS])),
        (f"result in {unit}", lambda one: cost(one.result, "+")),
        ("  without luck", lambda one: cost(one.adjusted, "+")),
    ]
    rows = [(label, *(say(one) for one in found.players)) for label, say in said]
    return Table(("", *analysis.record.players), rows, frozenset((1, 2)))


def errors(analysis: Analysis, most: int) -> Table:
    """The worst decisions, at most so many, or all that have a mark with 0."""
    wrong = sorted((one for one in analysis.decisions if one.mark), key=lambda one: (-one.loss, one.game, one.event))
    match = bool(analysis.record.rules.length)
    deep = len({one.best.plies for one in wrong}) > 1
    rows = [
        (
            _loss(one),
            *([_number(100 * one.cost, "", "%")] if match else []),
            one.mark,
            f"{one.game + 1}.{analysis.row(one)}",
            analysis.record.players[one.seat],
            _asked(one),
            one.chosen.text or "no play",
            one.best.text,
            *([depth(one.best.plies)] if deep else []),
            one.xgid.removeprefix("XGID="),
        )
        for one in wrong[: most or None]
    ]
    asked = ("mark", "row", "who", "what", "done", "best", *(["depth"] if deep else []), "XGID")
    headings = ("loss", *(["MWC"] if match else []), *asked)
    return Table(headings, rows, frozenset((0, 1) if match else (0,)))


def games(analysis: Analysis) -> Table:
    """A line for each game."""
    rows: list[tuple[str, ...]] = []
    points = list(analysis.record.score)
    for number, game in enumerate(analysis.record.games):
        found = analysis.statistics(number).players
        rows.append(
            (
                str(number + 1),
                f"{points[0]}-{points[1]}",
                _ending(game.result, analysis.record.players),
                *(_number(one.pr) for one in found),
                *(_number(one.luck, "+") for one in found),
            )
        )
        if game.result is not None:
            points[game.result.winner] += game.result.points
    names = analysis.record.players
    headings = ("game", "score", "result", *(f"PR {name}" for name in names), *(f"luck {name}" for name in names))
    return Table(headings, rows, frozenset((0, 3, 4, 5, 6)))


def _number(value: float | None, sign: str = "", unit: str = "", decimals: int = 2) -> str:
    """What rounds to nothing has no sign."""
    if value is None:
        return "-"
    text = f"{value:{sign}.{decimals}f}"
    return (text if float(text) else text.lstrip("+-")) + unit


def _counts(counts: list[int]) -> str:
    return ", ".join(map(str, counts))


def _occurs(found: Statistics, fault: Fault) -> bool:
    return any(fault in one.faults for one in found.players)


def _fault(fault: Fault) -> Callable[[PlayerStatistics], str]:
    def say(one: PlayerStatistics) -> str:
        total = one.faults.get(fault)
        return "0" if total is None else f"{total.decisions}, {total.loss:.3f}"

    return say


def _loss(one: Decision) -> str:
    """In millipoints, with the standard error of the worth of what was done if it was rolled out."""
    error = one.chosen.error if one.chosen.error is not None else one.best.error
    return f"{1000 * one.loss:.0f}" + ("" if error is None else f" ± {1000 * error:.0f}")


def _asked(one: Decision) -> str:
    """What there was to decide."""
    position = one.position
    if one.kind == "play":
        assert position.dice is not None
        return f"plays {position.dice[0]}{position.dice[1]}"
    if one.kind == "answer":
        return f"answers a {position.offer}"
    if one.kind == "double":
        return "cube"
    return "resigns" if one.kind == "resignation" else "answers a resignation"


def _ending(result: EndOfGame | None, players: tuple[str, str]) -> str:
    if result is None:
        return "not finished"
    by = {"bear-off": "", "drop": " by a pass", "resignation": " by resignation"}[result.how]
    cube = f", cube {result.cube}" if result.cube > 1 else ""
    return f"{players[result.winner]} wins {_WORTH[result.value]}{cube}{by}"
