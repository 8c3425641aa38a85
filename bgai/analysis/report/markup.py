"""A few lines that write HTML: elements with attributes and content; all but markup is escaped."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

_FORBIDDEN = re.compile("[^\t\n\r -~\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no page may hold, such as those that control a terminal."""

_EMPTY = {"br", "col", "input", "meta"}
"""Elements without content."""


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Content = str | None
"""Plain text is escaped, markup is not, and None is nothing."""

Value = str | int | bool | None
"""Of an attribute. False and None leave it out, True is the attribute alone."""


def plain(text: str) -> Markup:
    """Text as HTML takes it, in content and in attributes."""
    return Markup(html.escape(_FORBIDDEN.sub("", text)))


def tag(name: str, /, *content: Content, **attributes: Value) -> Markup:
    """An element. In the names of attributes `_` stands for `-`, and one at the end for nothing."""
    opening = Markup(f"<{name}{''.join(_attribute(key, value) for key, value in attributes.items())}>")
    return opening if name in _EMPTY else Markup(f"{opening}{join(content)}</{name}>")


def join(parts: Iterable[Content], between: str = "") -> Markup:
    """Parts one after the other; `between` is plain text."""
    written = [part if isinstance(part, Markup) else plain(part) for part in parts if part is not None]
    return Markup(plain(between).join(written))


def _attribute(name: str, value: Value) -> str:
    if value is None or value is False:
        return ""
    written = name.rstrip("_").replace("_", "-")
    return f" {written}" if value is True else f' {written}="{plain(str(value))}"'
