"""The JSON file of results that `calibration.py` writes, and reads to draw them."""

from __future__ import annotations

import json
import re
import reprlib
from pathlib import Path
from typing import Any

from accuracy import Row
from position_kinds import KINDS
from report import write_results

from bgai.errors import InputError
from bgai.outcomes import COUNT

KIND = "calibration"
_CHANCES = [0.0] * COUNT
_HEAD: Row = {"player": {"name": ""}, "trials": 0, "seed": 0, "shares_of_games": {}, "positions": []}
_POSITION: Row = {
    "kind": "",
    "on_roll": True,
    "crossed": True,
    "static": _CHANCES,
    "rolled": _CHANCES,
    "standard_errors": [*_CHANCES, 0.0],
}
_OUTSIDE: Row = {"gnubg": {"static": _CHANCES, "deep": _CHANCES}}
"""What drawing needs of a file, of a position, and of one that gnubg-nn was asked about, by example."""
_TYPES = {dict: "an object", list: "a list", str: "a text", bool: "true or false", int: "a whole number"}


def write(folder: Path, name: str, content: Row) -> Path:
    """Writes the results of a model of that name beside the environment; returns the path.

    Raises:
        OSError: the disk is full, or the folder cannot be made or written to.
    """
    return write_results(folder, f"{KIND}-{name}", {"kind": KIND, **content}, numbers_in_lines)


def numbers_in_lines(text: str) -> str:
    """Indented JSON with each list of numbers on a line of its own: a fifth as many lines."""
    return re.sub(r"\[[-+.\de,\s]+\]", lambda found: f"[{' '.join(found[0][1:-1].split())}]", text)


def read(path: Path) -> Row:
    """Reads what `write` wrote.

    Raises:
        InputError: it cannot be read, is damaged, or holds something else.
    """
    try:
        content: Any = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}, expected results of calibration.py") from error
    except ValueError as error:
        raise InputError(f"{path}: found no JSON ({error}), expected results of calibration.py") from error
    kind = content.get("kind") if isinstance(content, dict) else None
    if kind != KIND:
        raise InputError(f"{path}: found results of kind {kind!r}, expected {KIND!r}")
    asked = content.get("gnubg_plies", 0) is not None
    _check(content, _HEAD | {"gnubg_plies": 0 if asked else None}, str(path))
    if not content["positions"]:
        raise InputError(f"{path}: found no positions, expected at least one")
    titles = [kind.title for kind in KINDS]
    for number, row in enumerate(content["positions"]):
        where = f"{path}: position {number}"
        _check(row, _POSITION | (_OUTSIDE if asked else {}), where)
        if "gnubg" in row and not asked:
            raise InputError(f"{where}: found chances of gnubg-nn, expected none without gnubg_plies")
        if row["kind"] not in titles:
            raise InputError(f"{where}: found the kind {row['kind']!r}, expected one of {', '.join(titles)}")
    _check(content["shares_of_games"], {row["kind"]: 0.0 for row in content["positions"]}, f"{path}: shares_of_games")
    found: Row = content
    return found


def _check(found: Any, example: Any, where: str) -> None:
    """Refuses what has another form than `example`: an object with at least its keys, so many numbers, a value."""
    expected = None
    if isinstance(example, float):
        if type(found) not in (int, float):
            expected = "a number"
    elif type(found) is not type(example):
        expected = _TYPES[type(example)]
    elif isinstance(example, list) and example and len(found) != len(example):
        expected = f"{len(example)} numbers"
    if expected is not None:
        shown = "nothing" if found is None else reprlib.repr(found)
        raise InputError(f"{where}: found {shown}, expected {expected}")
    if isinstance(example, dict):
        for key, part in example.items():
            _check(found.get(key), part, f"{where}: {key}")
    elif isinstance(example, list):
        for one, part in zip(found, example, strict=False):
            _check(one, part, where)
