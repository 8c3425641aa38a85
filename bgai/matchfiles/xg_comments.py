"""The comments of eXtreme Gammon's files, `temp.xgc`: a line each, as RTF, whose own line ends are the bytes 1 and 2.

The rest of the file refers to them by number, counted from 0, so an empty line holds its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    rb"\\(?P<word>[a-z]+)(?P<number>-?[0-9]{1,6})? ?"
    rb"|(?P<codes>(?:\\'[0-9a-fA-F]{2})+)"
    rb"|\\(?P<sign>.)"
    rb"|(?P<brace>[{}])"
    rb"|[\r\n]+"
    rb"|(?P<text>[^\\{}\r\n]+)",
    re.DOTALL,
)
_HIDDEN = {"fonttbl", "colortbl", "stylesheet", "info", "pict", "header", "footer", "generator", "listtable", "*"}
"""Groups that hold no text of the comment."""
_SIGNS = {
    "par": "\n",
    "line": "\n",
    "tab": "\t",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "endash": "–",
    "emdash": "—",
    "bullet": "•",
    "~": "\N{NO-BREAK SPACE}",
    "_": "-",
    "\\": "\\",
    "{": "{",
    "}": "}",
}
_CODE_PAGE = re.compile(rb"\\ansicpg(\d{3,5})")


def read_comments(data: bytes) -> list[str]:
    """The comments as plain text, by number."""
    return [plain(line.replace(b"\1\2", b"\r\n")) for line in data.split(b"\r\n")]


def plain(rtf: bytes) -> str:
    """The text of a piece of RTF; what is no RTF is taken as text."""
    if not rtf.lstrip().startswith(b"{\\rtf"):
        return _decode(rtf, "utf-8").strip()
    found = _CODE_PAGE.search(rtf)
    text = "".join(_pieces(rtf, f"cp{found[1].decode()}" if found else "cp1252"))
    # RTF writes characters beyond the first 65,536 as two halves.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").strip()


def _pieces(rtf: bytes, code_page: str) -> Iterator[str]:
    hidden = [False]  # of each open group, whether it is left out
    stands_for, skip = 1, 0  # characters that replace a \\u for old readers, and how many of them are still to come
    for match in _TOKEN.finditer(rtf):
        word, number = match["word"] or match["sign"], match["number"]
        codes, text = match["codes"], match["text"]
        if match["brace"]:
            hidden = [*hidden, hidden[-1]] if match["brace"] == b"{" else hidden[:-1] or [False]
        elif word:
            name = word.decode("latin-1")
            if name in _HIDDEN:
                hidden[-1] = True
            elif name == "uc":
                stands_for = int(number or 1)
            elif hidden[-1]:
                continue
            elif name == "u" and number:
                yield chr(int(number) % 0x10000)
                skip = max(stands_for, 0)
            else:
                yield _SIGNS.get(name, "")
        elif (codes or text) and not hidden[-1]:
            shown = bytes.fromhex(codes.replace(b"\\'", b"").decode()) if codes else text
            yield _decode(shown[skip:], code_page)
            skip = max(skip - len(shown), 0)


def _decode(data: bytes, encoding: str) -> str:
    for attempt in (encoding, "cp1252"):
        try:
            return data.decode(attempt)
        except (UnicodeDecodeError, LookupError):
            pass
    return data.decode("latin-1")
