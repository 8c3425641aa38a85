"""Any format that is written: by its name, or by what a file is called."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from bgai.errors import InputError
from bgai.files import write_whole
from bgai.matchfiles.found import Problem
from bgai.matchfiles.mat_writer import mat_losses, write_mat
from bgai.matchfiles.sgf_writer import sgf_losses, write_sgf
from bgai.record import MatchRecord


class _Writer(NamedTuple):
    name: str
    suffixes: tuple[str, ...]
    write: Callable[[MatchRecord], str]
    losses: Callable[[MatchRecord], list[Problem]]


def _json(record: MatchRecord) -> str:
    return json.dumps(record.to_dict(), ensure_ascii=False, indent=1) + "\n"


WRITERS = {
    "mat": _Writer("Jellyfish text", (".mat", ".gam"), write_mat, mat_losses),
    "sgf": _Writer("SGF", (".sgf",), write_sgf, sgf_losses),
    "snowie": _Writer("Snowie text", (".txt",), partial(write_mat, tags=False), partial(mat_losses, tags=False)),
    "json": _Writer("JSON", (".json",), _json, lambda _: []),
}
"""By the name of the format."""


def format_of(path: str | Path) -> str:
    """The format that a file is written in, by its suffix.

    Raises:
        InputError: no known suffix.
    """
    suffix = Path(path).suffix.lower()
    for name, writer in WRITERS.items():
        if suffix in writer.suffixes:
            return name
    known = ", ".join(suffix for writer in WRITERS.values() for suffix in writer.suffixes)
    raise InputError(f"{path}: expected a file name that ends with {known}, found {suffix or 'no suffix'!r}")


def write_match(record: MatchRecord, format: str) -> str:
    """The match as text of a format.

    Raises:
        InputError: no such format.
    """
    return _writer(format).write(record)


def losses(record: MatchRecord, format: str) -> tuple[Problem, ...]:
    """What a format has no place for, so that it is not there when the text is read again.

    Raises:
        InputError: no such format.
    """
    return tuple(_writer(format).losses(record))


def write_match_file(record: MatchRecord, path: str | Path, format: str | None = None) -> tuple[Problem, ...]:
    """Writes a file, as a whole, in the format of its suffix if none is named; returns what got lost.

    Raises:
        InputError: no known format.
        OSError: the file cannot be written.
    """
    form = format_of(path) if format is None else format
    text = write_match(record, form)
    write_whole(Path(path), text.encode("utf-8", "surrogatepass"))
    return losses(record, form)


def _writer(format: str) -> _Writer:
    if format not in WRITERS:
        raise InputError(f"expected a format that is written ({', '.join(WRITERS)}), found {format!r}")
    return WRITERS[format]
