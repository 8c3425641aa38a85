"""What `bgai eval` and `bgai cube` have in common: positions before the roll, one or a file of them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from typing import Any

from bgai.cli.agreed import Agreed, add_agreed
from bgai.cli.lines import answer_file
from bgai.cli.looking import Asked
from bgai.cli.options import add_ascii, add_file, add_json, add_looking, add_model
from bgai.cli.question import EXAMPLE, Question, say_remarks, split_words
from bgai.errors import InputError

Record = dict[str, Any]


def add_positions(parser: argparse.ArgumentParser) -> None:
    """The options of both."""
    parser.add_argument("words", nargs="*", metavar="ID", help="a position ID, an XGID or another name of a position")
    add_agreed(parser)
    add_looking(parser)
    add_model(parser)
    add_json(parser)
    add_file(parser, "an ID each")
    add_ascii(parser)


def run_positions(
    options: argparse.Namespace,
    opened: Callable[[], Asked],
    read: Callable[[list[str], Agreed], Question],
    answer: Callable[[Asked, Sequence[Question]], list[Record]],
    one_line: Callable[[Record], str],
    page: Callable[[Question, Record, Asked], str],
) -> int:
    """Reads, answers and prints.

    Args:
        opened: who answers.
        read: the question in some words.
        answer: to some questions; to one if there is no file.
        one_line, page: an answer in a line of a file's, and alone.
    """
    words: list[str] = options.words
    agreed = Agreed.of(options)

    def heard(line: list[str]) -> Question:
        question = read(line, agreed)
        say_remarks(question.remarks, line)
        return question

    if options.file is not None:
        if words:
            raise InputError(f"expected either an ID or --file, found both {words[0]!r} and --file {options.file}")
        asked = opened()
        answer_file(options.file, heard, lambda questions: answer(asked, questions), None if options.json else one_line)
        return 0
    if not words:
        raise InputError(f"expected a position ID, such as: bgai {options.command} {EXAMPLE}")
    behind = split_words(words)[1]
    if behind:
        raise InputError(
            f"expected one position ID, found {' '.join(behind)!r} behind it; for the plays of a roll: bgai move"
        )
    question = heard(words)
    asked = opened()
    record = answer(asked, [question])[0]
    print(json.dumps(record) if options.json else page(question, record, asked))
    return 0
