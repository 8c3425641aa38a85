"""From the bytes of a file to its text and lines, whatever program on whatever machine wrote it."""

from __future__ import annotations

import codecs
import re

from bgai.errors import InputError

LARGEST = 1 << 26
"""Bytes that a text file may have: some thousand long matches."""

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_LINE_END = re.compile(r"\r\n|\n|\r")


def decode(data: bytes, named: str | None = None) -> str:
    """The text of a file without its byte order mark.

    Tried are the mark, UTF-16 without one, UTF-8, the encoding that the file names itself, and Windows' Western
    European one, in which every byte but five means something; those five are read as ISO 8859-1.

    Args:
        named: the encoding that a file claims to have.

    Raises:
        InputError: no text, or too much of it.
    """
    if len(data) > LARGEST:
        raise InputError(f"expected the file of a match, found {len(data):,} bytes, more than {LARGEST:,}")
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _plain(data[len(mark) :].decode(encoding, "replace"))
    wide = _wide(data)
    if wide is not None:
        return _plain(data.decode(wide, "replace"))
    return _plain(_bytewise(data, named))


def lines_of(text: str) -> list[str]:
    """The lines, with ends of any system and tabs as blanks."""
    return [line.expandtabs() for line in _LINE_END.split(text)]


def _wide(data: bytes) -> str | None:
    """UTF-16 without a mark: every other byte of Western text is 0."""
    start = data[:2000]
    half = len(start) // 2
    if half < 4:
        return None
    zeros = (start[::2].count(0), start[1::2].count(0))
    if zeros[1] > 0.8 * half and zeros[0] < 0.1 * half:
        return "utf-16-le"
    return "utf-16-be" if zeros[0] > 0.8 * half and zeros[1] < 0.1 * half else None


def _bytewise(data: bytes, named: str | None) -> str:
    for encoding in ("utf-8", named, "cp1252"):
        if encoding is None:
            continue
        try:
            return data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("latin-1")


def _plain(text: str) -> str:
    if "\0" in text:
        raise InputError("no match: expected text, found a binary file of no known kind")
    return text.removeprefix("\ufeff")
