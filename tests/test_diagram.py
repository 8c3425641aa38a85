"""Diagrams: what stands where, read back out of the SVG."""

from __future__ import annotations

import importlib.util
import re
import struct
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings

from bgai.board import BAR, OPPONENT_BAR, START, Board, as_board, borne_off
from bgai.diagram import diagram_png, diagram_svg
from bgai.diagram.geometry import CHECKER, PITCH, SHOWN, WIDTH, Geometry
from bgai.diagram.moves import arrows_of, ways_of
from bgai.errors import InputError, PlayError, PositionError
from bgai.notation.playtext import format_play
from bgai.plays import legal_plays
from bgai.position import Cube, Position, Score
from tests.positions import mixed_positions
from tests.states import positions

NS = "{http://www.w3.org/2000/svg}"
OPENING = Position(dice=(3, 1))


def made(**counts: int) -> Board:
    """A board from `p8=3` and the like."""
    board = np.zeros(26, dtype=np.int8)
    for name, count in counts.items():
        board[int(name[1:])] = count
    return as_board(board)


def parsed(position: Position, play: str | None = None, **looks: object) -> ElementTree.Element:
    return ElementTree.fromstring(diagram_svg(position, play, **looks))  # type: ignore[arg-type]


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if name == element.get("class")]


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{NS}text")]


def the_cube(root: ElementTree.Element) -> tuple[str, float]:
    """What the cube shows, and how far down it lies."""
    (group,) = of_class(root, "cube") + of_class(root, "cube offered")
    return group[1].text or "", float(group[0].get("y", 0))


@given(positions())
@settings(max_examples=40)
def test_every_position_becomes_well_formed_svg_with_all_its_checkers(position: Position) -> None:
    root = parsed(position)
    assert root.tag == f"{NS}svg"
    for name, sign in (("own", 1), ("opponent", -1)):
        shown: Counter[int] = Counter()
        numbers: list[int] = []
        for group in of_class(root, f"checkers {name}"):
            shown.update(int(circle.get("data-point", "")) for circle in of_class(group, "checker"))
            numbers += [int(text) for text in texts(group)]
        counts = {point: int(sign * position.board[point]) for point in range(26) if sign * position.board[point] > 0}
        assert shown == {point: min(count, SHOWN) for point, count in counts.items()}
        assert sorted(numbers) == sorted(count for count in counts.values() if count > SHOWN)
        off = 15 - sum(counts.values())
        slabs = [len(group.findall(f"{NS}rect")) for group in of_class(root, f"off {name}")]
        assert slabs == [off] * bool(off)


def test_the_same_position_gives_the_same_text() -> None:
    assert diagram_svg(OPENING, "8/5 6/5") == diagram_svg(OPENING, "6/5 8/5")


def test_points_are_numbered_by_the_player_on_roll() -> None:
    root = parsed(OPENING)
    assert len(list(of_class(root, "points")[0])) == 24
    labels = {text.text: (float(text.get("x", 0)), float(text.get("y", 0))) for text in of_class(root, "numbers")[0]}
    assert labels["1"][0] == labels["24"][0] > labels["6"][0] > labels["7"][0] > labels["12"][0] == labels["13"][0]
    assert labels["1"][1] > labels["24"][1]


def test_the_other_direction_is_a_mirror() -> None:
    position = Position(made(p25=2, p6=3, p3=4, p0=-1, p19=-7), cube=Cube(2, "on roll"), dice=(6, 1))
    right, left = parsed(position), parsed(position, direction="left")
    for one, other in zip(right.iter(), left.iter(), strict=True):
        assert one.tag == other.tag
        if "cx" in one.attrib and "data-point" in one.attrib:
            assert float(one.get("cx", 0)) + float(other.get("cx", 0)) == pytest.approx(WIDTH, abs=0.02)
            assert one.get("cy") == other.get("cy")
    assert [text.text for text in right.iter(f"{NS}text")] == [text.text for text in left.iter(f"{NS}text")]


def test_the_cube_lies_where_it_belongs() -> None:
    middle = the_cube(parsed(Position()))
    own = the_cube(parsed(Position(cube=Cube(2, "on roll"))))
    opponent = the_cube(parsed(Position(cube=Cube(4, "opponent"))))
    assert (middle[0], own[0], opponent[0]) == ("64", "2", "4")
    assert own[1] > middle[1] > opponent[1]
    offered = parsed(Position(cube=Cube(2, "on roll"), offer="double"))
    assert the_cube(offered)[0] == "4"
    assert of_class(offered, "cube offered")
    assert not of_class(parsed(Position(score=Score((4, 2), 5, crawford=True))), "cube")


def test_score_dice_and_pips_are_said() -> None:
    root = parsed(Position(score=Score((6, 3), 7, crawford=True), dice=(5, 2)))
    assert {"167 pips", "6 points, 1 away", "3 points, 4 away"} <= set(texts(root))
    assert {"White to play 5-2", "Match to 7 · Crawford game"} <= set(texts(root))
    assert [len(of_class(root, f"die-{die}")[0]) for die in (5, 2)] == [5, 2]
    assert not of_class(parsed(Position()), "dice")
    money = Position(score=Score((2, 1), jacoby=True, beavers=True))
    assert {"Money play · Jacoby · beavers", "2 points", "1 point"} <= set(texts(parsed(money)))


