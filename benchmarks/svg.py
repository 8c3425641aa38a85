"""What the charts of the benchmarks share: SVG with grey text and no background, for light and dark pages."""

from __future__ import annotations

from xml.sax.saxutils import escape

GREY, BLUE, ORANGE, GREEN = "#808080", "#3b82f6", "#e8590c", "#2f9e44"
WIDTH = 860
CLOSING = "</svg>"


def opening(height: int, title: str, left: int) -> list[str]:
    """The start of a picture `WIDTH` wide, with its title at the top, from `left` on."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"'
        f' font-family="sans-serif" font-size="13" fill="{GREY}">',
        f"<title>{escape(title)}</title>",
        text(left, 20, title, size=15),
    ]


def text(x: float, y: float, words: str, *, anchor: str = "start", size: int = 13, fill: str = GREY) -> str:
    """Words whose base line starts, or ends, or has its middle at (x, y)."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{fill}">{escape(words)}</text>'
    )
