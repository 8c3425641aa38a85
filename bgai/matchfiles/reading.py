"""Any file of a match: finds out by its contents what it is, and reads it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

from bgai.errors import InputError
from bgai.matchfiles.building import Progress
from bgai.matchfiles.decoding import decode
from bgai.matchfiles.found import MatchFile, harmless, one_line
from bgai.matchfiles.mat_reader import is_mat, read_mat, read_snowie_position
from bgai.matchfiles.positions import read_positions
from bgai.matchfiles.sgf_reader import read_sgf
from bgai.matchfiles.sgf_text import is_sgf
from bgai.matchfiles.snowie import is_snowie_line
from bgai.record import MatchRecord

FORMATS = {
    "mat": "Jellyfish text, as nearly every program writes it (.mat, .gam)",
    "sgf": "Smart Game Format in GNU Backgammon's dialect (.sgf)",
    "snowie": "Snowie text: a match, or a position in one line (.txt)",
    "xg": "eXtreme Gammon's binary files (.xg, .xgp)",
    "xg text": "a position as eXtreme Gammon's text export shows it (.txt)",
    "json": "the record of a match as bgai keeps it (.json)",
}
"""Names of the formats that are read, and what they are."""

_CHARSET = re.compile(rb"CA\s*\[\s*([A-Za-z0-9_.:-]{1,30})\s*\]")


def read_match_file(path: str | Path, progress: Progress | None = None) -> MatchFile:
    """Reads a file.

    Args:
        progress: is told how many of how many games are read.

    Raises:
        InputError: no match, a damaged or a cut file; the message begins with the path.
        OSError: the file cannot be read.
    """
    return read_match(Path(path).read_bytes(), str(path), progress)


def read_match(data: bytes, name: str = "", progress: Progress | None = None) -> MatchFile:
    """Reads a match, or the position that a file holds as a match of one game that stands there.

    Control characters in names and remarks are left out, so that nothing in a file steers the terminal.

    Args:
        name: of the file, for messages and where the contents leave the format open.
        progress: is told how many of how many games are read.

    Raises:
        InputError: no match, a damaged or a cut file; the message begins with the name.
    """
    try:
        found = _read(data, name, progress)
    except InputError as error:
        raise InputError(one_line(f"{name}: {error}" if name else str(error))) from None
    problems = tuple(replace(problem, text=one_line(problem.text)) for problem in found.problems)
    return replace(found, record=harmless(found.record), problems=problems)


def _read(data: bytes, name: str, progress: Progress | None) -> MatchFile:
    from bgai.matchfiles.xg import is_xg, read_xg
    from bgai.matchfiles.xg_text import is_xg_text, read_xg_text

    if not data.strip():
        raise InputError("no match: the file is empty")
    if is_xg(data):
        return read_xg(data, progress)
    charset = _CHARSET.search(data[:2000]) if data.lstrip()[:1] == b"(" else None
    text = decode(data, charset[1].decode() if charset else None)
    if is_sgf(text):
        return read_sgf(text, progress)
    if text.lstrip().startswith("{"):
        return _read_json(text)
    if is_xg_text(text):
        return read_xg_text(text)
    if is_snowie_line(text.lstrip().partition("\n")[0]):
        return read_snowie_position(text)
    if is_mat(text):
        return read_mat(text, "snowie" if name.lower().endswith(".txt") else "mat", progress)
    if _lists_positions(data):
        raise InputError("a list of positions, and no match; `bgai move --file` and `bgai quiz --import` take it")
    raise InputError(f"no match of a known kind; known are {', '.join(FORMATS)}")


def _lists_positions(data: bytes) -> bool:
    """Whether at least half of the lines are positions."""
    try:
        found = read_positions(data)
    except InputError:
        return False
    return len(found.positions) >= len(found.problems)


def _read_json(text: str) -> MatchFile:
    try:
        data = json.loads(text)
    except ValueError as error:
        raise InputError(f"no JSON: {error}") from None
    return MatchFile(MatchRecord.from_dict(data), "json")
