"""The pages about the command line, checked against the program.

    python -m tests.test_cli_docs

writes the output of every example anew. Examples are blocks marked `console`; in those marked `console model` the
output depends on the default model or on the machine, so the test only runs them, duels with fewer games.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bgai.cli.main import COMMANDS, main, parser
from tests.cli import NOTICE

DOCS = Path(__file__).parents[1] / "docs"
PAGES = ("cli.md", "json.md")
_BLOCK = re.compile(r"^```console(?P<model> model)?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_PRETTY = " | python -m json.tool"
_GAMES = re.compile(r"(?<=--games )\d+")


@dataclass(frozen=True)
class Example:
    """One command with what it printed."""

    page: str
    command: str
    output: str
    exact: bool


def examples(page: str) -> Iterator[Example]:
    """The examples of a page, in order."""
    for block in _BLOCK.finditer((DOCS / page).read_text("utf-8")):
        for part in re.split(r"^\$ ", block["text"], flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield Example(page, command, output, exact=block["model"] is None)


def shell(command: str, output: str) -> str:
    """What a command prints, on both streams. `cat FILE` makes the file of the output that the page shows."""
    if command.startswith("cat "):
        Path(command.removeprefix("cat ")).write_text(output, "utf-8")
        return output
    typed = ""
    if command.startswith("printf "):
        text, _, command = command.partition(" | ")
        typed = shlex.split(text)[1].replace("\\n", "\n")
    words = shlex.split(command.removesuffix(_PRETTY))
    assert words[0] == "bgai"
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(typed.encode()))
    try:
        with (
            contextlib.redirect_stdout(terminal),
            contextlib.redirect_stderr(terminal),
            contextlib.suppress(SystemExit),
        ):
            main(words[1:])
    finally:
        sys.stdin = before
    terminal.seek(0)
    printed = NOTICE.sub("", terminal.read())
    return json.dumps(json.loads(printed), indent=4) + "\n" if command.endswith(_PRETTY) else printed


def with_few_games(command: str) -> str:
    """The same command, for output that nothing is compared with: more games of a duel show no other line."""
    return _GAMES.sub("20", command)


def without_times(text: str) -> str:
    return re.sub(r"[\d.]+ s\b", "… s", text)


@pytest.mark.parametrize("page", PAGES)
def test_examples(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = list(examples(page))
    assert found
    for example in found:
        if example.command.startswith("bgai bench"):
            continue
        printed = shell(example.command if example.exact else with_few_games(example.command), example.output)
        if example.exact:
            assert without_times(printed) == without_times(example.output), example.command
        else:
            assert "bgai: " not in printed, example.command
            assert not re.match(r"bgai \w+: ", printed), example.command
            assert example.output, f"{example.command} has no output: run python -m tests.test_cli_docs"


def sections() -> dict[str, str]:
    """The text about each command."""
    parts = re.split(r"^## bgai ([\w-]+)$", (DOCS / "cli.md").read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def arguments_of(name: str) -> list[argparse.Action]:
    (commands,) = [action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)]
    return [action for action in commands.choices[name]._actions if action.dest != "help"]


def test_every_command_has_a_section() -> None:
    assert list(sections()) == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_explained_and_none_is_invented(name: str) -> None:
    section = sections()[name]
    there = {option for action in arguments_of(name) for option in action.option_strings}
    told = set(re.findall(r"(?<![\w-])(?:--[a-z]+(?:-[a-z]+)*|-o\b)", section)) - {"--help"}
    assert there <= told, f"not explained: {sorted(there - told)}"
    assert told <= there | {"--file"}, f"not there: {sorted(told - there)}"
    for action in arguments_of(name):
        if not action.option_strings:
            for word in str(action.metavar).split():
                assert word in section


def rewrite() -> None:
    """Runs all examples and writes what they print."""
    for page in PAGES:
        text = (DOCS / page).read_text("utf-8")

        def fresh(block: re.Match[str]) -> str:
            parts = re.split(r"^\$ ", block["text"], flags=re.MULTILINE)[1:]
            done = []
            for part in parts:
                command, _, output = part.partition("\n")
                print(f"$ {command}")
                printed = shell(command, output)
                done.append(f"$ {command}\n{printed}")
            return f"```console{block['model'] or ''}\n{''.join(done)}```"

        (DOCS / page).write_text(_BLOCK.sub(fresh, text), "utf-8")


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        os.environ["BGAI_DATA"] = folder
        os.chdir(folder)
        rewrite()
