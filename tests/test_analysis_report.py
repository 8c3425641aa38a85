"""The report of an analysis: read back out of its HTML."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from html.parser import HTMLParser

import numpy as np
import pytest

from bgai.analysis import Analysis, Decision
from bgai.analysis.report import DOUBTFUL, explain_errors, write_report
from bgai.analysis.report.context import Context, anchor, row_anchor
from bgai.analysis.report.costly import mwc_of_doubler, shown_choices
from bgai.analysis.report.course import course_of
from bgai.analyst import Analyst
from bgai.coach import Explanation
from bgai.diagram.geometry import SHOWN
from bgai.diagram.moves import ways_of
from bgai.errors import InputError
from bgai.events import Beaver, Double, Pass, Play, Raccoon, Resign, Roll, Take
from bgai.match_rules import Rules
from bgai.match_state import position
from bgai.notation.matchid import parse_gnubg_id
from bgai.notation.playtext import format_play
from bgai.notation.xgid import parse_xgid
from bgai.opinions import ROLLED
from bgai.record import MatchRecord
from tests.analysed import OPENING, committed_analysis, level_analyst, record_of, set_up

VOID = {"meta", "input", "br", "col"}
HOSTILE = ('<script>alert("A")</script>', "Ben's & 'co' \x1b[31m\ud800 </title>")
UNIT = 0.0005
"""Half of the last digit of equities."""


@dataclass
class Element:
    tag: str
    attributes: dict[str, str | None]
    content: list[Element | str] = field(default_factory=list)

    def __iter__(self) -> Iterator[Element]:
        """It, and all within."""
        yield self
        for part in self.content:
            if isinstance(part, Element):
                yield from part

    @property
    def classes(self) -> list[str]:
        return (self.attributes.get("class") or "").split()

    @property
    def text(self) -> str:
        return "".join(part if isinstance(part, str) else part.text for part in self.content)

    def all(self, tag: str, name: str | None = None) -> list[Element]:
        return [one for one in self if one.tag == tag and (name is None or name in one.classes)]

    def one(self, tag: str, name: str | None = None) -> Element:
        (found,) = self.all(tag, name)
        return found


class Page(HTMLParser):
    """A page as a tree. What is opened and not closed, or closed and not opened, is an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.root = Element("", {})
        self._open = [self.root]
        self.feed(text)
        self.close()
        assert self._open == [self.root]
        self.by_id = {one.attributes["id"]: one for one in self.root if "id" in one.attributes}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs)
        element = Element(tag, dict(attrs))
        self._open[-1].content.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert "svg" in [one.tag for one in self._open], "HTML knows this only within pictures"
        self._open[-1].content.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self._open[-1].content.append(data)

    def article(self, error: Decision) -> Element:
        return self.by_id[anchor(error)]


def number(text: str) -> float:
    """As it is written on the page."""
    return float(text.replace("−", "-").rstrip("%"))


def cells(row: Element) -> list[list[str]]:
    """The lines of each cell: what is small stands in a line of its own."""
    found = []
    for cell in (one for one in row if one.tag in ("td", "th")):
        small = [part.text for part in cell.content if isinstance(part, Element) and part.tag == "small"]
        rest = [
            part if isinstance(part, str) else part.text for part in cell.content if getattr(part, "tag", "") != "small"
        ]
        found.append(["".join(rest), *small])
    return found


def money_record() -> MatchRecord:
    """A beaver, a raccoon, and a pass that is wrong; the game after it breaks off."""
    events = [
        Roll(1, (5, 2)), Play(1, ((13, 8), (24, 22))), Double(0), Beaver(1), Raccoon(0), Take(1), Roll(0, (6, 6)),
        Play(0, ((24, 18), (24, 18), (13, 7), (13, 7))), Double(1), Pass(0), *OPENING, Roll(1, (4, 1)),
    ]  # fmt: skip
    return record_of(*events, rules=Rules(jacoby=True, beavers=True, raccoons=True))


@cache
def money() -> Analysis:
    return level_analyst().analyse(money_record())


def nothing() -> Analysis:
    record = MatchRecord.of(("Ann", "Ben"), Rules(length=5), [])
    return Analysis(record, (), (), "none", "0-ply", (), "some table")


def hostile() -> Analysis:
    record = replace(
        money().record,
        players=HOSTILE,
        metadata={"event": "<b>open</b>", '"><img src=http://example.org/x>': "x"},
        comment="</p><script>1</script>",
    )
    return replace(money(), record=record, problems=("<script>problem</script>",), model="<i>model</i>")


