"""The page to play on: files that are read once, at the start, so that no request is ever turned into a path."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from importlib.resources import files
from importlib.resources.abc import Traversable

from fastapi import FastAPI, Request
from starlette.responses import HTMLResponse, Response

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
"""Endings of the files that belong to the page."""

INDEX = "index.html"
_NO_PAGE = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>bgai</title>
<p>bgai answers here. <a href="/docs">What it answers</a>"""


def page_files() -> dict[str, bytes]:
    """The files of the page by their paths under `/`."""
    folder = files("bgai.server") / "page"
    return dict(_read(folder, "")) if folder.is_dir() else {}


def add_page(app: FastAPI) -> None:
    """Serves each file of the page under its path, and an index also under that of its folder."""
    found = page_files()
    for path, data in found.items():
        answer = partial(
            _send, data, TYPES[f".{path.rpartition('.')[2]}"], f'"{hashlib.sha256(data).hexdigest()[:20]}"'
        )
        _add(app, f"/{path}", answer)
        if path.rpartition("/")[2] == INDEX:
            _add(app, f"/{path.removesuffix(INDEX)}", answer)
        elif path.endswith(".html"):
            _add(app, f"/{path.removesuffix('.html')}", answer)
    if INDEX not in found:
        _add(app, "/", lambda _request: HTMLResponse(_NO_PAGE))


def _add(app: FastAPI, path: str, answer: Callable[[Request], Response]) -> None:
    app.add_route(path, answer, methods=["GET", "HEAD"], include_in_schema=False)


def _send(data: bytes, kind: str, tag: str, request: Request) -> Response:
    """The file, or that it has not changed."""
    headers = {"etag": tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(data, headers=headers, media_type=kind)


def _read(folder: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    found = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            found += _read(entry, f"{prefix}{entry.name}/")
        elif f".{entry.name.rpartition('.')[2]}" in TYPES:
            found.append((f"{prefix}{entry.name}", entry.read_bytes()))
    return found
