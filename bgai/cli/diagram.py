"""Draws a position as books print it, as SVG or PNG.

    bgai diagram 4HPwATDgc/ABMA -o start.svg
    bgai diagram 4HPwATDgc/ABMA 31 8/5 6/5 -o best.png
    bgai diagram XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10 --direction left --theme dark -o double.svg

The player on roll plays from the bottom and counts the points; a play gets an arrow for each checker. The kind of
picture is the ending of the file's name; without -o the SVG is printed. PNG needs the package resvg_py, installed
with bgai[png].
"""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from pathlib import Path

from bgai.cli.options import whole_number
from bgai.cli.question import EXAMPLE, read_state, say_remarks, split_words
from bgai.diagram import NARROWEST, THEMES, WIDEST, WIDTH, diagram_png, diagram_svg
from bgai.errors import InputError
from bgai.files import write_whole
from bgai.position import Position

_DICE = re.compile(r"[0-9](?:,?[0-9])?|[1-6]-[1-6]")
"""Words that are dice; 8-5 is a move written with a dash."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument(
        "words", nargs="*", metavar="ID DICE PLAY", help="a position, and the roll and the play if there is one"
    )
    parser.add_argument("-o", dest="output", metavar="FILE", help="the picture to write, .svg or .png")
    parser.add_argument(
        "--direction",
        choices=("right", "left"),
        default="right",
        help="where the home board of the player on roll is (default: right)",
    )
    parser.add_argument("--theme", choices=tuple(THEMES), default="light", help="colours (default: light)")
    parser.add_argument(
        "--width",
        type=whole_number(NARROWEST, WIDEST),
        default=WIDTH,
        metavar="N",
        help=f"width in pixels (default: {WIDTH})",
    )


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    output: str | None = options.output
    ending = Path(output).suffix.lower() if output is not None else ".svg"
    if ending not in (".svg", ".png"):
        raise InputError(f"-o: expected a file that ends in .svg or .png, found {output!r}")
    position, play = _read(options.words)
    looks = {"direction": options.direction, "theme": options.theme, "width": options.width}
    png = ending == ".png"
    data = diagram_png(position, play, **looks) if png else diagram_svg(position, play, **looks).encode()
    if output is None:
        print(data.decode(), end="")
        return 0
    try:
        write_whole(Path(output), data)
    except OSError as error:
        raise InputError(f"cannot write the file {output!r}: {error.strerror or error}") from None
    print(f"{output}: {ending[1:].upper()}, {options.width} pixels wide")
    return 0


def _read(words: list[str]) -> tuple[Position, str | None]:
    """The position with its dice, and the play behind it."""
    if not words:
        raise InputError(f"expected a position ID, such as: bgai diagram {EXAMPLE} -o pos.svg")
    name, behind = split_words(words)
    behind = " ".join(behind).split()
    dice = digits = 0
    while digits < 2 and dice < len(behind) and _DICE.fullmatch(behind[dice]):
        digits += sum(letter.isdigit() for letter in behind[dice])
        dice += 1
    reading, roll = read_state([name, *behind[:dice]])
    say_remarks(reading.remarks, words)
    play = " ".join(behind[dice:])
    if play and roll is None and reading.position.offer is None:
        raise InputError(f"a play needs its roll, such as: bgai diagram {EXAMPLE} 31 8/5 6/5; found {play!r} alone")
    return replace(reading.position, dice=roll), play or None