@cache
def page_of(name: str) -> tuple[Analysis, str, Page]:
    analysis = {"match": committed_analysis, "money": money, "nothing": nothing, "hostile": hostile}[name]()
    text = write_report(analysis)
    return analysis, text, Page(text)


def errors(analysis: Analysis) -> list[Decision]:
    return [one for one in analysis.decisions if one.loss > DOUBTFUL]


ALL = pytest.mark.parametrize("name", ["match", "money", "nothing", "hostile"])
PLAYED = pytest.mark.parametrize("name", ["match", "money"])


@ALL
def test_a_page_is_well_formed_and_needs_nothing_else(name: str) -> None:
    _, text, page = page_of(name)
    assert text.startswith("<!DOCTYPE html>\n<html")
    text.encode("utf-8")
    ids = [one.attributes["id"] for one in page.root if "id" in one.attributes]
    assert len(ids) == len(set(ids))
    assert not [one for one in page.root if one.tag in ("script", "link", "img", "iframe", "object", "embed", "base")]
    for one in page.root:
        for key, value in one.attributes.items():
            assert not key.startswith("on")
            if key in ("href", "src", "action"):
                assert value in {f"#{name}" for name in page.by_id}
    (style,) = page.root.all("style")
    assert "url(" not in style.text
    assert "@import" not in style.text
    assert not re.search("[^\t\n\r -~\xa0-\ud7ff\ue000-\U0010ffff]", text)


@ALL
def test_a_page_can_be_read_without_seeing_it(name: str) -> None:
    _, _, page = page_of(name)
    (html,) = page.root.all("html")
    assert html.attributes["lang"] == "en"
    assert len(page.root.all("h1")) == 1
    levels = [int(one.tag[1]) for one in page.root if re.fullmatch("h[1-6]", one.tag)]
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    for table in page.root.all("table"):
        assert table.one("caption").text
        assert all("scope" in cell.attributes for cell in table.all("th"))
    for picture in (one for one in page.root if one.tag == "svg" and one.classes != ["line"]):
        hidden = picture.attributes.get("aria-hidden") == "true"
        assert hidden or (picture.attributes["role"] == "img" and picture.attributes["aria-label"])


def test_a_match_has_all_its_parts() -> None:
    analysis, _, page = page_of("match")
    header = page.root.one("header").text
    assert all(name in header for name in analysis.record.players)
    assert analysis.model in header
    assert analysis.level in header
    assert str(analysis.met) in header
    assert "Ben wins 7–5" in header
    statistics = analysis.statistics()
    rows = {(line := cells(row))[0][0]: line for row in page.root.one("table", "summary").all("tr")}
    for seat in (0, 1):
        shown = {label: line[seat + 1][0] for label, line in rows.items() if len(line) == 3}
        player = statistics[seat]
        assert player.error_rate is not None
        assert player.snowie_error_rate is not None
        assert number(shown["Error rate, gnubg"]) == pytest.approx(player.error_rate, abs=0.005)
        assert number(shown["Error rate, Snowie"]) == pytest.approx(player.snowie_error_rate, abs=0.005)
        assert shown["Rating"] == player.rating
        assert number(shown["In equity"]) == pytest.approx(player.luck, abs=UNIT)
        assert player.result is not None
        assert player.adjusted is not None
        assert number(shown["Match chance won"]) == pytest.approx(100 * player.result, abs=0.005)
        assert number(shown["The same without luck"]) == pytest.approx(100 * player.adjusted, abs=0.005)
        for fault, total in player.faults.items():
            count, cost = shown[fault.capitalize()].split(", ")
            assert (int(count), number(cost)) == (total.decisions, pytest.approx(100 * total.cost, abs=0.005))
        card = page.root.all("div", "card")[seat].text
        assert f"{player.pr:.2f} PR" in card


@PLAYED
def test_errors_stand_in_the_order_of_their_cost(name: str) -> None:
    analysis, _, page = page_of(name)
    expected = sorted(errors(analysis), key=lambda one: -one.cost)
    assert expected
    shown = [one.attributes["id"] for one in page.root.all("article")]
    assert shown == [anchor(one) for one in expected]


