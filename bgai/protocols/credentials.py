"""Passwords: from the environment or from a file that only its owner can read, never from the command line."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from bgai.errors import InputError

_LONGEST = 1024
HIDDEN = "***"


class Password:
    """A password that does not show itself when it is printed."""

    def __init__(self, secret: str) -> None:
        self.secret = secret

    def __repr__(self) -> str:
        return HIDDEN

    def hide(self, text: str) -> str:
        """The text with the password taken out."""
        return text.replace(self.secret, HIDDEN)


def read_password(variable: str, file: Path | None, environment: Mapping[str, str] = os.environ) -> Password | None:
    """The password in a file, or else in a variable of the environment; None if neither is given.

    Args:
        variable: name of the variable.
        file: has the password as its one line.
        environment: where the variable is looked for.

    Raises:
        InputError: the file cannot be read, others can read it too, or it holds no password.
    """
    if file is not None:
        return _checked(_read(file), f"the credentials file {str(file)!r}")
    found = environment.get(variable)
    return None if found is None else _checked(found, variable)


def _read(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            status = os.fstat(opened.fileno())
            if os.name == "posix" and status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                mode = stat.S_IMODE(status.st_mode)
                raise InputError(
                    f"the credentials file {str(file)!r} is open to others (mode {mode:03o}),"
                    f" expected one for its owner alone: chmod 600"
                )
            return opened.read(_LONGEST + 2).decode("utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"the credentials file {str(file)!r} cannot be read: {error.strerror}") from None


def _checked(text: str, where: str) -> Password:
    secret = text.strip("\r\n")
    if not secret or len(secret) > _LONGEST or not secret.isprintable():
        raise InputError(f"{where}: expected a password in one line, found none that can be sent")
    return Password(secret)
