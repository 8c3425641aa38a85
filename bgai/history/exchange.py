"""The history as JSON, to move it, to keep a copy, or to read it elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from bgai.errors import InputError

FORMAT = 1
"""Number of the form of an export."""


def written(
    matches: Iterable[dict[str, Any]], spellings: Mapping[str, list[str]], cards: Iterable[dict[str, Any]]
) -> Iterator[str]:
    """The text of an export, in pieces, because analyses are large."""
    yield f'{{"bgai_history": {FORMAT},\n"spellings": {json.dumps(spellings)},\n"matches": ['
    yield from _listed(matches)
    yield '],\n"problems": ['
    yield from _listed(cards)
    yield "]}\n"


def _listed(entries: Iterable[dict[str, Any]]) -> Iterator[str]:
    for number, entry in enumerate(entries):
        yield f"{',' * bool(number)}\n{json.dumps(entry, separators=(',', ':'))}"


def read(text: str) -> Mapping[str, Any]:
    """An export, or the analysis of one match as an export.

    Raises:
        InputError: neither.
    """
    try:
        data = json.loads(text)
    except ValueError as error:
        raise InputError(f"expected JSON: {error}") from None
    if isinstance(data, dict) and "bgai_history" in data:
        if data["bgai_history"] != FORMAT:
            raise InputError(f"expected an export of format {FORMAT}, found {data['bgai_history']!r}")
        lists = all(isinstance(data.get(name), list) for name in ("matches", "problems"))
        if not lists or not isinstance(data.get("spellings"), dict):
            raise InputError("not an export: expected matches, problems and spellings")
        return data
    if isinstance(data, dict) and "record" in data and "decisions" in data:
        return {"spellings": {}, "matches": [{"analysis": data}], "problems": []}
    raise InputError("expected the JSON of an analysis or of bgai history export")


def day(text: str) -> date:
    """A day as JSON has it.

    Raises:
        InputError: something else.
    """
    try:
        return date.fromisoformat(text)
    except (TypeError, ValueError):
        raise InputError(f"expected a day such as 2026-11-30, found {text!r}") from None
