"""The OpenAPI document, and the same as a page, for which nothing is loaded from elsewhere."""

from __future__ import annotations

import json
import shlex
import threading
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, JSONResponse, Response

from bgai.server.gate import guarded

BASE = "http://127.0.0.1:8000"
_METHODS = ("get", "post", "put", "patch", "delete")
_REF = "#/components/schemas/"

_STYLE = """
:root{color-scheme:light dark;--line:#8884;--faint:#8882}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h2{margin-top:3rem;border-bottom:1px solid var(--line)}h3{margin-top:2.5rem;font-size:1rem}
code,pre{font-family:ui-monospace,monospace;font-size:.85rem}
pre{background:var(--faint);padding:.7rem;overflow:auto;max-height:24rem;border-radius:.4rem}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.25rem .6rem .25rem 0;
border-bottom:1px solid var(--line)}summary{cursor:pointer}
.method{text-transform:uppercase;font-weight:700;margin-right:.6em}nav li{margin:.1rem 0}
"""

Schema = Mapping[str, Any]


def add_docs(app: FastAPI, problem: type[BaseModel]) -> None:
    """Gives an app its document, at `/openapi.json`, and the page, at `/docs`.

    They are made when somebody asks first, in a thread, because that takes up to some seconds.
    """
    lock = threading.Lock()
    made: list[tuple[dict[str, Any], str]] = []

    def both() -> tuple[dict[str, Any], str]:
        with lock:
            if not made:
                found = described()
                made.append((found, _page(found)))
            return made[0]

    def described() -> dict[str, Any]:
        found = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        schemas = found.setdefault("components", {}).setdefault("schemas", {})
        details = problem.model_json_schema(ref_template=_REF + "{model}")
        schemas |= details.pop("$defs", {}) | {problem.__name__: details}
        found["servers"] = [{"url": "/"}]
        found["components"]["securitySchemes"] = {
            "token": {"type": "http", "scheme": "bearer", "description": "Only of a server that was given a token."}
        }
        for path, operations in found["paths"].items():
            for name, operation in operations.items():
                if name in _METHODS and guarded(path):
                    operation["security"] = [{}, {"token": []}]
        return found

    async def docs(_request: object) -> Response:
        return HTMLResponse((await run_in_threadpool(both))[1])

    async def document(_request: object) -> Response:
        return JSONResponse((await run_in_threadpool(both))[0])

    # FastAPI's own way to change the document.
    app.openapi = lambda: both()[0]  # type: ignore[method-assign]
    app.add_route("/docs", docs, include_in_schema=False)
    app.add_route("/openapi.json", document, include_in_schema=False)


def _page(document: Schema) -> str:
    parts = [
        f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{escape(document["info"]["title"])}: API</title>'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<style>{_STYLE}</style><h1>{escape(document['info']['title'])} {escape(document['info']['version'])}</h1>"
        f"<p>{escape(document['info']['description'])}</p>"
        '<p>For programs: <a href="/openapi.json">/openapi.json</a> (OpenAPI). <a href="/">The page to play on</a>.</p>'
    ]
    tags: dict[str, list[tuple[str, str, Schema]]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if method in _METHODS:
                tags.setdefault(operation.get("tags", ["other"])[0], []).append((method, path, operation))
    parts.append("<nav>")
    for tag, routes in tags.items():
        items = "".join(
            f'<li><a href="#{_anchor(method, path)}"><code>{method.upper()} {escape(path)}</code></a>'
            f" {escape(operation.get('summary', ''))}</li>"
            for method, path, operation in routes
        )
        parts.append(f"<p>{escape(tag)}</p><ul>{items}</ul>")
    parts.append("</nav>")
    for tag, routes in tags.items():
        parts.append(f"<h2>{escape(tag)}</h2>")
        for route in routes:
            parts += _route(document, *route)
    return "".join(parts)


def _anchor(method: str, path: str) -> str:
    return escape(method + path.replace("/", "-").replace("{", "").replace("}", ""))


def _route(document: Schema, method: str, path: str, operation: Schema) -> Iterator[str]:
    yield f'<h3 id="{_anchor(method, path)}"><span class="method">{method}</span><code>{escape(path)}</code></h3>'
    yield f"<p><b>{escape(operation.get('summary', ''))}.</b> {escape(operation.get('description', ''))}</p>"
    parameters = operation.get("parameters", [])
    if parameters:
        yield _table(
            (f"{one['name']} ({one['in']})", one["schema"], one.get("required", False), one.get("description", ""))
            for one in parameters
        )
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        schema = _resolved(document, content.get("schema", {}))
        yield f"<p>Body, <code>{escape(kind)}</code>:</p>{_fields(document, schema)}"
        for example in content.get("examples", {}).values():
            command = _curl(method, path, example["value"])
            yield f"<p>{escape(example.get('summary', ''))}:</p><pre>{escape(command)}</pre>"
    for status, response in operation.get("responses", {}).items():
        opened = " open" if status.startswith("2") else ""
        yield f"<details{opened}><summary>{status}: {escape(response['description'])}</summary>"
        for kind, content in response.get("content", {}).items():
            if "example" in content:
                example = content["example"]
                text = example if isinstance(example, str) else json.dumps(example, indent=1)
                yield f"<p><code>{escape(kind)}</code></p><pre>{escape(text)}</pre>"
            schema = _resolved(document, content.get("schema", {}))
            if status.startswith("2") and "properties" in schema:
                yield _fields(document, schema)
        yield "</details>"


def _curl(method: str, path: str, body: Any) -> str:
    words = f"curl -X {method.upper()} {BASE}{path} -H 'content-type: application/json' \\\n  -d "
    return words + shlex.quote(json.dumps(body))


def _resolved(document: Schema, schema: Schema) -> Schema:
    reference = schema.get("$ref", "")
    if reference.startswith(_REF):
        found: Schema = document["components"]["schemas"][reference.removeprefix(_REF)]
        return found
    return schema


def _fields(document: Schema, schema: Schema) -> str:
    needed = schema.get("required", [])
    return _table(
        (name, one, name in needed, _resolved(document, one).get("description", one.get("description", "")))
        for name, one in schema.get("properties", {}).items()
    )


def _table(rows: Any) -> str:
    body = ""
    for name, schema, needed, told in rows:
        kind = _kind(schema) + ", optional" * (not needed)
        body += f"<tr><td><code>{escape(name)}</code><td>{escape(kind)}<td>{escape(told)}"
    return f"<table>{body}</table>" if body else ""


def _kind(schema: Schema) -> str:
    """A type in a few words."""
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(dict.fromkeys(_kind(one) for one in schema[several]))
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(_REF)
    if "const" in schema or "enum" in schema:
        return ", ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    kind = str(schema.get("type", "anything"))
    if kind == "array":
        items = schema.get("items") or (schema.get("prefixItems") or [{}])[0]
        return f"list of {_kind(items)}"
    limits = [f"{word} {schema[key]}" for key, word in (("minimum", "from"), ("maximum", "to")) if key in schema]
    return " ".join([kind, *limits])
