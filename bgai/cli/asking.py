"""Questions that a person answers by typing a line."""

from __future__ import annotations

import sys

_YES, _NO, _LEAVE = ("", "y", "yes", "ok"), ("u", "undo", "n", "no"), ("quit", "exit", "q")


class Left(Exception):
    """The person does not want to go on."""


def ask(prompt: str) -> str:
    """A line that was typed. One from a file or a pipe is printed, so that the output can be read.

    Raises:
        EOFError: the input has ended.
    """
    text = input(prompt).strip()
    if not sys.stdin.isatty():
        print(text)
    return text


def confirmed(play: str) -> bool:
    """Whether a play that is shown on the board is meant."""
    while True:
        text = ask(f"{play}: Enter to confirm, u to undo: ").lower()
        if text in _YES:
            return True
        if text in _NO:
            return False
        if text in _LEAVE:
            raise Left
        print(f"Expected Enter (or y) to confirm or u to undo, found {text!r}.")


def next_game() -> None:
    """Waits until the person wants the next game of a match or session."""
    while True:
        text = ask("Enter for the next game, or quit: ").lower()
        if text in _YES:
            return
        if text in _LEAVE:
            raise Left
        print(f"Expected Enter (or y) to go on or quit to stop, found {text!r}.")
