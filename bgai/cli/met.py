"""Shows a match equity table, checks it, says what a score does to the cube, or computes a table.

    bgai met
    bgai met --score 3-5 --length 7
    bgai met my.csv --check
    bgai met build --gammon-rate 0.26 -o my.csv

A score is points won, mine first; with --away it is points still to win. The table is Kazaross-XG2 if none is named;
files are CSV or gnubg's XML. docs/met.md explains the numbers.
"""

from __future__ import annotations

import argparse
import json
import re
import textwrap
from pathlib import Path
from typing import Any

from bgai.cli.options import add_json, whole_number
from bgai.errors import InputError
from bgai.files import write_whole
from bgai.met import (
    MatchEquityTable,
    Rates,
    build_met,
    check_met,
    compare_met,
    default_met,
    extend_met,
    format_met,
    gammon_values,
    read_met,
    take_point,
)
from bgai.met.table import LONGEST
from bgai.version import JSON_VERSION

BUILD = "build"
_RATES = {
    "gammon": ("--gammon-rate", "share of wins that are a gammon or more"),
    "backgammon": ("--backgammon-rate", "share of wins that are a backgammon"),
    "efficiency": ("--efficiency", "how live an owned cube is, 0 to 1"),
    "centred": ("--centred", "how live a centred cube is, 0 to 1"),
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument(
        "table", nargs="?", metavar="FILE", help="a table in CSV or gnubg's XML, or the word build (default: our own)"
    )
    parser.add_argument("--check", action="store_true", help="list every entry that breaks a rule")
    parser.add_argument("--score", type=_pair, metavar="A-B", help="points won, mine first; needs --length")
    parser.add_argument("--away", type=_pair, metavar="A,B", help="instead: points still to win, mine first")
    length = whole_number(1, LONGEST)
    parser.add_argument("--length", type=length, metavar="N", help="points of the match (default 9; for build 25)")
    for name, (option, text) in _RATES.items():
        default = getattr(Rates(), name)
        parser.add_argument(option, type=_share, dest=name, metavar="X", help=f"build: {text} (default {default:g})")
    parser.add_argument("-o", dest="output", metavar="FILE", help="build: the CSV file to write")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    rates = {name: getattr(options, name) for name in _RATES if getattr(options, name) is not None}
    if options.table == BUILD:
        if options.check or options.score or options.away:
            raise InputError("build takes no --check, --score or --away; give them with the file that it wrote")
        return _build(Rates(**rates), options.length or 25, options.output, as_json=options.json)
    if rates or options.output:
        option = _RATES[next(iter(rates))][0] if rates else "-o"
        raise InputError(f"{option} is for computing a table: bgai met build {option} …")
    if options.check:
        if options.score or options.away or options.length:
            raise InputError("--check looks at a whole table, expected no --score, --away or --length")
        return _check(options.table, as_json=options.json)
    away = _away(options)
    met = default_met() if options.table is None else read_met(options.table)
    shown = options.length or min(9, met.length)
    met = extend_met(met, max(away) if away else shown)
    if away:
        text = "\n".join([_heading(met), *(_game_text(met, away, game) for game in _games(away))])
        _print(_score_record(met, away), text, as_json=options.json)
    else:
        _print(_table_record(met, shown), _table_text(met, shown), as_json=options.json)
    return 0


def _pair(text: str) -> tuple[int, int]:
    if not (found := re.fullmatch(r"(\d{1,4})[-,](\d{1,4})", text)):
        raise argparse.ArgumentTypeError(f"expected two whole numbers such as 3-5 or 4,2, found {text!r}")
    return int(found[1]), int(found[2])


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 1, found {text!r}")
    return share


def _away(options: argparse.Namespace) -> tuple[int, int] | None:
    """The score that was asked about, in points still to win."""
    if options.score and options.away:
        raise InputError("the score is given twice, by --score and by --away")
    length: int | None = options.length
    if options.score:
        if length is None:
            raise InputError("--score needs the length of the match as well, such as: --score 3-5 --length 7")
        away = (length - options.score[0], length - options.score[1])
        if min(away) < 1:
            raise InputError(f"at {options.score[0]}-{options.score[1]} a match to {length} points is over")
        return away
    if options.away:
        away = int(options.away[0]), int(options.away[1])
        if not 1 <= min(away) <= max(away) <= (length or LONGEST):
            raise InputError(f"points away: expected 1 to {length or LONGEST} each, found {away[0]},{away[1]}")
        return away
    return None


def _print(record: dict[str, Any], text: str, *, as_json: bool) -> None:
    print(json.dumps({"version": JSON_VERSION} | record) if as_json else text)


def _build(rates: Rates, length: int, output: str | None, *, as_json: bool) -> int:
    met = build_met(rates, length)
    if output is not None:
        write_whole(Path(output), format_met(met).encode())
    if as_json:
        _print(_table_record(met, length), "", as_json=True)
    elif output is None:
        print(format_met(met), end="")
    else:
        print(f"{output}: {length} points, {met.source}\n{_nearness(met)}")
    return 0


def _nearness(met: MatchEquityTable) -> str:
    usual = default_met()
    gap = compare_met(met, usual)
    where = f"{gap.away[0]}-away, {gap.away[1]}-away"
    largest, mean = 100 * gap.largest, 100 * gap.root_mean_square
    return f"beside {usual.name}, to {gap.length} points: at most {largest:.2f} % ({where}), rms {mean:.2f} %"


def _check(path: str | None, *, as_json: bool) -> int:
    met = default_met() if path is None else read_met(path, check=False)
    problems = check_met(met)
    found = [{"rule": each.rule, "away": list(each.away), "message": str(each)} for each in problems]
    lines = [f"{each.rule}: {each}" for each in problems]
    if not problems:
        lines.append(f"{met.name}, {met.length} points: range, diagonal, complement and order are as they should be")
    _print({"name": met.name, "length": met.length, "problems": found}, "\n".join(lines), as_json=as_json)
    if problems:
        entries = "1 entry breaks" if len(problems) == 1 else f"{len(problems)} entries break"
        raise InputError(f"{path!r}: {entries} a rule")
    return 0


def _heading(met: MatchEquityTable) -> str:
    parts = [f"{met.name}: {met.source}" if met.source else met.name, *(f"note: {note}" for note in met.notes)]
    return "\n".join(textwrap.fill(part, 110, break_on_hyphens=False) for part in parts)


def _table_record(met: MatchEquityTable, length: int) -> dict[str, Any]:
    return _described(met) | {
        "length": length,
        "pre_crawford": met.pre[:length, :length].round(6).tolist(),
        "post_crawford": met.post[:length].round(6).tolist(),
    }


def _described(met: MatchEquityTable) -> dict[str, Any]:
    return {"name": met.name, "source": met.source, "notes": list(met.notes)}


def _table_text(met: MatchEquityTable, length: int) -> str:
    lines = [
        _heading(met),
        "",
        "Match-winning chance in % of the player on the left, before a game (1-away: the Crawford game)",
        "",
    ]
    lines.append("      " + "".join(f"{away:>7}" for away in range(1, length + 1)))
    for away in range(1, length + 1):
        lines.append(f"{away:>6}" + "".join(f"{100 * chance:>7.2f}" for chance in met.pre[away - 1, :length]))
    lines += ["", "After the Crawford game, of the trailer", ""]
    lines.append("      " + "".join(f"{100 * chance:>7.2f}" for chance in met.post[:length]))
    return "\n".join(lines)


def _games(away: tuple[int, int]) -> list[str]:
    """The kinds of game that can be played at a score."""
    if away == (1, 1):
        return ["double match point"]
    return ["Crawford", "post-Crawford"] if 1 in away else ["before Crawford"]


def _score_record(met: MatchEquityTable, away: tuple[int, int]) -> dict[str, Any]:
    return _described(met) | {"away": list(away), "games": [_game_record(met, away, game) for game in _games(away)]}


def _game_record(met: MatchEquityTable, away: tuple[int, int], game: str) -> dict[str, Any]:
    # Cubes up to the first that decides the match for both; a leader who needs 1 point never turns the trailer's.
    last = {"Crawford": 1, "post-Crawford": 2}.get(game, max(away))
    cubes = []
    cube = 1
    while cube < 2 * last:
        chances = met.outcome_mwc(away, cube).round(6).tolist()
        # A double that wins the doubler nothing more is never made.
        take: list[float | None] = [
            None if cube == last or theirs <= cube else round(float(take_point(met, (mine, theirs), cube)), 6)
            for mine, theirs in (away, away[::-1])
        ]
        cubes.append(
            {"cube": cube, "win": chances[3:], "lose": chances[2::-1]}
            | {"take_point": take[0], "opponent_take_point": take[1]}
            | {"gammon_values": gammon_values(met, away, cube).round(6).tolist()}
        )
        cube *= 2
    before = met.mwc(*away, post_crawford=game == "post-Crawford")
    return {"game": game, "mwc": round(float(before), 6), "cubes": cubes}


def _game_text(met: MatchEquityTable, away: tuple[int, int], game: str) -> str:
    record = _game_record(met, away, game)
    name = {"Crawford": "in the Crawford game", "post-Crawford": "after the Crawford game"}.get(game, game)
    lines = ["", f"{away[0]}-away, {away[1]}-away, {name}: {100 * record['mwc']:.2f} %", ""]
    lines.append("        chance in % after winning        after losing          value of a won    of a lost")
    lines.append("cube    single gammon backg.   single gammon backg.   gammon backg. gammon backg.")
    for each in record["cubes"]:
        chances = ("".join(f"{100 * chance:>7.2f}" for chance in each[side]) for side in ("win", "lose"))
        values = "".join(f"{value:>7.2f}" for value in each["gammon_values"])
        lines.append(f"{each['cube']:>4}   {'  '.join(chances)}  {values}")
    doubles = [(each["cube"], each["take_point"], each["opponent_take_point"]) for each in record["cubes"]]
    doubles = [each for each in doubles if each[1:] != (None, None)]
    if not doubles:
        return "\n".join([*lines, "", "nobody may double" if game == "Crawford" else "nobody gains by doubling"])
    lines += ["", "take points in % (dead cube, no gammons)", "double       mine   opponent's"]
    for cube, *points in doubles:
        shown = ("-" if point is None else f"{100 * point:.2f}" for point in points)
        lines.append("{:<8}{:>9}{:>13}".format(f"{cube}->{2 * cube}", *shown))
    return "\n".join(lines)
