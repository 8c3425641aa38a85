"""Match equity tables in files: the one that bgai carries, plain CSV, and gnubg's XML.

CSV, as `bgai met build` writes it (lines that begin with # and blank lines are skipped, but for name and source):

    # name: My table
    # source: who made it and how
    away,1,2,3
    1,0.5,0.67736,0.75076
    2,0.32264,0.5,0.59947
    3,0.24924,0.40053,0.5
    post-Crawford,0.5,0.48803,0.32264

A row belongs to the player whose chance it is, a column to the other; the last row holds the trailer's chances after
the Crawford game.

XML: tables whose entries are written out (type "explicit"), for players of the same strength. Those that are given
by parameters alone (types "zadeh" and "mec") are refused; `bgai met build` computes tables of that kind.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bgai.errors import InputError
from bgai.met.builder import Rates, extend_met, extend_post
from bgai.met.checks import EXACT, check_met
from bgai.met.table import LONGEST, Chances, MatchEquityTable

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

DEFAULT = "kazaross-xg2.csv"
LARGEST_FILE = 1 << 25
ROUNDED = 0.0025
"""Sums of two printed chances that are out by no more are taken for slips of rounding."""
_POST = "post-Crawford"


def default_met(length: int = 25) -> MatchEquityTable:
    """The table that is used when none is named, for matches up to `length` points at least."""
    return extend_met(_shipped(), length)


@cache
def _shipped() -> MatchEquityTable:
    text = resources.files("bgai").joinpath("data").joinpath(DEFAULT).read_text("utf-8")
    return _checked(_parse_csv(text, DEFAULT), DEFAULT)


def read_met(path: str | os.PathLike[str], *, check: bool = True) -> MatchEquityTable:
    """Reads a table from a CSV or XML file; which of them it is, its first character tells.

    Chances of the two players that miss a sum of 1 by a slip of rounding are averaged, and the table's notes say so.
    With `check` false the table comes as it is in the file.

    Raises:
        InputError: no such file, no such table, or one that breaks a rule; the message names the entry.
    """
    name = os.fspath(path)
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"cannot read the file {name!r}: {reason}") from error
    if len(data) > LARGEST_FILE:
        raise InputError(f"{name!r} is no match equity table: it is larger than {LARGEST_FILE >> 20} MiB")
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        met = _parse_xml(data, name)
    else:
        try:
            met = _parse_csv(data.decode("utf-8-sig"), name)
        except UnicodeDecodeError as error:
            raise InputError(f"{name!r} is no match equity table: neither XML nor text") from error
    return _checked(met, name) if check else met


def format_met(met: MatchEquityTable) -> str:
    """A table as CSV text; reading it gives the same numbers to the bit."""
    lines = [f"# name: {' '.join(met.name.split())}"]
    if met.source:
        lines.append(f"# source: {' '.join(met.source.split())}")
    lines.append(",".join(["away", *map(str, range(1, met.length + 1))]))
    for away, row in enumerate(met.pre.tolist(), start=1):
        lines.append(",".join([str(away), *map(repr, row)]))
    lines.append(",".join([_POST, *map(repr, met.post.tolist())]))
    return "\n".join(lines) + "\n"


def _checked(met: MatchEquityTable, name: str) -> MatchEquityTable:
    problems = check_met(met)
    slips = [each for each in problems if each.rule == "complement" and _gap(met, each.away) <= ROUNDED]
    grave = [each for each in problems if each not in slips]
    if grave:
        more = f" (and {len(grave) - 1} more)" if len(grave) > 1 else ""
        raise InputError(f"{name!r}: {grave[0].rule}: {grave[0]}{more}")
    if not slips:
        return met
    note = f"averaged, as the two chances do not add up to 1: {'; '.join(map(str, slips))}"
    return replace(met, pre=(met.pre + 1 - met.pre.T) / 2, notes=(*met.notes, note))


def _gap(met: MatchEquityTable, away: tuple[int, int]) -> float:
    i, j = away[0] - 1, away[1] - 1
    return abs(float(met.pre[i, j] + met.pre[j, i]) - 1) - EXACT


def _parse_csv(text: str, name: str) -> MatchEquityTable:
    told = {"name": Path(name).stem, "source": ""}
    rows: list[tuple[int, list[str]]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#"):
            key, colon, value = line[1:].partition(":")
            if colon and key.strip() in told:
                told[key.strip()] = value.strip()
        elif line.strip():
            rows.append((number, [cell.strip() for cell in line.split(",")]))
    length = len(rows[0][1]) - 1 if rows else 0
    numbers = [str(away) for away in range(1, length + 1)]
    heads = ["away", *numbers, _POST]
    if not rows or rows[0][1] != ["away", *numbers] or not 1 <= length <= LONGEST:
        found = ",".join(rows[0][1])[:40] if rows else "nothing"
        raise InputError(f"{name!r} is no match equity table: expected a first row 'away,1,2,…', found {found!r}")
    if len(rows) != length + 2:
        raise InputError(f"{name!r}: expected {length + 2} rows for {length} points, found {len(rows)}")
    table = []
    for (number, cells), head in zip(rows[1:], heads[1:], strict=True):
        if cells[0] != head or len(cells) != length + 1:
            raise InputError(
                f"{name!r}, line {number}: expected {head!r} and {length} entries, "
                f"found {cells[0]!r} and {len(cells) - 1}"
            )
        table.append([_number(cell, name, head, place) for place, cell in enumerate(cells[1:], start=1)])
    return MatchEquityTable(told["name"], np.array(table[:-1]), np.array(table[-1]), told["source"])


def _parse_xml(data: bytes, name: str) -> MatchEquityTable:
    from xml.etree import ElementTree

    if b"<!ENTITY" in data:
        raise InputError(f"{name!r}: XML entities are not read, expected a table without them")
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, LookupError, ValueError) as error:
        raise InputError(f"{name!r} is no match equity table: broken XML, {error}") from error
    main, posts = root.find("pre-crawford-table"), root.findall("post-crawford-table")
    if root.tag != "met" or main is None or not posts:
        raise InputError(
            f"{name!r} is no match equity table: expected <met> with <pre-crawford-table> and "
            f"<post-crawford-table>, found <{root.tag}>"
        )
    for element in (main, *posts):
        kind = element.get("type", "explicit")
        if kind != "explicit":
            raise InputError(
                f"{name!r}: a table of type {kind!r} is given by parameters, expected one of type 'explicit'; "
                "bgai met build computes a table from gammon rates"
            )
    rows = _xml_rows(main, name, "row")
    length = len(rows)
    for away, row in enumerate(rows, start=1):
        if len(row) != length:
            raise InputError(f"{name!r}, row {away}: expected {length} entries, found {len(row)}")
    afters = [_xml_rows(post, name, _POST) for post in posts]
    after = afters[0][0] if afters[0] else []
    if any(each != afters[0] for each in afters[1:]):
        raise InputError(
            f"{name!r} is for players of different strength: its post-Crawford tables differ, expected one for both"
        )
    if len(afters[0]) != 1 or not length - 1 <= len(after) <= length:
        raise InputError(f"{name!r}: expected one row of {length} post-Crawford entries, found {len(after)}")
    notes = []
    post = np.array(after or [0.5])
    if len(post) < length:
        # After the Crawford game nobody needs all points of the longest match, so tables may leave this entry out.
        notes.append(f"computed the post-Crawford entry at {length}-away, which the file does not have")
        post = extend_post(post, length, Rates())
    title, about = (root.findtext(f"info/{key}") for key in ("name", "description"))
    return MatchEquityTable(
        (title or Path(name).stem).strip(), _array(rows), post, (about or "").strip(), notes=tuple(notes)
    )


def _xml_rows(table: Element, name: str, head: str) -> list[list[float]]:
    rows = table.findall("row")
    if len(rows) > LONGEST:
        raise InputError(f"{name!r}: expected at most {LONGEST} rows, found {len(rows)}")
    return [
        [
            _number(entry.text or "", name, f"{number}" if head == "row" else head, place)
            for place, entry in enumerate(row.findall("me"), start=1)
        ]
        for number, row in enumerate(rows, start=1)
    ]


def _array(rows: list[list[float]]) -> Chances:
    return np.array(rows) if rows else np.empty((0, 0))


def _number(text: str, name: str, row: str, column: int) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{name!r}, row {row}, column {column}: expected a number, found {text[:40]!r}") from None
