"""Paints a diagram: board, checkers, cube, dice, text and arrows."""

from __future__ import annotations

from zlib import crc32

from bgai.board import BAR, OPPONENT_BAR, borne_off, flip, opponent_borne_off, pip_count
from bgai.diagram import geometry as at
from bgai.diagram.arrows import paint_arrows
from bgai.diagram.geometry import Geometry, Place
from bgai.diagram.moves import arrows_of
from bgai.diagram.svg import FONTS, Drawing, number, points
from bgai.diagram.theme import Side, Theme
from bgai.diagram.words import Names, caption, contest, description, standing
from bgai.position import Position

_PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
}
"""Where the spots of a die are, in steps from its middle."""


class Picture:
    """One diagram in the making."""

    def __init__(self, position: Position, play: str | None, geometry: Geometry, theme: Theme, names: Names) -> None:
        """`play` in the notation that `format_play` writes, or None."""
        self._position = position
        self._play = play
        self._geometry = geometry
        self._theme = theme
        self._names = names
        self._drawing = Drawing()

    def paint(self, width: int) -> str:
        """The SVG, so many pixels wide."""
        drawing, theme = self._drawing, self._theme
        title = caption(self._position, self._play, self._names)
        told = description(self._position, self._play, self._geometry.direction, self._names)
        # Several diagrams may stand on one page of HTML, so the names that link title and text must differ.
        mark = f"{crc32(told.encode(errors='surrogatepass')):08x}"
        with drawing.group(
            "svg",
            xmlns="http://www.w3.org/2000/svg",
            width=width,
            height=round(width * at.HEIGHT / at.WIDTH),
            viewBox=f"0 0 {number(at.WIDTH)} {number(at.HEIGHT)}",
            role="img",
            aria_labelledby=f"title-{mark} desc-{mark}",
            font_family=FONTS,
        ):
            drawing.words("title", title, id=f"title-{mark}")
            drawing.words("desc", told, id=f"desc-{mark}")
            drawing.add("rect", width=at.WIDTH, height=at.HEIGHT, fill=theme.page)
            self._board()
            self._numbers()
            self._checkers()
            self._trays()
            self._cube()
            self._dice()
            self._text(title)
            if self._play:
                off = int(borne_off(self._position.board))
                arrows = arrows_of(self._position.board, self._play, off, self._geometry)
                paint_arrows(drawing, arrows, self._position.board, self._geometry, theme)
        return str(drawing)

    def _board(self) -> None:
        drawing, theme, geometry = self._drawing, self._theme, self._geometry
        with drawing.group(class_="board"):
            drawing.add(
                "rect", x=at.MARGIN, y=at.FRAME_TOP, width=at.WIDTH - 2 * at.MARGIN,
                height=at.FRAME_BOTTOM - at.FRAME_TOP, rx=8, fill=theme.frame, stroke=theme.edge, stroke_width=1.5,
            )  # fmt: skip
            for left in (at.LEFT, at.LEFT + at.HALF + at.BAR):
                drawing.add("rect", x=geometry.span(left, at.HALF), y=at.TOP, width=at.HALF, height=at.FIELD,
                            fill=theme.field)  # fmt: skip
            drawing.add(
                "rect", x=geometry.span(at.LEFT + at.HALF, at.BAR), y=at.TOP, width=at.BAR, height=at.FIELD,
                fill=theme.bar,
            )  # fmt: skip
            with drawing.group(class_="points"):
                for point in range(1, 25):
                    x = geometry.point_x(point)
                    base, tip = (at.BOTTOM, at.BOTTOM - at.POINT) if point <= 12 else (at.TOP, at.TOP + at.POINT)
                    half = at.PITCH / 2 - 1
                    shape = points((x - half, base), (x + half, base), (x, tip))
                    drawing.add("polygon", points=shape, fill=theme.points[1 - point % 2])
            with drawing.group(fill="none", stroke=theme.edge, stroke_width=1.5):
                for left in (at.LEFT, at.LEFT + at.HALF + at.BAR):
                    drawing.add(
                        "rect", x=geometry.span(left, at.HALF), y=at.TOP, width=at.HALF, height=at.FIELD
                    )  # fmt: skip

    def _numbers(self) -> None:
        with self._drawing.group(class_="numbers", fill=self._theme.numbers):
            for point in range(1, 25):
                y = at.FRAME_BOTTOM - at.STRIP / 2 if point <= 12 else at.FRAME_TOP + at.STRIP / 2
                self._drawing.label(str(point), self._geometry.point_x(point), y, 15)

    def _side(self, own: bool) -> Side:
        return self._theme.own if own else self._theme.opponent

    def _checkers(self) -> None:
        board = self._position.board
        for own in (True, False):
            side = self._side(own)
            name = f"checkers {'own' if own else 'opponent'}"
            with self._drawing.group(class_=name, fill=side.fill, stroke=side.rim, stroke_width=1.6):
                for point in range(OPPONENT_BAR, BAR + 1):
                    count = int(board[point]) if own else -int(board[point])
                    for level in range(min(count, at.SHOWN)):
                        self._checker(side, point, level)
                    if count > at.SHOWN:
                        x, y = self._geometry.checker(point, at.SHOWN - 1)
                        self._drawing.label(str(count), x, y, 21, font_weight="bold", fill=side.ink, stroke="none")

    def _checker(self, side: Side, point: int, level: int) -> None:
        x, y = self._geometry.checker(point, level)
        self._drawing.add("circle", class_="checker", data_point=str(point), cx=x, cy=y, r=at.RADIUS)
        self._drawing.add(
            "circle", cx=x, cy=y, r=at.RADIUS - 5, fill="none", stroke=side.ink, stroke_width=1, stroke_opacity=0.22
        )

    def _trays(self) -> None:
        board = self._position.board
        for own, count in ((True, int(borne_off(board))), (False, int(opponent_borne_off(board)))):
            side = self._side(own)
            if not count:
                continue
            name = f"off {'own' if own else 'opponent'}"
            with self._drawing.group(class_=name, fill=side.fill, stroke=side.rim, stroke_width=1.2):
                for place in range(count):
                    x, y = self._geometry.slab(place, own)
                    self._drawing.add(
                        "rect", x=x - 20, y=y - at.SLAB / 2 + 0.6, width=40, height=at.SLAB - 1.2, rx=2.5
                    )  # fmt: skip
                y = at.MIDDLE + (22 if own else -22)
                self._drawing.label(
                    f"{count} off", self._geometry.tray_x(), y, 15, fill=self._theme.numbers, stroke="none"
                )

    def _cube(self) -> None:
        position, cube = self._position, self._position.cube
        if position.score.crawford or (position.cube_limit == 1 and cube.value == 1):
            return
        if position.offer == "double":
            self._one_cube(self._geometry.outer_middle(), 2 * cube.value, offered=True)
        elif position.offer == "beaver":
            self._one_cube(self._geometry.cube("own"), 2 * cube.value, offered=True)
        elif cube.owner == "centred":
            # Before the first double a real cube lies with its 64 up.
            self._one_cube(self._geometry.cube("middle"), 64 if cube.value == 1 else cube.value)
        else:
            self._one_cube(self._geometry.cube("own" if cube.owner == "on roll" else "opponent"), cube.value)

    def _one_cube(self, place: Place, value: int, *, offered: bool = False) -> None:
        theme, (x, y) = self._theme, place
        half = at.CUBE / 2
        with self._drawing.group(class_="cube offered" if offered else "cube"):
            self._drawing.add(
                "rect", x=x - half, y=y - half, width=at.CUBE, height=at.CUBE, rx=6, fill=theme.cube.fill,
                stroke=theme.arrow if offered else theme.cube.rim, stroke_width=3.5 if offered else 1.8,
            )  # fmt: skip
            size = {1: 25, 2: 23, 3: 18, 4: 14}.get(len(str(value)), 11)
            self._drawing.label(str(value), x, y, size, font_weight="bold", fill=theme.cube.ink)

    def _dice(self) -> None:
        if self._position.dice is None:
            return
        x, y = self._geometry.home_middle()
        side = self._theme.own
        with self._drawing.group(class_="dice", stroke=side.rim, stroke_width=1.8):
            for number, die in enumerate(self._position.dice):
                middle = x + (number - 0.5) * (at.DIE + 12)
                half = at.DIE / 2
                self._drawing.add(
                    "rect", x=middle - half, y=y - half, width=at.DIE, height=at.DIE, rx=7, fill=side.fill
                )  # fmt: skip
                with self._drawing.group(class_=f"die-{die}", fill=side.ink, stroke="none"):
                    for across, down in _PIPS[die]:
                        self._drawing.add("circle", cx=middle + across * 10, cy=y + down * 10, r=3.7)

    def _text(self, title: str) -> None:
        drawing, theme, board = self._drawing, self._theme, self._position.board
        rows = [(0, at.FRAME_BOTTOM + 22, board), (1, at.FRAME_TOP - 20, flip(board))]
        left, right = at.MARGIN + 4, at.WIDTH - at.MARGIN - 4
        with drawing.group(class_="text", fill=theme.text):
            for number, y, seen in rows:
                side = self._side(number == 0)
                drawing.add("circle", cx=left + 7, cy=y, r=7, fill=side.fill, stroke=side.rim, stroke_width=1.4)
                drawing.text(self._names[number], left + 22, y + 5.5, 16, font_weight="bold")
                points_won = standing(self._position, number)
                if points_won:
                    drawing.text(points_won, at.WIDTH / 2, y + 5.5, 16, text_anchor="middle", fill=theme.faint)
                drawing.text(f"{int(pip_count(seen))} pips", right, y + 5.5, 16, text_anchor="end")
            y = at.FRAME_BOTTOM + 60
            played_for = contest(self._position)
            room = right - left - 8.2 * len(played_for) - 20
            # Widths of text are not known here; a bold letter is about 0.56 of its size wide.
            size = min(18.0, room / (0.56 * len(title)))
            drawing.text(title, left, y, size, font_weight="bold")
            drawing.text(played_for, right, y, 15, text_anchor="end", fill=theme.faint)
