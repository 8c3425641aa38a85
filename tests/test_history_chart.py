"""The chart of a development."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from datetime import date, timedelta

import pytest

from bgai.analysis.statistics import Total
from bgai.errors import InputError
from bgai.history.chart import HEIGHT, WIDTH, chart
from bgai.history.development import Development, Errors, Played

NAME = "{http://www.w3.org/2000/svg}"
MARKS = {"very bad": 0, "bad": 0, "doubtful": 0}


def development(*ratings: float | None) -> Development:
    """Matches with these PRs, a day apart, of ten decisions each."""
    matches = [
        Played(
            number,
            date(2026, 3, 1) + timedelta(days=number),
            "Ben & <Co>",
            7,
            (7, 3),
            True,
            "net",
            "2-ply",
            Errors(Total() if rating is None else Total(10, rating / 50), MARKS),
            Errors(Total(), MARKS),
        )
        for number, rating in enumerate(ratings, 1)
    ]
    return Development('Ann "A"', tuple(matches), {}, {})


def drawn(svg: str) -> tuple[list[tuple[float, float]], list[list[tuple[float, float]]], list[str]]:
    """Where the matches and the line lie, and all text."""
    root = ElementTree.fromstring(svg)
    points = [
        (float(one.attrib["cx"]), float(one.attrib["cy"]))
        for one in root.iter(f"{NAME}circle")
        if one.find(f"{NAME}title") is not None
    ]
    lines = [
        [tuple(map(float, place.split())) for place in one.attrib["d"][1:].split("L")]
        for one in root.iter(f"{NAME}path")
        if one.attrib.get("fill") == "none"
    ]
    return points, lines, [one.text or "" for one in root.iter(f"{NAME}text")]  # type: ignore[return-value]


def test_every_match_is_a_point_at_its_rating() -> None:
    svg = chart(development(2, 4, 12))
    points, _, texts = drawn(svg)
    labels = {
        int(one.text or ""): float(one.attrib["y"])
        for one in ElementTree.fromstring(svg).iter(f"{NAME}text")
        if re.fullmatch(r"\d+", one.text or "")
    }
    assert [y for _, y in points] == pytest.approx([labels[rating] - 5 for rating in (2, 4, 12)])
    assert [x for x, _ in points] == sorted({x for x, _ in points})
    assert {"PR", "lower is better", "2026-03-02", "2026-03-04"} <= set(texts)


def test_the_line_is_the_rolling_rating() -> None:
    points, (line,), _ = drawn(chart(development(2, 4, 12), window=2))
    heights = [y for _, y in points]
    assert line[0] == pytest.approx(points[0], abs=0.01)
    assert [y for _, y in line[1:]] == pytest.approx(
        [(heights[0] + heights[1]) / 2, (heights[1] + heights[2]) / 2], abs=0.01
    )
    for place, point in zip(drawn(chart(development(2, 4, 12), window=1))[1][0], points, strict=True):
        assert place == pytest.approx(point, abs=0.01)


def test_a_match_without_a_decision_leaves_no_point() -> None:
    points, lines, _ = drawn(chart(development(None, 4, None, 6), window=1))
    assert len(points) == 2
    assert [len(line) for line in lines] == [1, 1]


@pytest.mark.parametrize("ratings", [(5,), (0,), (None,), tuple(range(500)), (1e6, 2)], ids=str)
def test_everything_lies_in_the_picture(ratings: tuple[float, ...]) -> None:
    points, lines, texts = drawn(chart(development(*ratings)))
    for x, y in [*points, *(place for line in lines for place in line)]:
        assert 0 < x < WIDTH
        assert 0 < y < HEIGHT
    assert len(texts) < 40


def test_names_may_hold_anything() -> None:
    root = ElementTree.fromstring(chart(development(3)))
    titles = [one.text for one in root.iter(f"{NAME}title")]
    assert titles == ['Ann "A": performance rating over 1 matches', "2026-03-02, Ben & <Co>: PR 3.00"]


@pytest.mark.parametrize(("theme", "dark"), [("light", False), ("dark", True)])
def test_text_stands_out_from_the_page(theme: str, dark: bool) -> None:
    """A contrast of 4.5 to 1 is what WCAG 2.1 asks for."""
    root = ElementTree.fromstring(chart(development(3, 4), theme=theme))
    page = root.find(f"{NAME}rect")
    assert page is not None
    background = luminance(page.attrib["fill"])
    assert (background < 0.5) == dark
    for one in root.iter(f"{NAME}text"):
        light, low = sorted((background, luminance(one.attrib["fill"])), reverse=True)
        assert (light + 0.05) / (low + 0.05) >= 4.5


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb` as WCAG 2.1 defines it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_an_unknown_theme() -> None:
    with pytest.raises(InputError, match="theme: found 'pink', expected light or dark"):
        chart(development(3), theme="pink")
