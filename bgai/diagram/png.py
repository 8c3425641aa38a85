"""Diagrams as PNG, by way of the library resvg, which is installed with `bgai[png]` and brings all it needs."""

from __future__ import annotations

import importlib.util
from functools import cache

from bgai.diagram.svg import FONTS
from bgai.errors import InputError

_TRIAL = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" viewBox="0 0 20 20">{}</svg>'


def png_of(svg: str) -> bytes:
    """The picture as PNG, as large as its `width` and `height` say.

    Raises:
        InputError: the library is not installed, or the machine has no font to write with.
    """
    if importlib.util.find_spec("resvg_py") is None:
        raise InputError("PNG needs the package resvg_py: pip install 'bgai[png]'; SVG needs nothing")
    import resvg_py

    if not _has_font():
        raise InputError("PNG needs a font and this machine has none, expected one such as DejaVu Sans; SVG needs none")
    return bytes(resvg_py.svg_to_bytes(svg_string=svg))


@cache
def _has_font() -> bool:
    """Whether text leaves a trace: without a font it is left out without a word."""
    import resvg_py

    text = f'<text x="2" y="18" font-size="20" font-family="{FONTS}">8</text>'
    written, empty = (resvg_py.svg_to_bytes(svg_string=_TRIAL.format(inside)) for inside in (text, ""))
    return bool(written != empty)