@PLAYED
def test_every_error_has_its_tables_with_the_numbers_of_the_analysis(name: str) -> None:
    analysis, _, page = page_of(name)
    match = analysis.met is not None
    for error in errors(analysis):
        article = page.article(error)
        rows = article.one("table", "choices").one("tbody").all("tr")
        choices = shown_choices(error)
        assert len(rows) == len(choices) <= 6
        assert [rank for rank, _ in choices][:5] == list(range(1, min(5, len(error.choices)) + 1))
        assert error.chosen in [choice for _, choice in choices]
        for row, (rank, choice) in zip(rows, choices, strict=True):
            rank_cell, text, equity, loss, *chances = cells(row)
            assert rank_cell == [f"{rank}"]
            assert text[0] == (choice.text or "no play")
            assert (choice is error.chosen) == ("made" in row.classes) == (text[1].split()[-1] in ("made", "played"))
            assert number(equity[0]) == pytest.approx(choice.equity, abs=UNIT)
            lost = 0.0 if loss[0] == "–" else number(loss[0])
            assert lost == pytest.approx(error.best.equity - choice.equity, abs=UNIT)
            if match:
                assert choice.mwc is not None
                assert error.best.mwc is not None
                assert number(equity[1]) == pytest.approx(100 * choice.mwc, abs=0.005)
                if choice is not error.best:
                    assert number(loss[1]) == pytest.approx(100 * (error.best.mwc - choice.mwc), abs=0.005)
            if choice.outcomes is not None:
                win, gammon, backgammon, lost_gammon, lost_backgammon = choice.outcomes
                written = [number(one) for line in chances[0] for one in line.replace("\u2007", " ").split()]
                expected = [win, gammon, backgammon, 1 - win, lost_gammon, lost_backgammon]
                assert written == pytest.approx([100 * one for one in expected], abs=0.0501)


@PLAYED
def test_errors_with_the_cube_have_its_equities(name: str) -> None:
    analysis, _, page = page_of(name)
    cubes = [one for one in errors(analysis) if one.cube is not None]
    assert cubes
    for error in cubes:
        assert error.cube is not None
        table = page.article(error).one("table", "cube")
        lines = [cells(row) for row in table.one("tbody").all("tr")]
        equities = [error.cube.no_double, error.cube.double_take, error.cube.double_pass]
        assert [number(line[1][0]) for line in lines] == pytest.approx(equities, abs=UNIT)
        assert min(abs(number(line[2][0])) for line in lines) == 0
        assert error.cube.action in table.text
        assert error.cube.answer in table.text
        if analysis.met is None:
            assert all(len(line[1]) == 1 for line in lines)
            continue
        for choice in error.choices:
            # What the line through two choices gives for them is what they are.
            own = error.seat == error.position.seat
            found = mwc_of_doubler(error, choice.equity if own else -choice.equity)
            assert found is not None
            assert choice.mwc is not None
            assert found == pytest.approx(choice.mwc if own else 1 - choice.mwc, abs=1e-6)
        assert all(line[1][1].endswith("%") for line in lines)


@PLAYED
def test_every_error_says_where_it_is_and_what_it_costs(name: str) -> None:
    analysis, _, page = page_of(name)
    for error in errors(analysis):
        article, row = page.article(error), analysis.row(error)
        assert f"Game {error.game + 1}, move {row}" in article.text
        assert analysis.record.players[error.seat] in article.one("h3").text
        assert f"loses {error.loss:.3f}" in article.text
        assert error.mark in article.one("p", "loss").text
        assert f"gives up {error.loss:.3f}" in article.one("div", "why").text
        xgid, gnubg = (one.text for one in article.all("code"))
        assert xgid == error.xgid
        assert parse_xgid(xgid) == error.position
        # A GNUBG ID has no room for beavers.
        score = replace(error.position.score, beavers=False)
        assert parse_gnubg_id(gnubg) == replace(error.position, score=score)


def test_diagrams_show_the_position_and_both_plays() -> None:
    analysis, _, page = page_of("match")
    for error in errors(analysis):
        picture = page.article(error).one("svg", "diagram")
        for side, sign in (("own", 1), ("opponent", -1)):
            counts = [max(sign * int(count), 0) for count in error.position.board]
            (group,) = [one for one in picture.all("g") if one.classes == ["checkers", side]]
            drawn: Counter[int] = Counter()
            for use in group.all("use"):
                shared = page.by_id[(use.attributes["href"] or "#")[1:]]
                drawn[len(shared.all("circle", "checker"))] += 1
            assert drawn == {1: sum(min(count, SHOWN) for count in counts)}
        arrows = list(picture.all("g", "play"))
        best, made = error.best.text, error.chosen.text
        if error.kind != "play":
            assert not arrows
            continue
        (first, second) = arrows
        assert len(first.all("g", "arrow")) == len(ways_of(best))
        assert "made" not in first.classes
        (dashed,) = picture.all("g", "made")
        assert second in list(dashed)
        assert len(second.all("g", "arrow")) == len(ways_of(made))
        label = picture.attributes["aria-label"] or ""
        assert f"Best is {best}" in label
        assert f"made was {made}" in label
        assert "pips" in label


