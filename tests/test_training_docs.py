"""docs/training.md says what the trainer does: every key, every logged number, every file of a run.

`python -m tests.test_training_docs` writes the table of keys anew.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[1] / "docs" / "training.md"
BEGIN, END = "<!-- keys: made by python -m tests.test_training_docs -->\n", "<!-- end of keys -->\n"


def keys(kind: Any, prefix: str = "") -> list[tuple[str, str, str]]:
    """Name, default and meaning of each key of a configuration class and of its sections."""
    meanings: dict[str, str] = {}
    body = ast.parse(inspect.getsource(kind)).body[0].body  # type: ignore[attr-defined]
    for node, after in itertools.pairwise(body):
        if isinstance(node, ast.AnnAssign) and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            meanings[ast.unparse(node.target)] = " ".join(str(after.value.value).split())
    found: list[tuple[str, str, str]] = []
    sections: list[tuple[str, str, str]] = []
    for field in dataclasses.fields(kind):
        default = getattr(kind(), field.name)
        if dataclasses.is_dataclass(default):
            sections += keys(type(default), f"{prefix}{field.name}.")
        else:
            found.append((f"{prefix}{field.name}", json.dumps(default), meanings.get(field.name, "")))
    return found + sections


def table() -> str:
    """The table of keys, as it should stand in the page."""
    from bgai_train.config import TrainConfig

    rows = [f"| `{name}` | `{default}` | {meaning} |\n" for name, default, meaning in keys(TrainConfig)]
    return "| key | default | meaning |\n|---|---|---|\n" + "".join(rows)


def test_every_key_has_a_meaning() -> None:
    from bgai_train.config import TrainConfig

    assert [name for name, _, meaning in keys(TrainConfig) if not meaning] == []


def test_the_page_has_the_keys_as_they_are() -> None:
    written = DOCS.read_text("utf-8").split(BEGIN)[1].split(END)[0]
    assert written == table(), "run: python -m tests.test_training_docs"


def test_the_page_names_every_number_and_every_file_of_a_run(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from bgai_train.config import from_dict
    from bgai_train.loop import start_run

    recipe = {
        "network": {"layers": [16]},
        "selfplay": {"games": 8},
        "evaluate": {"games": 2, "opponents": ["random"]},
    }
    folder = tmp_path / "run"
    start_run(from_dict(recipe), folder)
    page = DOCS.read_text("utf-8")
    names = {
        "/".join([entry["kind"], *path])
        for line in (folder / "log.jsonl").read_text("utf-8").splitlines()
        for entry in [json.loads(line)]
        for path in paths(entry)
    }
    assert names
    for name in sorted(names):
        shown = name.replace("/random", "/NAME")
        if name.startswith("evaluation/opening/"):
            shown = "evaluation/opening/31"
        assert f"| `{shown}` |" in page, name
    for path in folder.iterdir():
        assert f"        {path.name}{'/' * path.is_dir()} " in page, path.name


def paths(entry: dict[str, Any]) -> list[tuple[str, ...]]:
    """The names of all numbers of a line of the log."""
    found: list[tuple[str, ...]] = []
    for name, value in entry.items():
        if isinstance(value, dict):
            found += [(name, *rest) for rest in paths(value)]
        elif name not in ("kind", "games"):
            found.append((name,))
    return found


if __name__ == "__main__":
    before, rest = DOCS.read_text("utf-8").split(BEGIN)
    DOCS.write_text(before + BEGIN + table() + END + rest.split(END)[1], "utf-8")
