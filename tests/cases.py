"""Real-world cases: what somebody reported of a backgammon program, with the right answer.

`data/cases/cases.json` is a list of objects with `id`, `kind`, `source` (where it was reported), `summary`,
`input`, `expected` and `how_established`; files named in a case lie in `data/cases/files`.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "data" / "cases"

Case = dict[str, Any]


@cache
def _all() -> list[Case]:
    found: list[Case] = json.loads((FOLDER / "cases.json").read_text("utf-8"))
    return found


def cases(kind: str) -> list[Case]:
    """The cases of one kind. For parametrize: `cases("movegen"), ids=case_id`."""
    found = [case for case in _all() if case["kind"] == kind]
    assert found, f"no case of kind {kind!r}"
    return found


def case(name: str) -> Case:
    """One case by the beginning of its ID, such as "tr-03"."""
    (found,) = [case for case in _all() if case["id"].startswith(f"{name}-")]
    return found


def case_id(case: Case) -> str:
    """A case's name in a test report."""
    name: str = case["id"]
    return name


def lines(case: Case, key: str) -> list[str]:
    """A list that a case expects, which may lie in a file."""
    value = case["expected"][key]
    if isinstance(value, str):
        return (FOLDER / value).read_text("utf-8").split()
    return list(value)