def test_pages_stay_small() -> None:
    analysis, text, _ = page_of("match")
    assert len(errors(analysis)) > 60
    assert len(text.encode()) < 1_000_000


@PLAYED
def test_games_are_shown_move_by_move(name: str) -> None:
    analysis, _, page = page_of(name)
    tables = page.root.all("table", "moves")
    assert len(tables) == len(analysis.record.games)
    plays: list[list[str]] = [[] for _ in tables]
    game = -1
    for state, event in analysis.record.replay():
        game += event.kind == "start"
        if isinstance(event, Play) and event.steps:
            assert state.dice is not None
            steps = [*event.steps, *[(0, 0)] * (4 - len(event.steps))]
            high, low = max(state.dice), min(state.dice)
            plays[game].append(f"{high}{low}: {format_play(state.board, np.array(steps, dtype=np.int8))}")
    for table, expected in zip(tables, plays, strict=True):
        shown = [line for cell in table.all("td") for line in cells_of(cell)]
        assert Counter(line for line in shown if "/" in line) == Counter(expected)


def cells_of(cell: Element) -> list[str]:
    """What was done, without its losses."""
    found = []
    for one in cell.all("div"):
        parts = [
            part if isinstance(part, str) else part.text for part in one.content if getattr(part, "tag", "") != "small"
        ]
        found.append("".join(parts))
    return found


@PLAYED
def test_marked_losses_lead_to_errors_and_stand_in_their_moves(name: str) -> None:
    analysis, _, page = page_of(name)
    for error in errors(analysis):
        row = page.by_id[row_anchor(error.game, analysis.row(error))]
        (link,) = [one for one in row.all("a") if one.attributes["href"] == f"#{anchor(error)}"]
        assert number(link.text.split()[-1]) == pytest.approx(-error.loss, abs=UNIT)
        column = [one for one in row.content if isinstance(one, Element)][1 + error.seat]
        assert link in list(column)
        assert ("??" in link.text) == (error.mark == "very bad")
    for one in analysis.luck:
        if one.mark:
            row = page.by_id[row_anchor(one.game, analysis.row(one))]
            assert any(mark.text.startswith(f"{one.mark} ") for mark in row.all("span", "luck"))


def test_what_is_done_with_the_cube_is_shown_with_its_value() -> None:
    _, _, page = page_of("money")
    done = [line for cell in page.root.all("table", "moves")[0].all("td") for line in cells_of(cell)]
    # Each in a row and a column of its own, as in a `.mat` file.
    first, second = ["doubles to 2", "beavers to 4", "raccoons to 8"], ["takes", "doubles to 16", "passes"]
    assert [line for line in done if "/" not in line] == [*first, *second]


def test_a_game_that_breaks_off_says_so() -> None:
    _, _, page = page_of("money")
    last = page.root.all("section", "game")[-1]
    assert "not finished" in last.text
    assert "41:" in [line.strip() for cell in last.all("td") for line in cells_of(cell)]
    assert "the last game is not finished" in page.root.one("header").text


def test_the_course_of_a_match_begins_even_and_ends_with_its_result() -> None:
    analysis = committed_analysis()
    context = Context(analysis, DOUBTFUL, {})
    course = course_of(context)
    assert course.points[0].y == 0.5
    winner = analysis.record.final.winner
    assert winner is not None
    assert course.points[-1].y == pytest.approx(1 - winner, abs=1e-9)
    assert len(course.borders) == len(analysis.record.games) + 1 == len(course.starts)
    xs = [point.x for point in course.points]
    assert xs == sorted(xs)
    values = {round(point.y, 12) for point in course.points}
    for one in analysis.decisions:
        assert one.chosen.mwc is not None
        assert round(one.chosen.mwc if one.seat == 0 else 1 - one.chosen.mwc, 12) in values


def test_the_course_of_a_session_counts_points() -> None:
    context = Context(money(), DOUBTFUL, {})
    course = course_of(context)
    (result, _) = money().results
    assert result is not None
    assert course.points[0].y == 0
    border = course.borders[1]
    assert border is not None
    assert border.y == result
    assert course.borders[2] is None
    last = money().decisions[-1]
    assert course.points[-1].y == pytest.approx(result + (1 - 2 * last.seat) * last.chosen.equity)