def test_those_who_cannot_see_it_are_told() -> None:
    root = parsed(OPENING, "8/5 6/5", names=("Ann <1>", "Bob & Co\0"))
    title, told = root.find(f"{NS}title"), root.find(f"{NS}desc")
    assert title is not None
    assert told is not None
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {told.get('id')}"
    assert title.text == "Ann <1> plays 3-1: 8/5 6/5"
    assert "Ann <1>: 2 on 24, 5 on 13, 3 on 8, 5 on 6; 167 pips. Bob & Co: 5 on 19" in (told.text or "")


@pytest.mark.parametrize("direction", ["right", "left"])
def test_arrows_end_where_the_play_says(direction: str) -> None:
    boards, rolls = mixed_positions(60, seed=8)
    geometry = Geometry(direction)  # type: ignore[arg-type]
    for board, roll in zip(boards, rolls, strict=True):
        plays = legal_plays(board, (int(roll.max()), int(roll.min())))
        if plays.must_pass:
            continue
        play = format_play(board, plays.steps[-1])
        root = parsed(Position(board, (int(roll.max()), int(roll.min()))), play, direction=direction)
        arrows = of_class(root, "arrow")
        ends = [(int(arrow.get("data-from", "")), int(arrow.get("data-to", ""))) for arrow in arrows]
        assert ends == [(way.points[0], way.points[-1]) for way in ways_of(play)]
        for arrow in arrows:
            (head,) = of_class(arrow, "head")
            x, y = (float(value) for value in head.get("points", "").split()[0].split(","))
            end = int(arrow.get("data-to", ""))
            wanted = geometry.point_x(end) if end else geometry.tray_x()
            assert abs(x - wanted) < PITCH / 2
            if end:
                assert (y > geometry.checker(1, SHOWN)[1]) == (end <= 12)
        hits = {int(mark.get("data-point", "")) for mark in of_class(root, "hit")}
        assert hits == {int(point) for point in re.findall(r"(\d+)\*", play)}


def test_checkers_that_come_together_land_on_different_places() -> None:
    for play, dice in (("8/5 6/5", (3, 1)), ("13/11(2) 6/4(2)", (2, 2)), ("24/23 13/10", (3, 1))):
        arrows = arrows_of(START, play, int(borne_off(START)), Geometry())
        for places in ({arrow.places[0] for arrow in arrows}, {arrow.places[-1] for arrow in arrows}):
            assert len(places) == len(arrows), (play, dice)
    (first, second) = arrows_of(START, "8/5 6/5", 0, Geometry())
    assert abs(first.places[-1][1] - second.places[-1][1]) == pytest.approx(CHECKER)


def test_a_chain_touches_the_points_where_it_hits() -> None:
    (way,) = ways_of("24/20*/16*")
    assert (way.points, way.hits) == ((24, 20, 16), (20, 16))
    assert [way.hits for way in ways_of("6/4*(2) bar/22")] == [(4,), (), ()]
    assert [way.points for way in ways_of("bar/22 6/off")] == [(BAR, 22), (6, OPPONENT_BAR)]


def test_a_turn_that_passes_is_said() -> None:
    board = made(p25=1, p6=14, p19=-2, p20=-2, p21=-2, p22=-2, p23=-2, p24=-2, p12=-3)
    root = parsed(Position(board, (6, 1)), "pass")
    assert "White cannot play 6-1" in texts(root)
    assert not of_class(root, "arrow")


def test_themes_and_widths() -> None:
    light, dark = diagram_svg(OPENING), diagram_svg(OPENING, theme="dark", width=300)
    assert "#ffffff" in light
    assert light.count("<") == dark.count("<")
    root = ElementTree.fromstring(dark)
    assert root.get("width") == "300"
    assert root.get("viewBox") == ElementTree.fromstring(light).get("viewBox")


def test_what_cannot_be_drawn_is_named() -> None:
    with pytest.raises(PlayError, match="needs its roll"):
        diagram_svg(Position(), "8/5")
    with pytest.raises(PlayError, match="not a legal play"):
        diagram_svg(OPENING, "8/2")
    with pytest.raises(PlayError, match="a double waits"):
        diagram_svg(Position(offer="double"), "8/5")
    with pytest.raises(PositionError, match="cube"):
        diagram_svg(Position(cube=Cube(3)))
    for looks in ({"theme": "pink"}, {"direction": "up"}, {"width": 3}):
        with pytest.raises(InputError, match=next(iter(looks))):
            diagram_svg(Position(), **looks)  # type: ignore[arg-type]


def test_png() -> None:
    pytest.importorskip("resvg_py", reason="PNG needs bgai[png]")
    data = diagram_png(OPENING, "8/5 6/5", width=200)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24])[0] == 200
    assert data == diagram_png(OPENING, "8/5 6/5", width=200)
    assert data != diagram_png(replace(OPENING, dice=(2, 1)), width=200)


def test_png_without_its_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'bgai\[png\]'"):
        diagram_png(OPENING)
