"""Files with one question a line.

Lines are answered in blocks, which is what makes it fast, but no block waits for input that has not come yet:
a program at the other end of a pipe gets an answer to each line as it writes it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BufferedIOBase
from typing import Any, TypeVar, cast

from bgai.errors import InputError

BLOCK = 512
"""Questions that are answered together, at most."""
_CHUNK = 1 << 16

Asked = TypeVar("Asked")


def answer_file(
    name: str,
    read: Callable[[list[str]], Asked],
    answer: Callable[[Sequence[Asked]], list[dict[str, Any]]],
    as_text: Callable[[dict[str, Any]], str] | None,
) -> None:
    """Answers every line of a file on the standard output, in order, one line each.

    A line that is no question is answered by what is wrong with it, in its place.

    Args:
        name: of the file; `-` is the standard input.
        read: makes a question of the words of a line, or raises `InputError`.
        answer: the answers to some questions.
        as_text: how an answer is printed; None for JSON.

    Raises:
        InputError: the file cannot be read; or, at the end, some lines were no questions.
    """
    write = as_text or json.dumps
    total = wrong = 0
    with _opened(name) as file:
        for lines in _blocks(file):
            questions: list[Asked] = []
            errors: dict[int, str] = {}
            for number, words in lines:
                try:
                    questions.append(read(words))
                except InputError as error:
                    errors[number] = str(error)
            answers = iter(answer(questions) if questions else [])
            printed = [
                _problem(errors[number], number, as_text is None) if number in errors else write(next(answers))
                for number, _ in lines
            ]
            sys.stdout.write("\n".join(printed) + "\n")
            sys.stdout.flush()
            total += len(lines)
            wrong += len(errors)
    if wrong:
        lines_of = "the only line" if total == 1 else f"{wrong} of {total} lines"
        raise InputError(f"{lines_of} of {_called(name)} could not be answered")


def _problem(message: str, number: int, as_json: bool) -> str:
    return json.dumps({"error": message, "line": number}) if as_json else f"line {number}: {message}"


@contextmanager
def _opened(name: str) -> Iterator[BufferedIOBase]:
    if name == "-":
        if sys.stdin is None:
            raise InputError("cannot read the standard input: it is closed")
        yield cast(BufferedIOBase, sys.stdin.buffer)
        return
    try:
        file = open(name, "rb")  # noqa: SIM115 - closed by the `with` below
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"cannot read the file {name!r}: {reason}") from error
    with file:
        yield file


def _called(name: str) -> str:
    return "the standard input" if name == "-" else repr(name)


def _blocks(file: BufferedIOBase) -> Iterator[list[tuple[int, list[str]]]]:
    """Numbered lines split into words, without blank lines and comments."""
    number = 0
    rest = b""
    while True:
        chunk = file.read1(_CHUNK)
        *lines, rest = (rest + chunk).split(b"\n")
        if not chunk and rest:
            lines, rest = [rest], b""
        block: list[tuple[int, list[str]]] = []
        for line in lines:
            number += 1
            words = line.decode("utf-8-sig" if number == 1 else "utf-8", "replace").split()
            if words and not words[0].startswith("#"):
                block.append((number, words))
            if len(block) == BLOCK:
                yield block
                block = []
        if block:
            yield block
        if not chunk:
            return