def test_signs_point_to_whom_it_helped_and_lead_there() -> None:
    analysis, _, page = page_of("match")
    context = Context(analysis, DOUBTFUL, {})
    signs = course_of(context).signs
    bad = [one for one in analysis.decisions if one.mark == "very bad"]
    lucky = [one for one in analysis.luck if one.mark.startswith("very")]
    assert bad
    assert lucky
    assert Counter(id(sign.what) for sign in signs) == Counter(map(id, [*bad, *lucky]))
    graph = page.root.one("svg", "graph")
    links = {one.attributes["href"]: one for one in graph.all("a")}
    for error in bad:
        (use,) = links[f"#{anchor(error)}"].all("use")
        # An error of the first player helps the second, who is below.
        assert use.attributes["href"] == f"#error-sign-{'down' if error.seat == 0 else 'up'}"
    for one in lucky:
        sign = next(sign for sign in signs if sign.what is one)
        assert sign.up == ((one.equity > 0) == (one.seat == 0))


def test_names_and_all_else_of_a_file_are_escaped() -> None:
    _, text, page = page_of("hostile")
    assert "<script" not in text
    assert "<img" not in text
    assert "<i>" not in text
    assert HOSTILE[0] in page.root.one("h1").text
    assert "\x1b" not in text
    assert "\ud800" not in text
    assert "<script>problem</script>" in page.root.one("section", "problems").text
    assert "<b>open</b>" in page.root.one("header").text


def test_an_analysis_of_nothing_is_a_page_too() -> None:
    _, _, page = page_of("nothing")
    assert "No decision loses more" in page.root.text
    assert not page.root.all("article")


def test_a_threshold_leaves_small_errors_out() -> None:
    page = Page(write_report(money(), threshold=0.2))
    shown = {one.attributes["id"] for one in page.root.all("article")}
    assert shown == {anchor(one) for one in money().decisions if one.loss > 0.2}
    assert 0 < len(shown) < len(errors(money()))
    with pytest.raises(InputError, match="threshold: found -1, expected"):
        write_report(money(), threshold=-1)


def test_depths_and_standard_errors_of_rollouts_are_shown() -> None:
    error = errors(money())[0]
    rolled = replace(error.choices[0], plies=ROLLED, error=0.0042)
    changed = replace(error, choices=(rolled, *error.choices[1:]))
    decisions = tuple(changed if one is error else one for one in money().decisions)
    article = Page(write_report(replace(money(), decisions=decisions))).article(error)
    depths = [cells(row)[1][1] for row in article.one("table", "choices").one("tbody").all("tr")]
    assert depths[0] == "rolled out ±0.004"
    assert all(depth.startswith("0-ply") for depth in depths[1:])


def test_what_is_told_of_an_error_stands_with_it() -> None:
    first, second = errors(money())[:2]
    page = Page(write_report(money(), {(first.game, first.event): "One & <all>.\nTwo."}))
    assert [one.text for one in page.article(first).one("div", "why").all("p")][1:] == ["One & <all>.", "Two."]
    assert len(page.article(second).one("div", "why").all("p")) == 1


def test_the_coach_explains_errors_with_the_numbers_of_the_analysis() -> None:
    analysis, told = committed_analysis(), []
    threshold = sorted(one.loss for one in analysis.decisions)[-6]
    cubes = [one for one in analysis.decisions if one.cube is not None and one.loss > DOUBTFUL]
    some = [one for one in analysis.decisions if one.loss > threshold or one in cubes]
    found = explain_errors(
        replace(analysis, decisions=tuple(some)), Analyst.of(), progress=lambda *counts: told.append(counts)
    )
    assert set(found) == {(one.game, one.event) for one in some}
    assert told == [(number, len(some)) for number in range(1, len(some) + 1)]
    page = Page(write_report(analysis, found))
    for error in some:
        said = found[error.game, error.event]
        assert isinstance(said, Explanation)
        assert said.done == error.chosen.text
        assert said.loss == pytest.approx(error.loss, abs=1e-6)
        if error.kind == "play":
            assert said.best == error.best.text
        else:
            assert error.cube is not None
            assert said.facts["decision"]["no_double"] == error.cube.no_double
            assert said.facts["decision"]["double_take"] == error.cube.double_take
        article = page.article(error).text
        assert said.reasons
        assert all(one.text in article for one in (*said.about, *said.reasons, *said.mistakes))


def test_resignations_are_left_to_the_report() -> None:
    record = record_of(set_up({"p6": 2, "p24": -2}, seat=1), Resign(1, 3))
    analysis = level_analyst().analyse(record)
    (error,) = [one for one in errors(analysis) if one.kind == "resignation"]
    assert (error.game, error.event) not in explain_errors(analysis, Analyst.of())
    page = Page(write_report(analysis))
    assert "resign a backgammon" in page.article(error).one("div", "why").text
    assert position(record.final).offer == "backgammon"
